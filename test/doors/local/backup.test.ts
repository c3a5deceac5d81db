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
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { atDesk } from '../../../app/local/at-desk';
import { readBackup } from '../../../app/local/backup-end';
import type { D1 } from '../../../app/local/d1';
import { dump } from '../../../app/local/database';
import { startServer } from '../../../app/local/server';
import { wrangler } from '../../../app/local/wrangler';
import { calendarOf, useCalendars } from '../../support/calendar-server';
import { password, publish, registerProvider } from '../../support/factories';
import { testFirst, testRest } from '../../support/matrix';
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

beforeAll(async () => {
  const server = await startServer({
    dataDir: within('first'),
    vars: { RATE_LIMIT: 'off', ASK_LOOPBACK: 'on' },
    passwordCost,
  });
  const of = { ...nora, location: 'Évry', timeZone: 'Europe/Paris', description: odd };
  const host = await registerProvider({ visitor: () => visitor(server.url) }, of);
  await publish(host, { start: '09:00', end: '17:00' });
  await createMeetup(host, { title: `It's; "two" --`, description: odd, attendees: ['Ana', 'Bo', "D'Arcy"] });
  elsewhere.serve('/private.ics', calendarOf([{ at: Date.now() + nextDay }, { at: Date.now() + 2 * nextDay }]));
  const feeds = [{ name: 'Private', url: elsewhere.at('/private.ics') }];
  expect((await host.api('PUT', '/api/Account/SetBusyFeeds', { feeds })).json).toMatchObject([{ events: 2 }]);
  await server.d1.prepare(`INSERT INTO one_time_keys VALUES ('c', 'k', 'f', ?, 1)`).bind(JSON.stringify(large)).run();
  before = await contents(server.d1);
  await server.stop();
  expect(await backUp(file)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('secrets.json') });
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe('a backup', { timeout: 120_000 }, () => {
  testFirst('is for its owner alone, and restored is the same book, where people log in as before', async () => {
    expect(before.rows.slots).toHaveLength(16);
    expect([before.rows.busy_feeds?.length, before.rows.busy_times?.length]).toEqual([1, 3]);
    expect(readFileSync(file, 'utf8')).not.toContain('private.ics');
    expect([statSync(file).mode & 0o777, existsSync(`${file}.part`)]).toEqual([0o600, false]);

    expect(await restore(file, 'second')).toMatchObject({ code: 0, stderr: '' });
    copyFileSync(within('first/secrets.json'), within('second/secrets.json'));
    const server = await startServer({ dataDir: within('second'), vars: { ASK_LOOPBACK: 'on' } });
    try {
      expect(await contents(server.d1)).toEqual(before);
      const host = visitor(server.url);
      const { username } = nora;
      const login = await host.api('POST', '/api/Account/Login', { username, password });
      expect([login.status, login.json]).toEqual([200, expect.objectContaining({ displayName: nora.displayName })]);
      // Other calendars are read on: their sealed addresses open with the secrets that came along.
      elsewhere.serve('/private.ics', calendarOf([{ at: Date.now() + nextDay }]));
      const [{ id }] = (await host.api('GET', '/api/Account/GetBusyFeeds')).json as [{ id: string }];
      const read = await host.api('PUT', '/api/Account/SetBusyFeeds', { feeds: [{ id, name: 'Private' }] });
      expect(read.json).toMatchObject([{ events: 1, doubts: [] }]);
    } finally {
      await server.stop();
    }
  });

  testRest('is read by wrangler too, as it is for the database of an account', async () => {
    wrangler('d1', 'execute', 'DB', '--local', '--persist-to', within('third'), '--yes', '--file', file);
    expect(await atDesk(within('third'), contents)).toEqual(before);
  });

  testRest('is refused over a file or a book, in part, and where there is none, and leaves nothing', async () => {
    const broken = within('broken.sql');
    writeFileSync(broken, readFileSync(file).subarray(0, -10_000));
    for (const [refused, words] of [
      [() => backUp(file), 'is there already'],
      [() => backUp(within('other.sql'), within('none')), 'has no database'],
      [() => run('backup', {}).ended, 'npm run backup -- '],
      [() => restore(file, 'first'), 'not empty'],
      [() => restore(broken, 'fourth'), 'no whole backup'],
      [() => restore(within('other.sql'), 'fourth'), 'There is no file'],
      [() => run('restore', {}).ended, 'npm run restore -- '],
    ] as const)
      expect(await refused()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(words) });
    expect(await atDesk(within('first'), contents)).toEqual(before);
    expect([existsSync(within('other.sql')), existsSync(within('fourth'))]).toEqual([false, false]);
  });

  testFirst('restored into a new folder has no trace of who was deleted before, as the old files have', async () => {
    const dataDir = within('left');
    const server = await startServer({ dataDir, vars: { RATE_LIMIT: 'off' }, passwordCost });
    const leaver = await registerProvider({ visitor: () => visitor(server.url) }, { displayName: 'Zebulon Quarrel' });
    expect((await leaver.api('DELETE', '/api/Account/Delete', { password })).status).toBe(204);
    expect(JSON.stringify(await dump(server.d1))).not.toContain('Zebulon');
    await server.stop();

    expect(await backUp(within('left.sql'), dataDir)).toMatchObject({ code: 0 });
    expect(await restore(within('left.sql'), 'clean')).toMatchObject({ code: 0 });

    const hasTrace = (of: string) =>
      readdirSync(within(of), { recursive: true, encoding: 'utf8' })
        .map((name) => join(within(of), name))
        .some((path) => statSync(path).isFile() && readFileSync(path).includes('Zebulon'));
    expect([hasTrace('left'), hasTrace('clean')]).toEqual([true, false]);
    expect(readFileSync(within('left.sql'), 'utf8')).not.toContain('Zebulon');
  });

  testFirst('cut off after any of its statements, or with one less, says what is missing', async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const faultOf = (kept: string[]) => readBackup(kept.join('\n'));
    const trigger = lines.findIndex((line) => line.startsWith('CREATE TRIGGER'));
    for (const end of [0, trigger, -2])
      expect(await faultOf(lines.slice(0, end))).toEqual({ fault: expect.stringContaining('its last line, which') });
    const slot = lines.findIndex((line) => line.startsWith('INSERT INTO "slots"'));
    const fault = expect.stringContaining('it has 15 rows of slots in place of 16');
    expect(await faultOf(lines.toSpliced(slot, 1))).toEqual({ fault });
  });

  testRest('is made while a server has the folder and people write, and holds one moment of the book', async () => {
    const server = await startServer({ dataDir: within('served'), vars: { RATE_LIMIT: 'off' }, passwordCost });
    const host = await registerProvider({ visitor: () => visitor(server.url) });
    let isOver = false;
    let written = 0;
    const writing = (async () => {
      while (!isOver) {
        await createParty(host, { title: `Party ${written}` });
        written += 1;
      }
    })();
    try {
      expect(await backUp(within('served.sql'), within('served'))).toMatchObject({ code: 0, stderr: '' });
    } finally {
      isOver = true;
      await writing;
      await server.stop();
    }
    expect(await restore(within('served.sql'), 'served-again')).toMatchObject({ code: 0, stderr: '' });
    const rowsOf = (name: string) => atDesk(within(name), async (d1) => (await dump(d1)).parties ?? []);
    expect(await rowsOf('served')).toHaveLength(written);
    const kept = (await rowsOf('served-again')) as { title: string }[];
    // Those that were written first, without a gap.
    const first = kept.map((_, place) => `Party ${place}`);
    expect(kept.map(({ title }) => title).sort()).toEqual(first.sort());
  });
});
