import type { Refusal } from '../domain/errors';
import { limits } from '../domain/input/limits';
import type { GuestsParty, Invitation } from '../domain/parties/parties';
import type { AskEmail } from '../domain/profile/rules';
import { TextField } from './Field';

/** Where whoever answers can be reached: what the form of an answer asks for. */
export type Asked = {
  party: Pick<GuestsParty, 'askEmail' | 'askPhone' | 'providerName' | 'kind'>;
  own: Pick<Invitation, 'email' | 'phone'> | null;
  /** Whether an address is asked for: mail is set up, and whoever answers has no login, which has one. */
  asksEmail: boolean;
  refused?: Refusal;
};

/** The fields for what a host asks of whoever comes; none where they ask for nothing. */
export function ContactFields({ party: { askEmail, askPhone, providerName }, own, asksEmail, refused }: Asked) {
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

export const EmailField = ({ asked, email, ...rest }: FieldProps & { email?: string | null }) => (
  <TextField
    name="email"
    type="email"
    label="E-mail"
    autoComplete="email"
    maxLength={limits.email}
    defaultValue={email ?? undefined}
    isOptional={asked !== 'required'}
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
