import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords, localDateOf } from '../../../app/domain/time/clock';
import { monthOf, monthWords } from '../../../app/domain/time/month';
import { idsOf } from '../../support/appointment-calls';
import { dayAhead, type Person, peopleAt, publish, type Row, rowsOf } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Page, timesOn, titleOf, tripsOf } from '../../support/visit';

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
    expect(page.words).toContain('Lisbon');
    expect(page.words).toContain('Haircuts & shaves');
    const button = page.$$('main a').find(({ text }) => text.startsWith('Next free: '));
    expect(button?.text).toMatch(new RegExp(`^Next free: ${short}( \\d{4})?, 09:00 Colombo time`));
    expect(button?.getAttribute('href')).toBe(`/with/Ana.Costa/${next.id}`);
    expect(page.words).toContain(monthWords(monthOf(dateOf(next))));
    expect(daysOn(page)).toContain(full);
    expect(timesOn(page)).toEqual(idsOf(first));
    expect(page.$('#times h2')?.text).toBe(full);
    expect(page.words).toContain('Colombo time');
  });

  test("shows the reader's own time beside the provider's, with its day where that is another", async () => {
    const host = await newProvider({ timeZone: 'Asia/Kolkata' });
    const [slot] = await publish(host, { start: '00:00', end: '12:00', dates: [dayAhead(3)] }, 'len=720');
    const reader = await newConsumer({ timeZone: 'Europe/Lisbon' });
    const own = (await reader.browser.get('/with/ana.costa')).$('.slots a')?.getAttribute('aria-label');
    expect(own).toMatch(/, 09:00 to 09:30, 0[34]:30 for you, 30 minutes$/);
    const yourDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Lisbon', weekday: 'short', day: 'numeric' });
    const [weekday, day] = yourDay
      .format(Date.parse((slot as Row).startsAt))
      .replace(',', '')
      .split(' ');
    const dated = expect.stringMatching(new RegExp(`${weekday} ${day} \\w+, 1[89]:30 for you`));
    const tile = (await reader.browser.get(`/with/${host.username}`)).$('.slots a');
    expect([tile?.text, tile?.getAttribute('aria-label')]).toEqual([dated, dated]);
  });

  test('takes one round trip, and reads little more than it shows', async () => {
    const pages = [await freshPageOf(ana), await freshPageOf(ana, `?dates=${dayAhead(2, 'Asia/Colombo')}`)];
    for (const page of pages) {
      const { trips, read, written } = askedOf(page.headers);
      expect([trips, written]).toEqual([1, 0]);
      expect(read).toBeLessThan(3 * (timesOn(page).length + daysOn(page).length) + 20);
    }
    expect(tripsOf(await maya.browser.get('/with/ana.costa'))).toBe(1);
  });
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
    for (const username of [maya.username, 'nobody-here']) {
      expect(await ask('Provider', { username })).toMatchObject({ status: 404, json: 'There is no such provider.' });
    }
  });

  test('Dates and Slots answer as GetDates and GetPage do', async () => {
    const same: [string, string, Record<string, string>][] = [
      ['Dates', 'GetDates', { provider: 'ana.costa' }],
      ['Slots', 'GetPage', { provider: 'ana.costa' }],
      ['Slots', 'GetPage', { provider: 'ana.costa', dates: dayAhead(40, 'Asia/Colombo') }],
      ['Slots', 'GetPage', { provider: 'ana.costa', page: '-1' }],
    ];
    for (const [open, call, query] of same) {
      const theirs = await maya.api('GET', `/api/Appointment/${call}?${new URLSearchParams(query)}`);
      const ours = await ask(open, query);
      expect([open, ours.status, ours.json]).toEqual([open, theirs.status, theirs.json]);
      expect(ours.headers.get('x-has-more')).toBe(theirs.headers.get('x-has-more'));
    }
    expect(rowsOf(await ask('Slots', { provider: 'ana.costa' }))).toEqual([...first, ...second]);
  });
});
