import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { Button } from '../../components/Button';
import { Notice } from '../../components/Card';
import { ContactFields } from '../../components/forms/ContactFields';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { PostForm } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { Letter, letterMeta } from '../../components/frame/Letter';
import { useWords } from '../../components/words';
import { DomainError, invalid, type Trouble } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { noInvitation, rsvpByLink } from '../../domain/parties/attendees.server';
import { findMeetupLetter } from '../../domain/parties/letters.server';
import { setNameContact } from '../../domain/parties/link-contact.server';
import { forGuests, invalidLink, isInvitationId, lacksContact, mailGoesWords } from '../../domain/parties/parties';
import { contact } from '../../domain/parties/party-input';
import { sendMailOfName } from '../../domain/parties/withheld-mail.server';
import { worded } from '../../domain/words/worded';
import { failureOf, statuses } from '../../http/errors.server';
import { fields } from '../../http/form.server';
import { languageOfReader, originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { CalledOff } from './CalledOff';
import { ContactForm, SaveContactOnly } from './ContactForm';
import { Moved } from './Moved';
import { ToCalendar } from './RsvpWords';
import { WhereMailGoes } from './WhereMailGoes';

export const handle = { isLetter: true };
export const meta: MetaFunction<typeof loader> = ({ data }) =>
  letterMeta(data, data && (data.calledOffAt === null ? titles[`${data.accepted}`] : msg`Called off`));

const titles = { true: msg`You accepted`, false: msg`You declined`, null: undefined };
const status = { true: msg`You accepted.`, false: msg`You declined.`, null: msg`You have not responded yet.` };

/** @throws DomainError invalid where the address can't be an invitation's */
function invitationId(id: string): string {
  if (!isInvitationId(id)) throw invalid(null, invalidLink);
  return id;
}

/** The meetup for whoever has the personal link, greeted by the name on the host's list. */
const show = pageLoader('anyone', async ({ db, now, hasMail }, { params: { id = '' }, url }) => {
  const letter = await findMeetupLetter(db, invitationId(id));
  if (!letter) throw noInvitation();
  const { name, accepted, email, isMailed, withheld, phone } = letter.invitation;
  const { calledOffAt, cancelReason, was, party } = letter;
  const isOver = party.endsAt <= now;
  const own = { email, isMailed, withheld, phone };
  const isContactSaved = url.searchParams.has('contact');
  return {
    party: forGuests(party),
    id,
    link: url.origin + paths.meetup(id),
    name,
    accepted,
    own,
    hasMail,
    isContactSaved,
    isOver,
    calledOffAt,
    cancelReason,
    was,
  };
});

/** A meetup that was called off is not found; its letter says so. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.calledOffAt === null ? 200 : statuses.not_found });
}

export const action = formAction('anyone', async (context, typed, { params: { id = '' } }) => {
  if (typed.intent?.[0] === 'contact') {
    const when = { now: context.now, origin: await originOf(context) };
    await setNameContact(context.db, invitationId(id), parse(contact, fields(typed)), when);
    return redirect(paths.meetup(id, { contact: 'saved' }), 303);
  }
  if (typed.intent?.[0] === 'send-mail') {
    await sendMailOfName(context.db, invitationId(id), context.now);
    return redirect(paths.meetup(id), 303);
  }
  const accepted = typed.accepted?.[0];
  if (accepted !== 'true' && accepted !== 'false') throw invalid(null, wentWrong);
  try {
    const lang = languageOfReader(context);
    const rsvp = { id: invitationId(id), accepted: accepted === 'true', lang, contact: parse(contact, fields(typed)) };
    await rsvpByLink(context.db, rsvp, context.now);
  } catch (error) {
    if (error instanceof DomainError) {
      // Called off while the letter was open, which says so when it is read again.
      const isCalledOff = error.code === 'not_found' && (await findMeetupLetter(context.db, id))?.calledOffAt;
      if (isCalledOff) return redirect(paths.meetup(id), 303);
      throw error;
    }
    const { status: code, headers } = failureOf(error, context.id);
    context.refusalHeaders = headers;
    throw json({ message: worded(context.i18n, wentWrong) } satisfies Trouble, { status: code });
  }
  return redirect(paths.meetup(id), 303);
});

const wentWrong = msg`Something went wrong. Please try again.`;

export default function MeetupLetter() {
  const { party, id, link, name, accepted, own, hasMail, isContactSaved, isOver, calledOffAt, cancelReason, was } =
    useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const host = words(party.providerName);
  const file = paths.meetupFile(id);
  if (calledOffAt !== null) {
    return <CalledOff party={party} at={calledOffAt} reason={cancelReason} file={accepted ? file : null} />;
  }
  const asksContact = accepted === null || (!accepted && lacksContact(party, own));
  const look = accepted === null ? 'text-muted' : accepted ? 'text-good' : 'text-accent';
  return (
    <Letter
      party={party}
      greeting={
        <Trans>
          Hi <strong>{name}</strong>, <bdi>{host}</bdi> would love to see you.
        </Trans>
      }
    >
      <ErrorSummary refused={refused} />
      {isContactSaved && !refused && <Notice tone="good" title={t`Saved: the next mails go there.`} />}
      {was && <Moved was={was} party={party} />}
      <p role="status" className={`font-semibold ${look}`}>
        {words(status[`${accepted}`])}
      </p>
      {isOver ? (
        <p className="text-muted">
          <Trans>This meetup is over.</Trans>
        </p>
      ) : (
        <PostForm className="no-print grid gap-5 text-start">
          {asksContact && <ContactFields party={party} own={own} asksEmail={hasMail} refused={refused} />}
          <div className="flex flex-wrap justify-center gap-3">
            <Button name="accepted" value="true" disabled={accepted === true}>
              <Trans>Accept</Trans>
            </Button>
            <Button quiet name="accepted" value="false" disabled={accepted === false}>
              <Trans>Decline</Trans>
            </Button>
            {accepted === false && asksContact && <SaveContactOnly />}
          </div>
        </PostForm>
      )}
      {accepted && <ToCalendar file={file} link={link} party={party} />}
      {accepted !== null && hasMail && !isOver && !asksContact && (
        <>
          <WhereMailGoes goesTo={mailGoesWords(own)} withheld={own.withheld ?? null} path={paths.meetup(id)} />
          <ContactForm email={own.email ?? null} askPhone={party.askPhone} phone={own.phone} refused={refused} />
        </>
      )}
    </Letter>
  );
}
