import { describe, expect, test } from 'vitest';
import { readCalendar } from '../../../app/domain/busy/reading';
import { beginsCalendar, decodeCalendar, parseComponent } from '../../../app/domain/busy/text';
import { inEnglish } from '../../../app/domain/words/english';

/* The text of other calendars, as programs write it. */

const now = Date.UTC(2026, 10, 30);
const whole = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');
const atNine = event('UID:1', 'DTSTART:20261204T090000Z', 'DTEND:20261204T100000Z');

const iso = (at: number) => new Date(at).toISOString().slice(5, 16);
function busy(text: string, home = 'Europe/Lisbon'): string | string[] {
  const reading = readCalendar(text, home, now);
  return typeof reading === 'string'
    ? reading
    : reading.busy.map(({ startsAt, endsAt }) => `${iso(startsAt)}/${iso(endsAt)}`);
}
const nine = ['12-04T09:00/12-04T10:00'];

describe('an event is read', () => {
  test.each([
    ['with carriage returns alone', whole(atNine).replaceAll('\r\n', '\r')],
    ['with line feeds alone', whole(atNine).replaceAll('\r\n', '\n')],
    ['with all kinds of line ends', `BEGIN:VCALENDAR\n${atNine.replace('\r\n', '\r')}\r\r\nEND:VCALENDAR`],
    ['in lower case', whole(atNine).toLowerCase()],
    ['with blanks at the ends of lines', whole(atNine).replaceAll('\r\n', ' \t\r\n')],
    ['with blanks around colons', whole(atNine).replaceAll(':', ' : ')],
    ['with blank lines', whole(atNine).replaceAll('\r\n', '\r\n\r\n')],
    ['after a byte order mark', `\uFEFF${whole(atNine)}`],
    ['after a warning', `Warning: something\n${whole(atNine)}`],
    ['before a remark', `${whole(atNine)}<!-- made in 0.2 s -->\n`],
    ['of the second calendar', whole() + whole(atNine)],
    ['with groups before names', whole(atNine.replaceAll(/(UID|DTSTART|DTEND)/g, 'item1.$1'))],
    ['with names that are folded', whole(atNine.replaceAll(/(DTS|UI|DTE)/g, '$1\r\n '))],
    ['with values that are folded', whole(atNine.replaceAll('20261204', '2026\r\n\t1204'))],
    ['without the end of the event', whole(atNine.replace('\r\nEND:VEVENT', ''))],
    [
      'beside an alarm',
      whole(atNine.replace('UID', 'BEGIN:VALARM\r\nDTSTART:20100101\r\nRRULE:X\r\nEND:VALARM\r\nUID')),
    ],
    [
      'beside an alarm without an end',
      whole(atNine.replace('\r\nEND:VEVENT', '\r\nBEGIN:VALARM\r\nX:1\r\nEND:VEVENT')),
    ],
    ['after an event without an end', whole('BEGIN:VEVENT', 'DTSTART:20261204T093000Z', atNine)],
    ['with parameters of other programs', whole(atNine.replace('DTSTART:', 'DTSTART;X-A="b;c:d,e";;X-F:'))],
    ['that ends at 24:00', whole(event('DTSTART:20261204T230000Z', 'DTEND:20261204T240000Z'))],
  ])('%s', (name, text) => {
    expect(busy(text)).toEqual(name.includes('24:00') ? ['12-04T23:00/12-05T00:00'] : nine);
  });

  test.each([
    ['(GMT+05:30) Chennai', '12-04T03:30/12-04T04:30'],
    ['"(UTC-05:00) Somewhere; else, far"', '12-04T14:00/12-04T15:00'],
    ['GMT +0200', '12-04T07:00/12-04T08:00'],
    ['Coordinated (UTC)', '12-04T09:00/12-04T10:00'],
    ['"Half quoted: GMT-1', '12-04T10:00/12-04T11:00'],
    ['tzone://Microsoft/Olson/Asia/Tokyo', '12-04T00:00/12-04T01:00'],
  ])('in the zone %s', (zone, time) => {
    expect(busy(whole(event(`DTSTART;TZID=${zone}:20261204T090000`, 'DURATION:PT1H')), 'America/Lima')).toEqual([time]);
  });

  test('of UTF-16', () => {
    const bytes = new Uint8Array(
      [...`\uFEFF${whole(atNine)}`].flatMap((sign) => [sign.charCodeAt(0) & 255, sign.charCodeAt(0) >> 8]),
    );

    expect(busy(decodeCalendar(bytes))).toEqual(nine);
  });

  test('whose lines are folded inside of a letter', () => {
    const bytes = new TextEncoder().encode('BEGIN:VEVENT\r\nUID:Zö\r\nEND:VEVENT');
    const inLetter = bytes.indexOf(0xc3) + 1;
    const folded = new Uint8Array([...bytes.slice(0, inLetter), 13, 10, 32, ...bytes.slice(inLetter)]);

    expect(parseComponent(decodeCalendar(folded)).properties[0]?.value).toBe('Zö');
  });
});

