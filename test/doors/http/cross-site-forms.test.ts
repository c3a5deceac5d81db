import { beforeAll, expect, test } from 'vitest';
import { isFile, makeRouteWorld, more, type RouteWorld, screens } from '../../support/every-route';
import { book, type Person, password, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createParty, rsvp } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { askedOf, type Sent } from '../../support/visit';

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

const elsewhere: Sent[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'same-site', origin: 'https://shop.daybook.example' },
  { 'sec-fetch-site': null, origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
  { 'sec-fetch-site': 'cross-site', 'content-type': 'multipart/form-data; boundary=part' },
  // A frame that hides where it is.
  { 'sec-fetch-site': null, origin: 'null' },
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

const forms = [...screens, ...more].filter(([path]) => !isFile(path));
test.each(forms)('a form that a page of another site sends to %s does nothing', async (path, _, pathOf) => {
  const place = forms.findIndex(([one]) => one === path);
  // Each is sent in another way. What is refused is refused before anybody looks into it, or into the book.
  const [sent, typed] = [elsewhere[place % elsewhere.length], intents[place % intents.length]];
  for (const reader of [guest, world.consumer, world.provider]) {
    const to = reader === guest ? (own[path] ?? pathOf(world)) : pathOf(world);
    const page = await reader.browser.post(to, typed, sent);
    expect([sent, page.status, askedOf(page.headers).written]).toEqual([sent, 403, 0]);
    // The bookmark of what they did before may come along.
    expect(page.headers.get('set-cookie') ?? '').not.toMatch(/daybook(?!-seen)/);
  }
});

test('the same of this site is taken', async () => {
  expect((await guest.browser.post(own['/answer/:key'] ?? '', { accepted: 'false' })).status).toBe(303);
  expect((await guest.browser.post(own['/booking/:key'] ?? '', { intent: 'cancel' })).status).toBe(303);
});
