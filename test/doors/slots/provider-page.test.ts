import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dateWords, localDateOf, wireDate } from '../../../app/domain/time/clock';
import { monthOf, monthWords } from '../../../app/domain/time/month';
import { askedOf, tripsOf } from '../../support/asked';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
} from '../../support/factories';
import { useServer } from '../../support/use-server';
import { type Page, titleOf, type Visitor, visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';
import { useWorld } from '../../support/world';

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
const timesOn = (page: Page) => page.$$('.slots a').map((link) => link.getAttribute('href')?.split('/').at(-1));
const daysOn = (page: Page) => page.$$('.month a:not(.full)').map((link) => link.getAttribute('aria-label'));
const contentOf = (page: Page, meta: string) => page.$(`meta[${meta}]`)?.getAttribute('content') ?? '';
const dateOf = ({ startsAt }: Row) => localDateOf(Date.parse(startsAt), 'Asia/Colombo');
const idsOf = (rows: Row[]) => rows.map(({ id }) => id);

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

  test('is found by the username in any case, with a slash at its end, and says one address', async () => {
    for (const path of ['/with/ana.costa', '/with/ANA.COSTA/', '/with/Ana.Costa']) {
      const page = await daybook.visitor().get(path);
      expect([path, page.status, titleOf(page)]).toEqual([path, 200, 'Ana Costa']);
      // The one address is a whole one: search engines pass over a path.
      expect(page.$('link[rel=canonical]')?.getAttribute('href')).toBe(`${daybook.url}/with/Ana.Costa`);
    }
  });

  test('turns to another month, and to the times of a day in it', async () => {
    const later = second[0] as Row;
    const shown = await pageOf(ana, `?month=${monthOf(dateOf(later))}`);
    expect(daysOn(shown)).toContain(dateWords(dateOf(later)).full);
    const day = shown.$$('.month a').find((link) => link.getAttribute('aria-label') === dateWords(dateOf(later)).full);
    const times = await daybook.visitor().get(day?.getAttribute('href') ?? '');
    expect(timesOn(times)).toEqual(idsOf(second));
    expect(times.$('.month [aria-current]')?.getAttribute('aria-label')).toBe(dateWords(dateOf(later)).full);
  });

  test('shows the times of a day of the month that it shows, and leads on from a month that has none', async () => {
    const host = await newProvider();
    const year = new Date().getUTCFullYear() + 1;
    const dates = [`03-29-${year}`, `03-30-${year}`, `06-02-${year}`];
    const slots = await publish(host, { dates, end: '10:00' });
    const near = (await publish(host, { dates: [dayAhead(2)] })) as [Row];
    const march = await pageOf(host, `?month=${year}-03`);
    expect(timesOn(march)).toEqual(idsOf(slots.slice(0, 2)));
    expect(march.$('.month [aria-current]')?.text).toBe('29');
    const april = await pageOf(host, `?month=${year}-04`);
    expect([timesOn(april), april.words]).toEqual([[], expect.stringContaining(`Nothing is free in April ${year}.`)]);
    const later = await april.click(`Next free day: ${dateWords(`${year}-06-02`).full}`);
    expect([timesOn(later), later.words]).toEqual([idsOf(slots.slice(4)), expect.stringContaining(`June ${year}`)]);
    const beyond = await (await pageOf(host, `?month=${year}-09`)).click(
      `Next free day: ${dateWords(dateOf(near[0])).full}`,
    );
    expect(timesOn(beyond)).toEqual(idsOf(near));
  });

  test('turns no further than from this month, or without a waitlist from the first with free days, to the last with some', async () => {
    const host = await newProvider();
    const year = new Date().getUTCFullYear() + 1;
    await publish(host, { dates: [`03-29-${year}`, `05-04-${year}`] });
    const turns = async (month: string) => {
      const page = await freshPageOf(host, `?month=${month}`);
      return page.$$('#month > div .sr-only').map(({ text }) => text.split(':')[0]);
    };
    expect(await turns(monthOf(localDateOf(Date.now(), 'Asia/Colombo')))).toEqual(['Later month']);
    expect(await turns(`${year}-03`)).toEqual(['Earlier month', 'Later month']);
    expect(await turns(`${year}-05`)).toEqual(['Earlier month']);
    await host.api('PUT', '/api/Account/SetRules', { waitlist: 'off' });
    expect(await turns(`${year}-03`)).toEqual(['Later month']);
  });

  test("shows the reader's own time beside the provider's, where the edge knows their zone", async () => {
    const reader = visitor(daybook.url);
    const consumer = await newConsumer({ timeZone: 'Europe/Oslo' });
    reader.cookies.set('daybook', consumer.browser.cookies.get('daybook') ?? '');
    const page = await reader.get('/with/ana.costa');
    const label = page.$('.slots a')?.getAttribute('aria-label') ?? '';
    expect(label).toMatch(/, 09:00 to 09:30, 0[45]:30 for you, 30 minutes$/);
  });

  test("never shows the reader's own time without its day, where that is another", async () => {
    const host = await newProvider({ timeZone: 'Asia/Kolkata' });
    const reader = await newConsumer({ timeZone: 'Europe/Lisbon' });
    const [midnight, noon] = (await publish(
      host,
      { start: '00:00', end: '13:00', dates: [dayAhead(3)] },
      'len=720',
    )) as [Row, Row];
    expect(noon).toBeUndefined();
    const yourDay = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Lisbon', weekday: 'short', day: 'numeric' });
    const [weekday, day] = yourDay.format(Date.parse(midnight.startsAt)).replace(',', '').split(' ');
    const dated = new RegExp(`${weekday} ${day} \\w+, 1[89]:30 for you`);
    const page = visitor(daybook.url);
    page.cookies.set('daybook', reader.browser.cookies.get('daybook') ?? '');
    const tile = (await page.get(`/with/${host.username}`)).$('.slots a');
    expect([tile?.text, tile?.getAttribute('aria-label')]).toEqual([
      expect.stringMatching(dated),
      expect.stringMatching(dated),
    ]);
  });

  test('says how long a time is across a change of clocks, and on no other tile', async () => {
    const host = await newProvider({ timeZone: 'Europe/Lisbon' });
    const year = new Date().getUTCFullYear() + 1;
    const sunday = 31 - new Date(Date.UTC(year, 2, 31)).getUTCDay();
    const date = `03-${sunday}-${year}`;
    await publish(host, { start: '00:00', end: '06:00', dates: [date] }, 'len=60');
    const tiles = (await pageOf(host, `?dates=${date}`)).$$('.slots a').map(({ text }) => text);
    expect(tiles).toEqual([
      '00:00 to 02:00 1 hour',
      '02:00 to 03:00',
      '03:00 to 04:00',
      '04:00 to 05:00',
      '05:00 to 06:00',
    ]);
  });

  test('has a following page where a day has more times than one shows', async () => {
    const busy = await newProvider();
    await publish(busy, { dates: [dayAhead(3)], start: '08:00', end: '20:00' });
    const page = await pageOf(busy);
    expect(timesOn(page)).toHaveLength(20);
    const rest = await page.click('Later times');
    expect(timesOn(rest)).toHaveLength(4);
    expect(new Set([...timesOn(page), ...timesOn(rest)]).size).toBe(24);
    expect(timesOn(await rest.click('Earlier times'))).toEqual(timesOn(page));
  });

  test('has the colour and the head that its provider has chosen, and folds the weeks that are over', async () => {
    const host = await newProvider({ description: 'Yoga', timeZone: 'Asia/Colombo' });
    await publish(host, { dates: [dayAhead(1, 'Asia/Colombo')], start: '10:00', end: '15:00' });
    const plain = await freshPageOf(host);
    expect([plain.$$('[class^=hue-]'), plain.$('.bunting')]).toEqual([[], null]);
    const [week] = plain.$$('.month tbody tr');
    const date = localDateOf(Date.now(), 'Asia/Colombo');
    const later = monthOf(addDays(date, 1)) === monthOf(date) ? Number(date.slice(8)) : 1;
    const days = week?.querySelectorAll('td').map(({ text }) => Number(text)) ?? [];
    expect(Math.max(...days)).toBeGreaterThanOrEqual(later);
    expect(plain.$$('#times h3').map(({ text }) => text)).toEqual(['Morning', 'Afternoon']);
    await host.api('PUT', '/api/Account/SetRules', { colour: 'plum', head: 'festive' });
    const festive = await freshPageOf(host);
    expect([festive.$('.hue-plum') !== null, festive.$('.bunting') !== null]).toEqual([true, true]);
    // Flags suit a page or an invitation, and not what a doctor's patient fills in.
    const form = await festive.click('#times a');
    expect([form.$('h1')?.text, form.$('.bunting')]).toEqual(['Book a time', null]);
  });

  test('says kindly that nothing is free, and that a day is gone', async () => {
    const idle = await newProvider();
    expect((await pageOf(idle)).words).toContain('Nothing is free at the moment');
    const gone = wireDate(addDays(dateOf(first[0] as Row), 1));
    const page = await pageOf(ana, `?dates=${gone}`);
    expect(timesOn(page)).toEqual([]);
    expect(page.words).toContain('Nothing is free then any more');
  });

  test('leads from a coming day on which nothing is free to a place in line for that day, unless there is no waitlist', async () => {
    const host = await newProvider();
    const year = new Date().getUTCFullYear() + 1;
    const [full] = (await publish(host, { dates: [`03-30-${year}`] })) as [Row];
    await publish(host, { dates: [`03-29-${year}`] });
    await book(maya, full);
    const label = `Tell me: ${dateWords(`${year}-03-30`).full}`;
    const march = await pageOf(host, `?month=${year}-03`);
    expect(march.$$('.month a:not(.full)')).toHaveLength(1);
    const form = await march.click(`.month a[aria-label="${label}"]`);
    const chosen = ['from', 'to'].map((name) => form.$(`[name=${name}]`)?.getAttribute('value'));
    expect(chosen).toEqual([`${year}-03-30`, `${year}-03-30`]);
    // This month has days that are over.
    const today = localDateOf(Date.now(), 'Asia/Colombo');
    const now = await freshPageOf(host, `?month=${monthOf(today)}`);
    const days = now.$$('.month .full').map((link) => new URLSearchParams(link.getAttribute('href')).get('to') ?? '');
    expect(days.filter((date) => date < addDays(today, -1))).toEqual([]);
    await host.api('PUT', '/api/Account/SetRules', { waitlist: 'off' });
    expect((await freshPageOf(host, `?month=${year}-03`)).$$('.month .full')).toEqual([]);
  });

  test('shows nothing that is booked or withdrawn', async () => {
    const eva = await newProvider();
    const [booked, withdrawn, open] = (await publish(eva, { end: '10:30' })) as [Row, Row, Row];
    await book(maya, booked);
    await cancel(eva, withdrawn);
    expect(timesOn(await pageOf(eva))).toEqual([open.id]);
  });

  test('of nobody, and of a consumer, is a 404 in the look of a letter', async () => {
    for (const name of ['nobody-here', maya.username, '%20']) {
      const page = await daybook.visitor().get(`/with/${name}`);
      expect([name, page.status, page.$('h1')?.getAttribute('aria-label')]).toEqual([name, 404, 'Nothing here']);
    }
  });

  test('refuses a day that is none', async () => {
    expect((await pageOf(ana, '?dates=02-30-2031')).status).toBe(400);
  });

  test('ships no script, and weighs at most 10 KB in one request', async () => {
    const full = await newProvider({
      displayName: 'W'.repeat(80),
      description: 'Ein langer Text über mich. '.repeat(70),
    });
    await publish(full, {
      dates: Array.from({ length: 60 }, (_, day) => dayAhead(day + 1)),
      start: '08:00',
      end: '20:00',
    });
    for (const page of [await pageOf(ana), await pageOf(full), await pageOf(full, `?dates=${dayAhead(5)}`)]) {
      expect(page.$$('script, link[rel=modulepreload]')).toEqual([]);
      const { requests, bytes } = await weightOf(daybook.visitor(), page);
      expect([requests, bytes <= 10_000 ? 'light' : bytes]).toEqual([1, 'light']);
    }
  });

  test('may be kept for seconds where it is made for nobody in particular, and is never kept of somebody', async () => {
    const kept = async (reader: Visitor, query = '') => {
      const { headers } = await reader.get(`/with/ana.costa${query}`);
      return [headers.get('cache-control'), headers.has('set-cookie')];
    };
    for (const query of ['', '?month=2030-01']) {
      const [control, hasCookie] = await kept(daybook.visitor(), query);
      expect([Number(/^public, max-age=(\d+)$/.exec(String(control))?.[1]) <= 15, hasCookie]).toEqual([true, false]);
    }
    for (const { browser } of [maya, ana]) expect(await kept(browser)).toEqual(['private, no-store', false]);
    const missing = await daybook.visitor().get('/with/nobody-here');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'private, no-store']);
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

  test('looks right where its link is shared', async () => {
    const page = await pageOf(ana);
    const { full } = dateWords(dateOf(first[0] as Row));
    expect(contentOf(page, 'property="og:title"')).toBe('Ana Costa, Lisbon');
    expect(contentOf(page, 'property="og:description"')).toBe(
      `Next free: ${full}, 09:00 Colombo time. Book a time with Ana Costa in Lisbon.`,
    );
    expect(contentOf(page, 'name=description')).toBe(contentOf(page, 'property="og:description"'));
    expect(page.$('title')?.text).toBe('Ana Costa, Lisbon · Daybook');
  });
});

