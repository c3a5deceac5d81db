import { beforeAll, describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import { newLoginOf, useEndingServer } from '../../support/ended';
import { type ApiCall, added, calls, makeRouteWorld, type RouteWorld, readers } from '../../support/every-route';
import { book, publish, type Row } from '../../support/factories';
import { held } from '../../support/held';
import { createParty } from '../../support/party-factories';

/* A session may end while a write is under way: on another device, or by a new password. Then nothing is written. */

const daybook = useEndingServer();

let world: RouteWorld;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
});

const asking = () =>
  publish(world.provider, { dates: [world.newDay()], end: '10:00' }, `templateId=${world.template}`) as Promise<
    [Row, Row]
  >;
const answers = [{ question: 'Why?', answer: 'Because' }];

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
      const [one, other] = await asking();
      await book(world.consumer, one);
      return { path: `?id=${one.id}&to=${other.id}`, body: answers };
    },
  ],
  [
    'PUT',
    '/api/Party/BookRsvp',
    [401, 200, 403, 200],
    async () => {
      const { id } = await createParty(world.provider, { template: world.template });
      return { path: `?id=${id}&accepted=true`, body: answers };
    },
  ],
];

/** All that needs a login, but what ends with the account gone. */
const writes = [...calls, ...added, ...withAnswers].filter(
  ([method, call, [stranger]]) => method !== 'GET' && stranger === 401 && call !== '/api/Account/Delete',
);

/** In how many round trips each of them was done; those of one trip can't be parted from the check of their session. */
const parted: string[] = [];

describe('a session that ends between two round trips of a write', () => {
  test.each(writes.map((row, place) => [row[0], row[1], place] as const))('%s %s (%i)', async (method, call, place) => {
    const [, , statuses, sent] = writes[place] as ApiCall;
    for (const reader of readers.filter((_, at) => (statuses[at] ?? 0) < 300)) {
      const person = world[reader as Exclude<typeof reader, 'stranger'>];
      const { path = '', body } = (await sent?.(world)) ?? {};
      const browser = await newLoginOf(person, daybook);
      const then = await held(daybook, 'sessions');
      const ends = { 'x-ends-before': '2', 'x-ends': person.username };
      const { status, json, headers } = await browser.api(method, `${call.replace('/{id}', '')}${path}`, body, ends);
      if (askedOf(headers).trips < 2) continue;
      // All of their sessions have ended.
      person.browser.cookies.set('daybook', (await newLoginOf(person, daybook)).cookies.get('daybook') ?? '');
      // What is saved in the first trip stands; the second one only reads what is answered.
      if (call === '/api/Account/SetBusyFeeds') continue;
      parted.push(`${method} ${call}`);
      expect([reader, status, json]).toEqual([reader, 401, 'You are not logged in.']);
      expect(await held(daybook, 'sessions')).toEqual(then);
    }
  });

  test('is met by those that need more than one', () => {
    expect([...new Set(parted)].sort()).toEqual([
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
