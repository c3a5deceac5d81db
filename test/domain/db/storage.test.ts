import { env } from 'cloudflare:test';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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
const losingAnswer = () => ({ DB: failing(realD1(), [lost], true) });

let provider: string;
let consumer: string;
beforeAll(async () => {
  provider = await register('Provider', 'storage.host');
  consumer = await register('Consumer', 'storage.guest');
});

type Given = Parameters<typeof ask>[2];
const publish = (given?: Given) => {
  const body = { start: '09:00', end: '11:00', dates: [wire] };
  return ask('/api/Appointment/CreateAppointment?len=60', asJson(body, provider), given);
};
const locations = (given: Given) => ask('/api/Appointment/GetLocations', as(consumer), given);
const count = (rows: string) => env.DB.prepare(`SELECT count(*) AS many FROM ${rows}`).first('many');

test('a write begins at the primary, and its reader reads on from there for a while, which no reading prolongs', async () => {
  const known: string[] = [];
  const DB = withKnownBookmarks(realD1(), known);
  const seenOf = (answer: Response) =>
    /daybook-seen=([^;]*)/.exec(answer.headers.getSetCookie().join('; '))?.[1] ?? null;
  const read = async (cookie: string) => seenOf(await ask('/api/Account/Profile', as(cookie), { DB }));

  expect(await read(provider.replace(/; __Host-daybook-seen=.*/, ''))).toBeNull();
  const written = await ask('/api/Account/Login', asJson({ username: 'storage.guest', password }), { DB });
  const bookmark = JSON.parse(atob(decodeURIComponent(seenOf(written) ?? '')));
  known.push(bookmark);
  expect(await read(cookieOf(written))).toBeNull();
  await ask('/api/Account/Logout', { ...as(cookieOf(written)), method: 'DELETE' }, { DB });
  expect(DB.began).toEqual(['first-unconstrained', 'first-primary', bookmark, 'first-primary']);
});

describe('when storage fails once', () => {
  test('reads again and answers as if nothing had been', async () => {
    const answer = await locations(failingOnce(lost, lost));
    expect([answer.status, await answer.json()]).toEqual([200, ['Lisbon']]);
    expect(answer.headers.get('Server-Timing')).toContain('trips=3');
  });

  test.each([
    'Network connection lost.',
    'D1 DB storage caused object to be reset.',
    'D1 DB reset because its code was updated.',
    'Cannot resolve D1 DB due to transient issue on remote node.',
    'Internal error in D1 DB storage.',
  ])('reads again after D1 has said: %s', async (message) => {
    expect((await locations(failingOnce(message))).status).toBe(200);
  });

  test('writes again, and a write that had arrived after all has no second effect', async () => {
    const answer = await publish(losingAnswer());
    expect([answer.status, await answer.json()]).toEqual([201, { created: 2, skipped: 0 }]);
    expect(await (await publish()).json()).toEqual({ created: 0, skipped: 2 });

    const path = '/api/Checkin/CreateTemplate?templateName=Once';
    expect((await ask(path, asJson([], provider), losingAnswer())).status).toBe(201);
    expect(await count("templates WHERE display_name = 'Once'")).toBe(1);

    const [{ id }] = (await (await ask('/api/Appointment/GetPage', as(consumer))).json()) as [{ id: string }];
    const book = { ...as(consumer), method: 'PUT' };
    expect((await ask(`/api/Appointment/Book?id=${id}`, book, losingAnswer())).status).toBe(200);
    expect(await count(`bookings WHERE id = '${id}'`)).toBe(1);
  });
});

describe('when storage fails for good', () => {
  beforeEach(() => expectConsoleError(/storage unavailable/));

  test('answers a call with 503, one message and when to try again, and nothing is half-written', async () => {
    const before = await count('slots');
    const answer = await publish(failingFor(lost));
    expect([answer.status, await answer.json()]).toEqual([503, expect.any(String)]);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await count('slots')).toBe(before);
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
    const answer = await locations(failingOnce(message));
    expect([answer.status, answer.headers.get('Server-Timing')]).toEqual([503, expect.stringContaining('trips=1')]);
  });

  test.each(['/', '/view', '/view-booked', '/view-dash'])(
    'shows %s in the shell with No Appointments and Try Again?',
    async (path) => {
      const answer = await ask(path, as(consumer), failingFor(overloaded));
      expect(answer.status).toBe(503);
      const page = await answer.text();
      for (const words of ['No Appointments', 'Try Again?', 'aria-label="Main"']) expect(page).toContain(words);
      expect(page).not.toMatch(/\bat .+\.js:\d+/);
    },
  );

  test('keeps what was typed into a form, but for passwords, to be sent again', async () => {
    const typed = { start: '07:15', end: '08:45', dates: wire, notes: 'Ring <twice>', once: 'kept-key' };
    const answer = await ask('/create', asForm(typed, provider), failingFor(overloaded));
    const page = await answer.text();
    for (const kept of ['value="07:15"', 'value="kept-key"', 'Ring &lt;twice&gt;', 'action="/create"'])
      expect(page).toContain(kept);

    const login = asForm({ username: 'storage.guest', password: 'Sesame-4711' });
    const asked = await (await ask('/login', login, failingFor(overloaded))).text();
    expect(asked).not.toContain('Sesame-4711');
    expect(asked).toMatch(/type="password"[^>]*name="password"|name="password"[^>]*type="password"/);
    expect(asked).toContain('value="storage.guest"');
  });

  test('an invitee reads so in the words of the letter, and the link still works', async () => {
    const meetup = { title: 'Chess', date: wire, startTime: '19:00', endTime: '21:00', attendees: ['Ana'] };
    const created = await ask('/api/meetup/CreateMeetup', asJson(meetup, provider));
    const { attendees } = (await created.json()) as { attendees: [{ id: string }] };
    const accept = (given?: Given) => ask(`/meetup-rsvp/${attendees[0].id}`, asForm({ accepted: 'true' }), given);
    const refused = await accept(failingFor(overloaded));
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('Something went wrong. Please try again.');
    expect((await accept()).status).toBe(303);
  });
});

