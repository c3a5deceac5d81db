import { env } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { onceOf } from '../../../app/http/form.server';
import { as, asForm, asJson, ask, cookieOf, password, realD1, register, tomorrow } from '../../support/ask-worker';
import { expectConsoleError } from '../../support/console';
import { failing, lost, overloaded, withKnownBookmarks } from '../../support/faulty-d1';

/*
 * The whole Worker with a D1 that fails once, or for good: what the network does to us is the one thing that is played.
 */

const wire = tomorrow();
const failingFor = (message: string) => ({ DB: failing(realD1(), Array(9).fill(message)) });
const failingOnce = (...messages: string[]) => ({ DB: failing(realD1(), messages) });
/** The write arrives, and its answer is lost on the way back. */
const losingResponse = () => ({ DB: failing(realD1(), [lost], true) });

let provider: string;
let consumer: string;
beforeAll(async () => {
  provider = await register('Provider', 'storage.host');
  consumer = await register('Consumer', 'storage.guest');
});

type Given = Parameters<typeof ask>[2];
/** Publishes two hours of tomorrow. */
const publish = (given?: Given, times = { start: '09:00', end: '11:00' }) =>
  ask('/api/Appointment/CreateAppointment?len=60', asJson({ ...times, dates: [wire] }, provider), given);
const getLocations = (given: Given) => ask('/api/Appointment/GetLocations', as(consumer), given);
const countOf = (rows: string) => env.DB.prepare(`SELECT count(*) AS many FROM ${rows}`).first('many');

describe('a request', () => {
  const bookmarkIn = (response: Response) =>
    /daybook-seen=([^;]*)/.exec(response.headers.getSetCookie().join('; '))?.[1] ?? null;
  const profileOf = (cookie: string, DB: unknown) => ask('/api/Account/Profile', as(cookie), { DB });
  /** A login, which is a write, its bookmark, and a database that knows this bookmark. */
  async function loggedIn() {
    const known: string[] = [];
    const DB = withKnownBookmarks(realD1(), known);
    const response = await ask('/api/Account/Login', asJson({ username: 'storage.guest', password }), { DB });
    const bookmark = JSON.parse(atob(decodeURIComponent(bookmarkIn(response) ?? '')));
    known.push(bookmark);
    return { DB, cookie: cookieOf(response), bookmark };
  }

  test('that reads begins anywhere', async () => {
    const DB = withKnownBookmarks(realD1(), []);

    const read = await profileOf(provider.replace(/; __Host-daybook-seen=.*/, ''), DB);

    expect(DB.began).toEqual(['first-unconstrained']);
    expect(bookmarkIn(read)).toBeNull();
  });

  test('that writes begins at the primary', async () => {
    const { DB } = await loggedIn();

    expect(DB.began).toEqual(['first-primary']);
  });

  test('that reads after a write begins where that ended', async () => {
    const { DB, cookie, bookmark } = await loggedIn();

    await profileOf(cookie, DB);

    expect(DB.began).toEqual(['first-primary', bookmark]);
  });

  test('that reads prolongs no bookmark', async () => {
    const { DB, cookie } = await loggedIn();

    expect(bookmarkIn(await profileOf(cookie, DB))).toBeNull();
  });

  test('that writes again begins at the primary', async () => {
    const { DB, cookie } = await loggedIn();

    await ask('/api/Account/Logout', { ...as(cookie), method: 'DELETE' }, { DB });

    expect(DB.began).toEqual(['first-primary', 'first-primary']);
  });
});

describe('when storage fails once', () => {
  test('reads again', async () => {
    const response = await getLocations(failingOnce(lost, lost));

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(['Lisbon']);
    expect(response.headers.get('Server-Timing')).toContain('trips=3');
  });

  test.each([
    'Network connection lost.',
    'D1 DB storage caused object to be reset.',
    'D1 DB reset because its code was updated.',
    'Cannot resolve D1 DB due to transient issue on remote node.',
    'Internal error in D1 DB storage.',
  ])('reads again after D1 has said: %s', async (message) => {
    expect((await getLocations(failingOnce(message))).status).toBe(200);
  });

  test('publishes no second time what had arrived', async () => {
    const response = await publish(losingResponse());

    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ created: 2, skipped: 0 });
    expect(await (await publish()).json()).toEqual({ created: 0, skipped: 2 });
  });

  test('creates no second template when the first had arrived', async () => {
    const path = '/api/Checkin/CreateTemplate?templateName=Once';

    const response = await ask(path, asJson([], provider), losingResponse());

    expect(response.status).toBe(201);
    expect(await countOf("templates WHERE display_name = 'Once'")).toBe(1);
  });

  test('books no second time what had arrived', async () => {
    await publish(undefined, { start: '12:00', end: '14:00' });
    const [{ id }] = (await (await ask('/api/Appointment/GetPage', as(consumer))).json()) as [{ id: string }];

    const book = { ...as(consumer), method: 'PUT' };
    const response = await ask(`/api/Appointment/Book?id=${id}`, book, losingResponse());

    expect(response.status).toBe(200);
    expect(await countOf(`bookings WHERE id = '${id}'`)).toBe(1);
  });
});

