import { msg } from '@lingui/core/macro';
import { plainWords } from './heads';

export const canceledWords = msg`Canceled: no appointment.`;

// Reads in a table's columns of states which rows are no appointments.

const canceled =
  /^(?:cancel(?!l?able|avel|abel)|cancl|cxl|anul|annul|storn|abgesag|absage|abgelehnt|declin|reject|refus|rechaz|recus|rejeit|desmarc|withdrawn|void|deleted|removed|geloscht|suppr|eliminad|noshow)/;
const negations = new Set(['not', 'no', 'non', 'nicht', 'nao', 'pas', 'never', 'nie', 'nunca']);
const none = new Set(['', 'false', 'no', 'n', '0', 'nein', 'nao', 'non', 'falsch', 'falso', 'faux', 'never', 'null']);

/** Whether the head itself says canceled, so that its cells say yes, no, when or by whom. */
const asksWhether = (title: string) => plainWords(title).some((word) => canceled.test(word));

/** Whether a cell of a state says that the row is no appointment. */
export function saysCanceled(title: string, cell: string): boolean {
  const words = plainWords(cell);
  if (asksWhether(title)) return !none.has(words.join(' ')) || (words.length === 0 && /[x✓✔☑]/iu.test(cell));
  if (/\bno ?show/.test(words.join(' '))) return true;
  return words.some((word) => canceled.test(word)) && !words.some((word) => negations.has(word));
}

/** A word of a column of states, with how many rows have it and how it is taken. */
export type State = { key: string; word: string; rows: number; isCanceled: boolean };

/** What the reader says of the words that the screen asked about: whether they are canceled, by their keys. */
export type StateChoices = Record<string, boolean>;

type States = { head: string[]; rows: string[][]; columns: { status?: number[] }; states?: StateChoices };

// A form changes line breaks, so the keys have none.
const keyOf = (place: number, cell: string) => `${place} ${cell.replaceAll(/\s+/g, ' ')}`;

const isCanceledIn = ({ head, states }: States, place: number, cell: string) =>
  states?.[keyOf(place, cell)] ?? saysCanceled(head[place] ?? '', cell);

/** Whether a row says that it is canceled. */
export const isCanceledRow = (table: States, cells: string[]): boolean =>
  (table.columns.status ?? []).some((place) => isCanceledIn(table, place, cells[place] ?? ''));

/** The words in the columns of states, the most frequent first. */
export function statesOf(table: States): State[] {
  const states = (table.columns.status ?? []).flatMap((place) => {
    const counts = new Map<string, number>();
    for (const cells of table.rows) {
      const cell = cells[place] ?? '';
      if (cell !== '') counts.set(cell, (counts.get(cell) ?? 0) + 1);
    }
    return [...counts].map(([cell, rows]) => ({
      key: keyOf(place, cell),
      word: asksWhether(table.head[place] ?? '') ? `${table.head[place]}: ${cell}` : cell,
      rows,
      isCanceled: isCanceledIn(table, place, cell),
    }));
  });
  return states.sort((one, other) => other.rows - one.rows);
}
