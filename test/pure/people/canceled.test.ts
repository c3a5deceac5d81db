import { describe, expect, test } from 'vitest';
import { canceledWords, saysCanceled, statesOf } from '../../../app/domain/people/canceled';
import { readRows, readTable, type Table } from '../../../app/domain/people/import';

const now = Date.parse('2026-11-26T12:00:00Z');
const readAll = (table: Table) =>
  readRows(table, { zone: 'UTC', order: 'dmy', now, part: { from: 0, to: table.rows.length } });

describe('a row whose state is', () => {
  test.each([
    ...['Canceled', 'CANCELLED', 'Late Cancelled', 'Early Cancel', 'Cancelled by client', 'No show', 'No-Show'],
    ...['Declined', 'Rejected', 'storniert', 'Abgesagt', 'Annulé', 'annulée', 'Cancelado', 'cancelada', 'Anulada'],
  ])('%s is canceled', (state) => {
    expect(saysCanceled('Status', state)).toBe(true);
  });

  test.each(['', 'Booked', 'Confirmed', 'Not canceled', 'Nicht storniert', 'Cancellable', 'Pending', 'bestätigt'])(
    '%s is not canceled',
    (state) => {
      expect(saysCanceled('Status', state)).toBe(false);
    },
  );
});

describe('a cell below Canceled', () => {
  test.each(['true', 'Yes', '1', 'x', 'X', 'ja', 'oui', 'sim', '✓', '2026-11-20 10:00'])('with %s says so', (cell) => {
    expect(saysCanceled('Canceled', cell)).toBe(true);
  });

  test.each(['', 'false', 'No', '0', 'nein', 'não', 'non', '-'])('with "%s" does not', (cell) => {
    expect(saysCanceled('Canceled', cell)).toBe(false);
  });
});

describe('a row that is canceled', () => {
  const text = 'Name,Date,Start,Minutes,Status\nAna,2027-03-04,09:00,30,Canceled\nBo,2027-03-04,10:00,30,Confirmed';

  test('is a person without an appointment', () => {
    const { readable } = readAll(readTable(text));

    expect(readable).toMatchObject([
      { name: 'Ana', startsAt: null, why: canceledWords },
      { name: 'Bo', startsAt: Date.parse('2027-03-04T10:00Z') },
    ]);
  });

  test('needs no date that can be read', () => {
    const { readable } = readAll(readTable(text.replace('2027-03-04,09:00,30', 'some day,early,')));

    expect(readable[0]).toMatchObject({ name: 'Ana', why: canceledWords });
  });

  test('is so where the reader says it', () => {
    const table = readTable(text);
    const choices = Object.fromEntries(statesOf(table).map(({ key, word }) => [key, word === 'Confirmed']));

    const { readable } = readAll({ ...table, states: choices });

    expect(readable.map(({ startsAt }) => startsAt !== null)).toEqual([true, false]);
  });
});

test('the words of the states are counted', () => {
  const table = readTable('Name,Status\nAna,Booked\nBo,Declined\nCy,Booked');

  expect(statesOf(table)).toMatchObject([
    { word: 'Booked', rows: 2, isCanceled: false },
    { word: 'Declined', rows: 1, isCanceled: true },
  ]);
});
