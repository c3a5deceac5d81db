import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { DomainError } from '../../../app/domain/errors';
import { addAttendees, removeAttendee, replaceLink, rsvpByLink } from '../../../app/domain/parties/attendees.server';
import { createMeetup, createParty, deleteParty } from '../../../app/domain/parties/hosting.server';
import type { PartyWithGuests } from '../../../app/domain/parties/large.server';
import { listRsvps } from '../../../app/domain/parties/letters.server';
import { type Invited, inviteesFromLines } from '../../../app/domain/parties/parties';
import {
  getHosted,
  type HostedSummary,
  listHosted,
  listHostedWithInvitations,
} from '../../../app/domain/parties/parties.server';
import { rsvpToParty } from '../../../app/domain/parties/rsvps.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { editProfile } from '../../../app/domain/profile/accounts.server';
import { isInParts, type Parts } from '../../../app/domain/streamed-list';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { among, forgetAll, hour, join, newDb, start, stored } from '../../support/history';
import { compareNames, compareText } from '../../support/naive';

async function rowsOf<Row>(parts: Parts<Row>): Promise<Row[]> {
  const read: Row[] = [];
  for await (const part of parts) read.push(...part);
  return read;
}

/** Lists parties with all that is in parts read. */
async function readWhole(list: Promise<HostedSummary[] | Parts<PartyWithGuests>>): Promise<HostedSummary[]> {
  const found = await list;
  if (!isInParts(found)) return found;
  const whole: HostedSummary[] = [];
  for (const party of await rowsOf(found)) whole.push({ ...party, invitations: await guestsOf(party) });
  return whole;
}

/** The guests of a party; each has the answers that are in the list of answers, in turn. */
async function guestsOf({ invitations }: PartyWithGuests): Promise<Invited[]> {
  if (Array.isArray(invitations)) return invitations;
  const guests = await rowsOf(invitations.guests);
  const answers = await rowsOf(invitations.answers);
  return guests.map((guest, place) => ({ ...guest, answers: answers[place] ?? [] }));
}

type PartyRow = {
  id: string;
  kind: 'party' | 'meetup';
  provider_id: string;
  starts_at: number;
  going: number;
  invited: number;
  deleted_at: number | null;
};
type InvitationRow = {
  id: string;
  party_id: string;
  account_id: string | null;
  name: string;
  accepted: number | null;
  plus_ones: number;
};

let db: Db;
let hosts: Actor[];
let guests: Actor[];

/** Two hosts and five guests in an empty book. */
async function gather(): Promise<void> {
  await forgetAll();
  db = newDb();
  const people = (usernames: string[], details: { role: 'Provider' | 'Consumer'; location?: string }) =>
    Promise.all(usernames.map((name) => join(db, { username: name, displayName: name, timeZone: 'UTC', ...details })));
  hosts = await people(['host.one', 'host.two'], { role: 'Provider', location: 'Lisbon' });
  guests = await people(['ana', 'bo', 'Eve', 'dan', 'cleo'], { role: 'Consumer' });
}

const today = todayIn('UTC', start);
const common = {
  title: 'Chess',
  description: null,
  startTime: '19:00',
  endTime: '21:00',
  address: null,
  locationUrl: null,
};
const plain = { ...common, templateId: null, capacity: null, rsvpBy: null, plusOnes: 3, hideGoing: false };
type Details = Partial<Parameters<typeof createParty>[2]>;
let keys = 0;
const once = () => ({ now: start, key: `once ${keys++}` });

const party = async (details: Details = {}) =>
  (await createParty(db, hosts[0] as Actor, { ...plain, date: addDays(today, 7), ...details }, once())).id;
const rsvp = (id: string, accepted: boolean, { by = 0, plus = 0, said = '', now = start } = {}) => {
  const sent = said ? [{ question: 'Why?', answer: said }] : [];
  return rsvpToParty(db, [...guests, ...hosts][by] as Actor, { id, accepted, guests: plus }, () => sent, now);
};

const number = fc.nat(999);
const often = ['rsvp', 'rsvp', 'rsvp', 'rsvp', 'reply', 'reply'] as const;
const kinds = ['party', 'meetup', ...often, 'add', 'remove', 'link', 'delete', 'rename'] as const;
const step = fc.record({ kind: fc.constantFrom(...kinds), who: number, what: number, much: number });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const byAccount = (accountId: string) => [...hosts, ...guests].find((one) => one.accountId === accountId) as Actor;

/** Lets a refusal of the domain pass, for a step at random may be one that is not allowed. */
const tryTo = (work: Promise<unknown>) =>
  work.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
  });

/** As much of an invitation as the API's lists say. */
const shownInLists = ['id', 'partyId', 'username', 'accepted', 'answers', 'email', 'isEmailGiven', 'phone'] as const;
const inShort = (invitation: Invited) => Object.fromEntries(shownInLists.map((key) => [key, invitation[key]]));

