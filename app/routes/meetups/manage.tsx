import { redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, TextButton } from '../../components/Button';
import { Card, GeneralFaults, Notice } from '../../components/Card';
import { Confirm } from '../../components/Confirm';
import { CopyField } from '../../components/CopyField';
import { EventFacts } from '../../components/EventFacts';
import { EventFields } from '../../components/EventFields';
import type { Refused } from '../../components/Field';
import { PostForm, Submit } from '../../components/Form';
import { NamesField } from '../../components/NamesField';
import { Page } from '../../components/Page';
import { addAttendees, removeAttendee, replaceLink } from '../../domain/attendees.server';
import { dateWords, localDateOf, localTimeOf } from '../../domain/clock';
import { invalid, type Refusal } from '../../domain/errors';
import { parse } from '../../domain/fields';
import { type Invitation, namesFromLines } from '../../domain/parties';
import { deleteParty, editParty, getHosted } from '../../domain/parties.server';
import { meetupChange, nameList } from '../../domain/party-input';
import { fields, onceOf, withWireDates } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';
import { personalLink } from './links';

export const meta = () => [{ title: 'Manage meetup · Daybook' }];

export const loader = answerPage('Provider', async ({ db, actor }, { params: { id = '' }, url }) => {
  const { invitations, ...meetup } = await getHosted(db, actor, 'meetup', id);
  return {
    meetup,
    invitations,
    origin: url.origin,
    isCreated: url.searchParams.has('created'),
    isOneText: url.searchParams.has('links'),
  };
});

export const action = answerForm('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const here = `/manage-meetup/${id}`;
  const invitation = typed.invitation?.[0] ?? '';
  switch (typed.intent?.[0]) {
    case 'edit': {
      const change = parse(meetupChange, withWireDates(fields(typed), 'date'));
      await editParty(db, actor, 'meetup', { id, change }, now);
      return redirect(here, 303);
    }
    case 'add': {
      const names = parseNames(typed.attendees ?? []);
      await addAttendees(db, actor, { id, names }, { now, key: onceOf(typed) });
      return redirect(here, 303);
    }
    case 'remove':
      await removeAttendee(db, actor, invitation, now);
      return redirect(here, 303);
    case 'replace':
      await replaceLink(db, actor, invitation, now);
      return redirect(here, 303);
    case 'delete':
      await deleteParty(db, actor, 'meetup', id, now);
      return redirect('/view-meetups', 303);
    default:
      throw invalid(null, 'Please use one of the buttons of this page.');
  }
});

/** The same rules as the API's list, with the faults beside the field. */
function parseNames(lines: string[]): string[] {
  return parse(nameList, namesFromLines(lines));
}

