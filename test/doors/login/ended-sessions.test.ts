import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { codeOf, keyOn } from '../../support/authenticator';
import {
  type ApiCall,
  added,
  calls,
  makeRouteWorld,
  type RouteWorld,
  readers,
  type Statuses,
} from '../../support/every-route';
import {
  book,
  dayAhead,
  isoAhead,
  type Person,
  password,
  publish,
  type Row,
  registerConsumer,
  registerProvider,
} from '../../support/factories';
import { createParty } from '../../support/party-factories';
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
async function bookedAndOther(): Promise<string> {
  const [booked, other] = await asking();
  await book(world.consumer, booked);
  return `${booked.id}&to=${other.id}`;
}
const partyAsking = async () => (await createParty(world.provider, { template: world.template })).id;

/** After all their sessions have ended. */
async function logInAgain(person: Person): Promise<void> {
  person.browser.cookies.set('daybook', (await newLoginOf(person)).cookies.get('daybook') ?? '');
}

/** What takes another way where answers come along, beside what each call is sent usually. */
const withAnswers = (call: string, statuses: Statuses, query: () => Promise<string>): ApiCall => {
  const body = [{ question: 'Why?', answer: 'Because' }];
  return ['PUT', `/api/${call}`, statuses, async () => ({ path: `?id=${await query()}`, body })];
};
const answering = [
  withAnswers('Appointment/Book', [401, 200, 403, 403], async () => (await asking())[0].id),
  withAnswers('Appointment/Move', [401, 200, 200, 404], bookedAndOther),
  withAnswers('Party/BookRsvp', [401, 200, 403, 200], async () => `${await partyAsking()}&accepted=true`),
];

/** All that needs a login, but what ends with the account gone. */
const writes = [...calls, ...added, ...answering].filter(
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
    expect(parted.size).toBe(13);
  });
});

type Form = [path: string, typed: Record<string, string | string[]>];

/** The forms that take more than one trip, beside those whose calls do too. */
const forms: [what: string, register: typeof registerConsumer, (who: Person) => Form | Promise<Form>][] = [
  ['a party repeated', registerProvider, repeated],
  ['a password', registerConsumer, () => ['/profile', { intent: 'password', password, newPassword: 'Better horse 2' }]],
  ['a second factor', registerConsumer, secondFactor],
  ['the account', registerConsumer, () => ['/your-data', { password }]],
];

async function repeated(host: Person): Promise<Form> {
  const { id } = await createParty(host, { date: dayAhead(6) });
  return [`/repeat/${id}`, { dates: [isoAhead(13), isoAhead(20)], sequence: '0' }];
}

async function secondFactor({ browser }: Person): Promise<Form> {
  const code = codeOf(keyOn(await browser.visit('/second-factor')));
  return ['/second-factor', { intent: 'on', code, password }];
}

describe('a session that ends between two round trips of a form’s write', () => {
  const parted = new Set<string>();

  test.each(forms)('leaves all as it was: %s', async (what, register, form) => {
    for (const trip of ['2', '3']) {
      const person = await register(daybook);
      const browser = await newLoginOf(person);
      const [path, typed] = await form({ ...person, browser });
      const then = await held(daybook, 'sessions');
      const page = await browser.post(path, typed, { 'x-ends-before': trip, 'x-ends': person.username });
      if (tripsOf(page) < Number(trip)) {
        // It was done before that trip.
        expect(page.status).toBeLessThan(400);
        break;
      }
      parted.add(what);
      await logInAgain(person);
      expect([trip, page.status, page.words]).toEqual([trip, 401, expect.stringMatching(/log(ged)? in/i)]);
      expect(await held(daybook, 'sessions')).toEqual(then);
    }
  });

  test('is met by each of them', () => {
    expect([...parted]).toEqual(forms.map(([what]) => what));
  });
});
