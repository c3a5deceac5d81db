import { beforeAll, describe, expect, test } from 'vitest';
import { isFile, makeRouteWorld, more, type RouteWorld, screens } from '../../support/every-route';
import { book, type Person, password, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { share, testFirst } from '../../support/matrix';
import { createParty, rsvp } from '../../support/party-factories';
import { held, useServer } from '../../support/use-server';
import type { Sent } from '../../support/visit';

/*
 * A page of another site can send each form of ours with the cookies of whoever looks at it. Browsers say so, and nothing is
 * done, whoever it is.
 */

const daybook = useServer();

let world: RouteWorld;
let guest: Person;
/** Where a guest has forms of their own. */
let own: Record<string, string>;
beforeAll(async () => {
  world = await makeRouteWorld(daybook);
  guest = await newGuest(daybook);
  const [slot, free] = (await publish(world.provider, { dates: [world.newDay()], end: '10:00' })) as [Row, Row];
  const { link = '' } = (await book(guest, slot)).json as Row;
  const party = await createParty(world.provider, { openTo: 'anyone' });
  const answered = (await rsvp(guest, party)).json as { link?: string };
  own = {
    '/details/:id': `/details/${free.id}`,
    '/details-cancel/:id': `/details-cancel/${slot.id}`,
    '/with/:username/:id': `/with/${world.provider.username}/${free.id}`,
    '/move/:id/:to?': `/move/${slot.id}/${free.id}`,
    '/booking/:key': `${link}`,
    '/booking/:key/move/:to?': `${link}/move/${free.id}`,
    '/answer/:key': `${answered.link}`,
    '/party/:id': `/party/${party.id}`,
  };
});

const another: Sent = { 'sec-fetch-site': 'cross-site' };
const elsewhere: [how: string, sent: Sent][] = [
  ['another site', { ...another, origin: 'https://evil.example' }],
  ['a sister site', { 'sec-fetch-site': 'same-site', origin: 'https://shop.daybook.example' }],
  ['another site, which says its address alone', { 'sec-fetch-site': null, origin: 'https://evil.example' }],
  ['another site, as plain text', { ...another, 'content-type': 'text/plain' }],
  ['another site, in parts', { ...another, 'content-type': 'multipart/form-data; boundary=part', origin: 'null' }],
  ['another site, as JSON', { ...another, 'content-type': 'application/json' }],
  ['a frame that hides where it is', { 'sec-fetch-site': null, origin: 'null' }],
];

/** What some form of ours takes, and each says what it would do. */
const intents: Record<string, string>[] = [
  { intent: 'cancel', reason: 'Evil' },
  { intent: 'answers' },
  { intent: 'seen' },
  { intent: 'profile', displayName: 'Mallory', timeZone: 'UTC', location: 'Atlantis' },
  { intent: 'everywhere' },
  { accepted: 'false' },
  { username: 'mallory', displayName: 'Mallory', password, role: 'Consumer', timeZone: 'UTC' },
  { email: 'mallory@example.com', password },
];

describe('a form that a page of another site sends', () => {
  const all = [...screens, ...more].filter(([path]) => !isFile(path));

  test.each(all.map(([path], place) => [path, place] as const))('to %s does nothing', async (path, place) => {
    const [, , pathOf] = all[place] as (typeof all)[number];
    const readers = [guest, world.consumer, world.provider];
    const before = await held(daybook);
    for (const [index, typed] of intents.entries()) {
      // What is refused is refused before anybody looks into it.
      if (share(index !== place % intents.length, false)) continue;
      const one = elsewhere[(place + index) % elsewhere.length] as (typeof elsewhere)[number];
      for (const [how, sent] of share([one], elsewhere)) {
        const reader = readers[index % readers.length] as Person;
        const to = reader === guest ? (own[path] ?? pathOf(world)) : pathOf(world);
        const page = await reader.browser.post(to, typed, sent);
        expect([how, typed, page.status]).toEqual([how, typed, 403]);
        // The bookmark of what they did before may come along.
        expect(page.headers.get('set-cookie') ?? '').not.toMatch(/daybook(?!-seen)/);
      }
    }
    expect(await held(daybook)).toEqual(before);
  });

  testFirst('and the same of this site is taken', async () => {
    const path = own['/answer/:key'] ?? '';
    expect((await guest.browser.post(path, { accepted: 'false' })).status).toBe(303);
    expect((await guest.browser.post(own['/booking/:key'] ?? '', { intent: 'cancel' })).status).toBe(303);
  });
});
