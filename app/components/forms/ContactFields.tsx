import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { GuestsParty, Invitation } from '../../domain/parties/parties';
import type { HowAsked } from '../../domain/profile/rules';
import { useWords } from '../words';
import { TextField } from './Field';
import { PhoneField } from './PhoneField';

type ContactFieldsProps = {
  party: Pick<GuestsParty, 'askEmail' | 'askPhone' | 'providerName' | 'kind'>;
  own: Pick<Invitation, 'email' | 'phone'> | null;
  /** True if mail is set up and we don't have the reader's address yet. */
  asksEmail: boolean;
  refused?: Refusal;
};

export function ContactFields({
  party: { askEmail, askPhone, providerName },
  own,
  asksEmail,
  refused,
}: ContactFieldsProps) {
  const { t } = useLingui();
  const host = useWords()(providerName);
  return (
    <>
      {asksEmail && askEmail !== 'no' && (
        <EmailField
          asked={askEmail}
          email={own?.email}
          help={t`For ${host} only. What changes comes there, and a reminder.`}
          refused={refused}
        />
      )}
      <PhoneField asked={askPhone} provider={host} phone={own?.phone} mayStayEmpty refused={refused} />
    </>
  );
}

type FieldProps = { asked: HowAsked; help?: string; refused?: Refusal };

export function EmailField({ asked: need, email, ...rest }: FieldProps & { email?: string | null }) {
  const { t } = useLingui();
  return (
    <TextField
      name="email"
      type="email"
      label={t`E-mail`}
      autoComplete="email"
      maxLength={limits.email}
      defaultValue={email ?? undefined}
      isOptional={need !== 'required'}
      {...rest}
    />
  );
}
