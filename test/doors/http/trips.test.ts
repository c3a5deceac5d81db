import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import routes from '../../../app/routes';
import { tripsOf } from '../../support/asked';
import { added, addressOf, calls } from '../../support/every-route';
import {
  book,
  cancel,
  dayAhead,
  password,
  peopleAt,
  publication,
  publish,
  publishOne,
  type Row,
  registerProvider,
} from '../../support/factories';
import { describeFirst, share, testFirst } from '../../support/matrix';
import { useServer } from '../../support/use-server';
import type { ApiResponse, Visitor } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya, june } = useWorld(daybook, { ana: {}, maya: {}, june: {} });

const create = '/api/Appointment/CreateAppointment';

describe('reading', () => {
  /** Every address that can be read, of the route table and the calls, for each of these ids. */
  function addresses(ids: string[]): string[] {
    const screens = routes.flatMap(({ path = '' }) => {
      if (path.includes(':call') || path.includes('*')) return [];
      return path.includes(':id') ? ids.map((id) => `/${path.replace(':id', id)}`) : [`/${path}`];
    });
    // Those about a provider's free time need to be told which provider.
    const about = [...calls, ...added].filter(([, call]) => !call.includes('/Public/'));
    const read = about.flatMap(([method, call]) => {
      const path = addressOf(call);
      if (method !== 'GET') return [];
      if (path.endsWith('/Get')) return ids.map((id) => `${path}?id=${id}`);
      return path.endsWith('/none') ? ids.map((id) => path.replace('none', id)) : [path];
    });
    const chosen = `provider=${ana.username}`;
    const asked = [
      `/api/Appointment/GetDates?${chosen}`,
      '/api/Appointment/GetDash?past=true',
      '/view?location=Lisbon',
      `/view?${chosen}`,
      `/view?${chosen}&dates=${dayAhead(8)}`,
      '/view-booked?past=true',
    ];
    return [...screens, ...read, ...asked];
  }

  let everywhere: string[];
  beforeAll(async () => {
    const [open, booked, canceled] = (await publish(ana, { end: '10:30', dates: [dayAhead(8)] })) as [Row, Row, Row];
    for (const slot of [booked, canceled]) await book(maya, slot);
    await cancel(maya, canceled);
    everywhere = addresses([open.id, booked.id, canceled.id, 'none']);
  });

  const first: [string, () => Visitor][] = [
    ['a provider', () => ana.browser],
    ['a consumer', () => maya.browser],
  ];
  const rest: [string, () => Visitor][] = [
    ['a stranger', () => daybook.visitor()],
    ['another consumer', () => june.browser],
  ];

  // Whoever does not book is led from a provider's booking link to their page, before anything is read.
  const isLed = (door: Visitor, address: string) => door === ana.browser && address.startsWith('/view?provider=');
  const isForStrangers = (address: string) =>
    /^\/(api\/health|(party|with|booking|answer|waiting|offer|meetup-rsvp|api\/meetup\/Get\w+|api\/Public)\/.)/.test(
      address,
    );

  test.each(share(first, rest))('everything as %s changes nothing, and takes one trip at most', async (who, doorOf) => {
    const before = await dump(daybook.d1);
    expect(before).toMatchObject({
      accounts: expect.any(Array),
      slots: expect.any(Array),
      sessions: expect.any(Array),
    });
    const seen = new Set<number>();
    for (const address of everywhere) {
      const door = doorOf();
      const page = await door.get(address, { accept: '*/*' });
      const head = await door.api('HEAD', address, undefined, { accept: '*/*' });
      for (const { status } of [page, head]) expect(status, address).toBeLessThan(500);
      seen.add(page.status);
      const isRead = who === 'a stranger' ? isForStrangers(address) : !isLed(door, address);
      if (who === 'a stranger' && isRead) expect(tripsOf(page), address).toBeLessThanOrEqual(1);
      else expect([address, tripsOf(page)]).toEqual([address, isRead ? 1 : 0]);
    }
    expect(seen).toContain(200);
    expect(await dump(daybook.d1)).toEqual(before);
  });

  testFirst('an address that there is not shows a page that knows the reader', async () => {
    const page = await maya.browser.get('/nowhere');
    expect(page.status).toBe(404);
    expect(page.words).toContain(`Welcome, ${maya.displayName}`);
    expect(tripsOf(page)).toBe(1);
    expect(tripsOf(await daybook.visitor().get('/nowhere'))).toBe(0);
  });

  testFirst('with a session that no longer stands takes one trip', async () => {
    const { browser, api } = await newConsumer();
    const cookie = browser.cookies.get('daybook') ?? '';
    await api('DELETE', '/api/Account/Logout');
    for (const address of everywhere) {
      browser.cookies.set('daybook', cookie);
      expect([address, tripsOf(await browser.get(address))]).toEqual([address, 1]);
    }
  });
});

