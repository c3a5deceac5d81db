import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Reading, readCalendar } from '../../../app/domain/busy/reading';
import { inEnglish } from '../../../app/domain/words/english';
import { corpus } from '../../support/calendar-corpus';
import { yearsOfEvents } from '../../support/large-calendar';
import { anyCalendar, plainly, plainlyBusy } from '../../support/plain-busy';

const now = Date.UTC(2026, 11, 1, 12);
const home = 'Europe/Lisbon';
const whole = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n');

function read(...lines: string[]): Reading {
  const reading = readCalendar(whole(...lines), home, now);
  if (typeof reading === 'string') throw new Error(reading);
  return reading;
}
const iso = (at: number) => new Date(at).toISOString().slice(5, 16);
const times = (...lines: string[]) =>
  read(...lines).busy.map(({ startsAt, endsAt }) => `${iso(startsAt)}/${iso(endsAt)}`);

describe('busy times are read', () => {
  test('of an event, not of its folded text or its alarm', () => {
    const alarm = 'BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nDURATION:PT5H\r\nEND:VALARM';
    const folded = 'SUMMARY:A title that is folded\r\n \\nBEGIN:VEVENT';

    expect(times(event('DTSTART:20261202T090000', 'DTEND:20261202T100000', 'UID:1', folded, alarm))).toEqual([
      '12-02T09:00/12-02T10:00',
    ]);
  });

  test('of days that go on, each by itself', () => {
    expect(times(event('DTSTART;VALUE=DATE:20261220', 'DTEND;VALUE=DATE:20261222', 'UID:2'))).toEqual([
      '12-20T00:00/12-21T00:00',
      '12-21T00:00/12-22T00:00',
    ]);
  });

  describe('of Outlook', () => {
    const atNine = (zone: string, ...more: string[]) =>
      event(`DTSTART;TZID=${zone}:20261202T090000`, `DTEND;TZID=${zone}:20261202T093000`, `UID:${zone}`, ...more);

    test('in a zone by its Windows name', () => {
      expect(times(atNine('W. Europe Standard Time'))).toEqual(['12-02T08:00/12-02T08:30']);
    });

    test('in a zone by its quoted Windows name', () => {
      expect(times(atNine('"Eastern Standard Time"'))).toEqual(['12-02T14:00/12-02T14:30']);
    });

    test('not where it says that the time is free', () => {
      expect(times(atNine('India Standard Time', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'))).toEqual([]);
    });

    test('of a whole day out of office', () => {
      const dates = ['DTSTART;VALUE=DATE:20261204', 'DTEND;VALUE=DATE:20261205'];

      expect(times(event(...dates, 'UID:4', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'))).toEqual(['12-04T00:00/12-05T00:00']);
    });
  });

  test('of a zone that the calendar describes itself', () => {
    const half = (name: string, [from, to]: string[], month: number) =>
      `BEGIN:${name}\r\nDTSTART:16010101T020000\r\nTZOFFSETFROM:${from}\r\nTZOFFSETTO:${to}\r\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=${month}\r\nEND:${name}`;
    const zone = [
      'BEGIN:VTIMEZONE\r\nTZID:Customized Time Zone',
      half('STANDARD', ['+0530', '+0430'], 1),
      half('DAYLIGHT', ['+0430', '+0530'], 9),
      'END:VTIMEZONE',
    ];
    const on = (date: string) =>
      event(`DTSTART;TZID=Customized Time Zone:${date}T090000`, `UID:${date}`, 'DURATION:PT30M');
    expect(times(...zone, on('20261202'), on('20270205'))).toEqual([
      '12-02T03:30/12-02T04:00',
      '02-05T04:30/02-05T05:00',
    ]);
  });

  const at = (date: string, uid: string, ...more: string[]) =>
    event(`DTSTART:${date}T090000Z`, `DTEND:${date}T100000Z`, `UID:${uid}`, ...more);

  test.each([
    ['is canceled', at('20261202', 'one', 'STATUS:CANCELLED')],
    ['is of this Daybook', at('20261202', 'provider1234@daybook')],
    ['is over', at('20200101', 'two')],
    ['is too far ahead', at('20270401', 'three')],
    ['repeats no more', at('20150101', 'four', 'RRULE:FREQ=DAILY;UNTIL=20200101T000000Z')],
  ])('not of what %s', (_, unread) => {
    expect(read(unread)).toEqual({ busy: [], events: 0, next: null, doubts: [] });
  });
});

describe('what is in doubt', () => {
  const startsIn = (reading: Reading) => reading.busy.map(({ startsAt }) => iso(startsAt));

  test('of an unknown zone is read by the provider’s own clock', () => {
    const reading = read(event('DTSTART;TZID=Middle Earth Time:20261202T090000', 'DURATION:PT1H', 'UID:1'));

    expect(startsIn(reading)).toEqual(['12-02T09:00']);
    expect(reading.doubts.map(inEnglish)).toEqual([
      "1 time is in a time zone that we don't know. We read them by your own clock.",
    ]);
  });

  test('of an unknown repetition blocks its time on every day', () => {
    const rule = 'RRULE:FREQ=LUNAR;UNTIL=20261207';
    const reading = read(event('DTSTART:20261205T100000', 'DTEND:20261205T103000', rule, 'UID:2'));

    expect(startsIn(reading).slice(0, 3)).toEqual(['12-05T10:00', '12-06T10:00', '12-07T10:00']);
    expect(reading.doubts.map(inEnglish)).toEqual([
      "1 event repeats in a way that we can't read. We block that time on every day.",
    ]);
  });

  test('of an end before the start blocks an hour', () => {
    const reading = read(event('DTSTART:20270220T100000', 'DTEND:20270220T090000', 'UID:3'));

    expect(reading.busy.map(({ startsAt, endsAt }) => endsAt - startsAt)).toEqual([60 * 60_000]);
    expect(reading.doubts.map(inEnglish)).toEqual(['1 event has no end that we can read. We block an hour.']);
  });

  test('of no start blocks nothing, and is said', () => {
    const reading = read(event('DTSTART:soon', 'UID:4'));

    expect(reading.busy).toEqual([]);
    expect(reading.doubts.map(inEnglish)).toEqual(['1 event has no start that we can read. It blocks nothing.']);
  });

  test.each([
    ['nothing', ''],
    ['a page', '<!doctype html>'],
    ['half a calendar', whole().slice(0, -10)],
    ['the beginning of a calendar', 'BEGIN:VCALENDAR\r\n'],
  ])('is no calendar where there is %s', (_, text) => {
    expect(readCalendar(text, home, now)).toBe('no_calendar');
  });
});

describe('of very many events', () => {
  /** Six times of each hour, for ever: more than 12,000 in the next 90 days. */
  const sixAnHour = (uid: string) =>
    event(
      'DTSTART:20261201T000000Z',
      'DURATION:PT1M',
      `RRULE:FREQ=DAILY;BYHOUR=${[...Array(24).keys()]};BYMINUTE=0,10,20,30,40,50`,
      `UID:${uid}`,
    );

  test('the short breaks between are closed', () => {
    const reading = read(sixAnHour('1'));

    expect(reading.events).toBeGreaterThan(12_000);
    expect(reading.busy.length).toBeLessThanOrEqual(1000);
    expect(reading.doubts.map(inEnglish)).toEqual([
      'It has so many events that we block short breaks between them too.',
    ]);
  });

  test('so many that nobody has them are refused', () => {
    const five = ['1', '2', '3', '4', '5'].map(sixAnHour);

    expect(readCalendar(whole(...five), home, now)).toBe('too_many_events');
  });
});

describe('a calendar that is written to keep us busy', () => {
  const often = `BYHOUR=${[...Array(24).keys()]};BYMINUTE=${Array.from({ length: 12 }, (_, n) => n * 5)}`;
  const copies = (count: number, ...lines: string[]) =>
    Array.from({ length: count }, (_, n) => event(...lines, `UID:${n}`));

  test.each([
    ['many times of each day', copies(5_000, 'DTSTART:20260101T090000', `RRULE:FREQ=DAILY;${often}`)],
    [
      'events that last for centuries',
      copies(5_000, 'DTSTART:00010101T090000', 'DURATION:P99999W', 'RRULE:FREQ=DAILY'),
    ],
    [
      'thousands of one name, each with thousands of exceptions',
      [
        ...Array.from({ length: 8_000 }, () => event('DTSTART:20261201T090000', 'RRULE:FREQ=DAILY', 'UID:1')),
        ...Array.from({ length: 8_000 }, () =>
          event('DTSTART:20261204T100000', 'RECURRENCE-ID:20261203T090000', 'UID:1'),
        ),
      ],
    ],
  ])('is given up soon: %s', (_, events) => {
    expect(readCalendar(whole(...events), home, now)).toBe('too_hard');
  });
});

test('a large calendar of 2 MB and 5,000 events is read', () => {
  const reading = readCalendar(yearsOfEvents(5000, 2_000_000, now), home, now) as Reading;

  expect(reading.events).toBeGreaterThan(60);
  expect(reading.doubts).toEqual([]);
});

test.each(Object.entries(corpus))('another program reads the same in the calendar of %s', (_, text) => {
  const now = Date.UTC(2026, 11, 1);
  for (const home of ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata']) {
    const reading = readCalendar(text, home, now);
    if (typeof reading === 'string') throw new Error(reading);
    expect(reading.doubts).toEqual([]);
    expect(plainly(reading.busy, now)).toEqual(plainlyBusy(text, home, now));
    expect(reading.busy.length).toBeGreaterThan(1);
  }
});

// More: CASES=100000 npx vitest run test/domain/busy/busy-calendars.test.ts
test('a calendar blocks the times that another program reads in it', () => {
  let [cases, spans] = [0, 0];
  fc.assert(
    fc.property(anyCalendar, ({ text, home, now }) => {
      const reading = readCalendar(text, home, now);
      if (typeof reading === 'string') throw new Error(reading);
      expect(reading.doubts).toEqual([]);
      const busy = plainly(reading.busy, now);
      expect(busy).toEqual(plainlyBusy(text, home, now));
      cases += 1;
      spans += busy.length;
    }),
    { numRuns: Number(env.CASES) },
  );
  expect(spans).toBeGreaterThan(3 * cases);
}, 900_000);
