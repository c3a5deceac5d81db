import { createExecutionContext, env, waitOnExecutionContext } from 'cloudflare:test';
import type { D1Database } from '@cloudflare/workers-types';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { onceOf } from '../../../app/http/form.server';
import worker, { type Env } from '../../../app/worker';
import { expectConsoleError } from '../../support/console';
import { failing, lost, overloaded } from '../../support/faulty-d1';

/*
 * The whole Worker with a D1 that fails once, or for good: what the network does to us is the one thing that is played.
 */

const origin = 'https://daybook.test';
const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString();
const wire = `${tomorrow.slice(5, 10)}-${tomorrow.slice(0, 4)}`;

async function ask(
  path: string,
  init: RequestInit = {},
  DB: D1Database = env.DB as unknown as D1Database,
  settings: Partial<Env> = { RATE_LIMIT: 'off' },
) {
  const after = createExecutionContext();
  const request = new Request(origin + path, { redirect: 'manual', ...init });
  const answer = await worker.fetch(request, { ...env, DB, ...settings } as unknown as Env, after as never);
  await waitOnExecutionContext(after);
  return answer;
}

const cookieOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');

async function register(role: 'Provider' | 'Consumer', username: string): Promise<string> {
  const body = JSON.stringify({
    username,
    displayName: username,
    password: 'Correct horse 1',
    role,
    location: 'Lisbon',
    timeZone: 'UTC',
  });
  const answer = await ask('/api/Account/Register', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  expect(answer.status).toBe(201);
  return cookieOf(answer);
}

let provider: string;
let consumer: string;
beforeAll(async () => {
  provider = await register('Provider', 'storage.host');
  consumer = await register('Consumer', 'storage.guest');
});

const publish = (DB?: D1Database, headers: Record<string, string> = {}) =>
  ask(
    '/api/Appointment/CreateAppointment?len=60',
    {
      method: 'POST',
      body: JSON.stringify({ start: '09:00', end: '11:00', dates: [wire] }),
      headers: { 'Content-Type': 'application/json', Cookie: provider, ...headers },
    },
    DB,
  );
const real = () => env.DB as unknown as D1Database;

describe('how far storage has been read', () => {
  test('a write begins at the primary, and its reader reads on from there for a while, which no reading prolongs', async () => {
    const began: string[] = [];
    const noting = {
      withSession: (from: string) => {
        began.push(from);
        return real().withSession(from);
      },
    } as unknown as D1Database;
    const seenOf = (answer: Response) =>
      /daybook-seen=([^;]*)/.exec(answer.headers.getSetCookie().join('; '))?.[1] ?? null;
    const read = async (Cookie: string) => seenOf(await ask('/api/Account/Profile', { headers: { Cookie } }, noting));

    expect(await read(provider.replace(/; __Host-daybook-seen=.*/, ''))).toBeNull();
    const body = JSON.stringify({ username: 'storage.guest', password: 'Correct horse 1' });
    const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
    const written = await ask('/api/Account/Login', init, noting);
    const bookmark = JSON.parse(atob(decodeURIComponent(seenOf(written) ?? '')));
    expect(await read(cookieOf(written))).toBeNull();
    await ask('/api/Account/Logout', { method: 'DELETE', headers: { Cookie: cookieOf(written) } }, noting);
    expect(began).toEqual(['first-unconstrained', 'first-primary', bookmark, 'first-primary']);
  });
});

describe('when storage fails once', () => {
  test('reads again and answers as if nothing had been', async () => {
    const answer = await ask(
      '/api/Appointment/GetLocations',
      { headers: { Cookie: consumer } },
      failing(real(), [lost, lost]),
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual(['Lisbon']);
    expect(answer.headers.get('Server-Timing')).toContain('trips=3');
  });

  test.each([
    'Network connection lost.',
    'D1 DB storage caused object to be reset.',
    'D1 DB reset because its code was updated.',
    'Cannot resolve D1 DB due to transient issue on remote node.',
    'Internal error in D1 DB storage.',
  ])('reads again after D1 has said: %s', async (message) => {
    const init = { headers: { Cookie: consumer } };
    expect((await ask('/api/Appointment/GetLocations', init, failing(real(), [message]))).status).toBe(200);
  });

  test('writes again, and a write that had arrived after all has no second effect', async () => {
    const answer = await publish(failing(real(), [lost], true));
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ created: 2, skipped: 0 });
    expect(await (await publish()).json()).toEqual({ created: 0, skipped: 2 });
  });

  test('creates once where the answer of the first try was lost', async () => {
    const headers = { 'Content-Type': 'application/json', Cookie: provider };
    const create = { method: 'POST', body: '[]', headers };
    const answer = await ask('/api/Checkin/CreateTemplate?templateName=Once', create, failing(real(), [lost], true));
    expect(answer.status).toBe(201);
    const { results } = await env.DB.prepare("SELECT id FROM templates WHERE display_name = 'Once'").all();
    expect(results).toHaveLength(1);
  });

  test('books once where the answer of the first try was lost', async () => {
    const page = await ask('/api/Appointment/GetPage', { headers: { Cookie: consumer } });
    const [{ id }] = (await page.json()) as [{ id: string }];
    const book = { method: 'PUT', headers: { Cookie: consumer } };
    const answer = await ask(`/api/Appointment/Book?id=${id}`, book, failing(real(), [lost], true));
    expect(answer.status).toBe(200);
    const { results } = await env.DB.prepare('SELECT count(*) AS held FROM bookings WHERE id = ?').bind(id).all();
    expect(results).toEqual([{ held: 1 }]);
  });
});

