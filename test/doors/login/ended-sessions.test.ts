import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { codeOf, keyOn } from '../../support/authenticator';
import { type ApiCall, added, calls, makeRouteWorld, type RouteWorld, readers } from '../../support/every-route';
import { book, dayAhead, type Person, password, publish, type Row, registerConsumer } from '../../support/factories';
import { wordOf } from '../../support/guests';
import { createMeetup, createParty, linkOf } from '../../support/party-factories';
import { getTemplate, templateIn } from '../../support/template-factories';
import { held, useServer } from '../../support/use-server';
import { askedOf, tripsOf, type Visitor } from '../../support/visit';

/* A session may end while a write is under way: on another device, or by a new password. Then nothing is written. */

// It ends all sessions of an account right before a round trip of a request, by its headers.
const daybook = useServer({ before: readFileSync(join(root, 'test/support/ending.mjs'), 'utf8') });

/** In a browser of its own, with a session of its own. */
async function newLoginOf({ username }: Person): Promise<Visitor> {
  const browser = daybook.visitor();
  expect((await browser.api('POST', '/api/Account/Login', { username, password })).status).toBe(200);
  return browser;
}

let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

/** Two slots of a day of their own that ask a template. */
const asking = () =>
  publish(world.provider, { dates: [world.newDay()], end: '10:00' }, `templateId=${world.template}`) as Promise<
    [Row, Row]
  >;
async function bookedAsking(): Promise<[Row, Row]> {
  const slots = await asking();
  await book(world.consumer, slots[0]);
  return slots;
}
const partyAsking = () => createParty(world.provider, { template: world.template });
const answers = [{ question: 'Why?', answer: 'Because' }];

/** After all their sessions have ended. */
async function logInAgain(person: Person): Promise<void> {
  person.browser.cookies.set('daybook', (await newLoginOf(person)).cookies.get('daybook') ?? '');
}

/** What takes another way where answers come along, beside what each call is sent usually. */
const withAnswers: ApiCall[] = [
  [
    'PUT',
    '/api/Appointment/Book',
    [401, 200, 403, 403],
    async () => ({ path: `?id=${(await asking())[0].id}`, body: answers }),
  ],
  [
    'PUT',
    '/api/Appointment/Move',
    [401, 200, 200, 404],
    async () => {
      const [one, other] = await bookedAsking();
      return { path: `?id=${one.id}&to=${other.id}`, body: answers };
    },
  ],
  [
    'PUT',
    '/api/Party/BookRsvp',
    [401, 200, 403, 200],
    async () => ({ path: `?id=${(await partyAsking()).id}&accepted=true`, body: answers }),
  ],
];

/** All that needs a login, but what ends with the account gone. */
const writes = [...calls, ...added, ...withAnswers].filter(
  ([method, call, [stranger]]) => method !== 'GET' && stranger === 401 && call !== '/api/Account/Delete',
);

describe('a session that ends between two round trips of a write', () => {
  /** Those of more than one trip; those of one can't be parted from the check of their session. */
  const parted = new Set<string>();

  test.each(writes.map((row, place) => [row[0], row[1], place] as const))('%s %s (%i)', async (method, call, place) => {
    const [, , statuses, sent] = writes[place] as ApiCall;
    for (const reader of readers.filter((_, at) => (statuses[at] ?? 0) < 300)) {
      const person = world[reader as Exclude<typeof reader, 'stranger'>];
      const { path = '', body } = (await sent?.(world)) ?? {};
      const browser = await newLoginOf(person);
      const then = await held(daybook, 'sessions');
      const ends = { 'x-ends-before': '2', 'x-ends': person.username };
      const { status, json, headers } = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body, ends);
      if (askedOf(headers).trips < 2) continue;
      await logInAgain(person);
      // What is saved in the first trip stands; the second one only reads what is answered.
      if (call === '/api/Account/SetBusyFeeds') continue;
      parted.add(`${method} ${call}`);
      expect([reader, status, json]).toEqual([reader, 401, 'You are not logged in.']);
      expect(await held(daybook, 'sessions')).toEqual(then);
    }
  });

  test('is met by those that need more than one', () => {
    expect([...parted].sort()).toEqual([
      'POST /api/Account/MakeRecoveryCodes',
      'POST /api/People/Import',
      'POST /api/Waitlist/Add',
      'PUT /api/Account/SetEmail',
      'PUT /api/Account/SetProfile',
      'PUT /api/Appointment/Book',
      'PUT /api/Appointment/Move',
      'PUT /api/Checkin/SubmitForm',
      'PUT /api/Party/BookRsvp',
      'PUT /api/Party/EditParty/{id}',
      'PUT /api/People/Merge',
      'PUT /api/People/SetStanding',
      'PUT /api/meetup/EditMeetup/{id}',
    ]);
  });
});

