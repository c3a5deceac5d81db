import type { I18n } from '@lingui/core';
import * as z from 'zod/mini';
import type { Imported } from '../../domain/bookings/import-people.server';
import { worded } from '../../domain/words/worded';

/* What became of earlier rows: a long table comes in several requests. The form of the next request carries it. */

const count = z.int().check(z.nonnegative());
const moment = z.nullable(z.int());
const earlier = z.object({
  new: count,
  merged: count,
  refused: count,
  appointments: count,
  rows: z.array(
    z.object({ row: count, name: z.string(), fate: z.enum(['new', 'merged', 'refused']), why: z.nullable(z.string()) }),
  ),
  taken: z.array(z.tuple([z.string(), moment, moment])),
});
type Earlier = z.output<typeof earlier>;
const nothingEarlier: Earlier = { new: 0, merged: 0, refused: 0, appointments: 0, rows: [], taken: [] };

/** Reads the field `before` of a form; nothing if the field is not ours. */
export function earlierFates(field: string | undefined): Earlier {
  try {
    return z.parse(earlier, JSON.parse(field ?? ''));
  } catch {
    // The first request has no such field. If a reader has changed it, they see only the rest of the counts.
    return nothingEarlier;
  }
}

type Row = Imported['rows'][number];

/** What became of the rows, in the reader's language. */
export type WordedImport = Omit<Imported, 'rows'> & { rows: (Omit<Row, 'why'> & { why: string | null })[] };

/** Adds the counts of earlier rows, and the rows of which something was left out. */
export const withEarlier = (before: Earlier, now: Imported, i18n: I18n): WordedImport => ({
  ...now,
  new: before.new + now.new,
  merged: before.merged + now.merged,
  refused: before.refused + now.refused,
  appointments: before.appointments + now.appointments,
  rows: [
    ...before.rows.map((row) => ({ ...row, startsAt: null, lands: null })),
    ...now.rows.map((row) => ({ ...row, why: row.why && worded(i18n, row.why) })),
  ],
  taken: [...before.taken, ...now.taken],
});

/** Writes the field `before` for the next form. */
export const earlierField = ({ rows, isAmbiguous: _, ...counts }: WordedImport): string =>
  JSON.stringify({
    ...counts,
    rows: rows.filter(({ why }) => why !== null).map(({ row, name, fate, why }) => ({ row, name, fate, why })),
  });
