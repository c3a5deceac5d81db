import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { HowAsked } from '../../domain/profile/rules';
import { TextField } from './Field';

type Props = {
  asked: HowAsked;
  /** The name of who gets the number. */
  provider?: string;
  phone?: string | null;
  /** The form has a button that needs no number, so the browser lets it be empty. */
  mayStayEmpty?: boolean;
  refused?: Refusal;
};

/** A client's phone number, if their provider or host asks for one. */
export function PhoneField({ asked, provider, phone, mayStayEmpty = false, refused }: Props) {
  const { t } = useLingui();
  return asked === 'no' ? null : (
    <TextField
      name="phone"
      type="tel"
      label={t`Phone`}
      autoComplete="tel"
      maxLength={limits.phone.max}
      defaultValue={phone ?? undefined}
      isOptional={asked === 'optional'}
      required={asked === 'required' && !mayStayEmpty}
      help={provider === undefined ? undefined : t`For ${{ providerName: provider }} only.`}
      refused={refused}
    />
  );
}
