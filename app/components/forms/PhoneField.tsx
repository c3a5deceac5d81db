import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { AskEmail } from '../../domain/profile/rules';
import { TextField } from './Field';

type Props = { askPhone: AskEmail; provider: string; refused?: Refusal };

export function PhoneField({ askPhone, provider, refused }: Props) {
  const { t } = useLingui();
  return askPhone === 'no' ? null : (
    <TextField
      name="phone"
      type="tel"
      label={t`Phone`}
      autoComplete="tel"
      maxLength={limits.phone.max}
      isOptional={askPhone === 'optional'}
      required={askPhone === 'required'}
      help={t`For ${{ providerName: provider }} only.`}
      refused={refused}
    />
  );
}