/** Does one step at random. */
async function take({ kind, who, what, much }: Step, place: number): Promise<void> {
  const date = addDays(today, 1 + (what % 3));
  const host = among(hosts, who);
  const now = start + place;
  if (kind === 'party') {
    const capacity = much % 2 ? 1 + (much % 7) : null;
    await createParty(db, host, { ...plain, date, capacity }, once());
  }
  const names = inviteesFromLines([`Name ${much % 9}`, `éva ${what % 9}`, `Éva ${10 + (what % 7)}`]);
  if (kind === 'meetup') await createMeetup(db, host, { ...common, date, attendees: names }, once());
  if (kind === 'rename') {
    const displayName = `${among(['Zoe', 'éva', 'Ada', 'mo'], what)} ${who % 10} ${place}`;
    await editProfile(db, among(guests, who), { displayName, timeZone: undefined }, now);
  }
  const events = await stored<PartyRow>(
    'SELECT * FROM parties WHERE deleted_at IS NULL ORDER BY created_at, starts_at, id',
  );
  const parties = events.filter((event) => event.kind === 'party');
  const meetups = events.filter((event) => event.kind === 'meetup');
  const links = (await stored<InvitationRow>('SELECT * FROM invitations WHERE account_id IS NULL ORDER BY id')).filter(
    ({ party_id }) => meetups.some(({ id }) => id === party_id),
  );
  if (kind === 'rsvp' && parties.length > 0)
    await tryTo(rsvp(among(parties, what).id, much % 3 > 0, { by: who % 5, plus: much % 5, now }));
  if (kind === 'add' && meetups.length > 0) {
    const { id, provider_id } = among(meetups, what);
    await tryTo(addAttendees(db, byAccount(provider_id), { id, invitees: names }, once()));
  }
  if (links.length > 0 && ['reply', 'remove', 'link'].includes(kind)) {
    const { id, party_id } = among(links, what);
    const owner = byAccount(events.find((event) => event.id === party_id)?.provider_id ?? '');
    if (kind === 'reply') await rsvpByLink(db, { id, accepted: much % 3 > 0 }, now);
    if (kind === 'remove') await removeAttendee(db, owner, id, once());
    if (kind === 'link') await replaceLink(db, owner, id, once());
  }
  if (kind === 'delete' && events.length > 4) {
    const { id, provider_id, kind: which } = among(events, what);
    await deleteParty(db, byAccount(provider_id), which, { id, reason: null }, once());
  }
}

/** Holds the counts and all lists against the rows. */
async function check(): Promise<number> {
  const events = await stored<PartyRow>('SELECT * FROM parties');
  const invitations = await stored<InvitationRow>('SELECT * FROM invitations');
  const accounts = await stored<{ id: string; display_name: string }>('SELECT * FROM accounts');
  const shown = new Map(accounts.map((one) => [one.id, one.display_name]));
  const invitedTo = (id: string) => invitations.filter(({ party_id }) => party_id === id);
  for (const { id, going, invited } of events) {
    const coming = invitedTo(id).filter(({ accepted }) => accepted === 1);
    const people = coming.reduce((sum, one) => sum + 1 + one.plus_ones, 0);
    expect({ going, invited }, 'how many come and are invited').toEqual({
      going: people,
      invited: invitedTo(id).length,
    });
  }
  expect(
    invitations.filter(({ party_id }) => !events.some(({ id }) => id === party_id)),
    'no invitation without a party',
  ).toEqual([]);
  const sorted = events.sort((one, other) => one.starts_at - other.starts_at || compareText(one.id, other.id));
  const nameOf = ({ account_id, name }: InvitationRow) => shown.get(account_id ?? '') ?? name;
  for (const host of hosts)
    for (const kind of ['party', 'meetup'] as const) {
      const isOwn = (event: PartyRow) => event.provider_id === host.accountId && event.kind === kind;
      const own = sorted.filter((event) => isOwn(event) && event.deleted_at === null);
      const hosted = await listHosted(db, host, kind);
      expect(
        hosted.map(({ id }) => id),
        `what is hosted: ${kind}`,
      ).toEqual(own.map(({ id }) => id));
      const listed = await readWhole(listHostedWithInvitations(db, host, kind));
      const guestsOfEach: string[][] = [];
      for (const { id } of listed) {
        const { invitations: all } = await getHosted(db, host, kind, id, start);
        guestsOfEach.push([id, ...all.map((one) => `${one.accepted} ${one.plusOnes} ${one.name} ${one.id}`)]);
        const inList = listed.find((one) => one.id === id)?.invitations;
        expect(inList, `who is invited, in the list: ${kind}`).toEqual(all.map(inShort));
      }
      const rank = ({ accepted }: InvitationRow) => (accepted === null ? 2 : 1 - accepted);
      const words = { 0: true, 1: false, 2: null };
      const expected = own.map(({ id }) => [
        id,
        ...invitedTo(id)
          .sort((one, other) => rank(one) - rank(other) || compareNames(nameOf(one), nameOf(other)))
          .map((one) => `${words[rank(one) as 0 | 1 | 2]} ${one.plus_ones} ${nameOf(one)} ${one.id}`),
      ]);
      expect(guestsOfEach, `who is invited, in order: ${kind}`).toEqual(expected);
    }
  for (const guest of guests) {
    const { rows } = await listRsvps(db, guest, { which: 'coming', page: 0 }, start);
    const answered = rows.map(({ party, own, calledOffAt }) => [party.id, own, calledOffAt]);
    const expected = sorted.flatMap(({ id, deleted_at }) =>
      invitedTo(id)
        .filter(({ account_id }) => account_id === guest.accountId)
        .map((one) => [id, { accepted: one.accepted === 1, plusOnes: one.plus_ones }, deleted_at]),
    );
    expect(answered, 'the parties to which a guest comes').toEqual(expected);
  }
  return invitations.length;
}

