import { beforeAll, describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { readCsv } from '../../support/csv';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What people read of appointments: a provider's home, the table of their bookings, the week, and what was canceled. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { karla, maya, june } = useWorld(daybook, { karla: {}, maya: {}, june: {} });

/** The lines of the card that tells what is new. */
const newsOn = (page: Page) => {
  const card = page.$$('main section').find(({ text }) => text.includes('New for you'));
  return card?.querySelectorAll('li').map(({ text }) => text.trim()) ?? [];
};

describe("the free times on a provider's home", () => {
  test('are counted as people can book them', async () => {
    const ana = await newProvider();
    await publish(ana, { dates: [dayAhead(1)] });
    const bookable = await publish(ana, { dates: [dayAhead(10)], end: '11:00' });
    await ana.api('PUT', '/api/Account/SetRules', { notice: 7200 });

    const home = await ana.browser.get('/');

    expect(home.$('main a[href="/view-open"]')?.text).toBe(`${bookable.length} free times`);
  });

  test('are none while nobody can book any, and the page is not new for that', async () => {
    const ana = await newProvider();
    await publish(ana, { dates: [dayAhead(1)] });
    await ana.api('PUT', '/api/Account/SetRules', { notice: 7200 });

    const home = await ana.browser.get('/');

    expect(home.$('main a[href="/view-open"]')?.text).toBe('No free times');
    expect(home.words).not.toContain('Set up your page');
  });
});

describe("what is new on a provider's home", () => {
  /** What Maya has booked of a provider and canceled again, what the provider withdrew, and what a rival got. */
  async function withNews() {
    const [ana, rival] = await Promise.all([newProvider(), newProvider()]);
    const [first, second, third] = (await publish(ana, { dates: [dayAhead(3)], end: '11:00' })) as [Row, Row, Row];
    await book(maya, first);
    await book(maya, await publishOne(rival, { dates: [dayAhead(4)] }));
    await cancel(maya, first);
    await cancel(ana, third);
    return { ana, rival, second };
  }

  test('is nothing before something happens', async () => {
    const ana = await newProvider();
    await publish(ana, { dates: [dayAhead(3)] });

    expect(newsOn(await ana.browser.get('/'))).toEqual([]);
  });

  test('is what others did, not what they did themselves', async () => {
    const { ana } = await withNews();

    expect(newsOn(await ana.browser.get('/'))).toEqual([
      expect.stringMatching(/Maya Lindqvist.*cancel/),
      expect.stringMatching(/Maya Lindqvist.*booked/),
    ]);
  });

  test('is not marked as seen by a visit', async () => {
    const { ana } = await withNews();
    const before = await dump(daybook.d1);

    await ana.browser.get('/');

    expect(await dump(daybook.d1)).toEqual(before);
  });

  test('stays where it came after what is marked as read', async () => {
    const { ana, second } = await withNews();
    const home = await ana.browser.get('/');
    await book(await newGuest(daybook, { displayName: 'Zoë' }), second);

    const read = await home.submit('Mark as read');

    expect(read.path).toBe('/');
    expect(newsOn(read)).toEqual([expect.stringMatching(/Zoë.*booked/)]);
  });

  test('stays where another provider marks theirs as read', async () => {
    const { ana, rival } = await withNews();

    await (await ana.browser.get('/')).submit('Mark as read');

    expect(newsOn(await rival.browser.get('/'))).toHaveLength(1);
  });
});

describe('who is next', () => {
  async function withSomebodyNext() {
    const ana = await newProvider();
    const { id } = await writeSlot(daybook.d1, ana, { startsIn: -5, booker: maya });
    return { id, home: await ana.browser.get('/') };
  }

  test("is on top of a provider's home", async () => {
    const { id, home } = await withSomebodyNext();

    expect(home.$('.ticket h2')?.text).toBe('Next: Maya Lindqvist');
    expect(home.$('.ticket a')?.getAttribute('href')).toBe(`/view-provider/${id}`);
  });

  test('is marked as come by one press', async () => {
    const { home } = await withSomebodyNext();

    const marked = await home.submit('Came');

    expect(marked.$('.ticket')).toBeNull();
    expect(marked.$('.strip')?.text).toMatch(/Maya Lindqvist.*came/);
  });
});

describe("a client's next appointment", () => {
  test("is by the client's own clock, and the provider's stands below", async () => {
    const [host, client] = await Promise.all([newProvider(), newConsumer({ timeZone: 'Pacific/Auckland' })]);
    const [slot] = await publish(host, { start: '15:00', end: '15:30', dates: [dayAhead(2)] });
    await book(client, slot as Row);

    const ticket = (await client.browser.get('/')).$('.ticket');

    const ownTime = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', timeStyle: 'short' });
    expect(ticket?.querySelector('time')?.text).toBe(ownTime.format(new Date(slot?.startsAt ?? '')));
    expect(words(ticket?.querySelector('.facts li')?.structuredText)).toMatch(
      /^\w+ \d+ \w+, 0\d:00 to 0\d:30, for you ?15:00 to 15:30, \w+ \d+ \w+, UTC$/,
    );
  });

  test('says the time once where both clocks agree', async () => {
    const [host, client] = await Promise.all([newProvider(), newConsumer()]);
    await book(client, await publishOne(host));

    const ticket = (await client.browser.get('/')).$('.ticket');

    expect(ticket?.querySelector('time')?.text).toBe('09:00');
    expect(words(ticket?.querySelector('.facts li')?.structuredText)).toMatch(/09:00 to 09:30, UTC$/);
  });
});

test('Today leads to the sheet of the day by its name', async () => {
  const ana = await newProvider();

  const home = await ana.browser.get('/');

  expect(words(home.$('.summary a')?.text)).toBe('Day sheet');
  expect((await home.click('.summary a')).path).toBe('/day');
});

describe('the table of bookings', () => {
  const tableOf = (who: Person, from: string, to: string) =>
    who.browser.get(`/view-booked/bookings.csv?from=${from}&to=${to}`);

  describe('of a few days', () => {
    let host: Person;
    let evil: Person;
    beforeAll(async () => {
      [host, evil] = await Promise.all([newProvider(), newConsumer({ displayName: '=Maya' })]);
      const dates = [dayAhead(3), dayAhead(60)];
      const slots = await publish(host, { dates, end: '10:00', notes: 'Ring twice.' });
      const [first, second, far] = [slots[0], slots[1], slots.at(-1)] as [Row, Row, Row];
      for (const slot of [first, second, far]) await book(evil, slot);
      await cancel(host, second);
    });

    const rowsOf = async (from: string, to: string) => readCsv((await tableOf(host, from, to)).text);

    test('begins with its columns', async () => {
      const [head] = await rowsOf(dayAhead(3), dayAhead(3));

      expect(head?.slice(0, 6)).toEqual(['Date', 'Start', 'End', 'Time zone', 'Client', 'Username']);
    });

    test('has the bookings of these days alone', async () => {
      const [, ...rows] = await rowsOf(dayAhead(3), dayAhead(3));

      expect(rows.map(([, start]) => start)).toEqual(['09:00', '09:30']);
    });

    test('makes no formula of a name', async () => {
      const [, booked] = await rowsOf(dayAhead(3), dayAhead(3));

      expect(booked?.slice(1, 10)).toEqual(['09:00', '09:30', 'UTC', "'=Maya", evil.username, '', '', '', '1']);
    });

    test('says who canceled', async () => {
      const [, , canceled] = await rowsOf(dayAhead(3), dayAhead(3));

      expect(canceled?.slice(10, 12)).toEqual(['Canceled', 'You']);
    });

    test('has the notes', async () => {
      const [, booked] = await rowsOf(dayAhead(3), dayAhead(3));

      expect(booked).toContain('Ring twice.');
    });

    test('is whole where more than a month is read in parts', async () => {
      const [, ...rows] = await rowsOf(dayAhead(1), dayAhead(100));

      expect(rows.map((row) => row[10])).toEqual(['Booked', 'Canceled', 'Booked']);
    });

    test('shows another provider none of it', async () => {
      const { text } = await tableOf(await newProvider(), dayAhead(3), dayAhead(3));

      expect(readCsv(text)).toHaveLength(1);
    });
  });

  test.each([
    ['ends before it begins', dayAhead(3), dayAhead(2)],
    ['is longer than a year', dayAhead(0), dayAhead(366)],
    ['has no dates', 'yesterday', ''],
  ])('is refused for a range that %s', async (_, from, to) => {
    expect((await tableOf(karla, from, to)).status).toBe(400);
  });

  test('is refused to a client', async () => {
    expect((await tableOf(maya, dayAhead(3), dayAhead(3))).status).toBe(403);
  });
});

describe('the week', () => {
  /** The items of a week, each with where it leads. */
  const itemsOn = (page: Page) =>
    page.$$('.week-item').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);

  /** A provider with a free, a booked and a withdrawn time, a party to which Maya comes, and a meetup. */
  async function fullWeek() {
    const host = await newProvider();
    const client = await newConsumer({ displayName: 'Maya Lindqvist' });
    const slots = (await publish(host, { end: '10:30', dates: [dayAhead(7)] })) as [Row, Row, Row];
    const [open, booked, withdrawn] = slots;
    await book(client, booked);
    await cancel(host, withdrawn);
    const [party, meetup] = [await createParty(host), await createMeetup(host, { startTime: '19:00' })];
    await rsvp(client, party);
    return { host, client, open, booked, party, meetup };
  }

  test('of a provider has what is open, booked or hosted, each a link to its page', async () => {
    const { host, open, booked, party, meetup } = await fullWeek();

    expect(itemsOn(await host.browser.get(`/week?from=${dayAhead(5)}`))).toEqual([
      ['Free 09:00 to 09:30', `/details-provider/${open.id}`],
      ['09:30 Maya Lindqvist, to 10:00, Booked', `/details-provider/${booked.id}`],
      ['18:00 Garden party, to 22:00, Party', `/view-party/${party.id}`],
      ['19:00 Book club, to 22:00, Meetup', `/manage-meetup/${meetup.id}`],
    ]);
  });

  /** A provider who has two hours free, and the week with them. */
  async function freeMorning() {
    const host = await newProvider();
    const slots = (await publish(host, { end: '11:00', dates: [dayAhead(7)] })) as Row[];
    return { host, slots, week: await host.browser.get(`/week?from=${dayAhead(5)}`) };
  }

  test('of a provider has free times that follow each other as one, which leads to the times of that day', async () => {
    const { host, slots, week } = await freeMorning();

    const [[label, href] = [], ...others] = itemsOn(week);

    expect(label).toBe('Free 09:00 to 11:00, 4 times');
    expect(others).toEqual([]);
    const { text } = await host.browser.get(href ?? '');
    for (const { id } of slots) expect(text).toContain(id);
  });

  test('of a provider has each free time to drag a booking to', async () => {
    const { slots, week } = await freeMorning();

    expect(week.$$('[data-free]').map((time) => time.getAttribute('data-free'))).toEqual(slots.map(({ id }) => id));
  });

  test('of a provider lists free times that follow each other in one line', async () => {
    const { host } = await freeMorning();

    const list = await host.browser.get(`/week?from=${dayAhead(5)}&as=list`);

    expect(list.$$('main li a').map(({ text }) => text)).toContain('09:00 to 11:00, Free, 4 times');
  });

  test('of a provider says in words what its looks mean', async () => {
    const { host } = await fullWeek();

    const week = await host.browser.get(`/week?from=${dayAhead(5)}`);

    const legend = week.$$('.week-legend li').map(({ text }) => text);
    expect(legend).toEqual(['Booked', 'Parties and meetups', 'Dashed is free.']);
  });

  test('of a client has what they booked or come to, each a link to its page', async () => {
    const { host, client, booked, party } = await fullWeek();

    expect(itemsOn(await client.browser.get(`/week?from=${dayAhead(5)}`))).toEqual([
      [`09:30 ${host.displayName}, to 10:00, Booked`, `/details-cancel/${booked.id}`],
      ['18:00 Garden party, to 22:00, Party', `/party/${party.id}`],
    ]);
  });

  test('of a client has no free times', async () => {
    const { client } = await fullWeek();

    const page = await client.browser.get(`/week?from=${dayAhead(5)}`);

    expect(page.$$('.week-free')).toEqual([]);
  });
});

