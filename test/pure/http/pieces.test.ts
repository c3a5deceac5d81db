import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsBy } from '../../../app/domain/streamed-list';
import { withoutTags } from '../../../app/http/json.server';
import { jsonPieces } from '../../../app/http/pieces.server';

/** Cuts a list into parts of so many. */
const inParts = (rows: unknown[], size: number) =>
  partsBy(
    Array.from({ length: Math.ceil(rows.length / size) }, (_, nth) => nth * size),
    async (from) => rows.slice(from, from + size),
  );

async function written(value: unknown, space: number): Promise<string> {
  let text = '';
  for await (const piece of jsonPieces(value, space)) text += piece;
  return text;
}

test('what is written piece by piece is what JSON.stringify writes at once, without tags', async () => {
  const lists = fc.array(fc.jsonValue(), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ one: fc.jsonValue(), none: fc.constant(undefined), rows: lists, more: lists, end: fc.jsonValue() }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(0, 2),
      async ({ rows, more, ...rest }, size, space) => {
        const whole = { ...rest, rows, in: more.map((row) => ({ rows, row })) };
        const nested = more.map((row) => ({ rows: inParts(rows, size), row }));
        const parts = { ...rest, rows: inParts(rows, size), in: inParts(nested, size) };
        expect(await written(parts, space)).toBe(withoutTags(JSON.stringify(whole, null, space)));
        expect(await written(inParts(rows, size), space)).toBe(withoutTags(JSON.stringify(rows, null, space)));
      },
    ),
  );
});
