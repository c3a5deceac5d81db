import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { backupOf } from './backup-file';
import type { D1 } from './d1';

// `npm run backup` asks a running server for a copy of its database, because SQLite gives a file to one process at a
// time. Only somebody who can read the data folder finds the port and the key.

type Door = { port: number; key: string };

const placeOf = (dataDir: string) => join(dataDir, 'backup-door.json');

/** @returns a function that closes the door */
export async function openBackupDoor(dataDir: string, book: () => D1): Promise<() => void> {
  const key = randomBytes(32).toString('base64url');
  const expected = Buffer.from(`Bearer ${key}`);
  const server = createServer(async (request, response) => {
    const authorization = Buffer.from(request.headers.authorization ?? '');
    if (authorization.length !== expected.length || !timingSafeEqual(authorization, expected)) {
      response.writeHead(403).end();
      return;
    }
    try {
      response.end(await backupOf(book()));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const door: Door = { port: (server.address() as AddressInfo).port, key };
  writeFileSync(placeOf(dataDir), JSON.stringify(door), { mode: 0o600 });
  return () => {
    rmSync(placeOf(dataDir), { force: true });
    server.close();
    server.closeAllConnections();
  };
}

/** Gets a backup from a running server; undefined if none answers. */
export async function backupFromServer(dataDir: string): Promise<string | undefined> {
  if (!existsSync(placeOf(dataDir))) return undefined;
  const { port, key } = JSON.parse(readFileSync(placeOf(dataDir), 'utf8')) as Door;
  // If a server was killed, its file is still there, and another program may have its port.
  const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { Authorization: `Bearer ${key}` } }).catch(
    () => undefined,
  );
  if (response?.status === 500) throw new Error(await response.text());
  return response?.ok ? response.text() : undefined;
}