describe('when storage fails for good', () => {
  beforeEach(() => expectConsoleError(/storage unavailable/));

  test('answers a call with 503 in one message', async () => {
    const response = await publish(failingFor(lost));

    expect(response.status).toBe(503);
    expect(await response.json()).toEqual(expect.any(String));
  });

  test('says when to try again', async () => {
    const response = await publish(failingFor(lost));

    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  test('writes nothing of a call', async () => {
    const before = await countOf('slots');

    await publish(failingFor(lost), { start: '15:00', end: '17:00' });

    expect(await countOf('slots')).toBe(before);
  });

  test.each([
    'D1 DB is overloaded. Too many requests queued.',
    'D1 DB exceeded its memory limit and was reset.',
    'D1 DB exceeded its CPU time limit and was reset.',
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    'Exceeded maximum DB size.',
    'internal error; reference = 0123456789abcdef',
    'no such table: sessions: SQLITE_ERROR',
  ])('takes for an outage, and does not ask again: %s', async (message) => {
    const response = await getLocations(failingOnce(message));

    expect(response.status).toBe(503);
    expect(response.headers.get('Server-Timing')).toContain('trips=1');
  });

  describe.each(['/', '/view', '/view-booked', '/view-dash'])('shows %s', (path) => {
    const pageOf = async () => (await ask(path, as(consumer), failingFor(overloaded))).text();

    test('with 503', async () => {
      expect((await ask(path, as(consumer), failingFor(overloaded))).status).toBe(503);
    });

    test.each(['No Appointments', 'Try Again?', 'aria-label="Main"'])('with %s', async (words) => {
      expect(await pageOf()).toContain(words);
    });

    test('without a trace of the code', async () => {
      expect(await pageOf()).not.toMatch(/\bat .+\.js:\d+/);
    });
  });

  test.each([
    ['times', 'value="07:15"'],
    ['notes', 'Ring &lt;twice&gt;'],
    ['one-time key', 'value="kept-key"'],
    ['address', 'action="/create"'],
  ])('keeps the %s of a form, to be sent again', async (_, kept) => {
    const typed = { start: '07:15', end: '08:45', dates: wire, notes: 'Ring <twice>', once: 'kept-key' };

    const response = await ask('/create', asForm(typed, provider), failingFor(overloaded));

    expect(await response.text()).toContain(kept);
  });

  describe('keeps of a login', () => {
    const pageOfLogin = async () => {
      const login = asForm({ username: 'storage.guest', password: 'Sesame-4711' });
      return (await ask('/login', login, failingFor(overloaded))).text();
    };

    test('the username', async () => {
      expect(await pageOfLogin()).toContain('value="storage.guest"');
    });

    test('no password, which it asks for again', async () => {
      const page = await pageOfLogin();

      expect(page).not.toContain('Sesame-4711');
      expect(page).toMatch(/type="password"[^>]*name="password"|name="password"[^>]*type="password"/);
    });
  });

  describe('answers an invitee', () => {
    /** Accepts an invitation to a new meetup, by its link. */
    async function invitation() {
      const meetup = { title: 'Chess', date: wire, startTime: '19:00', endTime: '21:00', attendees: ['Ana'] };
      const created = await ask('/api/meetup/CreateMeetup', asJson(meetup, provider));
      const { attendees } = (await created.json()) as { attendees: [{ id: string }] };
      return (given?: Given) => ask(`/meetup-rsvp/${attendees[0].id}`, asForm({ accepted: 'true' }), given);
    }

    test('in the words of the letter', async () => {
      const accept = await invitation();

      const refused = await accept(failingFor(overloaded));

      expect(refused.status).toBe(503);
      expect(await refused.text()).toContain('Something went wrong. Please try again.');
    });

    test('whose link still works', async () => {
      const accept = await invitation();
      await accept(failingFor(overloaded));

      expect((await accept()).status).toBe(303);
    });
  });
});

describe('when a statement fails, which is no outage', () => {
  const mistake = 'no such column: hous at offset 7: SQLITE_ERROR';
  const referenceIn = (text: string) => /its reference is ([\w-]{12})\./.exec(text)?.[1];

  test('answers a call with 500 and a reference', async () => {
    expectConsoleError(/statement failed/);

    const response = await getLocations(failingOnce(mistake));

    expect(response.status).toBe(500);
    expect(referenceIn((await response.json()) as string)).toBe(response.headers.get('X-Request-Id'));
  });

  test('does not say when to try again', async () => {
    expectConsoleError(/statement failed/);

    const response = await getLocations(failingOnce(mistake));

    expect(response.headers.get('Retry-After')).toBeNull();
  });

  test('logs it once, with its reference', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => error.mockRestore());

    const response = await getLocations(failingOnce(mistake));

    const reference = response.headers.get('X-Request-Id');
    expect(reference).toMatch(/^[\w-]{12}$/);
    const logged = error.mock.calls.map(([line]) => JSON.parse(line));
    expect(logged).toEqual([{ message: 'statement failed', reference, cause: expect.stringContaining(mistake) }]);
  });

  describe.each([
    ['of the reader, where only the batch of the screen failed', 1, 'Welcome, storage.guest'],
    ['of whoever the cookie names, where every batch fails', 9, 'aria-label="Main"'],
  ])('shows a page %s,', (_, times, shell) => {
    const failedPage = () => {
      expectConsoleError(/statement failed/);
      return ask('/view', as(consumer), failingOnce(...Array(times).fill(mistake)));
    };

    test('in the shell', async () => {
      const page = await failedPage();

      expect(page.status).toBe(500);
      expect(await page.text()).toContain(shell);
    });

    test('with the reference', async () => {
      expect(referenceIn(await (await failedPage()).text())).toBeDefined();
    });

    test('without the statement', async () => {
      expect(await (await failedPage()).text()).not.toContain('hous');
    });
  });
});

