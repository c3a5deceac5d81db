import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords, localDateOf } from '../../../app/domain/time/clock';
import { monthOf, monthWords } from '../../../app/domain/time/month';
import { inEnglish } from '../../../app/domain/words/english';
import { setRules } from '../../support/account-calls';
import { hasMore, idsOf } from '../../support/appointment-calls';
import { book, dayAhead, type Person, peopleAt, publish, publishOne, type Row, rowsOf } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import { contentOf, type Page, timesOn, titleOf, typedIn } from '../../support/visit';

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
  test('says who they are', async () => {
    const page = await pageOf(ana);

    expect(page.status).toBe(200);
    expect(titleOf(page)).toBe('Ana Costa');
    expect(page.words).toContain('Haircuts & shaves');
  });

  test('says where they are', async () => {
    const { words } = await pageOf(ana);

    expect(words).toContain('Lisbon');
    expect(words).toContain('Colombo time');
  });

  test.each([
    [0, 'free to cancel until it begins.'],
    [120, 'free to cancel until 2 hours before.'],
  ])('says until when one may cancel, %i minutes before', async (cancelUntil, words) => {
    const host = await newProvider();
    await setRules(host, { cancelUntil });

    expect((await freshPageOf(host)).words).toContain(words);
  });

  test('has a picture for whoever gets its link', async () => {
    const address = (await pageOf(ana)).$('meta[property="og:image"]')?.getAttribute('content') ?? '';

    const picture = await daybook.visitor().get(new URL(address).pathname);

    expect(picture.headers.get('Content-Type')).toBe('image/png');
    expect(Number(picture.headers.get('Content-Length') ?? picture.text.length)).toBeLessThanOrEqual(40_000);
  });

  test('leads to what Daybook is and how accessible', async () => {
    const links = (await pageOf(ana)).$$('footer > a').map((link) => link.getAttribute('href'));

    expect(links).toEqual(['/', '/accessibility']);
  });

  test('leads to the next free time', async () => {
    const [next] = first as [Row];
    const short = inEnglish(dateWords(dateOf(next)).short);

    const button = (await pageOf(ana)).$(`main a[href="/with/Ana.Costa/${next.id}"]`);

    expect(button?.text).toMatch(new RegExp(`^Next free: ${short}( \\d{4})?, 09:00 Colombo time`));
  });

  test('shows the free days of its month', async () => {
    const date = dateOf(first[0] as Row);

    const page = await pageOf(ana);

    expect(page.words).toContain(inEnglish(monthWords(monthOf(date))));
    expect(daysOn(page)).toContain(inEnglish(dateWords(date).full));
  });

  test('shows the times of its day', async () => {
    const page = await pageOf(ana);

    expect(timesOn(page)).toEqual(idsOf(first));
    expect(page.$('#times h2')?.text).toBe(inEnglish(dateWords(dateOf(first[0] as Row)).full));
  });

  describe('turns', () => {
    const year = new Date().getUTCFullYear() + 1;

    /** A provider who is free in March and in May, and the ways from a month to others. */
    async function freeInMarchAndMay() {
      const host = await newProvider();
      await publish(host, { dates: [`03-29-${year}`, `05-04-${year}`] });
      const turnsIn = async (month: string) =>
        (await freshPageOf(host, `?month=${month}`)).$$('#month > div .sr-only').map(({ text }) => text.split(':')[0]);
      return { host, turnsIn };
    }

    test('to earlier months and to later ones', async () => {
      const { turnsIn } = await freeInMarchAndMay();

      expect(await turnsIn(`${year}-03`)).toEqual(['Earlier month', 'Later month']);
    });

    test('no further than the last month with free days', async () => {
      const { turnsIn } = await freeInMarchAndMay();

      expect(await turnsIn(`${year}-05`)).toEqual(['Earlier month']);
    });

    test('back no further than the first month with free days where there is no waitlist', async () => {
      const { host, turnsIn } = await freeInMarchAndMay();
      await setRules(host, { waitlist: 'off' });

      expect(await turnsIn(`${year}-03`)).toEqual(['Later month']);
    });
  });

  test("shows the reader's own time beside the provider's", async () => {
    const reader = await newConsumer({ timeZone: 'UTC' });

    const tile = (await reader.browser.get('/with/ana.costa')).$('.slots a');

    expect(tile?.getAttribute('aria-label')).toMatch(/, 09:00 to 09:30, 03:30 for you, 30 minutes$/);
  });

  test("shows the day of the reader's own time where it is another", async () => {
    const host = await newProvider({ timeZone: 'Asia/Kolkata' });
    const slot = await publishOne(host, { start: '00:00', end: '00:30', dates: [dayAhead(3, 'Asia/Kolkata')] });
    const reader = await newConsumer({ timeZone: 'UTC' });

    const tile = (await reader.browser.get(`/with/${host.username}`)).$('.slots a');

    const short = inEnglish(dateWords(slot.startsAt.slice(0, 10)).short);
    expect(tile?.text).toMatch(new RegExp(`${short}( \\d{4})?, 18:30 for you`));
  });

  describe('with a coming day that is full', () => {
    const year = new Date().getUTCFullYear() + 1;

    async function fullDay() {
      const host = await newProvider();
      await book(maya, await publishOne(host, { dates: [`03-30-${year}`] }));
      await publish(host, { dates: [`03-29-${year}`] });
      return { host, readMarch: () => freshPageOf(host, `?month=${year}-03`) };
    }

    test('shows it as no free day', async () => {
      const { readMarch } = await fullDay();

      expect(daysOn(await readMarch())).toHaveLength(1);
    });

    test('leads from it to a place in line for that day', async () => {
      const { readMarch } = await fullDay();

      const form = await (await readMarch()).click(
        `.month a[aria-label="Tell me: ${inEnglish(dateWords(`${year}-03-30`).full)}"]`,
      );

      expect(typedIn(form, 'from')).toBe(`${year}-03-30`);
      expect(typedIn(form, 'to')).toBe(`${year}-03-30`);
    });

    test('leads from it nowhere where there is no waitlist', async () => {
      const { host, readMarch } = await fullDay();
      await setRules(host, { waitlist: 'off' });

      expect((await readMarch()).$$('.month .full')).toEqual([]);
    });
  });

  test('looks right where its link is shared', async () => {
    const page = await pageOf(ana);

    const full = inEnglish(dateWords(dateOf(first[0] as Row)).full);
    const told = `Next free: ${full}, 09:00 Colombo time. Book a time with Ana Costa in Lisbon.`;
    expect(contentOf(page, 'property="og:title"')).toBe('Ana Costa, Lisbon');
    expect(contentOf(page, 'property="og:description"')).toBe(told);
    expect(contentOf(page, 'name=description')).toBe(told);
  });
});

