import type { Refusal } from '../domain/errors';
import { useKeptActionData } from './kept';

/** Undefined if the screen's form was not refused. */
export function useRefusal(): Refusal | undefined {
  const actionData: object | undefined = useKeptActionData();
  return actionData && 'faults' in actionData ? (actionData as Refusal) : undefined;
}

/** For a screen with several forms, told apart by the `intent` that their button sends. */
export function useRefusals() {
  const refused = useRefusal();
  const refusedFor = (intent: string) => (refused?.typed.intent?.[0] === intent ? refused : undefined);
  return { refused, refusedFor };
}
