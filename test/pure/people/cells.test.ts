import { describe, expect, test } from 'vitest';
import { clockOf, dateOf, isEndOfDay, minutesOf, momentOf, orderOf } from '../../../app/domain/people/cells';
import { emailIn, nameIn, noteIn, phoneIn } from '../../../app/domain/people/contact-cells';
import { inEnglish } from '../../../app/domain/words/english';

describe('a length', () => {
  test.each([
    ['90', 90],
    ['90.00', 90],
    ['5h', 300],
    ['2 hrs', 120],
    ['1 h 30', 90],
    ['1h30m', 90],
    ['1 hour and 30 minutes', 90],
    ['1 Std. 15 Min.', 75],
    ['1,5 Std.', 90],
    ['1.5 hours', 90],
    ['1½ h', 90],
    ['1 heure 30', 90],
    ['45 minutos', 45],
    ['45′', 45],
    ['1:30', 90],
    ['00:45:00', 45],
    ['PT1H30M', 90],
    ['PT90M', 90],
    ['5400 s', 90],
  ])('%s is %i minutes', (cell, minutes) => {
    expect(minutesOf(cell)).toBe(minutes);
  });

  test.each([
    '5 weeks',
    '1.5',
    '1,440',
    '30-45 min',
    'ca. 30 min',
    '90 min extra',
    '1:30:20',
    '1 h 75',
    '30 min 1 h',
    '20 s',
    'm',
    '-30',
    '1/2 h',
    '',
  ])('%j is none', (cell) => {
    expect(minutesOf(cell)).toBeNull();
  });

  test('without a unit is in the unit of its head', () => {
    expect(minutesOf('1,5', true)).toBe(90);
    expect(minutesOf('45 min', true)).toBe(45);
  });
});

describe('a time', () => {
  test.each([
    ['14:30', '14:30'],
    ['14.30', '14:30'],
    ['14h30', '14:30'],
    ['14 Uhr', '14:00'],
    ['14.30 Uhr', '14:30'],
    ['1430', '14:30'],
    ['2:30 pm', '14:30'],
    ['2:30\u202fp.m.', '14:30'],
    ['2pm', '14:00'],
    ['13:00 PM', '13:00'],
    ['12:30 pm', '12:30'],
    ['12:30 a.m.', '00:30'],
    ['14:30:00', '14:30'],
    ['14:30:00.000', '14:30'],
    ["'09:15", '09:15'],
  ])('%s is %s', (cell, clock) => {
    expect(clockOf(cell)).toBe(clock);
  });

  test.each([
    '24:00',
    '25:00',
    '14:60',
    '14:30:15',
    '14:30 am',
    '0:30 pm',
    '0.25',
    '9:5',
    '9:00-10:00',
    '14:3O',
    'noon',
    'x',
  ])('%j is none', (cell) => {
    expect(clockOf(cell)).toBeNull();
  });

  test.each(['24:00', '24.00', '24:00:00', '24h', '24 Uhr'])('%s is the end of a day', (cell) => {
    expect(isEndOfDay(cell)).toBe(true);
  });
});