type Form = { path: string; typed: Record<string, string | string[]> };

const local = (days: number) => dayAhead(days).replace(/(..)-(..)-(....)/, '$3-$1-$2');
const event = { title: 'New', date: local(6), startTime: '18:00', endTime: '20:00', description: 'Come' };

/** The fields of a form that asks the template. */
async function answered(): Promise<Form['typed']> {
  const [question] = templateIn(await getTemplate(world.provider, world.template)).questions;
  return { template: world.template, [`q.${question?.id}`]: 'Because' };
}

/** The forms that take more than one trip. */
const forms: [what: string, who: 'provider' | 'consumer' | 'newcomer', (person: Person) => Promise<Form> | Form][] = [
  [
    'a party edited',
    'provider',
    async () => ({ path: `/edit-party/${(await createParty(world.provider)).id}`, typed: event }),
  ],
  [
    'a party repeated',
    'provider',
    async () => {
      const { id } = await createParty(world.provider, { date: dayAhead(6) });
      return { path: `/repeat/${id}`, typed: { dates: [local(13), local(20)], sequence: '0' } };
    },
  ],
  [
    'a meetup edited',
    'provider',
    async () => {
      const meetup = await createMeetup(world.provider);
      const whose = `${linkOf(meetup, 'Ada').id}.0`;
      return { path: `/manage-meetup/${meetup.id}`, typed: { whose, intent: 'edit', ...event } };
    },
  ],
  [
    'book with answers',
    'consumer',
    async () => ({ path: `/details/${(await asking())[0].id}`, typed: await answered() }),
  ],
  [
    'book at the provider’s page',
    'consumer',
    async () => {
      const [{ id }] = await asking();
      const shown = wordOf(daybook, `book ${world.provider.username.toLowerCase()} ${id}`, Date.now() - 5_000);
      return { path: `/with/${world.provider.username}/${id}`, typed: { ...(await answered()), shown } };
    },
  ],
  [
    'answers',
    'consumer',
    async () => ({ path: `/details-cancel/${(await bookedAsking())[0].id}`, typed: await answered() }),
  ],
  [
    'move with answers',
    'consumer',
    async () => ({ path: `/move/${(await bookedAsking()).map(({ id }) => id).join('/')}`, typed: await answered() }),
  ],
  [
    'a reply with answers',
    'consumer',
    async () => ({ path: `/party/${(await partyAsking()).id}`, typed: { accepted: 'true', ...(await answered()) } }),
  ],
  [
    'a password',
    'newcomer',
    () => ({ path: '/profile', typed: { intent: 'password', password, newPassword: 'Better horse 2' } }),
  ],
  ['an address of their own', 'newcomer', () => ({ path: '/email', typed: { email: 'new@example.com', password } })],
  ['recovery codes', 'newcomer', () => ({ path: '/recovery-codes', typed: { password } })],
  [
    'a second factor',
    'newcomer',
    async ({ browser }) => {
      const code = codeOf(keyOn(await browser.visit('/second-factor')));
      return { path: '/second-factor', typed: { intent: 'on', code, password } };
    },
  ],
  ['the account', 'newcomer', () => ({ path: '/your-data', typed: { password } })],
];

describe('a session that ends between two round trips of a form’s write', () => {
  const parted = new Set<string>();

  test.each(forms)('leaves all as it was: %s', async (what, who, form) => {
    for (const trip of ['2', '3']) {
      const person = who === 'newcomer' ? await registerConsumer(daybook) : world[who];
      const browser = await newLoginOf(person);
      const { path, typed } = await form({ ...person, browser });
      const then = await held(daybook, 'sessions');
      const page = await browser.post(path, typed, { 'x-ends-before': trip, 'x-ends': person.username });
      if (tripsOf(page) < Number(trip)) {
        // It was done before that trip.
        expect([what, page.status < 400]).toEqual([what, true]);
        break;
      }
      parted.add(what);
      await logInAgain(person);
      expect([what, trip, page.status]).toEqual([what, trip, 401]);
      expect(page.words).toMatch(/log(ged)? in/i);
      expect(await held(daybook, 'sessions')).toEqual(then);
    }
  });

  test('is met by each of them', () => {
    expect([...parted]).toEqual(forms.map(([what]) => what));
  });
});
