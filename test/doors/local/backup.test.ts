import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
/** What a refusal says, in one line of stderr that has these words. */
const refusal = (words: string) => ({ code: 1, stdout: '', stderr: expect.stringContaining(words) });

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
  const vars = { RATE_LIMIT: 'off', ASK_LOOPBACK: 'on' };
  const server = await startServer({ dataDir: within('first'), vars, passwordCost });
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
  testFirst('restored elsewhere is the same book, down to the last trigger, and people log in as before', async () => {
    const { slots, busy_feeds: feeds, busy_times: times } = before.rows;
    expect([slots?.length, feeds?.length, times?.length]).toEqual([16, 1, 3]);
    // It is for nobody but its owner to read.
    expect([statSync(file).mode & 0o777, existsSync(`${file}.part`)]).toEqual([0o600, false]);
    expect(readFileSync(file, 'utf8')).not.toContain('private.ics');

    expect(await restore(file, 'second')).toMatchObject({ code: 0, stderr: '' });
    copyFileSync(within('first/secrets.json'), within('second/secrets.json'));
    const server = await startServer({ dataDir: within('second'), vars: { ASK_LOOPBACK: 'on' } });
    try {
      expect(await contents(server.d1)).toEqual(before);
      const host = visitor(server.url);
      const login = await host.api('POST', '/api/Account/Login', { username: nora.username, password });
      expect(login).toMatchObject({ status: 200, json: { displayName: nora.displayName } });
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
    expect(await backUp(file)).toMatchObject(refusal('is there already'));
    expect(await restore(file, 'first')).toMatchObject(refusal('not empty'));
    expect(await atDesk(within('first'), contents)).toEqual(before);
  });

  testRest('that broke off leaves nothing, and the whole one can still be restored there', async () => {
    const broken = within('broken.sql');
    const whole = readFileSync(file);
    writeFileSync(broken, whole.subarray(0, Math.floor(whole.length * 0.9)));
    expect(await restore(broken, 'fourth')).toMatchObject(refusal('no whole backup'));
    expect(await restore(file, 'fourth')).toMatchObject({ code: 0 });
    expect(await atDesk(within('fourth'), contents)).toEqual(before);
  });

  testFirst('cut off after any of its statements, or with one less, is no whole one, and says so', async () => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const firstTrigger = lines.findIndex((line) => line.startsWith('CREATE TRIGGER'));
    const slot = lines.findIndex((line) => line.startsWith('INSERT INTO "slots"'));
    const noEnd = 'its last line, which counts its rows, is missing';
    for (const kept of [lines.slice(0, firstTrigger), lines.slice(0, -2), ['']])
      expect(await readBackup(kept.join('\n'))).toEqual({ fault: expect.stringContaining(noEnd) });
    const fault = expect.stringContaining('it has 15 rows of slots in place of 16');
    expect(await readBackup(lines.toSpliced(slot, 1).join('\n'))).toEqual({ fault });
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
    const titlesIn = async (name: string) => {
      const { parties = [] } = await atDesk(within(name), dump);
      return (parties as { title: string }[]).map(({ title }) => title).sort();
    };
    expect(await titlesIn('served')).toHaveLength(written);
    const kept = await titlesIn('served-again');
    // Those that were written first, without a gap.
    expect(kept).toEqual(kept.map((_, place) => `Party ${place}`).sort());
  });

  testRest('is refused where there is no book, and without a file or what is in it', async () => {
    writeFileSync(within('of-nothing.sql'), '');
    expect(await restore(within('of-nothing.sql'), 'of-nothing')).toMatchObject(refusal('its last line'));
    // Not even a folder is made.
    expect(existsSync(within('of-nothing'))).toBe(false);
    expect(await backUp(within('other.sql'), within('none'))).toMatchObject(refusal('has no database'));
    expect(await restore(within('other.sql'), 'sixth')).toMatchObject(refusal('There is no file'));
    for (const script of ['backup', 'restore'] as const)
      expect(await run(script, {}).ended).toMatchObject(refusal(`npm run ${script} -- `));
  });
});
