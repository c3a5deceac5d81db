import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { atDesk } from '../../../app/local/at-desk';
import { readBackup } from '../../../app/local/backup-end';
import type { D1 } from '../../../app/local/d1';
import { dump } from '../../../app/local/database';
import { startServer } from '../../../app/local/server';
import { wrangler } from '../../../app/local/wrangler';
import { calendarOf, useCalendars } from '../../support/calendar-server';
import { password, publish, registerProvider } from '../../support/factories';
import { describeFirst, describeRest, testFirst, testRest } from '../../support/matrix';
import { createMeetup, createParty } from '../../support/party-factories';
import { run } from '../../support/process';
import { passwordCost } from '../../support/servers';
import { visitor } from '../../support/visit';

/* `npm run backup` and `npm run restore`: what the one writes, the other reads. */

const elsewhere = useCalendars();
const folder = mkdtempSync(join(tmpdir(), 'daybook-backup-'));
const within = (name: string) => join(folder, name);
const file = within('daybook.sql');
const backUp = (to: string, dataDir = within('first')) => run('backup', { DATA_DIR: dataDir }, to).ended;
const restore = (from: string, dataDir: string) => run('restore', { DATA_DIR: within(dataDir) }, from).ended;

/** What a careless reader of SQL would stumble over. */
const odd = `It's; "two"\n-- BEGIN\r\n\\n $$ /* END; */ é 日本 👩‍👧 ?1 %s`;
/** More than a statement may hold, with pairs of surrogates at odd places. */
const large = `x${'予約👩'.repeat(30_000)}'\n`;
const nora = { displayName: "Nora O'Quist", username: 'nora.quist' };
const nextDay = 864e5;

