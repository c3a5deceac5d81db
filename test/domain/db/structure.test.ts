import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { changesTo, readStructure, type StructurePart } from '../../../db/structure';

/* What a migration after a release has to do for triggers and views that have changed. */

const d1 = env.EMPTY;
const run = (statements: string[]) => d1.batch(statements.map((sql) => d1.prepare(sql)));
const structure = async () => (await d1.prepare(readStructure).all<StructurePart>()).results;
const behaviour = async () => (await structure()).filter(({ type }) => type !== 'table').map(({ sql }) => sql);

const shelf = 'CREATE VIEW shelf AS SELECT name FROM things';
const onShelf =
  "CREATE TRIGGER shelf_takes INSTEAD OF INSERT ON shelf BEGIN INSERT INTO things VALUES (NEW.name, 'shelf'); END";
const stays =
  "CREATE TRIGGER things_have_names BEFORE INSERT ON things BEGIN SELECT RAISE(ABORT, 'no name') WHERE NEW.name = ''; END";
const goes = 'CREATE TRIGGER things_go AFTER DELETE ON things BEGIN SELECT 1; END';
const before = ['CREATE TABLE things (name TEXT, place TEXT) STRICT', shelf, onShelf, stays, goes];

test('brings a schema to the triggers and views that are wanted, with those on a view that changes', async () => {
  await run(before);
  const wanted = [`${shelf} WHERE place = 'shelf'`, onShelf, stays, goes.replaceAll('things_go', 'things_leave')];

  const changes = changesTo(await structure(), wanted);
  await run(changes);

  expect((await behaviour()).sort()).toEqual([...wanted].sort());
  expect(changes.map((change) => change.split(' ').slice(0, 3).join(' '))).toEqual([
    'DROP TRIGGER shelf_takes;',
    'DROP TRIGGER things_go;',
    'DROP VIEW shelf;',
    'CREATE VIEW shelf',
    'CREATE TRIGGER shelf_takes',
    'CREATE TRIGGER things_leave',
  ]);
  expect(changesTo(await structure(), wanted)).toEqual([]);
});

test('refuses a statement that makes something else', () => {
  expect(() => changesTo([], ['CREATE TABLE more (name TEXT) STRICT'])).toThrow('makes no trigger and no view');
});
