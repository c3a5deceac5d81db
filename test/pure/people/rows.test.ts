import { describe, expect, test } from 'vitest';
import { dateOrderOf, readRows, readTable } from '../../../app/domain/people/import';
import { inEnglish } from '../../../app/domain/words/english';

const now = Date.UTC(2031, 0, 1);

/** Reads a table as a provider in Lisbon, whose clocks are those of UTC in winter. */
function read(file: string, zone = 'Europe/Lisbon') {
  const table = readTable(file);
  return readRows(table, { zone, order: dateOrderOf(table), now, part: { from: 0, to: table.rows.length } });
}

const spanOf = (file: string, zone?: string) => {
  const { readable, refused } = read(file, zone);
  const [row] = readable;
  if (refused[0]) return inEnglish(refused[0].why);
  if (!row || row.startsAt === null) return 'no appointment';
  return [new Date(row.startsAt).toISOString().slice(5, 16), row.minutes, row.date];
};

describe('the appointment of a row', () => {
  test.each([
    ['a date, a start and minutes', 'date,start,minutes\n2031-01-09,14:30,45', '01-09T14:30', 45],
    ['a length in hours', 'date,start,minutes\n2031-01-09,14:30,1.5 h', '01-09T14:30', 90],
    ['a head that says hours', 'date,start,duration\n2031-01-09,14:30,1 hr', '01-09T14:30', 60],
    ['one cell for date and time', 'start,end\n2031/01/09 14:30,2031/01/09 15:15', '01-09T14:30', 45],
    [
      'a time alone in the day of a spreadsheet',
      'date,start,end\n2031-01-09,1899-12-30 14:30,1899-12-30 15:15',
      '01-09T14:30',
      45,
    ],
    ['an end after midnight', 'date,start,end\n2031-01-09,23:30,00:15', '01-09T23:30', 45],
    ['an end on the next date', 'start,end\n2031-01-09 23:30,2031-01-10 00:15', '01-09T23:30', 45],
    ['an end at 24:00', 'date,start,end\n2031-01-09,23:00,24:00', '01-09T23:00', 60],
    ['an end at 24:00 of its date', 'start,end\n2031-01-09 23:00,2031-01-09 24:00', '01-09T23:00', 60],
    ['an end at the next midnight', 'start,end\n2031-01-09 23:00,2031-01-10 00:00', '01-09T23:00', 60],
    ['a midnight in a column of starts', 'start,minutes\n2031-01-09 00:00,45', '01-09T00:00', 45],
    ['a time in UTC', 'start,end\n2031-01-09T14:30:00Z,2031-01-09T15:15:00Z', '01-09T14:30', 45],
    ['an offset', 'start,end\n2031-01-09T14:30:00+02:00,2031-01-09T15:15:00+02:00', '01-09T12:30', 45],
    ['two offsets', 'start,end\n2031-01-09T14:30:00+02:00,2031-01-09T14:15:00+01:00', '01-09T12:30', 45],
    ['a zone for the start alone', 'start,end\n2031-01-09 14:30 Asia/Tokyo,15:15', '01-09T05:30', 45],
    ['a length that agrees with its end in hours', 'start,end,duration\n2031-01-09 14:00,15:00,1', '01-09T14:00', 60],
  ])('is read from %s', (_, table, start, minutes) => {
    const [head = '', row = ''] = table.split('\n');

    expect(spanOf(`name,${head}\nOna,${row}\n`)).toEqual([start, minutes, '2031-01-09']);
  });

  test('of another zone is on the provider’s date', () => {
    const span = spanOf('name,start,minutes\nOna,2031-01-09T23:30:00Z,45\n', 'Asia/Tokyo');

    expect(span).toEqual(['01-09T23:30', 45, '2031-01-10']);
  });

  test('over a night in which clocks change lasts as long as it takes', () => {
    expect(spanOf('name,start,end\nOna,2031-03-30 00:30,2031-03-30 03:30\n')).toEqual([
      '03-30T00:30',
      120,
      '2031-03-30',
    ]);
  });

  test.each([
    ['a date without a time', 'date,start,minutes\n2031-01-09,,45'],
    ['a date with the midnight of a spreadsheet', 'date,minutes\n2031-01-09 00:00:00,45'],
    ['a date with that midnight in UTC', 'date,minutes\n2031-01-09T00:00:00.000Z,45'],
    ['a date that can be two days, without a time', 'date,minutes\n3/4/2031,45'],
    ['a past day, even with a length that can’t be read', 'date,start,minutes\n2030-01-09,14:30,long'],
    ['no cell of it', 'date,start,minutes\n,,'],
  ])('is none for %s', (_, table) => {
    const [head = '', row = ''] = table.split('\n');

    expect(spanOf(`name,${head}\nOna,${row}\n`)).toBe('no appointment');
  });

  test.each([
    ['a start that is no time', 'date,start,minutes\n2031-01-09,soon,45', '“soon” is no time'],
    ['a start with seconds', 'date,start,minutes\n2031-01-09,14:30:15,45', '“14:30:15” is no time in whole minutes'],
    ['a start in an unknown zone', 'start,minutes\n2031-01-09 14:30 EST,45', '“14:30 est” is no time'],
    ['a start at 24:00', 'date,start,minutes\n2031-01-09,24:00,45', '24:00 can only be an end.'],
    ['a start without a date', 'start,minutes\n14:30,45', '“14:30” has no date.'],
    ['a start without a time', 'start,minutes\n2031-01-09,45', '“2031-01-09” has no time.'],
    ['a date in no known form', 'date,minutes\n9.I.2031 14:30,45', '“9.I.2031 14:30” is no date.'],
    ['a date that does not exist', 'date,minutes\n2031-02-30,45', '“2031-02-30” is no date.'],
    ['a year of two digits', 'date,start,minutes\n9-Jan-31,14:30,45', 'a year of four digits'],
    [
      'a day in the start that does not exist',
      'date,start,minutes\n2031-01-09,2031-02-30 14:30,45',
      '“2031-02-30” is no date.',
    ],
    ['two days', 'date,start,minutes\n2031-01-09,2031-01-10 14:30,45', 'name two days'],
    ['two times', 'date,start,minutes\n2031-01-09 14:00,14:30,45', 'name two times'],
    ['a length that is none', 'date,start,minutes\n2031-01-09,14:30,5 weeks', '“5 weeks” is no length.'],
    ['an end that is none', 'date,start,end\n2031-01-09,14:30,later', '“later” is no end.'],
    ['a length and another end', 'date,start,end,minutes\n2031-01-09,14:30,15:30,45', 'are two lengths'],
    ['an end before its start', 'start,end\n2031-01-09 14:30,2031-01-09 14:00', '5 to 1,440 minutes'],
    ['an end at its start', 'start,end\n2031-01-09 14:30,14:30', '5 to 1,440 minutes'],
    ['no end', 'date,start\n2031-01-09,14:30', 'no length and no end'],
  ])('is refused for %s, with the reason', (_, table, why) => {
    const [head = '', row = ''] = table.split('\n');

    expect(spanOf(`name,${head}\nOna,${row}\n`)).toContain(why);
  });
});