describe('when storage fails for good', () => {
  test('answers a call with 503, one message and when to try again, and nothing is half-written', async () => {
    expectConsoleError(/storage unavailable/);
    const before = await env.DB.prepare('SELECT count(*) AS open FROM slots').first();
    const answer = await publish(failing(real(), Array(9).fill(lost)), { 'Idempotency-Key': 'gone' });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(typeof (await answer.json())).toBe('string');
    expect(await env.DB.prepare('SELECT count(*) AS open FROM slots').first()).toEqual(before);
  });

  test('does not press on an overloaded database', async () => {
    expectConsoleError(/storage unavailable/);
    const answer = await ask(
      '/api/Appointment/GetLocations',
      { headers: { Cookie: consumer } },
      failing(real(), [overloaded]),
    );
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Server-Timing')).toContain('trips=1');
  });

  test.each([
    'D1 DB is overloaded. Too many requests queued.',
    'D1 DB exceeded its memory limit and was reset.',
    'D1 DB exceeded its CPU time limit and was reset.',
    'D1 DB storage operation exceeded timeout which caused object to be reset.',
    'Exceeded maximum DB size.',
    'internal error; reference = 0123456789abcdef',
    'no such table: sessions: SQLITE_ERROR',
  ])('takes for an outage: %s', async (message) => {
    expectConsoleError(/storage unavailable/);
    const init = { headers: { Cookie: consumer } };
    const answer = await ask('/api/Appointment/GetLocations', init, failing(real(), Array(9).fill(message)));
    expect(answer.status).toBe(503);
  });

  test.each(['/', '/view', '/view-booked', '/view-dash'])(
    'shows %s in the shell with No Appointments and Try Again?',
    async (path) => {
      expectConsoleError(/storage unavailable/);
      const answer = await ask(path, { headers: { Cookie: consumer } }, failing(real(), [overloaded, overloaded]));
      expect(answer.status).toBe(503);
      const page = await answer.text();
      expect(page).toContain('No Appointments');
      expect(page).toContain('Try Again?');
      expect(page).toContain('aria-label="Main"');
      expect(page).not.toMatch(/\bat .+\.js:\d+/);
    },
  );

  test('keeps what was typed into a form, but for passwords, to be sent again', async () => {
    expectConsoleError(/storage unavailable/);
    const body = new URLSearchParams({
      start: '07:15',
      end: '08:45',
      dates: wire,
      notes: 'Ring <twice>',
      once: 'kept-key',
    });
    const init = { method: 'POST', body, headers: { Cookie: provider, Origin: origin } };
    const answer = await ask('/create', init, failing(real(), Array(9).fill(overloaded)));
    expect(answer.status).toBe(503);
    const page = await answer.text();
    expect(page).toContain('value="07:15"');
    expect(page).toContain('value="kept-key"');
    expect(page).toContain('Ring &lt;twice&gt;');
    expect(page).toContain('action="/create"');
  });

  test('asks for a password again instead of keeping it', async () => {
    expectConsoleError(/storage unavailable/);
    const body = new URLSearchParams({ username: 'storage.guest', password: 'Sesame-4711' });
    const answer = await ask(
      '/login',
      { method: 'POST', body, headers: { Origin: origin } },
      failing(real(), [overloaded, overloaded]),
    );
    expect(answer.status).toBe(503);
    const page = await answer.text();
    expect(page).not.toContain('Sesame-4711');
    expect(page).toMatch(/type="password"[^>]*name="password"|name="password"[^>]*type="password"/);
    expect(page).toContain('value="storage.guest"');
  });
});

