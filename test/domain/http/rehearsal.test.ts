import { expect, test } from 'vitest';
import type * as entry from '../../../app/entry.server';
// @ts-expect-error the built server has no types; the next line gives it those of its source
import * as build from '../../../build/server/index.js';

/* What a fresh Worker does before its first request. */

test('each screen and each call that reads is rehearsed, and none fails for want of a database', async () => {
  const { handlersOf, rehearse }: typeof entry = build.entry.module;
  const [Request, Response] = [globalThis.Request, globalThis.Response];
  const done = await rehearse(build, handlersOf(build));
  expect([globalThis.Request, globalThis.Response]).toEqual([Request, Response]);
  expect(done.filter(({ status }) => status >= 500)).toEqual([]);

  const shapeOf = (path: string) => path.replace(/[?.].*/, '').replace(/A{22}/g, ':one');
  const rehearsed = new Set(done.map(({ path }) => shapeOf(path)));
  const routes = Object.values(build.routes as Record<string, { id: string; path?: string }>);
  const screens = routes.flatMap(({ id, path = '' }) => (id === 'root' || /^api\/|\*/.test(path) ? [] : [path]));
  expect(screens.length).toBeGreaterThan(55);
  const wanted = screens.map((path) => shapeOf(`/${path.replace(/\/:\w+\?/, '').replace(/:\w+/g, ':one')}`));
  expect(wanted.filter((path) => !rehearsed.has(path))).toEqual([]);
  // Whoever is only sent to the login has seen nothing of a screen.
  const shown = (path: string) => done.some((one) => one.path === path && one.status === 200);
  for (const path of ['/', '/profile', '/view', '/week', '/people', '/hours', '/create-party', '/news', '/login']) {
    expect([path, shown(path)]).toEqual([path, true]);
  }
  expect([...rehearsed].filter((path) => path.startsWith('/api/')).length).toBeGreaterThan(20);
});