describe('a date', () => {
  const thursday = '2031-10-09';

  test.each([
    '2031-10-09',
    '2031/10/9',
    '2031. 10. 09.',
    '20311009',
    '9.10.2031',
    '9. 10. 2031',
    '09/10/2031',
    '9-Oct-2031',
    'Oct 9, 2031',
    'October 9th, 2031',
    '9th of October 2031',
    '2031-Oct-09',
    'Thu, 9 Oct 2031',
    'Thursday, October 9, 2031',
    '9. Oktober 2031',
    'Do., 9. Okt. 2031',
    'Donnerstag, den 09.10.2031',
    'jeudi 9 octobre 2031',
    '9 oct. 2031',
    '9 de outubro de 2031',
    'quinta-feira, 9 de out. de 2031',
    'jueves, 9 de octubre de 2031',
    "'2031-10-09",
    '\u200e9/10/2031\u202c',
  ])('%s is 9 October 2031', (cell) => {
    expect(dateOf(momentOf(cell).date, 'dmy')).toBe(thursday);
  });

  test.each([
    ['1er août 2031', '2031-08-01'],
    ['4. März 2031', '2031-03-04'],
    ['4 Mrz 2031', '2031-03-04'],
    ['mardi 4 mars 2031', '2031-03-04'],
    ['mar 4, 2031', '2031-03-04'],
    ['4 de março de 2031', '2031-03-04'],
    ['5 mai 2031', '2031-05-05'],
    ['5 de dezembro de 2031', '2031-12-05'],
    ['5 de enero de 2031', '2031-01-05'],
    ['Feb 28, 2031', '2031-02-28'],
  ])('%s is %s', (cell, date) => {
    expect(dateOf(cell, 'mdy')).toBe(date);
  });

  test.each([
    ['of a day that does not exist', '30.02.2031'],
    ['of another weekday', 'Fri, 9 Oct 2031'],
    ['of two months', '4 jui 2031'],
    ['of no month', '4 Foo 2031'],
    ['with a year of two digits', '9/10/31'],
    ['with a year of two digits after a month', '9-Oct-31'],
    ['with more after it', '2031-10-09 or later'],
    ['as the number of a spreadsheet', '48130'],
  ])('%s is none', (_, cell) => {
    expect(dateOf(cell, 'dmy')).toBeNull();
  });

  test.each<[string[], 'dmy' | 'mdy' | undefined]>([
    [['3/4/2031', '13/4/2031'], 'dmy'],
    [['3/4/2031', 'Thu 4/13/2031'], 'mdy'],
    [['3/4/2031'], undefined],
    [['3.4.2031'], 'dmy'],
    [['2031/3/4', '4 Mar 2031'], 'dmy'],
  ])('of %j has its parts in the order %s', (dates, order) => {
    expect(orderOf(dates)).toBe(order);
  });
});

describe('a date and a time in one cell', () => {
  test.each([
    ['2031/10/09 11:00', '2031/10/09', '11:00', ''],
    ['9-Oct-2031 12:00', '9-oct-2031', '12:00', ''],
    ['Thu, 9 Oct 2031 13:00', 'thu, 9 oct 2031', '13:00', ''],
    ['October 9, 2031 at 2:30 pm', 'october 9, 2031', '2:30 pm', ''],
    ['9. Oktober 2031 um 14:30 Uhr', '9. oktober 2031', '14:30 uhr', ''],
    ['9 octobre 2031 à 14h30', '9 octobre 2031', '14h30', ''],
    ['9 de outubro de 2031 às 14:30', '9 de outubro de 2031', '14:30', ''],
    ['9 de octubre de 2031, a las 14:30', '9 de octubre de 2031', '14:30', ''],
    ['2:30 pm - Thursday, October 9, 2031', 'thursday, october 9, 2031', '2:30 pm', ''],
    ['2031-10-09T14:30Z', '2031-10-09', '14:30', 'UTC'],
    ['20311009T143000Z', '20311009', '143000', 'UTC'],
    ['2031-10-09T14:30:00.000+0530', '2031-10-09', '14:30:00.000', '+05:30'],
    ['2031-10-09T14:30-05:00', '2031-10-09', '14:30', '-05:00'],
    ['Thu, 09 Oct 2031 14:30:00 -0500', 'thu, 09 oct 2031', '14:30:00', '-05:00'],
    ['Thu Oct 09 2031 14:30:00 GMT+0200 (Some Summer Time)', 'thu oct 09 2031', '14:30:00', '+02:00'],
    ['2031-10-09 14:30 UTC+1', '2031-10-09', '14:30', '+01:00'],
    ['2031-10-09 14:30 Asia/Tokyo', '2031-10-09', '14:30', 'Asia/Tokyo'],
    ['2031-10-09T14:30:00+09:00[Asia/Tokyo]', '2031-10-09', '14:30:00', '+09:00'],
  ])('%s is parted', (cell, date, clock, zone) => {
    expect(momentOf(cell)).toEqual({ date, clock, zone });
  });

  test.each(['2031-10-09 9:00-10:00', '2031-10-09 9:00 EST', '2031-10-09 9:00 +25:00', '2031-10-09 9:00 Mars/Base'])(
    '%s has no time that can be read',
    (cell) => {
      expect(clockOf(momentOf(cell).clock)).toBeNull();
    },
  );
});

