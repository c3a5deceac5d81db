import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { json, type LoaderFunctionArgs, redirect } from '@remix-run/cloudflare';
import { type MetaFunction, useLoaderData } from '@remix-run/react';
import { Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { useRefusal } from '../../components/forms/refusal';
import { Letter, letterMeta } from '../../components/frame/Letter';
import { useWords } from '../../components/words';
import { DomainError } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { getRsvpByKey, linkedRsvp } from '../../domain/parties/guest-rsvps.server';
import { setRsvpContact } from '../../domain/parties/link-contact.server';
import {
  forGuests,
  isTakingRsvps,
  lacksContact,
  mailGoesWords,
  mayBring,
  placesLeft,
  roomFor,
} from '../../domain/parties/parties';
import { contact, rsvpForm } from '../../domain/parties/party-input';
import { rsvpToParty } from '../../domain/parties/rsvps.server';
import { sendMailOfRsvp } from '../../domain/parties/withheld-mail.server';
import { answersFromForm } from '../../domain/templates/questions';
import { statuses } from '../../http/errors.server';
import { fields } from '../../http/form.server';
import { moveToReader } from '../../http/linked.server';
import { originOf } from '../../http/login.server';
import { formAction, pageLoader } from '../../http/page.server';
import * as paths from '../../paths';
import { CalledOff } from './CalledOff';
import { ContactForm } from './ContactForm';
import { InAccount } from './InAccount';
import { Keep } from './Keep';
import { Moved } from './Moved';
import { RsvpForm } from './RsvpForm';
import { Closed, OwnRsvp, Room } from './RsvpWords';
import { WhereMailGoes } from './WhereMailGoes';

export const handle = { isLetter: true };
export const meta: MetaFunction<typeof loader> = ({ data }) =>
  letterMeta(data, data && data.calledOffAt !== null ? msg`Called off` : undefined);

/** A guest's RSVP to a party, for whoever has its personal link. */
const show = pageLoader('anyone', async ({ db, now, pageHeaders, hasMail }, { params: { key = '' }, url }) => {
  const { party, own, template, owner, calledOffAt, cancelReason, was } = await getRsvpByKey(db, key);
  const isOpen = isTakingRsvps(party, now) && calledOffAt === null;
  // Forms without script need the policy that all pages have.
  if (!isOpen) pageHeaders['Referrer-Policy'] = 'no-referrer';
  const path = paths.rsvp(key);
  return {
    party: forGuests(party),
    isFull: roomFor(party, own) === 0,
    left: party.hideGoing ? null : placesLeft(party),
    mayBring: mayBring(party, own),
    own,
    username: owner.isGuest ? null : (own.username ?? ''),
    asksEmail: hasMail && owner.isGuest,
    isContactSaved: url.searchParams.has('contact'),
    template,
    isOpen,
    isOver: party.endsAt <= now,
    calledOffAt,
    cancelReason,
    was,
    path,
    file: paths.rsvpFile(key),
    link: url.origin + path,
    isAsking: url.searchParams.get('step') === 'questions',
    isSaved: url.searchParams.has('saved'),
  };
});

/** A party that was called off is not found; its letter says so. */
export async function loader(args: LoaderFunctionArgs) {
  const shown = await show(args);
  return json(shown, { status: shown.calledOffAt === null ? 200 : statuses.not_found });
}

export const action = formAction('anyone', async (context, typed, { params: { key = '' } }) => {
  const { db, now } = context;
  const { party, owner, calledOffAt } = await getRsvpByKey(db, key);
  if (calledOffAt !== null) return redirect(paths.rsvp(key), 303);
  if (typed.intent?.[0] === 'contact') {
    await setRsvpContact(db, owner, parse(contact, fields(typed)), { now, origin: await originOf(context) });
    return redirect(paths.rsvp(key, { contact: 'saved' }), 303);
  }
  if (typed.intent?.[0] === 'send-mail') {
    await sendMailOfRsvp(db, owner, now);
    return redirect(paths.rsvp(key), 303);
  }
  if (typed.intent?.[0] === 'keep') {
    await moveToReader(context, linkedRsvp(owner, party.id), paths.rsvp(key));
    // The account's own RSVP may be the later one, which ends this link.
    return redirect(paths.party(party.id), 303);
  }
  const rsvp = parse(rsvpForm, { ...fields(typed), id: party.id });
  try {
    await rsvpToParty(db, owner, rsvp, (questions) => answersFromForm(questions, typed), now);
  } catch (error) {
    // The host has shut out guests since: the form says so, and what was typed stays.
    if (error instanceof DomainError && error.code === 'forbidden') throw new DomainError('conflict', error.faults);
    // Called off since it was read above: the letter says so.
    const isGone = error instanceof DomainError && error.code === 'not_found';
    if (isGone && (await getRsvpByKey(db, key)).calledOffAt !== null) return redirect(paths.rsvp(key), 303);
    throw error;
  }
  return redirect(paths.rsvp(key, { saved: 'yes' }), 303);
});

export default function Rsvp() {
  const shown = useLoaderData<typeof loader>();
  const { party, own, isOpen, isFull, path, file, isSaved } = shown;
  const { name } = own;
  const refused = useRefusal();
  const { t } = useLingui();
  const words = useWords();
  const host = words(party.providerName);
  if (shown.calledOffAt !== null) {
    const calledOff = { at: shown.calledOffAt, reason: shown.cancelReason, file: own.accepted ? file : null };
    return <CalledOff party={party} {...calledOff} />;
  }
  const isRoomSaid = refused?.faults.some(({ field }) => field === null);
  return (
    <Letter
      party={party}
      rsvpBy={isOpen ? party.rsvpBy : null}
      greeting={
        <Trans>
          Hi <strong>{name}</strong>, <bdi>{host}</bdi> would love to see you.
        </Trans>
      }
    >
      <ErrorSummary refused={refused} />
      {isSaved && !refused && <Notice tone="good" title={t`Your answer is saved.`} />}
      {shown.isContactSaved && !refused && <Notice tone="good" title={t`Saved: the next mails go there.`} />}
      {shown.was && <Moved was={shown.was} party={party} />}
      <OwnRsvp file={file} link={shown.link} party={party} own={own} canChange={isOpen && !isFull} />
      {isOpen && !isRoomSaid && <Room isFull={isFull} left={shown.left} />}
      {isOpen ? <RsvpForm {...shown} path={path} refused={refused} /> : <Closed party={party} isOver={shown.isOver} />}
      {shown.asksEmail && !shown.isOver && (own.accepted || !isOpen || !lacksContact(party, own)) && (
        <>
          <WhereMailGoes goesTo={mailGoesWords(own)} withheld={own.withheld ?? null} path={path} />
          <ContactForm
            email={own.email ?? null}
            askPhone={party.askPhone}
            phone={own.phone}
            action={path}
            refused={refused}
          />
        </>
      )}
      <InAccount username={shown.username} letter={path} own={paths.party(party.id)} />
      <Keep link={shown.link} subject={words(party.title)} canChange />
    </Letter>
  );
}