/** The rows and the schema of a book. */
const contents = async (d1: D1) => ({
  rows: await dump(d1),
  schema: (await d1.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY name').all()).results,
});
let before: Awaited<ReturnType<typeof contents>>;
let printed: Awaited<ReturnType<typeof backUp>>;

beforeAll(async () => {
  const server = await startServer({
    dataDir: within('first'),
    vars: { RATE_LIMIT: 'off', ASK_LOOPBACK: 'on' },
    passwordCost,
  });
  const profile = { ...nora, location: 'Évry', timeZone: 'Europe/Paris', description: odd };
  const host = await registerProvider({ visitor: () => visitor(server.url) }, profile);
  await publish(host, { start: '09:00', end: '17:00' });
  await createMeetup(host, { title: `It's; "two" --`, description: odd, attendees: ['Ana', 'Bo', "D'Arcy"] });
  elsewhere.serve('/private.ics', calendarOf([{ at: Date.now() + nextDay }, { at: Date.now() + 2 * nextDay }]));
  const feeds = [{ name: 'Private', url: elsewhere.at('/private.ics') }];
  expect((await host.api('PUT', '/api/Account/SetBusyFeeds', { feeds })).json).toMatchObject([{ events: 2 }]);
  await server.d1.prepare(`INSERT INTO one_time_keys VALUES ('c', 'k', 'f', ?, 1)`).bind(JSON.stringify(large)).run();
  before = await contents(server.d1);
  await server.stop();
  printed = await backUp(file);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup', { timeout: 120_000 }, () => {
  testFirst('is for its owner alone', () => {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  testFirst('leaves no half-written file beside it', () => {
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  testFirst('reminds of the secrets that belong to it', () => {
    expect(printed.stdout).toContain('secrets.json');
  });

  testFirst('holds the address of no other calendar in plain text', () => {
    expect(readFileSync(file, 'utf8')).not.toContain('private.ics');
  });

  testRest('is read by wrangler too, as it is for the database of an account', async () => {
    wrangler('d1', 'execute', 'DB', '--local', '--persist-to', within('third'), '--yes', '--file', file);

    expect(await atDesk(within('third'), contents)).toEqual(before);
  });

  testFirst.each<[where: string, placeIn: (lines: string[]) => number]>([
    ['before its first statement', () => 0],
    ['before its triggers', (lines) => lines.findIndex((line) => line.startsWith('CREATE TRIGGER'))],
    ['before its last line', () => -2],
  ])('cut off %s says that its end is missing', async (_, placeIn) => {
    const lines = readFileSync(file, 'utf8').split('\n');

    const read = await readBackup(lines.slice(0, placeIn(lines)).join('\n'));

    expect(read).toEqual({ fault: expect.stringContaining('its last line, which') });
  });

  testFirst('with one row less says of which table', async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const slot = lines.findIndex((line) => line.startsWith('INSERT INTO "slots"'));

    const read = await readBackup(lines.toSpliced(slot, 1).join('\n'));

    expect(read).toEqual({ fault: expect.stringContaining('it has 15 rows of slots in place of 16') });
  });
});

describeFirst('a restored book', () => {
  let server: Awaited<ReturnType<typeof startServer>>;
  let restored: typeof before;

  beforeAll(async () => {
    expect(await restore(file, 'second')).toMatchObject({ code: 0, stderr: '' });
    copyFileSync(within('first/secrets.json'), within('second/secrets.json'));
    server = await startServer({ dataDir: within('second'), vars: { ASK_LOOPBACK: 'on' } });
    restored = await contents(server.d1);
  });

  afterAll(() => server.stop());

  async function loggedIn() {
    const host = visitor(server.url);
    const login = await host.api('POST', '/api/Account/Login', { username: nora.username, password });
    return { host, login };
  }

  test('is the book that was backed up', () => {
    expect(before.rows.slots).toHaveLength(16);
    expect(before.rows.busy_feeds).toHaveLength(1);
    expect(before.rows.busy_times).toHaveLength(3);
    expect(restored).toEqual(before);
  });

  test('lets people log in as before', async () => {
    const { login } = await loggedIn();

    expect(login.status).toBe(200);
    expect(login.json).toMatchObject({ displayName: nora.displayName });
  });

  // Their addresses are sealed, and open with the secrets that came along.
  test('goes on reading other calendars', async () => {
    const { host } = await loggedIn();
    elsewhere.serve('/private.ics', calendarOf([{ at: Date.now() + nextDay }]));
    const [{ id }] = (await host.api('GET', '/api/Account/GetBusyFeeds')).json as [{ id: string }];

    const read = await host.api('PUT', '/api/Account/SetBusyFeeds', { feeds: [{ id, name: 'Private' }] });

    expect(read.json).toMatchObject([{ events: 1, doubts: [] }]);
  });
});

describeRest('a backup or restore that cannot work', { timeout: 120_000 }, () => {
  const refused = (words: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(words) });

  beforeAll(() => writeFileSync(within('broken.sql'), readFileSync(file).subarray(0, -10_000)));

  test.each([
    ['over a file', () => backUp(file), 'is there already'],
    ['without the name of the file to write', () => run('backup', {}).ended, 'npm run backup -- '],
    ['without the name of the file to read', () => run('restore', {}).ended, 'npm run restore -- '],
  ])('%s is refused', async (_, start, words) => {
    expect(await start()).toMatchObject(refused(words));
  });

  test.each([
    [
      'of a folder without a database',
      () => backUp(within('other.sql'), within('none')),
      'has no database',
      'other.sql',
    ],
    ['of part of a backup', () => restore(within('broken.sql'), 'fourth'), 'no whole backup', 'fourth'],
    ['of no file', () => restore(within('other.sql'), 'fourth'), 'There is no file', 'fourth'],
  ])('%s is refused before it makes anything', async (_, start, words, made) => {
    expect(await start()).toMatchObject(refused(words));

    expect(existsSync(within(made))).toBe(false);
  });

  test('over a book is refused, and the book stays as it was', async () => {
    expect(await restore(file, 'first')).toMatchObject(refused('not empty'));

    expect(await atDesk(within('first'), contents)).toEqual(before);
  });
});

describeFirst('somebody who deleted their account before a backup', () => {
  let rows: Awaited<ReturnType<typeof dump>>;

  beforeAll(async () => {
    const dataDir = within('left');
    const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off' }, passwordCost });
    const leaver = await registerProvider({ visitor: () => visitor(server.url) }, { displayName: 'Zebulon Quarrel' });
    expect((await leaver.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    rows = await dump(server.d1);
    await server.stop();
    expect(await backUp(within('left.sql'), dataDir)).toMatchObject({ code: 0 });
    expect(await restore(within('left.sql'), 'clean')).toMatchObject({ code: 0 });
  });

  const hasTrace = (dataDir: string) =>
    readdirSync(within(dataDir), { recursive: true, encoding: 'utf8' })
      .map((name) => join(within(dataDir), name))
      .some((path) => statSync(path).isFile() && readFileSync(path).includes('Zebulon'));

  test('is in no row', () => {
    expect(JSON.stringify(rows)).not.toContain('Zebulon');
  });

  test('leaves a trace in the old files', () => {
    expect(hasTrace('left')).toBe(true);
  });

  test('leaves none in the backup', () => {
    expect(readFileSync(within('left.sql'), 'utf8')).not.toContain('Zebulon');
  });

  test('leaves none in a new folder that it is restored into', () => {
    expect(hasTrace('clean')).toBe(false);
  });
});

describeRest('a backup of a served folder, while people write', () => {
  let backup: Awaited<ReturnType<typeof backUp>>;
  let written = 0;

  beforeAll(async () => {
    const server = await startServer({ dataDir: within('served'), vars: { RATE_LIMIT: 'off' }, passwordCost });
    const host = await registerProvider({ visitor: () => visitor(server.url) });
    let isOver = false;
    const writing = (async () => {
      while (!isOver) {
        await createParty(host, { title: `Party ${written}` });
        written += 1;
      }
    })();
    try {
      backup = await backUp(within('served.sql'), within('served'));
    } finally {
      isOver = true;
      await writing;
      await server.stop();
    }
  });

  async function titlesIn(dataDir: string): Promise<string[]> {
    const { parties = [] } = await atDesk(within(dataDir), dump);
    return (parties as { title: string }[]).map(({ title }) => title);
  }
  const firstTitles = (count: number) => Array.from({ length: count }, (_, place) => `Party ${place}`).sort();

  test('succeeds', () => {
    expect(backup).toMatchObject({ code: 0, stderr: '' });
  });

  test('loses nothing that they write', async () => {
    expect((await titlesIn('served')).sort()).toEqual(firstTitles(written));
  });

  test('holds one moment of the book', async () => {
    expect(await restore(within('served.sql'), 'served-again')).toMatchObject({ code: 0, stderr: '' });

    // Those that were written first, without a gap.
    const restored = await titlesIn('served-again');
    expect(restored.sort()).toEqual(firstTitles(restored.length));
  });
});