describe('a row', () => {
  test('keeps its person without a cell that can’t be read, and says so', () => {
    const { readable, refused } = read('name,email,phone\nOna,none,4.47E+11\n');

    expect(refused).toEqual([]);
    expect(readable).toMatchObject([{ name: 'Ona', email: null, phone: null }]);
    expect(inEnglish(readable[0]?.why ?? '')).toMatch(/“none” is left out: .*“4.47E\+11” is left out: /);
  });

  test('has what a card can’t take in the note', () => {
    const { readable } = read('name,email,phone,note\nOna,ona@mail.example; o@mail.example,555-1234 x12,tea\n');

    expect(readable).toMatchObject([
      { email: 'ona@mail.example', phone: '555-1234', note: 'tea\nE-mail: o@mail.example\nPhone: 555-1234 x12' },
    ]);
  });

  test('that can be read has nothing to say', () => {
    expect(read('name,email\nOna,ona@mail.example\n').readable[0]?.why).toBeNull();
  });

  test('may have text that a spreadsheet marks as a formula', () => {
    expect(read('name,phone\nOna,="0151000"\n').readable[0]?.phone).toBe('0151000');
  });

  test('may have fewer cells than the head', () => {
    expect(read('name,email,note\nOna\nBo\n').readable).toMatchObject([{ name: 'Ona' }, { name: 'Bo' }]);
  });

  test('may have empty cells after those of the head', () => {
    expect(read('name,email\nOna,,,\n').readable).toMatchObject([{ name: 'Ona' }]);
  });

  test.each([
    ['more cells than the head', 'name,email\nHolm, Ona,ona@mail.example\n', 'more cells than the head'],
    ['fewer cells at the end of a file that breaks off', 'name,email\nBo,\nOna', 'cut off'],
    ['no name', 'name,email\n,ona@mail.example\n', 'Name is missing.'],
  ])('is refused with %s', (_, file, why) => {
    const [refused] = read(file).refused;

    expect(inEnglish(refused?.why ?? '')).toContain(why);
  });
});