describe('no calendar is', () => {
  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html>'],
    ['one that is cut off', whole(atNine).slice(0, -16)],
    ['one that is cut off before another', `BEGIN:VCALENDAR\r\n${atNine}\r\n${whole(atNine)}`],
    ['the end of one', `${atNine}\r\nEND:VCALENDAR`],
  ])('%s', (_, text) => {
    expect(busy(text)).toBe('no_calendar');
  });
});

test.each([
  ['begin:vcalendar \r\n', true],
  ['\uFEFF\r\n\r\nBEGIN:VCALENDAR\n', true],
  ['<pre>\nBEGIN:VCALENDAR\n', false],
  ['BEGIN:VCARD\n', false],
])('%j begins a calendar: %s', (text, begins) => {
  expect(beginsCalendar(text)).toBe(begins);
});

describe('past events are left out by their parsed dates', () => {
  const kept = ['12-03T09:00/12-03T10:00'];

  test.each([
    ['a series in lower case goes on', 'dtstart:20200102T090000Z', 'rrule:freq=weekly'],
    [
      'a series with folded lines goes on',
      'DTSTART:2020\r\n 0102T090000Z',
      'RR\r\n ULE:FREQ=WEEKLY;UN\r\n TIL=20261204',
    ],
    ['a date is added', 'DTSTART:20200102T090000Z', 'rdate:20261203T090000Z'],
  ])('%s', (_, ...lines) => {
    expect((busy(whole(event('UID:1', 'DURATION:PT1H', ...lines))) as string[])[0]).toBe(kept[0]);
  });

  test('an event that says two starts is kept where the first is to come', () => {
    const twice = event('UID:1', 'DTSTART:20261203T090000Z', 'DTSTART:20200102T090000Z', 'DURATION:PT1H');

    expect(busy(whole(twice))).toEqual(kept);
  });

  test('an event of which we read the day alone is kept, whatever end it says', () => {
    const ofDay = event('UID:1', 'DTSTART:20261203 at nine', 'DTEND:20200102T090000Z');

    expect(busy(whole(ofDay))).toEqual(['12-03T00:00/12-04T00:00']);
  });

  test('an event that began long ago and goes on is kept', () => {
    expect(busy(whole(event('DTSTART:20201001T000000Z', 'DURATION:P2254D')))).toHaveLength(3);
  });
});

describe('no calendar keeps us busy', () => {
  const doubtsOf = (...lines: string[]) => {
    const reading = readCalendar(whole(...lines), 'Europe/Lisbon', now);
    return typeof reading === 'string' ? reading : reading.doubts.map(inEnglish);
  };

  test('a rule that goes on after the last date that there is has no more dates', () => {
    expect(
      busy(whole(event('DTSTART:20261204T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=YEARLY;INTERVAL=280000'))),
    ).toEqual(nine);
  });

  test('an event too hard to follow is a doubt of its own', () => {
    const hard = event(
      'DTSTART:00010101T090000Z',
      'DURATION:PT1M',
      'RRULE:FREQ=DAILY;COUNT=999999999;BYWEEKNO=53;BYDAY=MO',
    );

    expect(doubtsOf(hard, atNine)).toEqual([
      "1 event repeats so often that we can't follow. We block that time on every day.",
    ]);
  });

  const many = (count: number, lineOf: (n: number) => string) => Array.from({ length: count }, (_, n) => lineOf(n));
  test.each([
    ['names of zones', many(20_000, (n) => event(`DTSTART;TZID=Zone ${n}:20261204T090000`))],
    ['dates', [event('DTSTART:20261204T090000Z', `RDATE:${many(90_000, () => '20261204T090000Z')}`)]],
    ['events of one name', many(20_000, () => event('UID:1', 'DTSTART:20261204T090000Z', 'RRULE:FREQ=DAILY'))],
    ['lines', [event(many(300_000, () => 'A:').join('\n'))]],
  ])('too many %s are given up', (_, lines) => {
    expect(doubtsOf(lines.join('\n'))).toBe('too_hard');
  });
});
