import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Reading, readCalendar } from '../../../app/domain/busy/reading';
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
  test('of an event, not of its folded text or its alarm; of days that go on, each by itself', () => {
    const alarm = 'BEGIN:VALARM\r\nTRIGGER:-PT15M\r\nDURATION:PT5H\r\nEND:VALARM';
    const folded = 'SUMMARY:A title that is folded\r\n \\nBEGIN:VEVENT';
    expect(
      times(
        event('DTSTART:20261202T090000', 'DTEND:20261202T100000', 'UID:1', folded, alarm),
        event('DTSTART;VALUE=DATE:20261220', 'DTEND;VALUE=DATE:20261222', 'UID:2'),
      ),
    ).toEqual(['12-02T09:00/12-02T10:00', '12-20T00:00/12-21T00:00', '12-21T00:00/12-22T00:00']);
  });

  test('of Outlook: names of Windows zones, its own zone, what is free, a whole day', () => {
    const atNine = (zone: string, ...more: string[]) =>
      event(`DTSTART;TZID=${zone}:20261202T090000`, `DTEND;TZID=${zone}:20261202T093000`, `UID:${zone}`, ...more);
    expect(
      times(
        atNine('W. Europe Standard Time'),
        atNine('"Eastern Standard Time"'),
        atNine('India Standard Time', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'),
        event('DTSTART;VALUE=DATE:20261204', 'DTEND;VALUE=DATE:20261205', 'UID:4', 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'),
      ),
    ).toEqual(['12-02T08:00/12-02T08:30', '12-02T14:00/12-02T14:30', '12-04T00:00/12-05T00:00']);
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

  test('not of what is canceled, of this Daybook, over, or too far ahead', () => {
    const at = (date: string, uid: string, ...more: string[]) =>
      event(`DTSTART:${date}T090000Z`, `DTEND:${date}T100000Z`, `UID:${uid}`, ...more);
    const reading = read(
      at('20261202', 'one', 'STATUS:CANCELLED'),
      at('20261202', 'provider1234@daybook'),
      at('20200101', 'two'),
      at('20270401', 'three'),
      at('20150101', 'four', 'RRULE:FREQ=DAILY;UNTIL=20200101T000000Z'),
    );
    expect(reading).toEqual({ busy: [], events: 0, next: null, doubts: [] });
  });
});

describe('what is in doubt', () => {
  test('blocks, and is said', () => {
    const reading = read(
      event('DTSTART;TZID=Middle Earth Time:20261202T090000', 'DURATION:PT1H', 'UID:1'),
      event('DTSTART:20261205T100000', 'DTEND:20261205T103000', 'RRULE:FREQ=LUNAR;UNTIL=20261207', 'UID:2'),
      event('DTSTART:20270220T100000', 'DTEND:20270220T090000', 'UID:3'),
      event('DTSTART:soon', 'UID:4'),
    );
    expect(reading.busy.slice(0, 3).map(({ startsAt }) => iso(startsAt))).toEqual([
      '12-02T09:00',
      '12-05T10:00',
      '12-06T10:00',
    ]);
    expect(reading.doubts).toEqual([
      "1 time is in a time zone that we don't know. We read them by your own clock.",
      "1 event repeats in a way that we can't read. We block that time on every day.",
      '1 event has no end that we can read. We block an hour.',
      '1 event has no start that we can read. It blocks nothing.',
    ]);
  });

  test('half a calendar, a page and nothing are none', () => {
    for (const text of ['', '<!doctype html>', whole().slice(0, -10), 'BEGIN:VCALENDAR\r\n']) {
      expect(readCalendar(text, home, now)).toBe('no_calendar');
    }
  });

  test('so many events that nobody has them are refused, and many breaks are closed', () => {
    const all = (minutes: string) =>
      whole(
        event(
          'DTSTART:20261201T000000Z',
          'DURATION:PT1M',
          `RRULE:FREQ=DAILY;BYHOUR=${[...Array(24).keys()]};BYMINUTE=${minutes}`,
          'UID:1',
        ),
      );
    const reading = readCalendar(all('0,10,20,30,40,50'), home, now) as Reading;
    expect([reading.busy.length <= 1000, reading.events > 12_000]).toEqual([true, true]);
    expect(reading.doubts).toEqual(['It has so many events that we block short breaks between them too.']);
    const copies = Array.from({ length: 5 }, (_, n) =>
      all('0,10,20,30,40,50').split('\r\n').slice(2, -2).join('\r\n').replace('UID:1', `UID:${n}`),
    );
    expect(readCalendar(whole(...copies), home, now)).toBe('too_many_events');
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
    expect(readCalendar(whole(...events), home, now)).toBe('too_many_events');
  });
});

test('a large calendar of 2 MB and 5,000 events is read', () => {
  const reading = readCalendar(yearsOfEvents(5000, 2_000_000, now), home, now) as Reading;
  expect([reading.events > 60, reading.doubts]).toEqual([true, []]);
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