describe('the one-time key of a form', () => {
  const typed = { once: ['key'], username: ['ana'], password: ['Correct horse 1'], description: ['one\r\ntwo'] };
  const key = onceOf(typed);

  test.each<[string, Record<string, string[]>]>([
    ['passwords', { ...typed, password: ['Better horse 2'] }],
    ['ends of lines', { ...typed, description: ['one\ntwo'] }],
    ['order', Object.fromEntries(Object.entries(typed).reverse())],
  ])('is the same whatever its %s', (_, form) => {
    expect(onceOf(form)).toBe(key);
  });

  test.each<[string, Record<string, string[]>]>([
    ['with another text', { ...typed, description: ['one'] }],
    ['with another key', { ...typed, once: ['other'] }],
    ['with one field more', { ...typed, more: [''] }],
  ])('is another for a form %s', (_, form) => {
    expect(onceOf(form)).not.toBe(key);
  });

  test('is another each time for a form that brings none', () => {
    expect(onceOf({ username: ['ana'] })).not.toBe(onceOf({ username: ['ana'] }));
  });
});

describe('the page of a form that can be sent again', () => {
  beforeEach(() => expectConsoleError(/storage unavailable/));

  /** What the page of a form that storage refused says was typed, and the names of its hidden fields. */
  async function pageOf(path: string, typed: Record<string, string>) {
    const page = await (await ask(path, asForm(typed, provider), failingFor(overloaded))).text();
    const form = /<form method="post".*?<\/form>/s.exec(page)?.[0] ?? '';
    const allOf = (pattern: RegExp) => [...form.matchAll(pattern)].map(([, found]) => found);
    return { shown: allOf(/<li[^>]*>(.*?)<\/li>/gs), hidden: allOf(/type="hidden" name="([^"]*)"/g) };
  }
  const question = { 'question-place': '0', 'question-text': 'Half wri', 'question-type': '2' };
  const choice = { 'question-choice': 'Left', 'question-required': 'on', press: 'save' };
  const template = { once: 'key', templateName: 'Before we begin', question: '{"questionText":"Why?"}' };
  const typed = { ...template, dialog: 'open', ...question, ...choice };

  test('shows what a person typed, and nothing else', async () => {
    const { shown } = await pageOf('/create-template', typed);

    expect(shown).toEqual(['Before we begin', 'Half wri', 'Left']);
  });

  test('shows nothing where a person typed nothing', async () => {
    const { shown } = await pageOf('/manage-meetup/x', { once: 'key', replace: 'AAAA' });

    expect(shown).toEqual([]);
  });

  test('sends every field again', async () => {
    const { hidden } = await pageOf('/create-template', typed);

    expect(hidden).toEqual(Object.keys(typed));
  });
});

test('lets no one store a response', async () => {
  const response = await ask('/api/Account/Login', asJson({ username: 'STORAGE.guest', password }));

  expect(response.status).toBe(200);
  expect(response.headers.get('Cache-Control')).toBe('private, no-store');
});

describe('an export of many pages', () => {
  /** A party of the provider to which thirty people have given long answers. */
  beforeAll(async () => {
    const party = { title: 'A hall', date: wire, startTime: '18:00', endTime: '22:00' };
    const created = await ask('/api/Party/CreateParty', asJson(party, provider));
    const { id } = (await created.json()) as { id: string };
    const answers = JSON.stringify([{ question: 'Why?', answer: 'a'.repeat(90_000) }]);
    await env.DB.prepare(
      `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 30)
       INSERT INTO invitations (party_id, invitee, id, name, name_sort_key, accepted, answers, rsvp_at, created_at)
       SELECT ?1, value, 'large ' || value, 'Guest', 'guest', 1, ?2, 1, 1 FROM numbers`,
    )
      .bind(id, answers)
      .run();
  });
  const exportData = (given?: Given) => ask('/api/Account/Export', as(provider), given);

  test('has them all', async () => {
    const { invited } = (await (await exportData()).json()) as { invited: unknown[] };

    expect(invited.length).toBeGreaterThanOrEqual(30);
  });

  test('that breaks off in the middle is no whole one', async () => {
    expectConsoleError(/storage unavailable/);

    const broken = await exportData({ DB: failing(realD1(), [null, null, overloaded]) });

    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow();
  });
});
