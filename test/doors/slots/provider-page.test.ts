import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords, localDateOf } from '../../../app/domain/time/clock';
import { monthOf, monthWords } from '../../../app/domain/time/month';
import { setRules } from '../../support/account-calls';
import { hasMore, idsOf } from '../../support/appointment-calls';
import { book, dayAhead, type Person, peopleAt, publish, publishOne, type Row, rowsOf } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, timesOn, titleOf } from '../../support/visit';

/* A provider's page and the calls beside it, for whoever has the link. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, {
  ana: { username: 'Ana.Costa', description: 'Haircuts & shaves', timeZone: 'Asia/Colombo' },
  maya: {},
});
let first: Row[];
let second: Row[];
beforeAll(async () => {
  first = await publish(ana, { dates: [dayAhead(2, 'Asia/Colombo')], end: '12:00' });
  second = await publish(ana, { dates: [dayAhead(40, 'Asia/Colombo')], start: '14:00', end: '15:00' });
});

const pageOf = (provider: Person, query = '') => daybook.visitor().get(`/with/${provider.username}${query}`);
/** As it is read now: nothing is kept for a browser that has a cookie of ours. */
const freshPageOf = (provider: Person, query = '') =>
  daybook.visitor().get(`/with/${provider.username}${query}`, { cookie: 'daybook-device=none' });
const daysOn = (page: Page) => page.$$('.month a:not(.full)').map((link) => link.getAttribute('aria-label'));
const dateOf = ({ startsAt }: Row) => localDateOf(Date.parse(startsAt), 'Asia/Colombo');

describe("a provider's page", () => {
  test('shows who, where, the next free time, the free days of its month and the times of its day', async () => {
    const page = await pageOf(ana);
    const [next] = first as [Row];
    const { full, short } = dateWords(dateOf(next));
    expect([page.status, titleOf(page)]).toEqual([200, 'Ana Costa']);
    for (const words of ['Lisbon', 'Haircuts & shaves', 'Colombo time', monthWords(monthOf(dateOf(next)))])
      expect(page.words).toContain(words);
    const button = page.$(`main a[href="/with/Ana.Costa/${next.id}"]`);
    expect(button?.text).toMatch(new RegExp(`^Next free: ${short}( \\d{4})?, 09:00 Colombo time`));
    expect(daysOn(page)).toContain(full);
    expect(timesOn(page)).toEqual(idsOf(first));
    expect(page.$('#times h2')?.text).toBe(full);
  });

  test('turns from this month to the last with free days, or without a waitlist from the first', async () => {
    const host = await newProvider();
    const year = new Date().getUTCFullYear() + 1;
    await publish(host, { dates: [`03-29-${year}`, `05-04-${year}`] });
    const turns = async (month: string) =>
      (await freshPageOf(host, `?month=${month}`)).$$('#month > div .sr-only').map(({ text }) => text.split(':')[0]);
    expect(await turns(`${year}-03`)).toEqual(['Earlier month', 'Later month']);
    expect(await turns(`${year}-05`)).toEqual(['Earlier month']);
    await setRules(host, { waitlist: 'off' });
    expect(await turns(`${year}-03`)).toEqual(['Later month']);
  });

  test("shows the reader's own time beside the provider's, with its day where that is another", async () => {
    const host = await newProvider({ timeZone: 'Asia/Kolkata' });
    const slot = await publishOne(host, { start: '00:00', end: '00:30', dates: [dayAhead(3, 'Asia/Kolkata')] });
    const reader = await newConsumer({ timeZone: 'UTC' });
    const own = (await reader.browser.get('/with/ana.costa')).$('.slots a')?.getAttribute('aria-label');
    expect(own).toMatch(/, 09:00 to 09:30, 03:30 for you, 30 minutes$/);
    const { short } = dateWords(slot.startsAt.slice(0, 10));
    const tile = (await reader.browser.get(`/with/${host.username}`)).$('.slots a');
    expect(tile?.text).toMatch(new RegExp(`${short}( \\d{4})?, 18:30 for you`));
  });

  test('leads from a coming day on which nothing is free to a place in line for that day, unless there is no waitlist', async () => {
    const host = await newProvider();
    const year = new Date().getUTCFullYear() + 1;
    await book(maya, await publishOne(host, { dates: [`03-30-${year}`] }));
    await publish(host, { dates: [`03-29-${year}`] });
    const march = await freshPageOf(host, `?month=${year}-03`);
    expect(daysOn(march)).toHaveLength(1);
    const form = await march.click(`.month a[aria-label="Tell me: ${dateWords(`${year}-03-30`).full}"]`);
    const chosen = ['from', 'to'].map((name) => form.$(`[name=${name}]`)?.getAttribute('value'));
    expect(chosen).toEqual([`${year}-03-30`, `${year}-03-30`]);
    await setRules(host, { waitlist: 'off' });
    expect((await freshPageOf(host, `?month=${year}-03`)).$$('.month .full')).toEqual([]);
  });

  test('looks right where its link is shared', async () => {
    const page = await pageOf(ana);
    const { full } = dateWords(dateOf(first[0] as Row));
    const told = `Next free: ${full}, 09:00 Colombo time. Book a time with Ana Costa in Lisbon.`;
    const shown = ['property="og:title"', 'property="og:description"', 'name=description'];
    expect(shown.map((meta) => contentOf(page, meta))).toEqual(['Ana Costa, Lisbon', told, told]);
  });
});

