import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '../../components/Button';
import { ContactFields } from '../../components/forms/ContactFields';
import { TextField } from '../../components/forms/Field';
import { PostForm } from '../../components/forms/Form';
import { QuestionFields } from '../../components/forms/QuestionField';
import type { Refusal } from '../../domain/errors';
import { type GuestsParty, type Invitation, lacksContact } from '../../domain/parties/parties';
import type { Template } from '../../domain/templates/questions';
import { SaveContactOnly } from './ContactForm';

type Props = {
  /** The address of the letter, for the step that asks the questions. */
  path: string;
  /** The form's address, if it is not the letter itself. */
  action?: string;
  /** The first fields of the form. */
  children?: ReactNode;
  party: GuestsParty;
  own: Invitation | null;
  template: Template | null;
  /** How many this guest can bring, of those who fit. */
  mayBring: number;
  /** No room for this guest, who holds no place yet. */
  isFull: boolean;
  /** Whether an e-mail address is asked for, where the host wants one. */
  asksEmail: boolean;
  refused: Refusal | undefined;
  isAsking: boolean;
};

/** Step 1 is the RSVP itself; where the party asks questions, it leads to them, and the RSVP follows them. */
export function RsvpForm(props: Props) {
  const { path, action, children, party, own, template, mayBring, isFull, asksEmail, refused, isAsking } = props;
  const { t } = useLingui();
  const hasQuestions = template !== null && template.questions.length > 0;
  const asksContact = !own?.accepted && (own?.accepted !== false || lacksContact(party, own));
  const rsvp = t({ message: 'RSVP', context: 'verb' });
  const canChange = !own?.accepted || hasQuestions || party.plusOnes > 0;
  const no = own?.accepted !== false && (
    <Button quiet name="accepted" value="false">
      <Trans>I can't come</Trans>
    </Button>
  );
  // The typed RSVP stays for another try, once somebody has made room.
  if (isFull && !refused) return no && <PostForm className="no-print">{no}</PostForm>;
  if (hasQuestions && !isAsking && !refused) {
    return (
      <div className="no-print flex flex-wrap justify-center gap-3">
        <ButtonLink to={`${path}?step=questions`}>{own?.accepted ? t`Change my answer` : rsvp}</ButtonLink>
        {no && <PostForm>{no}</PostForm>}
      </div>
    );
  }
  return (
    <PostForm action={action} className="no-print grid gap-5 text-start">
      {children}
      {hasQuestions && <QuestionFields questions={template.questions} answers={own?.answers} refused={refused} />}
      {asksContact && <ContactFields party={party} own={own} asksEmail={asksEmail} refused={refused} />}
      <PlusOnes party={party} own={own} mayBring={mayBring} refused={refused} />
      <div className="flex flex-wrap justify-center gap-3">
        {canChange && (
          <Button name="accepted" value="true">
            {own?.accepted ? t`Save my answer` : rsvp}
          </Button>
        )}
        {no}
        {own?.accepted === false && asksContact && asksEmail && <SaveContactOnly />}
      </div>
    </PostForm>
  );
}

/** How many a guest brings; nothing if nobody may, or there is room for the guest alone. */
function PlusOnes({ party, own, mayBring, refused }: Pick<Props, 'party' | 'own' | 'mayBring' | 'refused'>) {
  const { t } = useLingui();
  const typed = refused?.typed.guests?.[0] ?? '0';
  if (party.plusOnes === 0) return null;
  if (mayBring === 0 && typed === '0') return <p>{t`There is room for you alone.`}</p>;
  return (
    <TextField
      name="guests"
      label={t`How many do you bring?`}
      type="number"
      inputMode="numeric"
      min={0}
      max={mayBring}
      defaultValue={own?.plusOnes ?? 0}
      help={mayBring === 0 ? t`There is room for you alone.` : t`Up to ${mayBring}.`}
      refused={refused}
    />
  );
}
