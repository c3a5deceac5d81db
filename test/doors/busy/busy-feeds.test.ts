import { describe, expect, test } from 'vitest';
import { calendarOf, useCalendars } from '../../support/calendar-server';
import {
  book,
  dayAhead,
  type Person,
  password,
  peopleAt,
  publication,
  type Row,
  rowsOf,
} from '../../support/factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* Other calendars of a provider: read at once by an object of their own, of a server that this test plays. */

const daybook = useServer({ vars: { ASK_LOOPBACK: 'on' } });
const elsewhere = useCalendars();
const limited = useServer({ vars: { ASK_LOOPBACK: 'on', RATE_LIMIT: undefined } });
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const tomorrowAt = (hours: number) => (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + hours * 3_600_000;
type Feed = { id: string; name: string; host: string; readAt: string | null; events: number; doubts: string[] };
const set = (who: Person, feeds: object[]) => who.api('PUT', '/api/Account/SetBusyFeeds', { feeds });
const feedsOf = async (who: Person) => (await who.api('GET', '/api/Account/GetBusyFeeds')).json as Feed[];
type Stored = { source: string; starts_at: number; ends_at: number };
const busyOf = async ({ username }: Person) =>
  (
    await daybook.d1
      .prepare(
        `SELECT source, starts_at, ends_at FROM busy_times
          WHERE provider_id = (SELECT id FROM accounts WHERE username = ?) ORDER BY starts_at`,
      )
      .bind(username)
      .all<Stored>()
  ).results;
const startsOf = async (who: Person) => (await busyOf(who)).map(({ starts_at }) => starts_at);
const newsOf = async (who: Person) =>
  ((await who.api('GET', '/api/Account/GetNews')).json as { kind: string; text: string; link: string }[]).filter(
    ({ kind }) => kind === 'overlap' || kind === 'unread-calendar',
  );
const openSlot = async (who: Person, start: string) => {
  await who.api(
    'POST',
    '/api/Appointment/CreateAppointment?len=30',
    publication({ start, end: `${start.slice(0, 3)}30` }),
  );
  const query = new URLSearchParams({ provider: who.username, dates: dayAhead(1) });
  const rows = rowsOf(await maya.api('GET', `/api/Appointment/GetPage?${query}`));
  return rows.find(({ startTime }) => startTime === start) as Row;
};

describe('another calendar', () => {
  test('is read at once, and nothing of its address or its events is told', async () => {
    const eva = await newProvider();
    elsewhere.serve('/eva-secret.ics', calendarOf([{ at: tomorrowAt(9) }, { at: tomorrowAt(15) }]));
    const answer = await set(eva, [{ name: 'Private', url: elsewhere.at('/eva-secret.ics') }]);
    expect(answer.status).toBe(200);
    const [feed] = answer.json as [Feed];
    expect(feed).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      name: 'Private',
      host: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
      readAt: expect.stringMatching(/^\d{4}-.*Z$/),
      events: 2,
      doubts: [],
    });
    expect(await feedsOf(eva)).toEqual([feed]);
    expect(await busyOf(eva)).toEqual([
      { source: feed.id, starts_at: tomorrowAt(9), ends_at: tomorrowAt(10) },
      { source: feed.id, starts_at: tomorrowAt(15), ends_at: tomorrowAt(16) },
    ]);
    const own = await eva.api('GET', '/api/Account/Export');
    const { results } = await daybook.d1.prepare('SELECT * FROM busy_feeds').all();
    for (const text of [answer.text, own.text, JSON.stringify(results)])
      expect(text).not.toMatch(/eva-secret|A secret/);
    expect(own.text).toContain('otherCalendars');
  });

  test('takes a free time out of lists and keeps it from being booked, and its provider hears why', async () => {
    const eva = await newProvider();
    const slot = await openSlot(eva, '09:00');
    elsewhere.serve('/blocks.ics', calendarOf([{ at: tomorrowAt(9) }]));
    const [{ id }] = (await set(eva, [{ name: 'Private', url: elsewhere.at('/blocks.ics') }])).json as [Feed];
    const query = new URLSearchParams({ provider: eva.username, dates: dayAhead(1) });
    const listed = async () => rowsOf(await maya.api('GET', `/api/Appointment/GetPage?${query}`)).length;
    const refused = await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}`);
    expect([await listed(), refused.status]).toEqual([0, 409]);
    const date = new Date(tomorrowAt(9)).toISOString().slice(0, 10);
    const why = await eva.browser.visit(`/hours?date=${date}&time=09:00`);
    expect(why.words).toContain(
      'Something in your calendar Private is from 09:00 to 10:00 (UTC). We read it within the last hour.',
    );
    elsewhere.serve('/blocks.ics', calendarOf([]));
    await set(eva, [{ id, name: 'Private' }]);
    expect(await listed()).toBe(1);
  });

  test('keeps its address where it is named anew, frees its times where it is left out, and stands in order', async () => {
    const eva = await newProvider();
    elsewhere.serve('/one.ics', calendarOf([{ at: tomorrowAt(9) }]));
    elsewhere.serve('/two.ics', calendarOf([{ at: tomorrowAt(11) }]));
    const [one, two] = (
      await set(eva, [
        { name: 'One', url: elsewhere.at('/one.ics') },
        { name: 'Two', url: elsewhere.at('/two.ics') },
      ])
    ).json as [Feed, Feed];
    const [second, first] = (
      await set(eva, [
        { id: two.id, name: 'Zwei' },
        { id: one.id, name: 'One' },
      ])
    ).json as Feed[];
    expect([second?.name, first?.id]).toEqual(['Zwei', one.id]);
    expect(await startsOf(eva)).toEqual([tomorrowAt(9), tomorrowAt(11)]);
    await set(eva, [{ id: two.id, name: 'Zwei' }]);
    expect(await startsOf(eva)).toEqual([tomorrowAt(11)]);
    expect((await set(eva, [])).json).toEqual([]);
    expect(await busyOf(eva)).toEqual([]);
  });

  test('is refused where its address is none that may be asked, and to whom it is not', async () => {
    const [eva, rival] = [await newProvider(), await newProvider()];
    elsewhere.serve('/theirs.ics', calendarOf([]));
    const [theirs] = (await set(rival, [{ name: 'Theirs', url: elsewhere.at('/theirs.ics') }])).json as [Feed];
    const status = async (feeds: object[]) => (await set(eva, feeds)).status;
    const private_ = [
      'http://calendar.test/x',
      'https://10.0.0.1/x',
      'https://[::ffff:10.0.0.1]/x',
      'nonsense',
      'https://nas.local/',
    ];
    for (const url of private_) expect(await status([{ name: 'A', url }]), url).toBe(400);
    expect(await status([{ name: 'A' }])).toBe(400);
    expect(await status([{ name: '', url: elsewhere.at('/x') }])).toBe(400);
    expect(await status(Array.from({ length: 6 }, () => ({ name: 'A', url: elsewhere.at('/x') })))).toBe(400);
    expect(await status([{ id: theirs.id, name: 'Mine now' }])).toBe(404);
    expect(await feedsOf(eva)).toEqual([]);
    expect((await set(maya, [])).status).toBe(403);
    expect((await daybook.visitor().api('PUT', '/api/Account/SetBusyFeeds', { feeds: [] })).status).toBe(401);
    expect((await daybook.visitor().api('GET', '/api/Account/GetBusyFeeds')).status).toBe(401);
  });

  test('that two providers have blocks the times of both', async () => {
    const [eva, ana] = [await newProvider(), await newProvider()];
    elsewhere.serve('/shared.ics', calendarOf([{ at: tomorrowAt(9) }]));
    for (const who of [eva, ana]) await set(who, [{ name: 'Room', url: elsewhere.at('/shared.ics') }]);
    expect([await startsOf(eva), await startsOf(ana)]).toEqual([[tomorrowAt(9)], [tomorrowAt(9)]]);
  });

  test('that changes writes what differs, and tells of a booking that something new overlaps, once', async () => {
    const eva = await newProvider();
    const slot = await openSlot(eva, '09:00');
    await book(maya, slot);
    elsewhere.serve('/moves.ics', calendarOf([{ at: tomorrowAt(12) }, { at: tomorrowAt(14) }]));
    const [{ id }] = (await set(eva, [{ name: 'Private', url: elsewhere.at('/moves.ics') }])).json as [Feed];
    expect(await newsOf(eva)).toEqual([]);
    elsewhere.serve('/moves.ics', calendarOf([{ at: tomorrowAt(9), minutes: 15 }, { at: tomorrowAt(14) }]));
    await set(eva, [{ id, name: 'Private' }]);
    expect(await startsOf(eva)).toEqual([tomorrowAt(9), tomorrowAt(14)]);
    const news = await newsOf(eva);
    expect(news.map(({ kind, text, link }) => [kind, text.includes(maya.displayName), link])).toEqual([
      ['overlap', true, `/view-provider/${slot.id}`],
    ]);
    elsewhere.serve('/moves.ics', calendarOf([{ at: tomorrowAt(9), minutes: 30 }]));
    await set(eva, [{ id, name: 'Private' }]);
    expect((await newsOf(eva)).length).toBe(1);
    const booked = rowsOf(await eva.api('GET', '/api/Appointment/GetBooked'));
    expect(booked.map(({ id }) => id)).toEqual([slot.id]);
  });

  test("that can't be read blocks what it said last, says why, and after a day tells its provider once", async () => {
    const eva = await newProvider();
    elsewhere.serve('/breaks.ics', calendarOf([{ at: tomorrowAt(9) }]));
    const [{ id }] = (await set(eva, [{ name: 'Private', url: elsewhere.at('/breaks.ics') }])).json as [Feed];
    elsewhere.serve('/breaks.ics', (_, response) => response.writeHead(302, { Location: 'http://192.168.0.1/' }).end());
    const [broken] = (await set(eva, [{ id, name: 'Private' }])).json as [Feed];
    expect(broken.doubts).toEqual(['Its address leads to no public server.']);
    expect(await startsOf(eva)).toEqual([tomorrowAt(9)]);
    expect(await newsOf(eva)).toEqual([]);
    await daybook.d1.prepare('UPDATE busy_feeds SET read_at = read_at - 86400001 WHERE id = ?').bind(id).run();
    for (const _ of [1, 2]) await set(eva, [{ id, name: 'Private' }]);
    expect((await newsOf(eva)).map(({ text, link }) => [text, link])).toEqual([
      [
        'We have not been able to read your calendar Private for a day. It blocks what it said last.',
        '/other-calendars',
      ],
    ]);
    elsewhere.serve('/breaks.ics', calendarOf([]));
    const [mended] = (await set(eva, [{ id, name: 'Private' }])).json as [Feed];
    expect([mended.doubts, await busyOf(eva)]).toEqual([[], []]);
  });

  test('that has not changed is not read again', async () => {
    const eva = await newProvider();
    let conditional = 0;
    elsewhere.serve('/same.ics', (request, response) => {
      if (request.headers['if-none-match'] === '"1"') {
        conditional += 1;
        response.writeHead(304).end();
      } else {
        const head = { 'Content-Type': 'text/calendar', ETag: '"1"' };
        response.writeHead(200, head).end(calendarOf([{ at: tomorrowAt(9) }]));
      }
    });
    const [feed] = (await set(eva, [{ name: 'Private', url: elsewhere.at('/same.ics') }])).json as [Feed];
    expect((await set(eva, [{ id: feed.id, name: 'Private' }])).json).toEqual([feed]);
    expect([conditional, await startsOf(eva)]).toEqual([1, [tomorrowAt(9)]]);
  });

  test('that is removed while it is read leaves nothing', async () => {
    const eva = await newProvider();
    let answer: () => void = () => undefined;
    const isAsked = new Promise<void>((asked) => {
      elsewhere.serve('/slow.ics', (_, response) => {
        answer = () =>
          response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(calendarOf([{ at: tomorrowAt(9) }]));
        asked();
      });
    });
    const setting = set(eva, [{ name: 'Private', url: elsewhere.at('/slow.ics') }]);
    await isAsked;
    const removal = set(eva, []);
    await expect.poll(() => feedsOf(eva)).toEqual([]);
    answer();
    expect([(await setting).json, (await removal).json]).toEqual([[], []]);
    expect([await busyOf(eva), await feedsOf(eva)]).toEqual([[], []]);
  });

  test.each([
    ['too large when unpacked', 'It has more than 2 MB.', 'x'.repeat(2_100_000)],
    ['a page', 'What is at its address is no whole calendar.', '<!doctype html><title>Calendar</title>'],
    ['cut off', 'What is at its address is no whole calendar.', calendarOf([{ at: 0 }]).slice(0, -20)],
  ])('that is %s is not believed', async (name, doubt, text) => {
    const eva = await newProvider();
    elsewhere.serve(`/${name.length}`, text);
    const [feed] = (await set(eva, [{ name, url: elsewhere.at(`/${name.length}`) }])).json as [Feed];
    expect([feed.readAt, feed.doubts]).toEqual([null, [doubt]]);
  });

  test('goes with the account', async () => {
    const eva = await newProvider();
    elsewhere.serve('/leaves.ics', calendarOf([{ at: tomorrowAt(9) }]));
    const [{ id }] = (await set(eva, [{ name: 'Private', url: elsewhere.at('/leaves.ics') }])).json as [Feed];
    expect((await eva.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    const left = await daybook.d1
      .prepare(
        'SELECT (SELECT count(*) FROM busy_feeds WHERE id = ?1) + (SELECT count(*) FROM busy_times WHERE source = ?1) AS n',
      )
      .bind(id)
      .first('n');
    expect(left).toBe(0);
  });
});

describe('the screen, without script', () => {
  test('adds a calendar, says what it found, reads it again, and removes it', async () => {
    const eva = await newProvider();
    elsewhere.serve('/screen.ics', calendarOf([{ at: tomorrowAt(9) }, { at: tomorrowAt(33) }]));
    const form = await eva.browser.visit('/other-calendars');
    const refused = await form.submit('Add and read it', { name: 'Private', url: 'https://10.0.0.1/x.ics' });
    expect(refused.words).toContain('That is no address of a calendar.');
    const added = await refused.submit('Add and read it', { name: 'Private', url: elsewhere.at('/screen.ics') });
    expect(added.words).toContain(
      'Private: 2 events in the next 90 days, the next tomorrow at 09:00, UTC. Is that right?',
    );
    expect(added.text).not.toContain('screen.ics');
    elsewhere.serve('/screen.ics', calendarOf([{ at: tomorrowAt(9) }]));
    const again = await added.submit('form:has([name=again]) button');
    expect(again.words).toContain('1 event in the next 90 days');
    const removed = await again.submit('form:has([name=remove]) button');
    expect(removed.words).toContain('Removed. Its times are free again.');
    expect([await feedsOf(eva), await busyOf(eva)]).toEqual([[], []]);
  });

  test('says where nothing could be read', async () => {
    const eva = await newProvider();
    const form = await eva.browser.visit('/other-calendars');
    const page = await form.submit('Add and read it', { name: 'Gone', url: elsewhere.at('/nowhere.ics') });
    expect(page.words).toContain('We could not read Gone.');
    expect(page.words).toContain('There is nothing at its address any more.');
  });
});

test('are read for a provider who presses for it 30 times an hour; then nobody is asked, and nothing changes', async () => {
  let asked = 0;
  elsewhere.serve('/often.ics', (_, response) => {
    asked++;
    response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(calendarOf([{ at: tomorrowAt(9) }]));
  });
  const eva = await peopleAt(limited).newProvider();
  const [{ id }] = (await set(eva, [{ name: 'Often', url: elsewhere.at('/often.ics') }])).json as [Feed];
  for (let time = 2; time < 30; time++) expect((await set(eva, [{ id, name: 'Often' }])).status).toBe(200);
  expect((await eva.browser.post('/other-calendars', { again: id })).status).toBe(303);
  expect(asked).toBe(30);
  const refused = await set(eva, [{ id, name: 'Other' }]);
  expect([refused.status, refused.headers.has('Retry-After')]).toEqual([429, true]);
  expect((await eva.browser.post('/other-calendars', { again: id })).status).toBe(429);
  expect([asked, (await feedsOf(eva)).map(({ name }) => name)]).toEqual([30, ['Often']]);
});
