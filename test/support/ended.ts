import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { root } from '../../app/local/root';
import { type Person, password } from './factories';
import { type Served, useServer } from './use-server';
import { type Visitor, visitor } from './visit';

/** A server that ends all sessions of an account right before a round trip of a request, by its headers: see ending.mjs. */
export const useEndingServer = (): Served => {
  const before = readFileSync(join(root, 'test/support/ending.mjs'), 'utf8');
  return useServer({ before });
};

/** In a browser of its own, with a session of its own. */
export async function newLoginOf({ username }: Person, { url }: Served): Promise<Visitor> {
  const browser = visitor(url);
  expect((await browser.api('POST', '/api/Account/Login', { username, password })).status).toBe(200);
  return browser;
}
