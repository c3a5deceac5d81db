import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { AskEmail } from '../../domain/profile/rules';
import { TextField } from './Field';

type Props = { askPhone: AskEmail; provider: string; refused?: Refusal };

export const PhoneField = ({ askPhone, provider, refused }: Props) =>
  askPhone === 'no' ? null : (
    <TextField
      name="phone"
      type="tel"
      label="Phone"
      autoComplete="tel"
      maxLength={limits.phone.max}
      isOptional={askPhone === 'optional'}
      required={askPhone === 'required'}
      help={`For ${provider} only.`}
      refused={refused}
    />
  );
