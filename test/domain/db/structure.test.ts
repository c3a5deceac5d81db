import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { readStructure, type StructurePart, structureOf } from '../../../db/structure';
import written from '../../../db/structure.sql?raw';

test('db/structure.sql is what the migrations make', async () => {
  const { results } = await env.DB.prepare(readStructure).all<StructurePart>();
  const schema = written.slice(written.indexOf('\n\n') + 1);
  expect(structureOf(results), 'npm run structure').toBe(schema);
});

test('a view is written after the tables, and a trigger with its table', () => {
  const part = (type: string, name: string, table: string) => ({ type, name, table, sql: `${type} ${name}` });
  const parts = [
    part('view', 'a', 'a'),
    part('trigger', 'b', 'd'),
    part('table', 'e', 'e'),
    part('table', 'd', 'd'),
    part('index', 'c', 'd'),
  ];
  expect(structureOf(parts)).toBe('\ntable d;\nindex c;\ntrigger b;\n\ntable e;\nview a;\n');
});
