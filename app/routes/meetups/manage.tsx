import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../../components/Button';
import { Card, GeneralFaults, Notice } from '../../components/Card';
import { Confirm } from '../../components/Confirm';
import { CopyLine } from '../../components/CopyField';
import { EventFacts } from '../../components/EventFacts';
import { EventFields } from '../../components/EventFields';
import { Fold } from '../../components/Fold';
import { PostForm, Submit } from '../../components/Form';
import { NamesField } from '../../components/NamesField';
import { Page } from '../../components/Page';
import { useRefusals } from '../../components/refusal';
import { Moment } from '../../components/Time';
import { invalid } from '../../domain/errors';
import { parse } from '../../domain/input/fields';
import { addAttendees, removeAttendee, replaceLink } from '../../domain/parties/attendees.server';
import { deleteParty, editParty } from '../../domain/parties/hosting.server';
import { type Invitation, namesFromLines, rsvpWords } from '../../domain/parties/parties';
import { getHosted } from '../../domain/parties/parties.server';
import { meetupChange, nameList } from '../../domain/parties/party-input';
import { fields, onceOf, withWireDates } from '../../http/form.server';
import { answerForm, answerPage } from '../../http/page.server';
import { personalLink } from './links';

export const meta = () => [{ title: 'Manage meetup · Daybook' }];

/** Says what a button of this page, or the form that made the meetup, has just done. */
const done = new Map([
  ['created', 'The meetup is ready. Send everyone their link.'],
  ['saved', 'The meetup is saved.'],
  ['added', 'The names are added. Send everyone their link.'],
  ['replaced', 'The link is replaced.'],
  ['removed', 'The name is removed.'],
]);

export const loader = answerPage('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const { invitations, ...meetup } = await getHosted(db, actor, 'meetup', id, now);
  return {
    meetup,
    attendees: invitations.map((invitation): Attendee => {
      const { id: key, name, accepted, answeredAt } = invitation;
      return { id: key, name, accepted, answeredAt };
    }),
    origin: url.origin,
    done: done.get(url.searchParams.get('done') ?? '') ?? null,
    isOneText: url.searchParams.has('links'),
  };
});

export const action = answerForm('Provider', async ({ db, actor, now }, typed, { params: { id = '' } }) => {
  const here = `/manage-meetup/${encodeURIComponent(id)}`;
  const once = { now, key: await onceOf(typed) };
  const [replaced, removed] = [typed.replace?.[0], typed.remove?.[0]];
  if (replaced) await replaceLink(db, actor, replaced, once);
  if (removed) await removeAttendee(db, actor, removed, once);
  if (replaced || removed) return redirect(`${here}?done=${removed ? 'removed' : 'replaced'}`, 303);
  switch (typed.intent?.[0]) {
    case 'edit': {
      const change = parse(meetupChange, withWireDates(fields(typed), 'date'));
      await editParty(db, actor, 'meetup', { id, change }, now);
      return redirect(`${here}?done=saved`, 303);
    }
    case 'add': {
      const names = parseNames(typed.attendees ?? []);
      await addAttendees(db, actor, { id, names }, once);
      return redirect(`${here}?done=added`, 303);
    }
    case 'delete':
      await deleteParty(db, actor, 'meetup', id, once);
      return redirect('/view-meetups?deleted=yes', 303);
    default:
      throw invalid(null, 'Please use one of the buttons of this page.');
  }
});

/** Reads the names by the API's rules, with the faults beside the field. */
function parseNames(lines: string[]): string[] {
  return parse(nameList, namesFromLines(lines));
}

type Attendee = Pick<Invitation, 'id' | 'name' | 'accepted' | 'answeredAt'>;

/** The id of the form that the buttons of the list belong to. */
const rowsForm = 'rows';

export default function ManageMeetup() {
  const { meetup, attendees, origin, done, isOneText } = useLoaderData<typeof loader>();
  const { refused, refusedFor } = useRefusals();
  return (
    <Page title="Manage meetup" subtitle={meetup.title}>
      <GeneralFaults refused={refused} />
      {done && !refused && <Notice tone="good" title={done} />}
      {isOneText && <OneText attendees={attendees} origin={origin} />}
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
        <Fold summary="Edit" isOpen={refusedFor('edit') !== undefined}>
          <PostForm className="grid max-w-2xl gap-5 py-3">
            <EventFields before={meetup} refused={refusedFor('edit')} zone={meetup.timeZone} />
            <div>
              <Submit name="intent" value="edit">
                Save meetup
              </Submit>
            </div>
          </PostForm>
        </Fold>
      </Card>
      <Card title="Attendees">
        {/* One form for all buttons of the list, outside of it: Enter in a link's field must press none of them. */}
        <PostForm id={rowsForm} className="hidden">
          {null}
        </PostForm>
        <table className="table names">
          <thead className="max-sm:sr-only">
            <tr>
              {['Username', 'Accepted', 'Personal link'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {attendees.map((attendee) => (
              <AttendeeRow key={attendee.id} attendee={attendee} origin={origin} zone={meetup.timeZone} />
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
        <Fold summary="Add names" isOpen={refusedFor('add') !== undefined}>
          <PostForm className="grid max-w-2xl gap-5 py-3">
            <NamesField label="More names" refused={refusedFor('add')} />
            <div>
              <Submit name="intent" value="add">
                Add names
              </Submit>
            </div>
          </PostForm>
        </Fold>
      </Card>
    </Page>
  );
}

/** All links, to paste into a message. They have a page of their own, because they double the size of a long list. */
function OneText({ attendees, origin }: { attendees: Attendee[]; origin: string }) {
  const links = attendees.map((attendee) => `${attendee.name}: ${personalLink(origin, attendee)}`).join('\n');
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

type RowProps = { attendee: Attendee; origin: string; zone: string };

/** One name: their reply and its time, their personal link, and the host's buttons. */
function AttendeeRow({ attendee, origin, zone }: RowProps) {
  const { id, name, accepted, answeredAt } = attendee;
  const look = accepted === null ? 'text-muted' : accepted ? 'text-good' : 'text-accent';
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <span className={look}>{rsvpWords(accepted)}</span>
        {answeredAt !== null && (
          <small>
            <Moment at={answeredAt} zone={zone} />
          </small>
        )}
      </td>
      <td className="no-print">
        <CopyLine label={`Link for ${name}`} value={personalLink(origin, attendee)} />
        <button type="submit" form={rowsForm} name="replace" value={id} aria-label={`Replace the link of ${name}`}>
          Replace the link
        </button>
        <button type="submit" form={rowsForm} name="remove" value={id} aria-label={`Remove ${name}`}>
          Remove
        </button>
      </td>
    </tr>
  );
}