describe('when a statement fails, which is no outage', () => {
  const mistake = 'no such column: hous at offset 7: SQLITE_ERROR';
  const referenceIn = (text: string) => /its reference is ([\w-]{12})\./.exec(text)?.[1];

  test('answers a call with 500 and a reference, which is logged once', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const answer = await locations(failingOnce(mistake));
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([500, null]);
    const reference = referenceIn((await answer.json()) as string);
    expect(answer.headers.get('X-Request-Id')).toBe(reference);
    const logged = error.mock.calls.map(([line]) => JSON.parse(line));
    error.mockRestore();
    expect(logged).toEqual([{ message: 'statement failed', reference, cause: expect.stringContaining(mistake) }]);
  });

  test.each([
    ['the reader in the shell, where only the batch of the screen failed', 1, 'Welcome, storage.guest'],
    ['the menu of the cookie, where every batch fails', 9, 'aria-label="Main"'],
  ])('shows the reference on the page, with %s', async (_, times, shell) => {
    expectConsoleError(/statement failed/);
    const answer = await ask('/view', as(consumer), failingOnce(...Array(times).fill(mistake)));
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(referenceIn(page)).toBeDefined();
    expect(page).toContain(shell);
    expect(page).not.toContain('hous');
  });
});

describe('a form that can be sent again', () => {
  /** What the page of a form that storage refused says was typed, and its hidden fields. */
  async function keptOf(path: string, typed: Record<string, string>) {
    const page = await (await ask(path, asForm(typed, provider), failingFor(overloaded))).text();
    const form = /<form method="post".*?<\/form>/s.exec(page)?.[0] ?? '';
    const all = (pattern: RegExp) => [...form.matchAll(pattern)].map(([, found]) => found);
    return { shown: all(/<li[^>]*>(.*?)<\/li>/gs), hidden: all(/type="hidden" name="([^"]*)"/g) };
  }

  test('has the same one-time key whatever its passwords, ends of lines and order are, and another for another form', async () => {
    const typed = { once: ['key'], username: ['ana'], password: ['Correct horse 1'], description: ['one\r\ntwo'] };
    const key = onceOf(typed);
    const reversed = Object.fromEntries(Object.entries(typed).reverse());
    for (const same of [{ ...typed, password: ['Better horse 2'] }, { ...typed, description: ['one\ntwo'] }, reversed])
      expect(onceOf(same)).toBe(key);
    const others: Record<string, string[]>[] = [{ description: ['one'] }, { once: ['other'] }, { more: [''] }];
    for (const other of others) expect(onceOf({ ...typed, ...other })).not.toBe(key);
    expect(onceOf({ username: ['ana'] })).not.toBe(onceOf({ username: ['ana'] }));
  });

  test('shows what a person typed, and sends the rest without showing it', async () => {
    expectConsoleError(/storage unavailable/);
    const question = { 'question-place': '0', 'question-text': 'Half wri', 'question-type': '2' };
    const more = { 'question-choice': 'Left', 'question-required': 'on', press: 'save' };
    const template = { once: 'key', templateName: 'Before we begin', question: '{"questionText":"Why?"}' };
    const typed = { ...template, dialog: 'open', ...question, ...more };
    expect(await keptOf('/create-template', typed)).toEqual({
      shown: ['Before we begin', 'Half wri', 'Left'],
      hidden: Object.keys(typed),
    });
    expect((await keptOf('/manage-meetup/x', { once: 'key', replace: 'AAAA' })).shown).toEqual([]);
  });
});

test('lets no one store an answer', async () => {
  const answer = await ask('/api/Account/Login', asJson({ username: 'STORAGE.guest', password }));
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
});

test('an answer that breaks off in the middle is no whole one, and is logged', async () => {
  const party = { title: 'A hall', date: wire, startTime: '18:00', endTime: '22:00' };
  const made = await ask('/api/Party/CreateParty', asJson(party, provider));
  const { id } = (await made.json()) as { id: string };
  const said = JSON.stringify([{ question: 'Why?', answer: 'a'.repeat(90_000) }]);
  await env.DB.prepare(
    `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 30)
     INSERT INTO invitations (party_id, invitee, id, name, name_sort_key, accepted, answers, answered_at, created_at)
     SELECT ?1, value, 'large ' || value, 'Guest', 'guest', 1, ?2, 1, 1 FROM numbers`,
  )
    .bind(id, said)
    .run();
  const read = (given?: Given) => ask('/api/Account/Export', as(provider), given);
  const { invited } = (await (await read()).json()) as { invited: unknown[] };
  expect(invited.length).toBeGreaterThanOrEqual(30);
  expectConsoleError(/storage unavailable/);
  const broken = await read({ DB: failing(realD1(), [null, null, overloaded]) });
  expect(broken.status).toBe(200);
  await expect(broken.text()).rejects.toThrow();
});
