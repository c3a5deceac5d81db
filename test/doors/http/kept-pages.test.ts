import { describe, expect, test } from 'vitest';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
} from '../../support/factories';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { timesOn, tripsOf } from '../../support/visit';

/* A provider's page is kept for strangers for some seconds, and each change drops it. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const strangers = (who: Person, query = '') => daybook.visitor().get(`/with/${who.username}${query}`);
let days = 1;
const freshDay = () => dayAhead(++days);

describe('a page for strangers', () => {
  test('is the same for the next one, asks the database nothing, and grows older', async () => {
    const ana = await newProvider();
    await publish(ana);
    const [first, second] = [await strangers(ana), await strangers(ana)];
    expect([tripsOf(first), tripsOf(second)]).toEqual([1, 0]);
    expect(second.text).toBe(first.text);
    const [fresh, kept] = [first, second].map(({ headers }) => headers);
    expect(fresh?.get('cache-control')).toBe('public, max-age=15');
    expect(kept?.get('cache-control')).toMatch(/^public, max-age=1[0-5]$/);
    expect(kept?.get('content-security-policy')).toContain("script-src 'none'");
    for (const name of ['x-content-type-options', 'referrer-policy', 'cross-origin-opener-policy', 'content-type']) {
      expect([name, kept?.get(name)]).toEqual([name, fresh?.get(name)]);
    }
    expect(kept?.get('x-request-id')).not.toBe(fresh?.get('x-request-id'));
    expect(second.text).not.toMatch(/nonce|name="once"/);
  });

  test('is not for whoever is logged in, and theirs is for nobody else', async () => {
    const ana = await newProvider();
    await publish(ana);
    const own = await ana.browser.get(`/with/${ana.username}`);
    expect([tripsOf(own), tripsOf(await strangers(ana))]).toEqual([1, 1]);
    for (const who of [maya, ana]) {
      const page = await who.browser.get(`/with/${ana.username}`);
      expect([tripsOf(page), page.headers.get('cache-control')]).toEqual([1, 'private, no-store']);
    }
    expect(tripsOf(await strangers(ana))).toBe(0);
  });
});

describe('a page that was kept shows at once', () => {
  const makeWorld = async () => {
    const ana = await newProvider();
    const slots = await publish(ana, { dates: [freshDay()], start: '09:00', end: '11:00' });
    const [slot, , booked] = slots as [Row, Row, Row];
    await book(maya, booked);
    const { link } = (await look(maya, booked)).json as Row;
    const party = await createParty(ana, { showOnPage: true, title: 'Open evening' });
    return { ana, slot, booked, key: link?.split('/').at(-1), party };
  };
  type Change = (world: Awaited<ReturnType<typeof makeWorld>>) => Promise<unknown>;
  const byLink = (path: string) => daybook.visitor().api('PUT', `/api/Public/${path}`);
  const at = (path: string) => `/api/Appointment/${path}`;
  const evenings = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '18:00', end: '19:00' }));
  const wanda = { displayName: 'Wanda' };
  const later = { start: '15:00', end: '15:30' };
  const closed = { title: 'Closed evening' };

  test.each<[what: string, change: Change]>([
    ['a publication', ({ ana }) => publishOne(ana, { dates: [dayAhead(days)], ...later })],
    ['a booking by a stranger', async ({ ana, slot }) => (await strangers(ana, `/${slot.id}`)).submit('Book', wanda)],
    ['a booking for somebody', ({ ana, slot }) => ana.api('POST', at(`BookFor?id=${slot.id}`), wanda)],
    ['a cancellation, which opens the time again', ({ booked }) => cancel(maya, booked)],
    ['a cancellation by link', ({ key }) => byLink(`CancelBooking?key=${key}`)],
    ['a withdrawn slot', ({ ana, slot }) => cancel(ana, slot)],
    ['all slots withdrawn', ({ ana }) => ana.browser.post('/view-open', { all: 'yes' })],
    ['a move', ({ booked, slot }) => maya.api('PUT', at(`Move?id=${booked.id}&to=${slot.id}`))],
    ['a move by link', ({ key, slot }) => byLink(`MoveBooking?key=${key}&to=${slot.id}`)],
    ['rules', ({ ana }) => ana.api('PUT', '/api/Account/SetRules', { notice: 43_200 })],
    ['hours', ({ ana }) => ana.api('PUT', at('SetHours'), { hours: evenings })],
    ['a new name', ({ ana }) => ana.api('PUT', '/api/Account/SetProfile', { displayName: 'Somebody Else' })],
    ['another party', ({ ana }) => createParty(ana, { showOnPage: true, title: 'Another evening' })],
    ['a party that is called off', ({ ana, party }) => ana.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`)],
    ['a party’s new name', ({ ana, party }) => ana.api('PUT', `/api/Party/EditParty/${party.id}`, closed)],
  ])('%s', async (_, change) => {
    const world = await makeWorld();
    const before = await strangers(world.ana);
    expect(tripsOf(await strangers(world.ana))).toBe(0);
    await change(world);
    const after = await strangers(world.ana);
    expect([after.status, tripsOf(after)]).toEqual([200, 1]);
    expect(after.text).not.toBe(before.text);
  });

  test('a booking, on no page once it is taken, and on those of no other provider', async () => {
    const [{ ana, slot }, other] = [await makeWorld(), await makeWorld()];
    await strangers(other.ana);
    const readers = Array.from({ length: 20 }, async () => timesOn(await strangers(ana)));
    await Promise.all([...readers, book(maya, slot)]);
    expect(timesOn(await strangers(ana))).not.toContain(slot.id);
    expect(tripsOf(await strangers(other.ana))).toBe(0);
  });
});