describe('when a statement fails, which is no outage', () => {
  const mistake = 'no such column: hous at offset 7: SQLITE_ERROR';
  const referenceIn = (text: string) => /its reference is ([\w-]{12})\./.exec(text)?.[1];

  test('answers a call with 500 and a reference, which is logged once', async () => {
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (line: string) => void logged.push(JSON.parse(line));
    onTestFinished(() => {
      console.error = error;
    });
    const init = { headers: { Cookie: consumer } };
    const answer = await ask('/api/Appointment/GetLocations', init, failing(real(), [mistake]));
    expect(answer.status).toBe(500);
    expect(answer.headers.get('Retry-After')).toBeNull();
    const reference = referenceIn((await answer.json()) as string);
    expect(reference).toBeDefined();
    expect(answer.headers.get('X-Request-Id')).toBe(reference);
    expect(logged).toEqual([{ message: 'statement failed', reference, cause: expect.stringContaining(mistake) }]);
  });

  test.each([
    ['the reader in the shell, where only the batch of the screen failed', 1, 'Welcome, storage.guest'],
    ['the menu of the cookie, where every batch fails', 9, 'aria-label="Main"'],
  ])('shows the reference on the page, with %s', async (_, times, shell) => {
    expectConsoleError(/statement failed/);
    const init = { headers: { Cookie: consumer } };
    const answer = await ask('/view', init, failing(real(), Array(times).fill(mistake)));
    expect(answer.status).toBe(500);
    const page = await answer.text();
    expect(referenceIn(page)).toBeDefined();
    expect(page).toContain(shell);
    expect(page).not.toContain('hous');
  });
});

describe('a form that can be sent again', () => {
  /** What the page of a form that storage refused says was typed, its hidden fields, and its labelled passwords. */
  async function keptOf(path: string, typed: Record<string, string>) {
    const init = { method: 'POST', body: new URLSearchParams(typed), headers: { Cookie: provider, Origin: origin } };
    const page = await (await ask(path, init, failing(real(), Array(9).fill(overloaded)))).text();
    const form = /<form method="post".*?<\/form>/s.exec(page)?.[0] ?? '';
    const all = (pattern: RegExp) => [...form.matchAll(pattern)].map(([, ...found]) => found.join(': '));
    return {
      shown: all(/<li[^>]*>(.*?)<\/li>/gs),
      hidden: all(/type="hidden" name="([^"]*)"/g),
      passwords: all(/<label[^>]*>([^<]*)<input type="password" name="([^"]*)"/g),
    };
  }

  test('has the same one-time key whatever its passwords, ends of lines and order are, and another for another form', async () => {
    const typed = { once: ['key'], username: ['ana'], password: ['Correct horse 1'], description: ['one\r\ntwo'] };
    const key = onceOf(typed);
    expect(onceOf({ ...typed, password: ['Better horse 2'] })).toBe(key);
    expect(onceOf({ ...typed, description: ['one\ntwo'] })).toBe(key);
    expect(onceOf(Object.fromEntries(Object.entries(typed).reverse()))).toBe(key);
    expect(onceOf({ ...typed, description: ['one'] })).not.toBe(key);
    expect(onceOf({ ...typed, once: ['other'] })).not.toBe(key);
    expect(onceOf({ ...typed, more: [''] })).not.toBe(key);
    expect(onceOf({ username: ['ana'] })).not.toBe(onceOf({ username: ['ana'] }));
  });

  test('shows what a person typed, and sends the rest without showing it', async () => {
    expectConsoleError(/storage unavailable/);
    const typed = {
      once: 'key',
      templateName: 'Before we begin',
      question: '{"questionText":"Why?"}',
      dialog: 'open',
      'question-place': '0',
      'question-text': 'Half wri',
      'question-type': '2',
      'question-choice': 'Left',
      'question-required': 'on',
      press: 'save',
    };
    expect(await keptOf('/create-template', typed)).toEqual({
      shown: ['Before we begin', 'Half wri', 'Left'],
      hidden: Object.keys(typed),
      passwords: [],
    });
    expect((await keptOf('/manage-meetup/x', { once: 'key', replace: 'AAAA' })).shown).toEqual([]);
  });

  test('asks for each password by its name', async () => {
    expectConsoleError(/storage unavailable/);
    const { shown, passwords } = await keptOf('/profile', {
      intent: 'password',
      password: 'Correct horse 1',
      newPassword: 'Better horse 2',
    });
    expect({ shown, passwords }).toEqual({
      shown: [],
      passwords: ['Password: password', 'New password: newPassword'],
    });
  });
});

