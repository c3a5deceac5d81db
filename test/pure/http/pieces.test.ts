import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partsBy } from '../../../app/domain/streamed-list';
import { withoutTags } from '../../../app/http/json.server';
import { jsonPieces } from '../../../app/http/pieces.server';

/** Cuts a list into parts of so many. */
const inParts = (rows: unknown[], size: number) =>
  partsBy(
    Array.from({ length: Math.ceil(rows.length / size) }, (_, nth) => nth * size),
    async (from) => rows.slice(from, from + size),
  );

async function textOf(value: unknown, space: number): Promise<string> {
  let text = '';
  for await (const piece of jsonPieces(value, space)) text += piece;
  return text;
}

const anyRows = fc.array(fc.jsonValue(), { maxLength: 5 });
const anySize = fc.integer({ min: 1, max: 3 });
const anySpace = fc.constantFrom(0, 2);

describe('what is written piece by piece is what JSON.stringify writes at once, without tags:', () => {
  test('a list', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anySize, anySpace, async (rows, size, space) => {
        expect(await textOf(inParts(rows, size), space)).toBe(withoutTags(JSON.stringify(rows, null, space)));
      }),
    );
  });

  test('lists in lists', async () => {
    const ends = { one: fc.jsonValue(), none: fc.constant(undefined), end: fc.jsonValue() };
    const anyLists = fc.record({ ...ends, rows: anyRows, more: anyRows });
    await fc.assert(
      fc.asyncProperty(anyLists, anySize, anySpace, async ({ rows, more, ...rest }, size, space) => {
        const whole = { ...rest, rows, in: more.map((row) => ({ rows, row })) };
        const nested = more.map((row) => ({ rows: inParts(rows, size), row }));
        const parts = { ...rest, rows: inParts(rows, size), in: inParts(nested, size) };

        expect(await textOf(parts, space)).toBe(withoutTags(JSON.stringify(whole, null, space)));
      }),
    );
  });
});
