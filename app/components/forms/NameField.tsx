import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { TextField } from './Field';

/** The name of a guest. */
export function NameField({ refused }: { refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextField
      name="displayName"
      label={t`Your name`}
      autoComplete="name"
      maxLength={limits.displayName}
      required
      refused={refused}
    />
  );
}
