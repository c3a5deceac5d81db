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
import { storedRows, useServer } from '../../support/use-server';
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

/** What takes other statements where answers come along, beside what each call is sent usually. */
const withAnswers = (call: string, statuses: Statuses, query: () => Promise<string>): ApiCall => {
  const body = [{ question: 'Why?', answer: 'Because' }];
  return ['PUT', `/api/${call}`, statuses, async () => ({ path: `?id=${await query()}`, body })];
};
const callsWithAnswers = [
  withAnswers('Appointment/Book', [401, 200, 403, 403], async () => (await asking())[0].id),
  withAnswers('Appointment/Move', [401, 200, 200, 404], bookedAndOther),
  withAnswers('Party/BookRsvp', [401, 200, 403, 200], async () => `${await partyAsking()}&accepted=true`),
];

/** All that needs a login, but what ends with the account gone. */
const writes = [...calls, ...added, ...callsWithAnswers].filter(
  ([method, call, [stranger]]) => method !== 'GET' && stranger === 401 && call !== '/api/Account/Delete',
);

/** Those that read in one trip and write in the next, so that their session can end between. */
const inTwoTrips = [
  'PUT /api/Checkin/SubmitForm',
  'PUT /api/Party/EditParty/{id}',
  'PUT /api/Account/SetEmail',
  'POST /api/Account/MakeRecoveryCodes',
  'POST /api/Account/MakeKey',
  'PUT /api/Account/SetProfile',
  'PUT /api/meetup/EditMeetup/{id}',
  'POST /api/People/Import',
  'PUT /api/People/SetStanding',
  'PUT /api/People/Merge',
  'POST /api/Waitlist/Add',
  'PUT /api/Appointment/Book with answers',
  'PUT /api/Appointment/Move with answers',
  'PUT /api/Party/BookRsvp with answers',
];
/** Those that write in the first trip, and read in the second what they answer. */
const readAfterwards = ['PUT /api/Account/SetBusyFeeds', 'POST /api/Account/TestWebhook', 'PUT /api/Account/SendAgain'];

type Member = Exclude<(typeof readers)[number], 'stranger'>;
type Write = [name: string, reader: Member, call: ApiCall];
/** Each with each of those who may. */
const writesByReader = writes.flatMap((call): Write[] => {
  const [method, path, statuses] = call;
  const name = `${method} ${path}${callsWithAnswers.includes(call) ? ' with answers' : ''}`;
  const members = readers.filter((reader, at): reader is Member => reader !== 'stranger' && (statuses[at] ?? 0) < 300);
  return members.map((reader) => [name, reader, call]);
});

/** What is sent: the address and the body. */
async function inputOf([, call, , input]: ApiCall): Promise<[path: string, body: unknown]> {
  const { path = '', body } = (await input?.(world)) ?? {};
  return [`${call.replace('/{id}', '')}${path}`, body];
}

describe('a session that ends before the second trip of a write', () => {
  const parted = writesByReader.filter(([name]) => inTwoTrips.includes(name));

  test.each(parted)('keeps it from being made: %s by the %s', async (_, reader, call) => {
    const person = world[reader];
    const [path, body] = await inputOf(call);
    const browser = await newLoginOf(person);
    const before = await storedRows(daybook, 'sessions');

    const ends = { 'x-ends-before': '2', 'x-ends': person.username };
    const { status, json } = await browser.api(call[0], path, body, ends);

    await logInAgain(person);
    expect(status).toBe(401);
    expect(json).toBe('You are not logged in.');
    expect(await storedRows(daybook, 'sessions')).toEqual(before);
  });

  test('is met by fourteen of them', () => {
    expect(new Set(parted.map(([name]) => name)).size).toBe(14);
  });
});

describe('the session of every other write is checked by the trip that writes', () => {
  const whole = writesByReader.filter(([name]) => ![...inTwoTrips, ...readAfterwards].includes(name));

  test.each(whole)('%s by the %s', async (_, reader, call) => {
    const [path, body] = await inputOf(call);

    const { status, headers } = await world[reader].api(call[0], path, body);

    expect(status).toBeLessThan(300);
    expect(askedOf(headers).trips).toBe(1);
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

describe('a session that ends during the write of a form', () => {
  /** Sends it, in a session of its own that ends before this trip. */
  async function sendForm(
    register: typeof registerConsumer,
    form: (who: Person) => Form | Promise<Form>,
    trip: number,
  ) {
    const person = await register(daybook);
    const browser = await newLoginOf(person);
    const [path, typed] = await form({ ...person, browser });
    const before = await storedRows(daybook, 'sessions');
    const page = await browser.post(path, typed, { 'x-ends-before': `${trip}`, 'x-ends': person.username });
    return { person, before, page };
  }

  test.each(forms)('before its second trip leaves all as it was: %s', async (_, register, form) => {
    const { person, before, page } = await sendForm(register, form, 2);

    await logInAgain(person);
    expect(page.status).toBe(401);
    expect(page.words).toMatch(/log(ged)? in/i);
    expect(await storedRows(daybook, 'sessions')).toEqual(before);
  });

  test.each(forms)('after that comes too late: %s', async (_, register, form) => {
    const { page } = await sendForm(register, form, 3);

    expect(page.status).toBe(303);
    expect(tripsOf(page)).toBe(2);
  });
});
