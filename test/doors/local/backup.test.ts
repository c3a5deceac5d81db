import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
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
  testFirst('holds the whole book, and is for nobody but its owner to read', () => {
    expect(before.rows.slots).toHaveLength(16);
    expect([before.rows.busy_feeds?.length, before.rows.busy_times?.length]).toEqual([1, 3]);
    expect(readFileSync(file, 'utf8')).not.toContain('private.ics');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file}.part`)).toBe(false);
  });

  testFirst('restored elsewhere is the same book, down to the last trigger, and people log in as before', async () => {
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

  testRest('never goes over what is there: neither a file nor a book', async () => {
    expect(await backUp(file)).toMatchObject({ code: 1, stderr: expect.stringContaining('is there already') });
    const again = await restore(file, 'first');
    expect(again).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('not empty') });
    expect(await atDesk(within('first'), contents)).toEqual(before);
  });

  testRest('that broke off leaves nothing, and the whole one can still be restored there', async () => {
    const broken = within('broken.sql');
    writeFileSync(broken, readFileSync(file));
    truncateSync(broken, Math.floor(statSync(file).size * 0.9));
    expect(await restore(broken, 'fourth')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no whole backup'),
    });
    expect(await restore(file, 'fourth')).toMatchObject({ code: 0 });
    expect(await atDesk(within('fourth'), contents)).toEqual(before);
  });

  testFirst(
    'cut off after any of its statements, or with one less, is no whole one, and says what is missing',
    async () => {
      const lines = readFileSync(file, 'utf8').split('\n');
      const firstTrigger = lines.findIndex((line) => line.startsWith('CREATE TRIGGER'));
      const slot = lines.findIndex((line) => line.startsWith('INSERT INTO "slots"'));
      const faults: [string[], string][] = [
        [lines.slice(0, firstTrigger), 'its last line, which counts its rows, is missing'],
        [lines.slice(0, -2), 'its last line, which counts its rows, is missing'],
        [lines.filter((_, place) => place !== slot), 'it has 15 rows of slots in place of 16'],
        [[''], 'its last line, which counts its rows, is missing'],
      ];
      for (const [kept, fault] of faults) {
        expect(await readBackup(kept.join('\n'))).toEqual({ fault: expect.stringContaining(fault) });
      }
    },
  );

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

  testRest('is refused where there is no book, and without a file or what is in it', async () => {
    writeFileSync(within('of-nothing.sql'), '');
    const refused = await restore(within('of-nothing.sql'), 'of-nothing');
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('its last line') });
    // Not even a folder is made.
    expect(existsSync(within('of-nothing'))).toBe(false);
    expect((await backUp(within('other.sql'), within('none'))).stderr).toContain('has no database');
    expect((await run('backup', {}).ended).stderr).toContain('npm run backup -- ');
    expect((await run('restore', {}).ended).stderr).toContain('npm run restore -- ');
    expect((await restore(within('other.sql'), 'sixth')).stderr).toContain('There is no file');
  });
});
