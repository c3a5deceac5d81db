import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { TextArea } from './Field';

export function NamesField({
  label,
  defaultValue,
  refused,
  hasMail,
}: {
  label: string;
  defaultValue?: string[];
  refused?: Refusal;
  hasMail: boolean;
}) {
  const { t } = useLingui();
  return (
    <TextArea
      name="attendees"
      label={label}
      help={
        hasMail
          ? t`One name to a line. Everyone gets a personal link, by mail where you write the address too: Ada <ada@example.org>.`
          : t`One name to a line. Everyone gets a personal link.`
      }
      maxLength={limits.party.names * (limits.party.name + limits.email + 5)}
      defaultValue={defaultValue?.join('\n')}
      refused={refused}
    />
  );
}
