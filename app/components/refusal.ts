import type { Refusal } from '../domain/errors';
import { useKeptActionData } from './kept';

/** Why the form of this screen was refused, and what was typed; undefined if it was not. */
export function useRefusal(): Refusal | undefined {
  const actionData: object | undefined = useKeptActionData();
  return actionData && 'faults' in actionData ? (actionData as Refusal) : undefined;
}

/** As useRefusal, for each of several forms: those of a screen are told apart by the `intent` that their button sends. */
export function useRefusals() {
  const refused = useRefusal();
  const refusedFor = (intent: string) => (refused?.typed.intent?.[0] === intent ? refused : undefined);
  return { refused, refusedFor };
}