describe('an invitee whose answer could not be saved', () => {
  test('reads so in the words of the letter, and the link still works', async () => {
    expectConsoleError(/storage unavailable/);
    const meetup = { title: 'Chess', date: wire, startTime: '19:00', endTime: '21:00', attendees: ['Ana'] };
    const created = await ask('/api/meetup/CreateMeetup', {
      method: 'POST',
      body: JSON.stringify(meetup),
      headers: { 'Content-Type': 'application/json', Cookie: provider },
    });
    const { attendees } = (await created.json()) as { attendees: [{ id: string }] };
    const accept = { method: 'POST', body: new URLSearchParams({ accepted: 'true' }), headers: { Origin: origin } };
    const path = `/meetup-rsvp/${attendees[0].id}`;
    const refused = await ask(path, accept, failing(real(), Array(9).fill(overloaded)));
    expect(refused.status).toBe(503);
    expect(await refused.text()).toContain('Something went wrong. Please try again.');
    expect((await ask(path, accept)).status).toBe(303);
  });
});

describe('the edge', () => {
  test('shows what a form was stopped by in the shell of whoever sent it', async () => {
    const body = new URLSearchParams({ remove: 'nobody' });
    const answer = await ask('/manage-meetup/nowhere', {
      method: 'POST',
      body,
      headers: { Cookie: provider, Origin: origin },
    });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Welcome, storage.host');
  });

  describe('with every write stopped as one too many', () => {
    const stopped = { WRITES: { limit: async () => ({ success: false }) } };
    /** The page that answers, without what it has for scripts. */
    const send = async (path: string, typed: Record<string, string>) => {
      const init = { method: 'POST', body: new URLSearchParams(typed), headers: { Cookie: provider, Origin: origin } };
      const answer = await ask(path, init, real(), stopped);
      expect(answer.status).toBe(429);
      return (await answer.text()).replaceAll(/<script.*?<\/script>/gs, '');
    };
    const why = 'Too many tries. Please wait a minute and try again.';

    test('keeps all of a template that is being written', async () => {
      const question = { questionText: 'Which side?', questionType: 1, options: ['Left', 'Right'], required: true };
      const page = await send('/create-template', {
        templateName: 'Before we begin',
        question: JSON.stringify(question),
        dialog: 'open',
        'question-text': 'Half wri',
        press: 'save',
      });
      for (const words of [why, 'value="Before we begin"', 'Which side?', 'Left, Right', 'value="Half wri"']) {
        expect(page).toContain(words);
      }
    });

    test('says so on the page of the logout', async () => {
      expect(await send('/logout', {})).toContain(why);
    });
  });

  describe('with every read stopped as one too many', () => {
    const stopped = { READS: { limit: async () => ({ success: false }) } };
    const asked: string[] = [];
    /** A database that notes who asks it anything. */
    const noting = {
      withSession: () => ({
        prepare: (query: string) => asked.push(query),
        getBookmark: () => null,
      }),
    } as unknown as D1Database;
    const read = (path: string, settings: Partial<Env> = stopped) =>
      ask(path, { headers: { Cookie: provider } }, noting, settings);

    test.each(['/', '/view-open', '/with/storage.host', '/week', '/calendar/none.ics', '/your-data/daybook.json'])(
      '%s is a page that says so, in the menu of whoever the cookie names, and asks the database nothing',
      async (path) => {
        const answer = await read(path);
        expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
        const page = await answer.text();
        expect(page).toContain('Too many pages at once. Please wait a minute.');
        // A letter has no menu.
        if (!path.startsWith('/with/')) expect(page).toContain('href="/view-open"');
        expect(asked).toEqual([]);
      },
    );

    test('a page that the edge keeps is given all the same, because it asks for nothing; a page that it would have to make is not', async () => {
      const stranger = (path: string, settings: Partial<Env>, DB = real()) => ask(path, {}, DB, settings);
      const made = await stranger('/with/storage.host', { RATE_LIMIT: 'off' });
      asked.length = 0;
      const kept = await stranger('/with/storage.host/', stopped, noting);
      expect([kept.status, asked]).toEqual([200, []]);
      expect(await kept.text()).toBe(await made.text());
      // Each other address counts, so nobody can make us read by asking for what is not kept.
      for (const query of ['?month=2031-01', '?page=7', `?dates=${wire}`, '?utm_source=x']) {
        for (const _ of ['once', 'twice']) {
          const refused = await stranger(`/with/storage.host${query}`, stopped, noting);
          expect([query, refused.status, refused.headers.get('Cache-Control')]).toEqual([
            query,
            429,
            'private, no-store',
          ]);
        }
      }
      expect(asked).toEqual([]);
    });

    test('a call says so in one sentence', async () => {
      const answer = await read('/api/Appointment/GetPage');
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '60']);
      expect(await answer.json()).toBe('Too many pages at once. Please wait a minute.');
      expect(asked).toEqual([]);
    });

    test('a write goes on', async () => {
      const init = { method: 'POST', headers: { Cookie: consumer, Origin: origin } };
      expect((await ask('/logout', init, real(), stopped)).status).toBe(303);
    });

    test('a server without limits asks nobody', async () => {
      const off = { READS: { limit: () => Promise.reject(new Error('asked')) }, RATE_LIMIT: 'off' };
      expect((await ask('/login', {}, real(), off)).status).toBe(200);
    });
  });

  test('lets no one store an answer', async () => {
    const answer = await ask('/api/Account/Login', {
      method: 'POST',
      body: JSON.stringify({ username: 'STORAGE.guest', password: 'Correct horse 1' }),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Cache-Control')).toBe('private, no-store');
  });

  test('forgets expired sessions, keys and counters in the hourly job, and nothing else', async () => {
    const now = Date.now();
    const sessions = `INSERT INTO sessions (id, account_id, created_at, expires_at)
      SELECT ?, id, ?, ? FROM accounts WHERE username = 'storage.guest'`;
    await env.DB.batch([
      env.DB.prepare(sessions).bind('old', now - 2000, now - 1000),
      env.DB.prepare(sessions).bind('new', now - 2000, now + 60_000),
      env.DB.prepare("INSERT INTO throttles VALUES ('old', 1, ?), ('new', 1, ?)").bind(now - 1000, now + 60_000),
      env.DB.prepare("INSERT INTO one_time_keys VALUES ('c', 'old', 'x', NULL, ?), ('c', 'new', 'x', NULL, ?)").bind(
        now - 25 * 3_600_000,
        now,
      ),
    ]);
    await worker.scheduled(undefined, env as unknown as Env);
    const { results } = await env.DB.prepare(
      `SELECT 'session' AS what, id AS name FROM sessions WHERE id IN ('old', 'new')
       UNION ALL SELECT 'counter', bucket FROM throttles WHERE bucket IN ('old', 'new')
       UNION ALL SELECT 'key', key FROM one_time_keys WHERE caller = 'c'`,
    ).all();
    expect(results).toEqual(['session', 'counter', 'key'].map((what) => ({ what, name: 'new' })));
  });
});