/** The lines of the card with that title; undefined where the page has no such card. */
function linesOf(page: Page, title: string): string[] | undefined {
  const card = page.$$('main section').find((section) => words(section.querySelector('h2')?.text) === title);
  return card?.querySelectorAll('.lines > li > div:last-of-type').map((line) => words(line.structuredText));
}

describe('what the provider canceled', () => {
  const noticesOn = (page: Page) => page.$$('main section[role=status] h2').map(({ text }) => text);
  const linesByProvider = (page: Page) => linesOf(page, 'Canceled by the provider');
  const seenOn = (page: Page) => page.$('main form[action="/news"] input[name=seen]')?.getAttribute('value') as string;

  /** A client in Tokyo two of whose bookings Karla has canceled, one of them with a reason, and their home. */
  async function twoCanceled() {
    const client = await newConsumer({ timeZone: 'Asia/Tokyo' });
    const host = await newProvider({ displayName: 'Karla' });
    const [first, second] = (await publish(host, { dates: [dayAhead(5)], end: '10:00' })) as [Row, Row];
    for (const slot of [first, second]) await book(client, slot);
    await cancel(host, first);
    await cancel(host, second, 'I am ill.');
    return { client, home: await client.browser.get('/') };
  }

  test('stands on top of the client’s home, with the reason', async () => {
    const { home } = await twoCanceled();

    expect(noticesOn(home).sort()).toEqual(['Canceled by Karla', 'Canceled by Karla: I am ill.']);
  });

  test('leaves the home one main button', async () => {
    const { client, home } = await twoCanceled();
    await book(client, await publishOne(await newProvider()));

    const withBooking = await client.browser.get('/');

    expect(noticesOn(withBooking)).toHaveLength(2);
    expect(withBooking.$$('main .bg-accent').map(({ text }) => text)).toEqual(['Book another']);
    expect(home.$$('main .bg-accent').map(({ text }) => text)).toEqual(['Book an appointment']);
  });

  test('is in no list before it is read', async () => {
    const { home } = await twoCanceled();

    expect(linesByProvider(home)).toBeUndefined();
  });

  test('stays there when somebody else says that they have read it', async () => {
    const { client, home } = await twoCanceled();

    await june.browser.post('/news', { seen: seenOn(home) });

    expect(noticesOn(await client.browser.get('/'))).toHaveLength(2);
  });

  test('goes to the list one by one as it is read', async () => {
    const { client, home } = await twoCanceled();

    await client.browser.post('/news', { seen: seenOn(home) });

    const after = await client.browser.get('/');
    expect(noticesOn(after)).toHaveLength(1);
    expect(linesByProvider(after)).toHaveLength(1);
  });

  test('is gone from the top once all is read', async () => {
    const { client, home } = await twoCanceled();

    await client.browser.post('/news', { seen: seenOn(home) });
    const one = await client.browser.get('/');

    const none = await one.submit('Mark as read');

    expect(noticesOn(none)).toEqual([]);
  });

  test.each(['/', '/view-booked'])('is in the list of %s once it is read, in both times', async (path) => {
    const { client, home } = await twoCanceled();
    await client.browser.post('/news', { seen: seenOn(home) });
    await (await client.browser.get('/')).submit('Mark as read');

    const lines = linesByProvider(await client.browser.get(path));

    const line = /^Karla 09:00 to 09:30 · 30 minutes · UTC ?18:00 to 18:30 for you.*Canceled by Karla, .* Tokyo time$/;
    expect(lines).toEqual([expect.stringMatching(line), expect.stringMatching(/^Karla 09:30 to 10:00/)]);
  });
});