describe('the booking link of old', () => {
  test.each(['a stranger', 'another provider', 'the provider'])(
    'leads %s to the page, with the chosen days',
    async (who) => {
      const browsers = {
        'a stranger': async () => daybook.visitor(),
        'another provider': async () => (await newProvider()).browser,
        'the provider': async () => ana.browser,
      };
      const browser = await browsers[who as keyof typeof browsers]();

      const page = await browser.get('/view?provider=ana.costa&dates=01-02-2030&month=2030-01');

      expect(page.status).toBe(302);
      expect(page.location).toBe('/with/ana.costa?dates=01-02-2030&month=2030-01');
    },
  );

  test('leads to no other site', async () => {
    const odd = await daybook.visitor().get('/view?provider=%2F%2Fevil.example');

    expect(odd.location).toBe('/with/%2F%2Fevil.example');
  });

  test('is still a page for a client', async () => {
    expect((await maya.browser.get('/view?provider=ana.costa')).status).toBe(200);
  });
});

describe('/api/Public/', () => {
  const ask = (call: string, query: Record<string, string> = {}) =>
    daybook.visitor().api('GET', `/api/Public/${call}?${new URLSearchParams(query)}`);

  test('Provider says who it is, however their name is typed', async () => {
    const { status, json } = await ask('Provider', { username: ' ANA.costa ' });

    expect(status).toBe(200);
    expect(json).toEqual({
      username: ana.username,
      displayName: ana.displayName,
      location: 'Lisbon',
      timeZone: 'Asia/Colombo',
      openTo: 'anyone',
      description: 'Haircuts & shaves',
      address: null,
      phone: null,
      nextFree: first[0]?.startsAt,
    });
  });

  test('Provider says that somebody has no free time', async () => {
    const { username } = await newProvider();

    expect((await ask('Provider', { username })).json).toMatchObject({ nextFree: null });
  });

  test.each(['client', 'stranger'])('Provider knows no %s', async (who) => {
    const username = who === 'client' ? maya.username : 'nobody-here';

    expect(await ask('Provider', { username })).toMatchObject({ status: 404, json: 'There is no such provider.' });
  });

  const provider = 'ana.costa';
  test.each<[string, string, Record<string, string>]>([
    ['Dates', 'GetDates', { provider }],
    ['Slots', 'GetPage', { provider }],
    ['Slots', 'GetPage', { provider, dates: dayAhead(40, 'Asia/Colombo') }],
    ['Slots', 'GetPage', { provider, page: '1' }],
    ['Slots', 'GetPage', { provider, page: '-1' }],
  ])('%s answers as %s does to %j', async (call, callOfClients, query) => {
    const theirs = await maya.api('GET', `/api/Appointment/${callOfClients}?${new URLSearchParams(query)}`);

    const ours = await ask(call, query);

    expect(ours.status).toBe(theirs.status);
    expect(ours.json).toEqual(theirs.json);
    expect(hasMore(ours)).toBe(hasMore(theirs));
  });

  test('Slots has all that is free', async () => {
    expect(rowsOf(await ask('Slots', { provider }))).toEqual([...first, ...second]);
  });
});
