import type * as z from 'zod/mini';
import type { D1 } from '../../app/local/d1';
import type { invitationJson, partyJson } from '../../app/routes/api/shapes';
import { dayAhead, type Person } from './factories';
import { type Draft, writeTemplate } from './template-factories';
import type { ApiResponse, Sent, Visitor } from './visit';

export type Invitation = z.output<typeof invitationJson>;

/** A party or meetup as the API gives it. */
export type Party = z.output<typeof partyJson>;

/** Anybody, with an account or without. */
type Caller = Pick<Visitor, 'api'>;

const minute = 60_000;
const day = 24 * 60 * minute;

/** All optional fields of a party, with a long text, and those of a meetup. */
export const full = {
  description: `It has been too long! Come and sit under the old chestnut with us, ${'bring nothing but yourselves, '.repeat(20)}
and stay until the lanterns go out.`,
  address: 'Rua da Rosa 5, 1200-001 Lisboa',
  capacity: 12,
  plusOnes: 3,
  rsvpBy: dayAhead(5),
};

/** The input of CreateParty: in a week, from six to ten in the evening. */
export const partyDraft = (details: object = {}) => ({
  title: 'Garden party',
  date: dayAhead(7),
  startTime: '18:00',
  endTime: '22:00',
  ...details,
});

/** The input of CreateMeetup: at that time, for two names. */
export const meetupDraft = (details: object = {}) => ({
  ...partyDraft({ title: 'Book club', attendees: ['Ada', 'Ben'] }),
  ...details,
});

export const createParty = (host: Person, details: object = {}): Promise<Party> =>
  created(host, '/api/Party/CreateParty', partyDraft(details));

export const createMeetup = (host: Person, details: object = {}): Promise<Party> =>
  created(host, '/api/meetup/CreateMeetup', meetupDraft(details));

async function created(host: Person, path: string, body: object): Promise<Party> {
  const response = await host.api('POST', path, body);
  if (response.status !== 201) throw new Error(`Nothing was created: ${response.status} ${response.text}`);
  return response.json as Party;
}

/** Publishes a template and returns its id. */
export const publishQuestions = async (host: Person, questions: Draft[]): Promise<string> =>
  (await writeTemplate(host, questions, 'Guests')).template.id;

/** A party or meetup by its link. */
export const readParty = (who: Caller, { id }: { id: string }) => who.api('GET', `/api/meetup/GetParty/${id}`);
export const partyOf = async (who: Caller, party: { id: string }) => (await readParty(who, party)).json as Party;
/** The RSVPs of all who have given one. */
export const rsvpsIn = async (host: Caller, party: { id: string }) =>
  (await partyOf(host, party)).invitations.map(({ username, accepted }) => [username, accepted]);
export const goingTo = async (host: Caller, party: { id: string }) => (await partyOf(host, party)).going;
export const partiesOf = ({ json }: ApiResponse) => json as Party[];

type Query = Record<string, string | number | boolean>;
const queryOf = (query: Query) => new URLSearchParams(Object.entries(query).map(([name, value]) => [name, `${value}`]));

/** Answers a party: yes, and alone, unless `query` says otherwise. */
export const rsvp = (who: Caller, { id }: { id: string }, query: Query = {}, answers?: unknown, sent?: Sent) =>
  who.api('PUT', `/api/Party/BookRsvp?${queryOf({ id, accepted: true, ...query })}`, answers, sent);

/** Answers a meetup by a personal link: yes, unless `query` says otherwise. */
export const reply = (who: Caller, { id, meetupId }: Invitation, query: Query = {}) =>
  who.api('PUT', `/api/meetup/ChangeRsvp?${queryOf({ id, meetupid: meetupId, accepted: true, ...query })}`);

/** The invitation of a meetup's name. */
export function linkOf({ invitations }: Party, name: string): Invitation {
  const invitation = invitations.find(({ username }) => username === name);
  if (!invitation) throw new Error(`Nobody named ${name} is invited.`);
  return invitation;
}

/**
 * Moves a party in the database, because nobody can create one that is over: it begins and ends in so many minutes (negative:
 * ago), in UTC.
 */
export async function movePartyTo(d1: D1, { id }: { id: string }, startsIn: number, endsIn: number): Promise<void> {
  const startsAt = Date.now() + startsIn * minute;
  await d1
    .prepare('UPDATE parties SET starts_at = ?, ends_at = ?, local_date = ? WHERE id = ?')
    .bind(startsAt, Date.now() + endsIn * minute, new Date(startsAt).toISOString().slice(0, 10), id)
    .run();
}

export const endParty = (d1: D1, party: { id: string }) => movePartyTo(d1, party, -2000, -1700);

/** Makes yesterday the last day on which RSVPs were taken. */
export async function closeRsvps(d1: D1, { id }: { id: string }): Promise<void> {
  await d1
    .prepare('UPDATE parties SET rsvp_by = ?, rsvp_closes_at = ? WHERE id = ?')
    .bind(new Date(Date.now() - day).toISOString().slice(0, 10), Date.now() - 1, id)
    .run();
}