export default function ManageMeetup() {
  const { meetup, invitations, origin, isCreated, isOneText } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>() as Refusal | undefined;
  const refusedFor = (intent: string): Refused => (refused?.typed.intent?.[0] === intent ? refused : undefined);
  return (
    <Page title="Manage meetup" subtitle={meetup.title}>
      <GeneralFaults refused={refused} />
      {isCreated && !refused && <Notice tone="good" title="The meetup is ready. Send everyone their link." />}
      {isOneText && <OneText invitations={invitations} origin={origin} />}
      <Card title={meetup.title}>
        <EventFacts party={meetup} />
        <div className="no-print flex flex-wrap gap-3">
          <ButtonLink quiet to={`/view-meetups?copy=${meetup.id}#create`}>
            Copy for a new date
          </ButtonLink>
          <Confirm id="delete" button="Delete" question="Delete this meetup? Its links stop working.">
            <PostForm>
              <Submit name="intent" value="delete">
                Delete
              </Submit>
            </PostForm>
          </Confirm>
        </div>
        <details className="no-print border-t border-rule pt-2" open={refusedFor('edit') !== undefined}>
          <summary className="min-h-11 py-2 font-serif text-lg font-semibold">Edit</summary>
          <PostForm className="grid max-w-2xl gap-5 py-3">
            <EventFields before={meetup} refused={refusedFor('edit')} zone={meetup.timeZone} />
            <div>
              <Submit name="intent" value="edit">
                Save meetup
              </Submit>
            </div>
          </PostForm>
        </details>
      </Card>
      <Card title="Attendees">
        <table className="w-full text-left">
          <thead className="text-sm text-muted max-sm:sr-only">
            <tr>
              {['Username', 'Accepted', 'Personal link'].map((name) => (
                <th key={name} scope="col" className="py-2 pr-4 font-normal">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {invitations.map((invitation) => (
              <Attendee key={invitation.id} invitation={invitation} origin={origin} zone={meetup.timeZone} />
            ))}
          </tbody>
        </table>
        <div className="no-print flex flex-wrap gap-3">
          <ButtonLink quiet isFile to={`/manage-meetup/${meetup.id}/attendees.csv`}>
            Download as CSV
          </ButtonLink>
          <ButtonLink quiet to={`/manage-meetup/${meetup.id}?links=all`}>
            All links in one text
          </ButtonLink>
        </div>
        <details className="no-print border-t border-rule pt-2" open={refusedFor('add') !== undefined}>
          <summary className="min-h-11 py-2 font-serif text-lg font-semibold">Add names</summary>
          <PostForm className="grid max-w-2xl gap-5 py-3">
            <NamesField label="More names" refused={refusedFor('add')} />
            <div>
              <Submit name="intent" value="add">
                Add names
              </Submit>
            </div>
          </PostForm>
        </details>
      </Card>
    </Page>
  );
}

/** All links, to paste into a message; a page of its own, because it doubles the size of a long list. */
function OneText({ invitations, origin }: { invitations: Invitation[]; origin: string }) {
  const links = invitations.map((invitation) => `${invitation.name}: ${personalLink(origin, invitation)}`).join('\n');
  return (
    <Card title="All links in one text">
      <label className="grid gap-2 text-sm text-muted">
        To paste into a message
        <textarea
          readOnly
          rows={8}
          defaultValue={links}
          className="w-full rounded-md border-[1.5px] border-edge bg-paper p-3 text-base text-ink"
        />
      </label>
    </Card>
  );
}

type AttendeeProps = { invitation: Invitation; origin: string; zone: string };

/** One name: what they answered and when, their personal link, and what the host may do about it. */
function Attendee({ invitation, origin, zone }: AttendeeProps) {
  const { id, name, accepted, answeredAt } = invitation;
  const look = accepted === null ? 'text-muted' : accepted ? 'text-good' : 'text-accent';
  const cell = 'py-3 pr-4 align-top max-sm:block max-sm:py-1 max-sm:pr-0';
  return (
    <tr className="border-t border-dashed border-rule max-sm:block max-sm:py-3">
      <th scope="row" className={`${cell} max-w-64 font-semibold break-words`}>
        {name}
      </th>
      <td className={`${cell} whitespace-nowrap`}>
        <span className={`font-semibold ${look}`}>{accepted === null ? 'Not Answered' : accepted ? 'Yes' : 'No'}</span>
        {answeredAt !== null && (
          <span className="block text-sm text-muted">
            {dateWords(localDateOf(answeredAt, zone)).short}, {localTimeOf(answeredAt, zone)}
          </span>
        )}
      </td>
      <td className={`${cell} no-print w-full`}>
        <CopyField label={`Link for ${name}`} isLabelHidden value={personalLink(origin, invitation)} />
        <PostForm className="flex flex-wrap gap-x-3">
          <input type="hidden" name="invitation" value={id} />
          <TextButton name="intent" value="replace">
            Replace the link<span className="sr-only"> of {name}</span>
          </TextButton>
          <TextButton name="intent" value="remove">
            Remove<span className="sr-only"> {name}</span>
          </TextButton>
        </PostForm>
      </td>
    </tr>
  );
}
