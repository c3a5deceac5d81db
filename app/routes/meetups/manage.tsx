import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { EventFacts } from '../../components/EventFacts';
import { Fold } from '../../components/Fold';
import { CancelForm } from '../../components/forms/CancelForm';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { AskFields, EventFields } from '../../components/forms/EventFields';
import { PostForm, Submit } from '../../components/forms/Form';
import { NamesField } from '../../components/forms/NamesField';
import { useRefusals } from '../../components/forms/refusal';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { HowAllTold } from '../../components/HowTold';
import { useWords } from '../../components/words';
import { cancellation } from '../../domain/bookings/appointments';
import { invalid } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { findEventWays } from '../../domain/messages/event-ways.server';
import { addAttendees, removeAttendee, replaceLink, setAttendeeEmail } from '../../domain/parties/attendees.server';
import { deleteParty, editParty } from '../../domain/parties/hosting.server';
import { inviteesFromLines } from '../../domain/parties/parties';
import { getHosted } from '../../domain/parties/parties.server';
import { attendeeEmail, meetupChange, namesForm } from '../../domain/parties/party-input';
import { sendWithheldMail } from '../../domain/parties/withheld-mail.server';
import { aboutEvent, withTexts } from '../../domain/people/texts.server';
import type { Words } from '../../domain/words/words';
import { fields, onceOf, withWireDates } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { senderOf } from '../../http/sender.server';
import * as paths from '../../paths';
import { AllLinks } from './AllLinks';
import { AttendeeTable, placeIn, pressed } from './AttendeeTable';

export const meta = titled(msg`Manage meetup`);

// What the page says after a button, or after the form that made the meetup. If it was about a name, the words have the
// name.
const done: Record<string, (name: string | null) => Words> = {
  created: () => msg`The meetup is ready. Send everyone their link.`,
  saved: () => msg`The meetup is saved.`,
  added: () => msg`The names are added. Send everyone their link.`,
  replaced: (name) => (name ? msg`${name} has a new link. Send it to them.` : msg`The link is replaced.`),
  removed: (name) => (name ? msg`${name} is removed.` : msg`The name is removed.`),
  addressed: (name) =>
    name
      ? msg`The invitation of ${name} goes to that address.`
      : msg`The invitation of this name goes to that address.`,
  withheld: (name) =>
    name
      ? msg`The mail to ${name} does not go out now: see beside the name.`
      : msg`The mail to this name does not go out now: see beside the name.`,
  later: (name) => (name ? msg`The mail to ${name} goes out tomorrow.` : msg`The mail to this name goes out tomorrow.`),
  mailed: (name) => (name ? msg`The mail to ${name} is on its way.` : msg`The mail to this name is on its way.`),
  unaddressed: (name) =>
    name ? msg`${name} gets no mail about this meetup.` : msg`This name gets no mail about this meetup.`,
};

export const loader = pageLoader('Provider', async (context, { params: { id = '' }, url }) => {
  const { db, actor, now, hasMail } = context;
  const [{ invitations, ...meetup }, ways, sender] = await Promise.all([
    getHosted(db, actor, 'meetup', id, now),
    findEventWays(db, actor, id, hasMail),
    senderOf(context, url),
  ]);
  const attendees = invitations.map((invitation) => {
    const { id: key, name, accepted, rsvpAt, email, phone, withheld } = invitation;
    const about = phone ? aboutEvent(meetup, invitation, paths.meetup(key, { name })) : null;
    return { id: key, name, accepted, rsvpAt, email, phone, withheld: hasMail ? withheld : null, about };
  });
  return {
    meetup,
    ways,
    attendees: await withTexts(sender, attendees),
    origin: url.origin,
    hasMail,
    done: doneWords(url.searchParams),
    isOneText: url.searchParams.has('links'),
    addressing: hasMail ? url.searchParams.get('mail') : null,
  };
});

/** Reads from the address what was done last, and in which row. */
function doneWords(query: URLSearchParams) {
  const doneParameter = query.get('done') ?? '';
  const words = Object.hasOwn(done, doneParameter) ? done[doneParameter]?.(query.get('name')) : undefined;
  const place = placeIn(query.get('at'));
  return words ? { words, place: place ?? null } : null;
}

