import type { Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import type { GuestsParty, Invitation } from '../../domain/parties/parties';
import type { AskEmail } from '../../domain/profile/rules';
import { TextField } from './Field';

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
  return (
    <>
      {asksEmail && askEmail !== 'no' && (
        <EmailField
          asked={askEmail}
          email={own?.email}
          help={`For ${providerName} only. What changes comes there, and a reminder.`}
          refused={refused}
        />
      )}
      {askPhone !== 'no' && (
        <PhoneField asked={askPhone} phone={own?.phone} help={`For ${providerName} only.`} refused={refused} />
      )}
    </>
  );
}

type FieldProps = { asked: AskEmail; help?: string; refused?: Refusal };

export const EmailField = ({ asked: need, email, ...rest }: FieldProps & { email?: string | null }) => (
  <TextField
    name="email"
    type="email"
    label="E-mail"
    autoComplete="email"
    maxLength={limits.email}
    defaultValue={email ?? undefined}
    isOptional={need !== 'required'}
    {...rest}
  />
);

export const PhoneField = ({ asked, phone, ...rest }: FieldProps & { phone?: string | null }) => (
  <TextField
    name="phone"
    type="tel"
    label="Phone"
    autoComplete="tel"
    maxLength={limits.phone.max}
    defaultValue={phone ?? undefined}
    isOptional={asked !== 'required'}
    {...rest}
  />
);
