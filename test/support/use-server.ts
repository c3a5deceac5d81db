import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Server, type ServerOptions, startServer } from '../../app/local/server';
import { type Visitor, visitor } from './visit';

/** The running server of a test file, and a new browser at its door for each call of `visitor`. */
export type Served = Omit<Server, 'stop' | 'reload'> & { visitor: () => Visitor };

/** A thousandth of what a password should cost, because tests register people by the hundred. */
const passwordCost = { ln: 4, r: 8, p: 1 };

/**
 * Serves the built Worker to all tests of this file, from an empty data folder that is removed afterwards. What it gives
 * can be read inside tests and hooks only. Without options: no demo data, no rate limits, passwords that are hashed in no
 * time.
 */
export function useServer(options: Partial<ServerOptions> = {}): Served {
  let dataDir: string | undefined;
  let server: Server | undefined;
  const running = (): Server => {
    if (!server) throw new Error('The server runs inside tests and hooks only.');
    return server;
  };
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'daybook-'));
    const vars = { RATE_LIMIT: 'off', ...options.vars };
    server = await startServer({ dataDir, log: noteErrors, passwordCost, ...options, vars });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    if (dataDir) await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get url() {
      return running().url;
    },
    get port() {
      return running().port;
    },
    get d1() {
      return running().d1;
    },
    get secrets() {
      return running().secrets;
    },
    get seeded() {
      return running().seeded;
    },
    scheduled: () => running().scheduled(),
    visitor: () => visitor(running().url),
  };
}

/** An error in the Worker is an error of the test that caused it: see console.ts. */
const noteErrors: ServerOptions['log'] = ({ level, message }) => {
  if (level === 'error') console.error(message);
};
