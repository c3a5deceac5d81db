import type { Refusal } from '../domain/errors';
import { limits } from '../domain/input/limits';
import { TextArea } from './Field';

/** A field for names, one to a line. Each name gets a personal link. */
export function NamesField({
  label,
  defaultValue,
  refused,
}: {
  label: string;
  defaultValue?: string[];
  refused?: Refusal;
}) {
  return (
    <TextArea
      name="attendees"
      label={label}
      help="One name to a line. Everyone gets a personal link."
      maxLength={limits.party.names * (limits.party.name + 2)}
      defaultValue={defaultValue?.join('\n')}
      refused={refused}
    />
  );
}