test('the hourly job lets nothing lift the limits of mail, but where the server is a local one', async () => {
  const lifted = async () => (await env.DB.prepare('SELECT name FROM lifted_limits').all()).results;
  await env.DB.prepare("INSERT INTO lifted_limits VALUES ('mail')").run();
  await worker.scheduled(undefined, { ...env, PLAIN_HTTP: 'on' } as unknown as Env);
  expect(await lifted()).toEqual([{ name: 'mail' }]);
  await worker.scheduled(undefined, env as unknown as Env);
  expect(await lifted()).toEqual([]);
});

test('an answer that breaks off in the middle is no whole one, and is logged', async () => {
  const party = { title: 'A hall', date: wire, startTime: '18:00', endTime: '22:00' };
  const headers = { 'Content-Type': 'application/json', Cookie: provider };
  const made = await ask('/api/Party/CreateParty', { method: 'POST', body: JSON.stringify(party), headers });
  const { id } = (await made.json()) as { id: string };
  const said = JSON.stringify([{ question: 'Why?', answer: 'a'.repeat(90_000) }]);
  await env.DB.prepare(
    `WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers LIMIT 30)
     INSERT INTO invitations (party_id, invitee, id, name, name_sort_key, accepted, answers, answered_at, created_at)
     SELECT ?1, value, 'large ' || value, 'Guest', 'guest', 1, ?2, 1, 1 FROM numbers`,
  )
    .bind(id, said)
    .run();
  const read = (DB = real()) => ask('/api/Account/Export', { headers: { Cookie: provider } }, DB);
  const { invited } = (await (await read()).json()) as { invited: unknown[] };
  expect(invited.length).toBeGreaterThanOrEqual(30);
  expectConsoleError(/storage unavailable/);
  const broken = await read(failing(real(), [null, null, overloaded]));
  expect(broken.status).toBe(200);
  await expect(broken.text()).rejects.toThrow();
});