describe('an e-mail', () => {
  test.each([
    ['ona@mail.example', 'ona@mail.example', []],
    [' \u200bona@mail.example\u00a0', 'ona@mail.example', []],
    ['Ona Holm <ona@mail.example>', 'ona@mail.example', []],
    ['mailto:ona@mail.example', 'ona@mail.example', []],
    ['ona@mail.example; ONA@mail.example;', 'ona@mail.example', []],
    ['ona@mail.example ::: o@mail.example', 'ona@mail.example', ['E-mail: o@mail.example']],
    [
      'ona@mail.example; o@mail.example, p@mail.example',
      'ona@mail.example',
      ['E-mail: o@mail.example, p@mail.example'],
    ],
    ['ona@mail.example\no@mail.example', 'ona@mail.example', ['E-mail: o@mail.example']],
    ['none; ona@mail.example', 'ona@mail.example', ['E-mail: none']],
  ])('is read from %j', (cell, value, noted) => {
    expect(emailIn(cell)).toMatchObject({ value, noted });
  });

  test.each(['none', 'ona@mail', 'ona at mail.example', '@', 'on\ufffd@mail.example'])(
    'is left out of %j, and that is said',
    (cell) => {
      const { value, said } = emailIn(cell);

      expect(value).toBeNull();
      expect(said.map(inEnglish).join()).toContain(`“${cell}” is left out`);
    },
  );
});

describe('a phone number', () => {
  test.each([
    ['555.123.4567', '555 123 4567'],
    ["'+351 900 111", '+351 900 111'],
    ['+351\u00a0900\u202f111', '+351 900 111'],
    ['\u202a+351 900 111\u202c', '+351 900 111'],
    ['555‑123–4567', '555-123-4567'],
    ['(555).123.4567', '(555) 123 4567'],
    ['[030] 123', '(030) 123'],
    ['tel:+351900111', '+351900111'],
    ['351900111.0', '351900111'],
    ['＋351 900', '+351 900'],
    ['0151/0000', '0151/0000'],
  ])('%j is %s', (cell, number) => {
    expect(phoneIn(cell)).toEqual({ value: number, noted: [], said: [] });
  });

  test.each([
    ['+1 (555) 123-4567 ext. 12', '+1 (555) 123-4567'],
    ['555-1234 x12', '555-1234'],
    ['030 1234-0, Durchwahl 12', '030 1234-0'],
    ['+351 900 111 ::: +351 900 222', '+351 900 111'],
    ['+351 900 111; +351 900 222', '+351 900 111'],
    ['+351 900 111, +351 900 222', '+351 900 111'],
  ])('%s is %s, and the rest is in the note', (cell, number) => {
    const { value, noted, said } = phoneIn(cell);

    expect(value).toBe(number);
    expect(noted.join()).toContain(/\d+$/.exec(cell)?.[0]);
    expect(said.map(inEnglish).join()).toContain('goes to the note of a new card.');
  });

  test.each([
    '4.47E+11',
    '4,47E+11',
    '1-800-FLOWERS',
    'ask',
    '-',
    '12',
    '5551234567.5',
    '1'.repeat(41),
    '555 12\ufffd4',
  ])('%s is left out, and that is said', (cell) => {
    const { value, said } = phoneIn(cell);

    expect(value).toBeNull();
    expect(said.map(inEnglish).join()).toContain('is left out');
  });
});

describe('a name', () => {
  test.each([
    [' Ona\nHolm\u00a0\u200e', 'Ona Holm'],
    ["'t Hooft", "'t Hooft"],
  ])('%j is %s', (cell, name) => {
    expect(nameIn(cell)).toEqual({ name });
  });

  test.each(['', '\u200b', 'J\ufffdrg', 'x'.repeat(81)])('%j is refused with a reason', (cell) => {
    const read = nameIn(cell);

    expect('why' in read && inEnglish(read.why)).toMatch(/name/i);
  });
});

describe('a note', () => {
  test('has its lines, and those of other cells', () => {
    expect(noteIn('tea\u000bno\tmilk', ['E-mail: o@mail.example']).value).toBe('tea\nno milk\nE-mail: o@mail.example');
  });

  test('that is too long is left out, and that is said', () => {
    const { value, said } = noteIn('x'.repeat(2001), ['Phone: 555 x1']);

    expect(value).toBe('Phone: 555 x1');
    expect(said.map(inEnglish).join()).toContain('The note is left out');
  });
});