describeFirst('writing takes one trip to the database', () => {
  const put = (call: string, { id }: Row) => `/api/Appointment/${call}?id=${id}`;

  test('at each call, done once or twice, or refused', async () => {
    const slot = await publishOne(ana, { dates: [dayAhead(9)] });
    const steps: [number, () => Promise<ApiResponse>][] = [
      [201, () => ana.api('POST', create, publication({ dates: [dayAhead(10)] }))],
      [200, () => maya.api('PUT', put('Book', slot))],
      [200, () => maya.api('PUT', put('Book', slot))],
      [409, () => june.api('PUT', put('Book', slot))],
      [404, () => june.api('PUT', put('Cancel', slot))],
      [200, () => maya.api('PUT', put('Cancel', slot))],
      [200, () => maya.api('PUT', put('Cancel', slot))],
    ];
    for (const [status, step] of steps) {
      const answer = await step();
      expect([answer.status, tripsOf(answer)]).toEqual([status, 1]);
    }
  });

  test('to register and to log out; to log in takes two', async () => {
    const door = daybook.visitor();
    const someone = { username: 'short.of.trips', password, displayName: 'Some One', role: 'Consumer' };
    expect(tripsOf(await door.api('POST', '/api/Account/Register', someone))).toBe(1);
    expect(tripsOf(await door.api('DELETE', '/api/Account/Logout'))).toBe(1);
    expect(tripsOf(await door.api('POST', '/api/Account/Login', someone))).toBe(2);
  });

  test('on the screens', async () => {
    const provider = await newProvider();
    const [first, second] = (await publish(provider, { end: '10:00', dates: [dayAhead(11)] })) as [Row, Row];
    const form = { start: '12:00', end: '13:00', dates: [dayAhead(11)] };
    const steps = [
      await provider.browser.post('/create', form),
      await maya.browser.post(`/details/${first.id}`),
      await maya.browser.post(`/details-cancel/${first.id}`),
      await provider.browser.post(`/details-provider/${second.id}`),
      await provider.browser.post('/view-open', { all: 'yes' }),
      await provider.browser.post('/profile', { intent: 'profile', displayName: 'New name', location: 'Porto' }),
      await provider.browser.post('/profile', { intent: 'everywhere' }),
    ];
    expect(steps.map((page) => [page.status, tripsOf(page)])).toEqual(steps.map(() => [303, 1]));
  });

  test('for 4,800 slots too', async () => {
    const provider = await newProvider();
    const dates = Array.from({ length: 300 }, (_, index) => dayAhead(index + 1));
    const answer = await provider.api('POST', create, publication({ end: '17:00', dates }));
    expect(answer).toMatchObject({ status: 201, json: { created: 4800, skipped: 0 } });
    expect(tripsOf(answer)).toBe(1);
  });
});

describeFirst('a deployed Daybook', () => {
  const deployed = useServer({ vars: { TIMING: undefined } });

  test('does not say what its database was asked', async () => {
    const { browser, api } = await registerProvider(deployed);
    const answers = [await api('GET', '/api/Account/Profile'), await browser.get('/'), await api('POST', create, {})];
    for (const { headers } of answers) expect(headers.has('server-timing')).toBe(false);
  });
});