describe("a provider's list of what was canceled", () => {
  const newestFirst = [
    expect.stringMatching(/^Maya Lindqvist 09:30 .*Canceled by you, /),
    expect.stringMatching(/^Maya Lindqvist 09:00 .*Canceled by Maya Lindqvist, /),
  ];

  /** A provider with a booking that Maya canceled, one that they canceled themselves, and more withdrawn times than a page has. */
  async function muchCanceled() {
    const ana = await newProvider();
    const [first, second] = (await publish(ana, { end: '10:00', dates: [dayAhead(30)] })) as [Row, Row];
    for (const slot of [first, second]) await book(maya, slot);
    await cancel(maya, first);
    await cancel(ana, second);
    await publish(ana, { end: '21:00', dates: [dayAhead(1)] });
    await ana.browser.post('/view-open', { all: 'yes' });
    return ana.browser.get('/');
  }

  test('says on their home who canceled, the newest first', async () => {
    expect(linesOf(await muchCanceled(), 'Canceled')).toEqual(newestFirst);
  });

  test('says the same beside what is booked', async () => {
    const booked = await (await muchCanceled()).click('Booked and canceled');

    expect(linesOf(booked, 'Canceled')).toEqual(newestFirst);
  });

  test('leads to a page of the times that they withdrew', async () => {
    const booked = await (await muchCanceled()).click('Booked and canceled');

    const removed = linesOf(await booked.click('Free times that you have removed'), 'Removed');

    expect(removed).toHaveLength(20);
    expect(removed?.[0]).toMatch(/^Free time 09:00 .*Removed, /);
  });
});