test('the booking link of old leads whoever is no consumer to the page, with the days that were chosen', async () => {
  const rival = await newProvider();
  for (const browser of [daybook.visitor(), rival.browser, ana.browser]) {
    const page = await browser.get('/view?provider=ana.costa&dates=01-02-2030&month=2030-01');
    expect([page.status, page.location]).toEqual([302, '/with/ana.costa?dates=01-02-2030&month=2030-01']);
  }
  const odd = await daybook.visitor().get('/view?provider=%2F%2Fevil.example');
  expect(odd.location).toBe('/with/%2F%2Fevil.example');
  expect((await maya.browser.get('/view?provider=ana.costa')).status).toBe(200);
});

describe('the calls', () => {
  const ask = (call: string, query: Record<string, string> = {}) =>
    daybook.visitor().api('GET', `/api/Public/${call}?${new URLSearchParams(query)}`);

  test('Provider says who it is and when they are free next, and knows neither consumers nor strangers', async () => {
    const { status, json } = await ask('Provider', { username: ' ANA.costa ' });
    const { username, displayName } = ana;
    const known = { username, displayName, location: 'Lisbon', timeZone: 'Asia/Colombo', openTo: 'anyone' };
    const rest = { description: 'Haircuts & shaves', address: null, phone: null, nextFree: first[0]?.startsAt };
    expect([status, json]).toEqual([200, { ...known, ...rest }]);
    const idle = await newProvider();
    expect((await ask('Provider', { username: idle.username })).json).toMatchObject({ nextFree: null });
    for (const username of [maya.username, 'nobody-here']) {
      expect(await ask('Provider', { username })).toMatchObject({ status: 404, json: 'There is no such provider.' });
    }
  });

  test('Dates and Slots answer as GetDates and GetPage do', async () => {
    const provider = 'ana.costa';
    for (const [open, call, query] of [
      ['Dates', 'GetDates', { provider }],
      ['Slots', 'GetPage', { provider }],
      ['Slots', 'GetPage', { provider, dates: dayAhead(40, 'Asia/Colombo') }],
      ['Slots', 'GetPage', { provider, page: '1' }],
      ['Slots', 'GetPage', { provider, page: '-1' }],
    ] as [string, string, Record<string, string>][]) {
      const theirs = await maya.api('GET', `/api/Appointment/${call}?${new URLSearchParams(query)}`);
      const ours = await ask(open, query);
      expect([ours.status, ours.json, hasMore(ours)]).toEqual([theirs.status, theirs.json, hasMore(theirs)]);
    }
    expect(rowsOf(await ask('Slots', { provider }))).toEqual([...first, ...second]);
  });
});
