import type { D1Result } from '@cloudflare/workers-types';
import { describe, expect, test } from 'vitest';
import { ChangedPages, pageChangeIn, shownTables } from '../../../db/changed-pages';
import { newId } from '../../../db/columns';
import schema from '../../../db/structure.sql?raw';

/* Whose public pages a statement changes, by its text, its values and the rows that it returns. */

const [provider, somebody, session] = [newId(), newId(), newId()];
const slot = `${provider}1764000000000a1b2c3d4e5f6`;
const wish = `${provider}0123456789abcdef`;

function changedBy(text: string, values: unknown[], { rows = [] as object[], written = 1 } = {}): string[] {
  const pages = new ChangedPages();
  const result = { results: rows, meta: { rows_written: written } } as unknown as D1Result;
  pages.add({ text, values, change: pageChangeIn(text) }, result);
  return [...pages.providerIds];
}

describe('the provider of a changed page is', () => {
  const update = 'update "slots" set "notes" = ? where …';

  test.each([
    ['who is named', [provider, 5]],
    ['who is in the id of a slot, whoever else is named', [somebody, session, slot]],
    ['who is in the id of a wish', [wish, somebody]],
    ['who is in a list of ids', [JSON.stringify([slot, slot]), somebody]],
  ])('%s', (_, values) => {
    expect(changedBy(update, values)).toEqual([provider]);
  });

  test('who is in the rows that it returns', () => {
    const rows = [{ provider_id: provider }, { provider_id: somebody }];

    expect(changedBy('UPDATE wishes SET state = 2 RETURNING provider_id', [session], { rows })).toEqual([
      provider,
      somebody,
    ]);
  });
});

describe('no page is changed by', () => {
  test.each([
    ['a read', `SELECT * FROM slots WHERE id = '${slot}'`],
    ['a write of something that no page shows', 'INSERT INTO messages (id) VALUES (?)'],
    ['a new account', 'insert into "accounts" ("id") values (?)'],
  ])('%s', (_, text) => {
    expect(changedBy(text, [slot])).toEqual([]);
  });

  test('a write that changes nothing', () => {
    expect(changedBy('DELETE FROM slots WHERE id = ?', [slot], { written: 0 })).toEqual([]);
  });
});

test('a write that names no provider is noted, so that the log can say so', () => {
  const pages = new ChangedPages();
  const text = 'UPDATE slots SET notes = ?';
  pages.add({ text, values: ['Ring twice'], change: pageChangeIn(text) }, {
    results: [],
    meta: { rows_written: 1 },
  } as unknown as D1Result);

  expect(pages.nameless).toEqual([text]);
  expect([...pages.providerIds]).toEqual([]);
});

test('tables whose triggers write to what a page shows are known', () => {
  // Their triggers count who comes to a party, which the page does not show.
  const unshown = ['invitations', 'people'];
  const tables = [...schema.matchAll(/CREATE TABLE (\w+)/g)].map(([, name = '']) => name);
  // A trigger may write to a view, whose own trigger writes on.
  const targetsOf = new Map<string, string[]>();
  for (const [, name = '', body = ''] of schema.matchAll(/CREATE TRIGGER \w+\s[^;]*?\bON (\w+)\b(.*?)\nEND;/gs)) {
    const targets = [...body.matchAll(/\b(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)/g)].map(([, target = '']) => target);
    targetsOf.set(name, [...(targetsOf.get(name) ?? []), ...targets]);
  }
  const reaches = (name: string, passed: string[] = []): boolean =>
    (targetsOf.get(name) ?? []).some(
      (target) =>
        shownTables.has(target) ||
        (!tables.includes(target) && !passed.includes(target) && reaches(target, [...passed, target])),
    );

  const writers = [...targetsOf.keys()].filter((name) => tables.includes(name) && reaches(name));

  expect(writers.length).toBeGreaterThan(5);
  expect(writers.filter((table) => !shownTables.has(table) && !unshown.includes(table))).toEqual([]);
});