describe('the booking link of old', () => {
  test('leads whoever is no consumer to the page, with the days that were chosen', async () => {
    const rival = await newProvider();
    for (const browser of [daybook.visitor(), rival.browser, ana.browser]) {
      const page = await browser.get('/view?provider=ana.costa&dates=01-02-2030&month=2030-01');
      expect([page.status, page.location]).toEqual([302, '/with/ana.costa?dates=01-02-2030&month=2030-01']);
      expect((await browser.visit('/view?provider=ana.costa')).status).toBe(200);
    }
    const odd = await daybook.visitor().get('/view?provider=%2F%2Fevil.example');
    expect(odd.location).toBe('/with/%2F%2Fevil.example');
  });

  test('stays for consumers, and without a provider it is theirs alone', async () => {
    expect((await maya.browser.get('/view?provider=ana.costa')).status).toBe(200);
    expect((await daybook.visitor().get('/view')).location).toMatch(/^\/not-logged-in/);
    expect((await ana.browser.get('/view')).status).toBe(403);
  });
});

describe('the calls', () => {
  const ask = (call: string, query: Record<string, string> = {}) =>
    daybook.visitor().api('GET', `/api/Public/${call}?${new URLSearchParams(query)}`);

  test('Provider says who it is and when they are free next', async () => {
    const { status, json } = await ask('Provider', { username: ' ANA.costa ' });
    expect([status, json]).toEqual([
      200,
      {
        username: 'Ana.Costa',
        displayName: 'Ana Costa',
        location: 'Lisbon',
        description: 'Haircuts & shaves',
        address: null,
        phone: null,
        timeZone: 'Asia/Colombo',
        openTo: 'anyone',
        nextFree: first[0]?.startsAt,
      },
    ]);
    const idle = await newProvider();
    expect((await ask('Provider', { username: idle.username })).json).toMatchObject({ nextFree: null });
  });

  test('Provider knows neither consumers nor strangers', async () => {
    for (const username of [maya.username, 'nobody-here']) {
      const { status, json } = await ask('Provider', { username });
      expect([status, json]).toEqual([404, 'There is no such provider.']);
    }
  });

  test('Dates and Slots answer as GetDates and GetPage do', async () => {
    const same: [string, string, Record<string, string>][] = [
      ['Dates', 'GetDates', { provider: 'ana.costa' }],
      ['Slots', 'GetPage', { provider: 'ana.costa' }],
      ['Slots', 'GetPage', { provider: 'ana.costa', dates: dayAhead(40, 'Asia/Colombo') }],
      ['Slots', 'GetPage', { provider: 'ana.costa', page: '1' }],
      ['Slots', 'GetPage', { provider: 'nobody-here' }],
    ];
    for (const [open, call, query] of same) {
      const theirs = await maya.api('GET', `/api/Appointment/${call}?${new URLSearchParams(query)}`);
      const ours = await ask(open, query);
      expect([open, ours.status, ours.json]).toEqual([open, 200, theirs.json]);
      expect(ours.headers.get('x-has-more')).toBe(theirs.headers.get('x-has-more'));
    }
    expect(idsOf(rowsOf(await ask('Slots', { provider: 'ana.costa' })))).toEqual(idsOf([...first, ...second]));
  });

  test.each([
    ['Provider', {}],
    ['Dates', {}],
    ['Slots', {}],
    ['Slots', { provider: 'ana.costa', page: '-1' }],
    ['Slots', { provider: 'ana.costa', dates: '02-30-2031' }],
  ])('%s refuses %j', async (call, query) => {
    expect(complaints(await ask(call, query as Record<string, string>))).toHaveLength(1);
  });

  test('Slots shows no more than an open slot has', async () => {
    const eva = await newProvider();
    const slot = await publishOne(eva);
    const [row] = rowsOf(await ask('Slots', { provider: eva.username }));
    expect(row).toEqual(slot);
  });
});
