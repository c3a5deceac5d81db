import type { Refusal } from '../../domain/errors';
import { useSavedActionData } from '../frame/drafts';

/** The refusal of the screen's form; undefined if it was not refused. */
export function useRefusal(): Refusal | undefined {
  const actionData: object | undefined = useSavedActionData();
  return actionData && 'faults' in actionData ? (actionData as Refusal) : undefined;
}

/** The refusals of a screen with several forms, told apart by the `intent` of their buttons. */
export function useRefusals() {
  const refused = useRefusal();
  const refusedFor = (intent: string) => (refused?.typed.intent?.[0] === intent ? refused : undefined);
  return { refused, refusedFor };
}
