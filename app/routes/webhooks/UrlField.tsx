import { useLingui } from '@lingui/react/macro';
import { TextField } from '../../components/forms/Field';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';

/** Where a program listens. */
export function UrlField({ url, refused }: { url?: string; refused?: Refusal }) {
  const { t } = useLingui();
  return (
    <TextField
      name="url"
      label={t`Address of your program`}
      type="url"
      defaultValue={url}
      maxLength={limits.webhookUrl}
      required
      autoComplete="off"
      refused={refused}
      help={t`It begins with https://, and its server is public.`}
    />
  );
}
