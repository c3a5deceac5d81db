import { msg } from '@lingui/core/macro';
import { DomainError, invalid } from '../../domain/errors';
import { excerpt } from '../../domain/input/fields';
import { limits } from '../../domain/input/limits';
import { type StateChoices, statesOf } from '../../domain/people/canceled';
import type { DateOrder } from '../../domain/people/cells';
import { type Column, type Columns, columns, severalColumns } from '../../domain/people/heads';
import { hasNames, readTable, type Table } from '../../domain/people/import';
import type { Words } from '../../domain/words/words';
import type { Typed } from '../../http/form.server';

/* What a provider says of the columns of a table: the form carries it from step to step. */

const mostColumns = 50;

/** How many words of its states the screen asks about. The rest are judged by themselves. */
export const mostStates = 20;

const isColumn = (word: string | undefined): word is Column =>
  (columns as readonly (string | undefined)[]).includes(word);

const columnIn = (typed: Typed, { columns: guessed }: Table, place: number): Column | undefined => {
  const said = typed[`column${place}`]?.[0];
  if (said !== undefined) return isColumn(said) ? said : undefined;
  return columns.find((column) => guessed[column]?.includes(place));
};

/** The columns as the form has them; those it doesn't have are guessed. */
function columnsIn(typed: Typed, table: Table): Columns {
  const found: Columns = {};
  for (const place of table.head.keys()) {
    const column = columnIn(typed, table, place);
    if (column) found[column] = [...(found[column] ?? []), place];
  }
  // Of several numbers the likeliest comes first, as it does in the guess.
  const rank = (column: Column, place: number) => (table.columns[column]?.indexOf(place) ?? -1) >>> 0;
  for (const column of severalColumns) {
    found[column]?.sort((one, other) => rank(column, one) - rank(column, other) || one - other);
  }
  return found;
}

function statesIn(typed: Typed): StateChoices {
  const canceled = new Set(typed.canceled);
  return Object.fromEntries((typed.state ?? []).map((key) => [key, canceled.has(key)]));
}

/** The reader chose another row of heads than the one that the columns of the form are of. */
export const hasNewHeads = (typed: Typed): boolean =>
  typed.shownHead?.[0] !== undefined && typed.shownHead[0] !== typed.head?.[0];

export function tableOf(typed: Typed): { text: string; table: Table } {
  const text = typed.text?.[0] ?? '';
  if (!text.trim()) throw invalid('text', msg`Choose a file, or paste a table.`);
  if (text.length > limits.table) throw invalid('text', msg`The table is larger than 2 MiB. Please split it.`);
  const headRow = Number(/^\d{1,2}$/.exec(typed.head?.[0] ?? '')?.[0]);
  try {
    const table = readTable(text, headRow);
    if (table.head.length > mostColumns) throw invalid('text', msg`The file has more than ${mostColumns} columns.`);
    if (hasNewHeads(typed)) return { text, table };
    return { text, table: { ...table, columns: columnsIn(typed, table), states: statesIn(typed) } };
  } catch (error) {
    // The form shows the text of the file, so that the reader can correct it there.
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(
      'invalid',
      error.faults.map(({ message }) => ({ field: 'text', message })),
    );
  }
}

/** @throws DomainError invalid: two columns have the same, or none has names */
export function checkColumns({ columns: chosen }: Table): void {
  for (const [column, places] of Object.entries(chosen) as [Column, number[]][]) {
    if (places.length > 1 && !severalColumns.has(column)) {
      throw invalid(`column${places[1]}`, msg`Another column has that already.`);
    }
  }
  if (!hasNames(chosen)) throw invalid('column0', msg`Say which column has the names.`);
}

export const orderOf = (typed: Typed): DateOrder | undefined =>
  (['dmy', 'mdy'] as const).find((order) => order === typed.dates?.[0]);

function titleOf(title: string, place: number): Words {
  const number = place + 1;
  return title || msg`Column ${number}`;
}
const filledCells = (table: Table, place: number) => table.rows.map((cells) => cells[place] ?? '').filter(Boolean);

export function matching(typed: Typed, { text, table } = tableOf(typed)) {
  const holds = (place: number) => columns.find((column) => table.columns[column]?.includes(place)) ?? '';
  return {
    step: 'columns' as const,
    text,
    dates: orderOf(typed),
    headRow: table.headRow,
    firstRows: table.firstRows.map((cells, place) => ({
      row: place + 1,
      cells: excerpt(cells.filter(Boolean).join(' · ')),
    })),
    states: statesOf(table).slice(0, mostStates),
    columns: table.head.map((title, place) => ({
      field: `column${place}`,
      title: titleOf(title, place),
      examples: filledCells(table, place).slice(0, 3).map(excerpt),
      holds: holds(place),
    })),
  };
}

/** The heads of the filled columns of which nothing is imported. */
export const ignoredHeads = (table: Table): Words[] =>
  table.head.flatMap((title, place) => {
    const isUsed = Object.values(table.columns).some((places) => places.includes(place));
    return isUsed || filledCells(table, place).length === 0 ? [] : [titleOf(title, place)];
  });

/** The choices as fields of the next form, which also says what is ignored, so that going back does not guess again. */
export function carriedChoices(typed: Typed, table: Table): { name: string; value: string }[] {
  const ofColumn = (place: number) => columns.find((column) => table.columns[column]?.includes(place)) ?? '';
  return [
    { name: 'head', value: String(table.headRow) },
    { name: 'shownHead', value: String(table.headRow) },
    ...table.head.map((_, place) => ({ name: `column${place}`, value: ofColumn(place) })),
    ...(typed.state ?? []).map((value) => ({ name: 'state', value })),
    ...(typed.canceled ?? []).map((value) => ({ name: 'canceled', value })),
  ];
}
