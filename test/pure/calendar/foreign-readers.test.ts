import { describe, expect, test } from 'vitest';
import type { Entry } from '../../../app/domain/calendar/entries';
import { calendarText } from '../../../app/domain/calendar/ics.server';
import { csvFile } from '../../../app/http/csv.server';
import { calendarReaders, tableReaders } from '../../support/foreign-readers';

/* Our calendars and tables, with names of every kind of sign, as three other programs each read them. */

const names = {
  quotes: `Ann "the barber" O'Hara`,
  separators: 'Miller, Ann; and: co = all',
  backslashes: String.raw`C:\new\, \; \\n`,
  emoji: '💈 Ann 👩🏽‍🦰 & sons',
  'letters from right to left': 'ד״ר כהן \u200f(רופא)',
  'marks of their own': 'Zoe\u0308 Nguyễn',
  'a formula': '=HYPERLINK("https://x.example";"y")',
  'signs that begin formulas': '@+-= Ann',
  'what ends an event': 'END:VEVENT BEGIN:VCALENDAR',
  'very many letters': 'Å😀,;'.repeat(300),
};
// Their own faults, which no other way to write these texts would mend: node-ical takes an escaped backslash before an n for a
// line break, and ts-ics looks for the end of an event anywhere in a line.
const misread: Record<string, keyof typeof names> = { 'node-ical': 'backslashes', 'ts-ics': 'what ends an event' };
const namesFor = (reader: string) => Object.entries(names).filter(([kind]) => kind !== misread[reader]);

const start = Date.UTC(2027, 2, 28, 0, 30);
const hour = 3_600_000;
const entry = (name: string, place = 0): Entry => ({
  id: `entry-${place}`,
  sequence: 2,
  startsAt: start + place * 24 * hour,
  endsAt: start + (place * 24 + 1) * hour,
  summary: name,
  providerName: name,
  description: `${name}\n\nbrings ${name}`,
  location: name,
  url: 'https://book.example.org/details/x?y=1,2;3',
  stampedAt: start,
  attendee: { name, email: 'ann@mail.test' },
  alarms: [60],
});
const asRead = ({ id, startsAt, endsAt, summary, location, description }: Entry) => ({
  uid: `${id}@daybook`,
  startsAt,
  endsAt,
  summary,
  location,
  description,
});

describe.each(Object.entries(calendarReaders))('%s reads', (reader, read) => {
  test.each(namesFor(reader))('an entry with %s', (_, name) => {
    expect(read(calendarText([entry(name)], 'REQUEST'))).toEqual([asRead(entry(name))]);
  });

  test('a series, each of its appointments at its time', () => {
    const series = namesFor(reader).map(([, name], place) => entry(name, place));

    expect(read(calendarText(series, 'PUBLISH', names.separators))).toEqual(series.map(asRead));
  });

  test('a cancellation', () => {
    const canceled = { ...entry(names.quotes), isCanceled: true };

    expect(read(calendarText([canceled], 'CANCEL'))).toEqual([asRead(canceled)]);
  });

  test('a feed without entries', () => {
    expect(read(calendarText([], 'PUBLISH', 'Daybook'))).toEqual([]);
  });
});

describe.each(Object.entries(tableReaders))('%s reads', (_, read) => {
  const fileOf = async (rows: string[][]) =>
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(await csvFile('guests', rows).arrayBuffer());
  // A spreadsheet would compute a cell that begins so, therefore we put a mark before it.
  const shown = (name: string) => (/^[=+\-@]/.test(name) ? `'${name}` : name);

  test.each(Object.entries(names))('a table with %s', async (_, name) => {
    const file = await fileOf([
      ['name', 'note'],
      [name, 'after'],
      ['next', name],
    ]);

    expect(read(file)).toEqual([
      ['name', 'note'],
      [shown(name), 'after'],
      ['next', shown(name)],
    ]);
  });

  test('cells of several lines', async () => {
    expect(
      read(
        await fileOf([
          ['one\ntwo', 'after'],
          ['next', ''],
        ]),
      ),
    ).toEqual([
      ['one\ntwo', 'after'],
      ['next', ''],
    ]);
  });
});