export const action = formAction('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const path = paths.manageMeetup(id);
  const once = { now, key: onceOf(typed) };
  const [replace, remove, send] = [typed.replace, typed.remove, typed.send].map((values) => pressed(values?.[0]));
  if (send) {
    const { name, withheld } = await sendWithheldMail(db, actor, send.id, now);
    return redirect(
      doneAt(path, withheld ? (withheld.isDelayed ? 'later' : 'withheld') : 'mailed', name, send.place),
      303,
    );
  }
  if (replace) {
    const { name } = await replaceLink(db, actor, replace.id, once);
    return redirect(doneAt(path, 'replaced', name, replace.place), 303);
  }
  if (remove) {
    const name = await removeAttendee(db, actor, remove.id, once);
    return redirect(doneAt(path, 'removed', name, remove.place), 303);
  }
  switch (typed.intent?.[0]) {
    case 'address': {
      const invitationToMail = pressed(typed.whose?.[0]);
      const { email } = parse(attendeeEmail, { email: typed.email?.[0] ?? null });
      const { name, withheld } = await setAttendeeEmail(db, actor, { id: invitationToMail?.id ?? '', email }, now);
      const mailState = email ? (withheld ? 'withheld' : 'addressed') : 'unaddressed';
      return redirect(doneAt(path, mailState, name, invitationToMail?.place), 303);
    }
    case 'edit': {
      const change = parse(meetupChange, withWireDates(fields(typed), 'date'));
      await editParty(db, actor, 'meetup', { id, change }, now);
      return redirect(`${path}?done=saved`, 303);
    }
    case 'add': {
      const { attendees } = parse(namesForm, { attendees: inviteesFromLines(typed.attendees ?? []) });
      await addAttendees(db, actor, { id, invitees: attendees }, once);
      return redirect(`${path}?done=added`, 303);
    }
    case 'delete': {
      const { reason } = parse(cancellation, fields(typed));
      await deleteParty(db, actor, 'meetup', { id, reason }, once);
      return redirect(paths.meetups({ deleted: 'yes' }), 303);
    }
    default:
      throw invalid(null, msg`Please use one of the buttons of this page.`);
  }
});

/** Leads back to the row of a button, to say there what was done. */
function doneAt(path: string, done: string, name: string, at: number | undefined): string {
  const query = new URLSearchParams({ done, name, ...(at !== undefined && { at: `${at}` }) });
  return `${path}?${query}${at === undefined ? '' : '#done'}`;
}

export default function ManageMeetup() {
  const { meetup, ways, attendees, origin, hasMail, done, isOneText, addressing } = useLoaderData<typeof loader>();
  const { refused, refusedFor } = useRefusals();
  const doneInList = done && done.place !== null && !refused ? { words: done.words, place: done.place } : null;
  const words = useWords();
  const { t } = useLingui();
  const { title } = meetup;
  return (
    <Page title={t`Manage meetup`} subtitle={meetup.title}>
      <ErrorSummary refused={refused} />
      {done && !doneInList && !refused && <Notice tone="good" title={words(done.words)} />}
      {isOneText && <AllLinks attendees={attendees} origin={origin} />}
      <Card title={meetup.title}>
        <EventFacts party={meetup} />
        <div className="no-print flex flex-wrap gap-3">
          <ButtonLink quiet to={`${paths.meetups({ copy: meetup.id })}#create`}>
            {t`Copy for a new date`}
          </ButtonLink>
          <ButtonLink quiet to={paths.repeat(meetup.id)}>
            {t`Every week until …`}
          </ButtonLink>
          <CancelForm
            intent="delete"
            button={t`Delete`}
            question={t`Delete “${title}”? Its links will say that you called it off.`}
            refused={refusedFor('delete')}
          >
            {t`They say your reason too.`} <HowAllTold ways={ways} withReason />
          </CancelForm>
        </div>
        <Fold summary={t`Edit`} isOpen={refusedFor('edit') !== undefined}>
          <PostForm className="grid gap-5 py-3">
            <EventFields before={meetup} refused={refusedFor('edit')} zone={meetup.timeZone} />
            <AskFields before={meetup} refused={refusedFor('edit')} />
            <p className="text-muted">
              <Trans>
                If you change the title, the time, the address or the map link: <HowAllTold ways={ways} />
              </Trans>
            </p>
            <div>
              <Submit name="intent" value="edit">
                {t`Save meetup`}
              </Submit>
            </div>
          </PostForm>
        </Fold>
      </Card>
      <Card title={t`Attendees`}>
        <AttendeeTable
          attendees={attendees}
          origin={origin}
          zone={meetup.timeZone}
          done={doneInList}
          mail={hasMail ? { addressing, meetupId: meetup.id, refused: refusedFor('address') } : null}
        />
        <div className="no-print flex flex-wrap gap-3">
          <ButtonLink quiet isFile to={paths.attendees(meetup.id)}>
            {t`Download as CSV`}
          </ButtonLink>
          <ButtonLink quiet to={paths.manageMeetup(meetup.id, { links: 'all' })}>
            {t`All links in one text`}
          </ButtonLink>
        </div>
        <Fold summary={t`Add names`} isOpen={refusedFor('add') !== undefined}>
          <PostForm className="grid gap-5 py-3">
            <NamesField label={t`More names`} refused={refusedFor('add')} hasMail={hasMail} />
            <div>
              <Submit name="intent" value="add">
                {t`Add names`}
              </Submit>
            </div>
          </PostForm>
        </Fold>
      </Card>
    </Page>
  );
}
