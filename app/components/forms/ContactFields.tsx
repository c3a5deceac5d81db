import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import type { GuestsParty, Invitation } from '../../domain/parties/parties';
import { useWords } from '../words';
import { EmailField } from './GuestFields';
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
      {asksEmail && (
        <EmailField
          asked={askEmail}
          email={own?.email}
          help={t`For ${host} only. What changes comes there, and a reminder.`}
          mayStayEmpty
          refused={refused}
        />
      )}
      <PhoneField asked={askPhone} provider={host} phone={own?.phone} mayStayEmpty refused={refused} />
    </>
  );
}
