import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '../../components/Button';
import { PostForm } from '../../components/forms/Form';
import { EmailField } from '../../components/forms/GuestFields';
import { PhoneField } from '../../components/forms/PhoneField';
import type { Refusal } from '../../domain/errors';
import type { HowAsked } from '../../domain/profile/rules';

type Props = {
  /** The address of mails so far; null if none are sent. */
  email: string | null;
  /** Whether the host asks for a phone number; left out where there is no host. */
  askPhone?: HowAsked;
  phone?: string | null;
  refused?: Refusal;
  /** The form's address, if it is not the page itself. */
  action?: string;
};

/** Adds or changes where whoever has the link of this page is told of it. */
export function ContactForm({ email, askPhone = 'no', phone, refused, action }: Props) {
  const isOpen = refused?.typed.intent?.[0] === 'contact';
  const { t } = useLingui();
  const change = askPhone !== 'no' ? t`Change the e-mail address or phone number` : t`Change the e-mail address`;
  return (
    <details open={isOpen} className="no-print border-t border-dashed border-rule pt-2 text-start">
      <summary className="min-h-11 py-2 font-semibold">{email ? change : t`Add an e-mail address`}</summary>
      <PostForm action={action} className="grid gap-4 py-3">
        <EmailField
          asked="required"
          mayStayEmpty
          email={email}
          help={
            email
              ? t`The next mails about this go there, and no longer anywhere else.`
              : t`The next mails about this go there.`
          }
          refused={isOpen ? refused : undefined}
        />
        <PhoneField asked={askPhone} phone={phone} mayStayEmpty refused={isOpen ? refused : undefined} />
        <div>
          <Button name="intent" value="contact">
            <Trans>Save</Trans>
          </Button>
        </div>
      </PostForm>
    </details>
  );
}

/** For a guest who said no: the form of their RSVP has the fields, because its host wants them of whoever comes. */
export const SaveContactOnly = () => (
  <Button quiet formNoValidate name="intent" value="contact">
    <Trans>Save the contact only</Trans>
  </Button>
);