describe('after a history of parties and meetups', () => {
  test('the counts and lists are those of the answers', { timeout: 120_000 }, async () => {
    const histories = Math.ceil(Number(env.CASES) / 250);
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 120 }), async (steps) => {
        await gather();
        for (const [place, one] of steps.entries()) await take(one, place);
        checked += await check();
      }),
      { seed: 20300309, numRuns: histories, endOnFailure: true },
    );
    expect(checked).toBeGreaterThan(12 * histories);
  });
});

describe('a host’s lists', () => {
  beforeEach(gather);

  test('have all answers, of guests with much to say too, where one value of the database is full', async () => {
    const [host, name] = [hosts[0] as Actor, (place: number) => `guest ${String(place).padStart(2, '0')}`];
    const [long, short] = [await party(), await party()];
    const words = 'é'.repeat(2000);
    const said = JSON.stringify(Array.from({ length: 50 }, (_, place) => ({ question: `${place}`, answer: words })));
    await stored(
      `INSERT INTO invitations (party_id, invitee, id, name, name_sort_key, accepted, answers, rsvp_at, created_at)
        WITH places(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < 40)
        SELECT ?, 'guest ' || format('%02d', place), 'id' || place, 'guest ' || format('%02d', place),
          'guest ' || format('%02d', place), place > 20, ?, 1, 1 FROM places`,
      long,
      said,
    );
    await rsvp(short, true, { by: 1 });
    const names = [...Array(40).keys()].map((place) => name(place < 20 ? place + 21 : place - 19));
    const listed = await readWhole(listHostedWithInvitations(db, host, 'party'));
    const told = listed.map(({ id, invitations }) => [id, invitations.map(({ username }) => username)]);
    expect(Object.fromEntries(told)).toEqual({ [long]: names, [short]: ['bo'] });
    const { invitations } = await getHosted(db, host, 'party', long, start);
    expect(listed.find(({ id }) => id === long)?.invitations.map(inShort)).toEqual(invitations.map(inShort));
    const whole = invitations.filter(({ answers }) => answers.length === 50 && answers[49]?.answer === words);
    expect(whole).toEqual(invitations.filter(({ accepted }) => accepted));
  });
});

describe('a party for four, to which Ana brings one', () => {
  let id: string;
  beforeEach(async () => {
    await gather();
    id = await party({ capacity: 4, rsvpBy: addDays(today, 2) });
    await rsvp(id, true, { by: 0, plus: 1 });
  });
  const going = async () => (await stored<{ going: number }>('SELECT going FROM parties WHERE id = ?', id))[0]?.going;

  test('refuses three more, and says how many places are left', async () => {
    await expect(rsvp(id, true, { by: 1, plus: 2 })).rejects.toThrow('There is not enough room: 2 places are left.');
    expect(await going()).toBe(2);
  });

  describe('and Bo another', () => {
    beforeEach(() => rsvp(id, true, { by: 1, plus: 1 }));

    test('is full', async () => {
      await expect(rsvp(id, true, { by: 2 })).rejects.toThrow('This party is full.');
      expect(await going()).toBe(4);
    });

    test.each([
      ['in time', start],
      ['too late', start + 96 * hour],
    ])('keeps the places of those who answer the same again %s', async (_, now) => {
      expect(await rsvp(id, true, { plus: 1, now })).toMatchObject({ plusOnes: 1 });
      expect(await going()).toBe(4);
    });

    test('takes a no', async () => {
      expect(await rsvp(id, false, { by: 2 })).toMatchObject({ accepted: false });
      expect(await going()).toBe(4);
    });
  });
});
