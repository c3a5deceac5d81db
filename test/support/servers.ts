import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Vars } from '../../app/local/configuration';
import type { D1 } from '../../app/local/d1';
import { type Server, type ServerOptions, startServer } from '../../app/local/server';
import { d1At, door } from './d1-door';

/*
 * The servers of a worker. A start takes a second, which is longer than the tests of most
 * files, so the usual servers are lent to one file after the other, each time with an empty book.
 *
 * The Worker's cached pages outlive the book by some seconds, so a provider whose page is read needs a name
 * that no other file uses.
 */

/** A server for one test file. */
export type Lent = { server: Server; giveBack: () => Promise<void> };

/** A server that stays, with the schema that it began with. */
type Shared = { server: Server; dataDir: string; schema: string; isLent: boolean };

/** A thousandth of what a password should cost, because tests register people by the hundred. */
export const passwordCost = { ln: 4, r: 8, p: 1 };

/** An undefined setting removes the usual one. */
const usualVars: Vars = { RATE_LIMIT: 'off', TIMING: 'on' };
/** Settings that leave nothing in a book, so that a server with them can be lent to the next file that wants the same. */
const lendable = ['RATE_LIMIT', 'TIMING', 'MAIL_LIMITS', 'MAIL_URL', 'MAIL_FROM'];
const shared = new Map<string, Shared>();

/**
 * Lends a running server with these options and an empty book, or a new one for this file alone.
 * @param isShared false for a file whose Worker remembers what goes wrong there
 */
export async function borrowServer({ vars, ...others }: Partial<ServerOptions>, isShared = true): Promise<Lent> {
  const options = { ...others, vars: { ...usualVars, ...vars } };
  const key = JSON.stringify(Object.entries(options.vars).sort());
  const isLendable =
    Object.keys(others).length === 0 && Object.keys(options.vars).every((name) => lendable.includes(name));
  if (!isShared || !isLendable || shared.get(key)?.isLent) {
    const dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
    const server = await start(dataDir, options);
    return {
      server,
      async giveBack() {
        await server.stop();
        await rm(dataDir, { recursive: true, force: true });
      },
    };
  }
  const one = shared.get(key) ?? (await share(key, options));
  one.isLent = true;
  return {
    server: one.server,
    async giveBack() {
      one.isLent = false;
      if ((await schemaOf(one.server.d1)) === one.schema) return empty(one);
      // A test of this file has changed the tables.
      shared.delete(key);
      await one.server.stop();
      await rm(one.dataDir, { recursive: true, force: true });
    },
  };
}

async function share(key: string, options: Partial<ServerOptions>): Promise<Shared> {
  const dataDir = mkdtempSync(join(tmpdir(), 'daybook-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const server = await start(dataDir, options);
  const one = { server, dataDir, schema: await schemaOf(server.d1), isLent: false };
  shared.set(key, one);
  return one;
}

/** An error in the Worker is an error of the test that caused it: see console.ts. */
const noteErrors: ServerOptions['log'] = ({ level, message }) => {
  if (level === 'error') console.error(message);
};

async function start(dataDir: string, options: Partial<ServerOptions>): Promise<Server> {
  const server = await startServer({ dataDir, log: noteErrors, passwordCost, ...door, ...options });
  // What a test puts before the Worker has no door.
  return options.before === undefined ? { ...server, d1: d1At(server.url) } : server;
}

type Made = { type: string; name: string; sql: string | null };
const made = async (d1: D1) =>
  (await d1.prepare('SELECT type, name, sql FROM sqlite_master ORDER BY type, name').all<Made>()).results;
const schemaOf = async (d1: D1) => JSON.stringify(await made(d1));

/** Forgets everybody, and the mail that they were sent. */
async function empty({ server: { d1 }, dataDir }: Shared): Promise<void> {
  // What MAIL_LIMITS says is a row of lifted_limits.
  const kept = /^(sqlite_|_cf_|d1_|lifted_limits$)/;
  const tables = (await made(d1)).filter(({ type, name }) => type === 'table' && !kept.test(name));
  // In one batch, because rows refer to each other.
  const statements = [
    'PRAGMA defer_foreign_keys = on',
    // Nobody waits any more. A booked row, and a wish with an offer, can't be deleted.
    'UPDATE wishes SET state = 2, held_until = NULL WHERE state < 2',
    "UPDATE bookings SET status = 2, canceled_at = 0, canceled_by = 'provider' WHERE status < 2",
    // The last owner of a shop can't leave others in it.
    "DELETE FROM colleagues WHERE role <> 'owner'",
    ...tables.map(({ name }) => `DELETE FROM ${name}`),
  ];
  await d1.batch(statements.map((statement) => d1.prepare(statement)));
  // A mail that nobody waited for may come while its folder goes.
  await rm(join(dataDir, 'mail'), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}
