import { describe, expect, test } from 'vitest';
import { type Reading, readCalendar } from '../../../app/domain/busy/reading';
import { inEnglish } from '../../../app/domain/words/english';

/* What the events of a calendar mean, in the ways in which other programs write them. */

const now = Date.UTC(2026, 11, 1);
const [lisbon, berlin, newYork, kolkata] = ['Europe/Lisbon', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'];
const iso = (at: number) => new Date(at).toISOString().slice(5, 16);

function read(home: string, ...lines: string[]): Reading {
  const reading = readCalendar(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n'), home, now);
  if (typeof reading === 'string') throw new Error(reading);
  return reading;
}
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:one', ...lines, 'END:VEVENT'].join('\r\n');

/** The busy times in UTC, such as 12-07T09:00/10:00; the day of the end only where it is another. */
const timesOf = ({ busy }: Reading) =>
  busy.map(({ startsAt, endsAt }) => {
    const [from, to] = [iso(startsAt), iso(endsAt)];
    return `${from}/${from.slice(0, 5) === to.slice(0, 5) ? to.slice(6) : to}`;
  });

type Shape = [name: string, home: string, lines: string[], busy: string[]];

/** Reads each shape without a doubt. */
function reads(shapes: Shape[]): void {
  test.each(shapes)('%s, in %s', (_, home, lines, busy) => {
    const reading = read(home, ...lines);

    expect(timesOf(reading)).toEqual(busy);
    expect(reading.doubts).toEqual([]);
  });
}

/** Reads each shape with a doubt, which it says. */
function doubts(sentence: string, shapes: Shape[]): void {
  test.each(shapes)('%s, in %s', (_, home, lines, busy) => {
    const reading = read(home, ...lines);

    expect(timesOf(reading)).toEqual(busy);
    expect(reading.doubts.map(inEnglish)).toEqual([sentence]);
  });
}

describe('what refers to a series without a zone has the zone of the series', () => {
  const daily = ['DTSTART;TZID=Asia/Tokyo:20261207T090000', 'DTEND;TZID=Asia/Tokyo:20261207T100000'];
  const twice = [...daily, 'RRULE:FREQ=DAILY;COUNT=2'];
  const [first, second] = ['12-07T00:00/01:00', '12-08T00:00/01:00'];

  reads([
    ['an exception', lisbon, [event(...twice, 'EXDATE:20261208T090000')], [first]],
    ['an exception', newYork, [event(...twice, 'EXDATE:20261208T090000')], [first]],
    ['the first of several exceptions', kolkata, [event(...twice, 'EXDATE:20261207T090000,20261209T090000')], [second]],
    ['an added date', berlin, [event(...daily, 'RDATE:20261210T120000')], [first, '12-10T03:00/04:00']],
    ['an added date', newYork, [event(...daily, 'RDATE:20261210T120000')], [first, '12-10T03:00/04:00']],
    ['an added day', newYork, [event(...daily, 'RDATE;VALUE=DATE:20261210')], [first, '12-10T00:00/01:00']],
    [
      'an added period',
      kolkata,
      [event(...daily, 'RDATE;VALUE=PERIOD:20261210T120000/PT30M')],
      [first, '12-10T03:00/03:30'],
    ],
    [
      'a changed date',
      lisbon,
      [event(...twice), event('RECURRENCE-ID:20261208T090000', 'DTSTART:20261208T180000', 'DURATION:PT1H')],
      [first, '12-08T09:00/10:00'],
    ],
    [
      'a changed date that says no end',
      newYork,
      [event(...twice), event('RECURRENCE-ID:20261208T090000', 'DTSTART:20261208T180000')],
      [first, '12-08T09:00/10:00'],
    ],
    ['the last day', newYork, [event(...daily, 'RRULE:FREQ=DAILY;UNTIL=20261208')], [first, second]],
    ['the last time', newYork, [event(...daily, 'RRULE:FREQ=DAILY;UNTIL=20261208T090000')], [first, second]],
    ['an end', newYork, [event(daily[0] as string, 'DTEND:20261207T100000')], [first]],
  ]);
});

describe('of a series of whole days', () => {
  const days = (...lines: string[]) => event('DTSTART;VALUE=DATE:20261207', 'DTEND;VALUE=DATE:20261208', ...lines);
  const [inLisbon, inNewYork] = ['12-07T00:00/12-08T00:00', '12-07T05:00/12-08T05:00'];

  describe('an exception drops the day', () => {
    const except = (line: string) => [days('RRULE:FREQ=DAILY;COUNT=2', line)];

    reads([
      ['with a time', newYork, except('EXDATE:20261208T000000'), [inNewYork]],
      ['with a time in the east', lisbon, except('EXDATE;TZID=Asia/Tokyo:20261208T000000'), [inLisbon]],
      ['with a time in the west', lisbon, except('EXDATE;TZID=America/New_York:20261208T000000'), [inLisbon]],
      ['with a zone and no time', newYork, except('EXDATE;VALUE=DATE;TZID=Europe/Paris:20261208'), [inNewYork]],
      ['at midnight in UTC', newYork, except('EXDATE:20261208T000000Z'), [inNewYork]],
      ['at midnight by one’s own clock', newYork, except('EXDATE:20261208T050000Z'), [inNewYork]],
      ['at midnight by the clock of Berlin', lisbon, except('EXDATE:20261207T230000Z'), [inLisbon]],
      ['at midnight in India', kolkata, except('EXDATE:20261207T183000Z'), ['12-06T18:30/12-07T18:30']],
    ]);
  });

  describe('a changed date replaces the day', () => {
    const moved = (id: string) => [
      days('RRULE:FREQ=DAILY;COUNT=2'),
      event(id, 'DTSTART;VALUE=DATE:20261210', 'DTEND;VALUE=DATE:20261211'),
    ];

    reads([
      ['with a time', lisbon, moved('RECURRENCE-ID:20261208T000000'), [inLisbon, '12-10T00:00/12-11T00:00']],
      ['in UTC', newYork, moved('RECURRENCE-ID:20261208T000000Z'), [inNewYork, '12-10T05:00/12-11T05:00']],
      [
        'in another zone',
        newYork,
        moved('RECURRENCE-ID;TZID=Asia/Tokyo:20261208T000000'),
        [inNewYork, '12-10T05:00/12-11T05:00'],
      ],
    ]);
  });

  describe('the last day counts', () => {
    const until = (last: string) => [days(`RRULE:FREQ=DAILY;UNTIL=${last}`)];
    const two = [inNewYork, '12-08T05:00/12-09T05:00'];

    reads([
      ['at midnight in UTC', newYork, until('20261208T000000Z'), two],
      ['at its end in UTC', newYork, until('20261208T235959Z'), two],
      ['at its end in UTC', berlin, until('20261208T235959Z'), ['12-06T23:00/12-07T23:00', '12-07T23:00/12-08T23:00']],
      ['at its end by one’s own clock', newYork, until('20261209T045959Z'), two],
      [
        'at midnight by one’s own clock',
        berlin,
        until('20261207T230000Z'),
        ['12-06T23:00/12-07T23:00', '12-07T23:00/12-08T23:00'],
      ],
      ['with a time and no zone', newYork, until('20261208T000000'), two],
    ]);
  });

  reads([
    [
      'an added date with a time is a whole day',
      newYork,
      [days('RDATE:20261210T000000Z')],
      [inNewYork, '12-10T05:00/12-11T05:00'],
    ],
    [
      'an added date has no zone',
      lisbon,
      [days('RDATE;TZID=Asia/Tokyo:20261210T000000')],
      [inLisbon, '12-10T00:00/12-11T00:00'],
    ],
    [
      'all later days are moved',
      newYork,
      [
        days('RRULE:FREQ=DAILY;INTERVAL=2;COUNT=2'),
        event(
          'RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261209',
          'DTSTART;VALUE=DATE:20261210',
          'DTEND;VALUE=DATE:20261212',
        ),
      ],
      [inNewYork, '12-10T05:00/12-11T05:00', '12-11T05:00/12-12T05:00'],
    ],
  ]);
});

describe('a zone is known by', () => {
  const at = (zone: string) => [event(`DTSTART;TZID="${zone}":20261207T120000`, 'DURATION:PT1H')];

  reads(
    [
      ['(GMT+05:30) Chennai', '12-07T06:30/07:30'],
      ['UTC+3', '12-07T09:00/10:00'],
      ['GMT -0500', '12-07T17:00/18:00'],
      ['GMT-5', '12-07T17:00/18:00'],
      ['UTC\u221204:30', '12-07T16:30/17:30'],
      ['(UTC+09:30) Somewhere', '12-07T02:30/03:30'],
      ['+0200', '12-07T10:00/11:00'],
      ['Coordinated Universal Time', '12-07T12:00/13:00'],
      ['tzone://Microsoft/Olson/Asia/Tokyo', '12-07T03:00/04:00'],
      ['/example.org/20200101_1/America/Argentina/Buenos_Aires', '12-07T15:00/16:00'],
      ['America/New York', '12-07T17:00/18:00'],
      ['America/New_York-2', '12-07T17:00/18:00'],
      ['tokyo standard time', '12-07T03:00/04:00'],
      ['Tokyo Standard Time 2', '12-07T03:00/04:00'],
      ['Pacific Daylight Time', '12-07T20:00/21:00'],
      ['(UTC-08:00) Pacific Time (US & Canada)', '12-07T20:00/21:00'],
      ['(UTC+01:00) Amsterdam, Berlin, Rom, Wien', '12-07T11:00/12:00'],
      ['(GMT+01.00) Sarajevo/Warsaw/Zagreb', '12-07T11:00/12:00'],
      ['Athens, Bucharest, Istanbul', '12-07T10:00/11:00'],
      ['Central European Summer Time', '12-07T11:00/12:00'],
    ].flatMap(([zone = '', busy = '']) => [lisbon, kolkata].map((home): Shape => [zone, home, at(zone), [busy]])),
  );

  test('a place, which changes its clocks, before an offset, which does not', () => {
    const summer = Date.UTC(2027, 5, 1);
    const lines = [
      'BEGIN:VCALENDAR',
      event('DTSTART;TZID="(UTC+01:00) Madrid, Paris":20270607T120000', 'DURATION:PT1H'),
    ];
    const reading = readCalendar([...lines, 'END:VCALENDAR', ''].join('\r\n'), lisbon, summer) as Reading;

    expect(timesOf(reading)).toEqual(['06-07T10:00/11:00']);
  });

  const sentence = "1 time is in a time zone that we don't know. We read them by your own clock.";
  doubts(sentence, [
    ['not an offset that no clock has', newYork, at('UTC+25'), ['12-07T17:00/18:00']],
    ['not a part of an offset', lisbon, at('UTC+5.75'), ['12-07T12:00/13:00']],
    ['not a short name of many zones', kolkata, at('IST'), ['12-07T06:30/07:30']],
  ]);
});

describe('a zone that the calendar describes itself', () => {
  const part = (name: string, offset: string, ...more: string[]) =>
    [
      `BEGIN:${name}`,
      'DTSTART:16010101T000000',
      `TZOFFSETFROM:${offset}`,
      `TZOFFSETTO:${offset}`,
      ...more,
      `END:${name}`,
    ].join('\r\n');
  const described = (...parts: string[]) => [
    ['BEGIN:VTIMEZONE', 'TZID:Ours', ...parts, 'END:VTIMEZONE'].join('\r\n'),
    event('DTSTART;TZID=Ours:20261207T120000', 'DURATION:PT1H'),
  ];
  const dates = Array.from(
    { length: 1001 },
    (_, at) => `${2000 + (at % 20)}0101T${String(100_000 + at).slice(0, 4)}00`,
  );

  reads([
    ['without changes of clocks', lisbon, described(part('STANDARD', '+0300')), ['12-07T09:00/10:00']],
    ['with an offset in seconds', lisbon, described(part('STANDARD', '+03:00:00')), ['12-07T09:00/10:00']],
  ]);

  doubts("1 time is in a time zone that we don't know. We read them by your own clock.", [
    ['without any offset', kolkata, described(), ['12-07T06:30/07:30']],
    ['with an offset that is none', kolkata, described(part('STANDARD', 'three')), ['12-07T06:30/07:30']],
    [
      'with one offset that is none',
      kolkata,
      described(part('STANDARD', '+0300'), part('DAYLIGHT', 'four')),
      ['12-07T06:30/07:30'],
    ],
    [
      'with more changes than any zone has',
      kolkata,
      described(part('STANDARD', '+0300', `RDATE:${dates.join(',')}`)),
      ['12-07T06:30/07:30'],
    ],
  ]);
});

describe('of several versions of an event', () => {
  const version = (sequence: number | null, hours: string, ...more: string[]) =>
    event(
      `DTSTART:20261207T${hours}0000Z`,
      'DURATION:PT1H',
      ...(sequence === null ? [] : [`SEQUENCE:${sequence}`]),
      ...more,
    );
  const override = (sequence: number, hours: string, ...more: string[]) =>
    version(sequence, hours, 'RECURRENCE-ID:20261207T080000Z', ...more);
  const [ten, both] = ['12-07T10:00/11:00', '12-07T09:00/11:00'];

  reads([
    ['the highest number stands', lisbon, [version(1, '10'), version(0, '09')], [ten]],
    ['the highest number stands last too', newYork, [version(9, '09'), version(10, '10')], [ten]],
    ['a number stands before none', lisbon, [version(1, '10'), version(null, '09')], [ten]],
    ['a cancellation stands', lisbon, [version(1, '09', 'STATUS:CANCELLED'), version(0, '09')], []],
    ['an older cancellation does not', lisbon, [version(1, '09', 'STATUS:CANCELED'), version(2, '10')], [ten]],
    ['free time stands', lisbon, [version(0, '09'), version(1, '09', 'TRANSP:TRANSPARENT')], []],
    [
      'the later stamp stands',
      lisbon,
      [version(1, '10', 'DTSTAMP:20261102T000000Z'), version(1, '09', 'DTSTAMP:20261101T000000Z')],
      [ten],
    ],
    [
      'the later change stands',
      lisbon,
      [version(1, '09', 'LAST-MODIFIED:20261101T000000Z'), version(1, '10', 'LAST-MODIFIED:20261102T000000Z')],
      [ten],
    ],
    ['all stand where nothing tells', lisbon, [version(1, '09'), version(1, '10')], [both]],
    [
      'the newest change of one date stands',
      lisbon,
      [version(5, '08', 'RRULE:FREQ=DAILY;COUNT=1'), override(2, '09'), override(3, '10')],
      [ten],
    ],
    ['the newest change stands without its series', newYork, [override(2, '09'), override(3, '10')], [ten]],
    [
      'changes of two dates both stand',
      lisbon,
      [override(2, '09'), version(3, '10', 'RECURRENCE-ID:20261208T080000Z')],
      [both],
    ],
    [
      'a canceled series takes its older changes with it',
      lisbon,
      [version(3, '08', 'RRULE:FREQ=DAILY', 'STATUS:CANCELLED'), override(2, '09')],
      [],
    ],
  ]);

  test('events without a UID are no versions of each other', () => {
    const plain = (hours: string, sequence: number) =>
      `BEGIN:VEVENT\r\nDTSTART:20261207T${hours}0000Z\r\nDURATION:PT1H\r\nSEQUENCE:${sequence}\r\nEND:VEVENT`;

    expect(timesOf(read(lisbon, plain('09', 1), plain('10', 2)))).toEqual([both]);
  });

  test('a calendar that calls off its events blocks nothing', () => {
    expect(read(lisbon, 'METHOD:CANCEL', version(1, '09'))).toEqual({ busy: [], events: 0, next: null, doubts: [] });
  });
});

describe('a date of a series', () => {
  const weekly = event('DTSTART:20260907T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;UNTIL=20261207T080000Z');
  const change = (id: string, start: string) => event(`RECURRENCE-ID:${id}`, `DTSTART:${start}`, 'DURATION:PT1H');

  reads([
    [
      'that moved in is busy',
      lisbon,
      [weekly, change('20260914T080000Z', '20261203T150000Z')],
      ['12-03T15:00/16:00', '12-07T08:00/09:00'],
    ],
    ['that moved out is free', newYork, [weekly, change('20261207T080000Z', '20270801T080000Z')], []],
    [
      'whose series is not there is busy',
      berlin,
      [change('20261208T080000Z', '20261209T080000Z')],
      ['12-09T08:00/09:00'],
    ],
  ]);
});

describe('the status of an event', () => {
  const withStatus = (line: string) => [event('DTSTART:20261207T090000Z', 'DURATION:PT1H', line)];
  const outlook = 'X-MICROSOFT-CDO-BUSYSTATUS';
  const free = [
    `${outlook}:WORKINGELSEWHERE`,
    `${outlook}:WorkingElsewhere`,
    `${outlook}:FREE`,
    'TRANSP:transparent',
    'STATUS:Cancelled',
    'STATUS:CANCELED',
  ];
  const busy = [
    `${outlook}:OOF`,
    `${outlook}:TENTATIVE`,
    `${outlook}:BUSY`,
    `${outlook}:SOMETHING`,
    'TRANSP:OPAQUE',
    'STATUS:TENTATIVE',
  ];

  reads([
    ...free.map((line): Shape => [line, lisbon, withStatus(line), []]),
    ...busy.map((line): Shape => [line, lisbon, withStatus(line), ['12-07T09:00/10:00']]),
  ]);
});

describe('a rule is understood', () => {
  const ruled = (...rules: string[]) => [event('DTSTART:20261207T090000Z', 'DURATION:PT1H', ...rules)];
  const yearlySince = (date: string, weeks: string) => [
    event(`DTSTART:${date}T090000Z`, 'DURATION:PT1H', `RRULE:FREQ=YEARLY;${weeks}`),
  ];
  const on = (...dates: string[]) => dates.map((date) => `${date}T09:00/10:00`);

  reads([
    ['of the Gregorian calendar', lisbon, ruled('RRULE:RSCALE=GREGORIAN;FREQ=WEEKLY;COUNT=2'), on('12-07', '12-14')],
    ['of weeks of any calendar', lisbon, ruled('RRULE:RSCALE=HEBREW;FREQ=WEEKLY;COUNT=2'), on('12-07', '12-14')],
    [
      'of years with other numbers',
      newYork,
      [event('DTSTART;VALUE=DATE:20251210', 'RRULE:RSCALE=JAPANESE;FREQ=YEARLY')],
      ['12-10T05:00/12-11T05:00'],
    ],
    ['with blanks and lower case', newYork, ruled('RRULE:freq=weekly; count = 2'), on('12-07', '12-14')],
    ['with a part without a value', lisbon, ruled('RRULE:FREQ=DAILY;BYDAY=;COUNT=2'), on('12-07', '12-08')],
    [
      'that stands beside another',
      lisbon,
      ruled('RRULE:FREQ=WEEKLY;COUNT=2', 'RRULE:FREQ=DAILY;COUNT=2'),
      on('12-07', '12-08', '12-14'),
    ],
    [
      'that takes days away',
      lisbon,
      ruled('RRULE:FREQ=DAILY;COUNT=4', 'EXRULE:FREQ=DAILY;INTERVAL=2'),
      on('12-08', '12-10'),
    ],
    [
      'that takes the last day of a short month',
      lisbon,
      [event('DTSTART;VALUE=DATE:20260831', 'RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;UNTIL=20270228')],
      ['12-31T00:00/01-01T00:00', '01-31T00:00/02-01T00:00', '02-28T00:00/03-01T00:00'],
    ],
    [
      'that takes the first day after a short month',
      lisbon,
      [event('DTSTART;VALUE=DATE:20260831', 'RRULE:RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=FORWARD')],
      ['12-01T00:00/12-02T00:00', '12-31T00:00/01-01T00:00', '01-31T00:00/02-01T00:00'],
    ],
    ['of a week that few years have', lisbon, yearlySince('20201228', 'BYWEEKNO=53'), on('12-28')],
    ['of the last week of a year', lisbon, yearlySince('20251222', 'BYWEEKNO=-1'), on('12-28')],
    ['of a week that begins on Sunday', lisbon, yearlySince('20251215', 'BYWEEKNO=50;WKST=SU'), on('12-14')],
    ['of a week that begins on Monday', lisbon, yearlySince('20251215', 'BYWEEKNO=50;WKST=MO'), on('12-07')],
    ['that is hardly ever', lisbon, ruled('RRULE:FREQ=YEARLY;INTERVAL=280000'), on('12-07')],
  ]);
});

describe('a rule with a part that we can’t read blocks all that may be meant, and no more', () => {
  const ruled = (rule: string) => [event('DTSTART:20261207T090000Z', 'DURATION:PT1H', `RRULE:${rule}`)];
  const on = (...dates: string[]) => dates.map((date) => `${date}T09:00/10:00`);
  const twoMondays = ['12-07T00:00/12-08T00:00', '12-08T00:00/01:00', '12-14T00:00/12-15T00:00', '12-15T00:00/01:00'];
  const sentence = '1 event repeats in a way that we can read only in part. We block each time that may be meant.';

  doubts(sentence, [
    ['of an unknown name', lisbon, ruled('FREQ=WEEKLY;X-KIND=3;UNTIL=20261215'), on('12-07', '12-14')],
    ['a place', lisbon, ruled('FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=last;UNTIL=20261209'), on('12-07', '12-08')],
    [
      'a place, and with it a count',
      newYork,
      ruled('FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=x;COUNT=1;UNTIL=20261209'),
      on('12-07', '12-08'),
    ],
    ['a weekday', newYork, ruled('FREQ=WEEKLY;BYDAY=LUN;UNTIL=20261209'), on('12-07', '12-08', '12-09')],
    ['one of two weekdays', lisbon, ruled('FREQ=MONTHLY;BYDAY=1MO,X;UNTIL=20261208'), on('12-07', '12-08')],
    ['a month', lisbon, ruled('FREQ=YEARLY;BYMONTH=Dec;UNTIL=20270108'), on('12-07', '01-07')],
    ['how often', lisbon, ruled('FREQ=WEEKLY;INTERVAL=0;UNTIL=20261215'), on('12-07', '12-14')],
    ['an hour', lisbon, ruled('FREQ=WEEKLY;BYHOUR=noon;UNTIL=20261215'), twoMondays],
    ['hours of some weekdays', newYork, ruled('FREQ=HOURLY;BYDAY=MO;UNTIL=20261215T000000Z'), twoMondays],
    [
      'a year of another calendar',
      lisbon,
      [event('DTSTART;VALUE=DATE:20241226', 'RRULE:RSCALE=HEBREW;FREQ=YEARLY')],
      ['12-05T00:00/12-06T00:00'],
    ],
    ['a count of hours', lisbon, ruled('FREQ=HOURLY;INTERVAL=4;COUNT=3'), twoMondays.slice(0, 2)],
  ]);

  test.each([
    ...['BYMONTH=0', 'BYMONTH=13', 'BYWEEKNO=-54', 'BYWEEKNO=54', 'BYYEARDAY=-367', 'BYYEARDAY=367'],
    ...['BYMONTHDAY=-32', 'BYMONTHDAY=0', 'BYMONTHDAY=32', 'BYHOUR=24', 'BYMINUTE=60', 'BYSECOND=61'],
    ...['BYMONTH=12;BYSETPOS=-367', 'BYMONTH=12;BYSETPOS=0', 'BYMONTH=12;BYSETPOS=367'],
  ])('a number that there is not: %s', (part) => {
    expect(read(lisbon, ...ruled(`FREQ=YEARLY;${part}`)).doubts.map(inEnglish)).toEqual([sentence]);
  });

  test('the Chinese new year, which two programs may count to another day', () => {
    const reading = read(lisbon, event('DTSTART;VALUE=DATE:20240210', 'RRULE:RSCALE=CHINESE;FREQ=YEARLY'));

    expect(timesOf(reading)).toContain('02-06T00:00/02-07T00:00');
    expect(reading.busy.length).toBeLessThanOrEqual(3);
    expect(reading.doubts.map(inEnglish)).toEqual([sentence]);
  });

  test('the end, which then never comes', () => {
    const reading = read(lisbon, ...ruled('FREQ=WEEKLY;UNTIL=Christmas'));

    expect(timesOf(reading).at(-1)).toBe('02-22T09:00/10:00');
    expect(reading.doubts.map(inEnglish)).toEqual([sentence]);
  });
});

describe('an end', () => {
  const timed = (...lines: string[]) => [event('DTSTART;TZID=America/New_York:20261207T090000', ...lines)];
  const whole = (...lines: string[]) => [event('DTSTART;VALUE=DATE:20261207', ...lines)];
  const [hourLong, dayLong] = [['12-07T14:00/15:00'], ['12-07T00:00/12-08T00:00']];

  reads([
    ['at 24:00', lisbon, timed('DTEND;TZID=America/New_York:20261207T240000'), ['12-07T14:00/12-08T05:00']],
    ['at 24:00 in UTC', newYork, timed('DTEND:20261207T240000Z'), ['12-07T14:00/12-08T00:00']],
    ['at a leap second', lisbon, timed('DTEND:20261207T145960Z'), ['12-07T14:00/14:59']],
    ['with dashes', lisbon, timed('DTEND:2026-12-07T15:00:00Z'), hourLong],
    ['on the same date', lisbon, timed('DTEND;VALUE=DATE:20261207'), ['12-07T14:00/12-08T05:00']],
    ['on the next date', kolkata, timed('DTEND;VALUE=DATE:20261208'), ['12-07T14:00/12-08T05:00']],
    ['after nothing', lisbon, timed('DURATION:P'), []],
    ['after one hour without its T', lisbon, timed('DURATION:P1H'), hourLong],
    ['after an hour in halves', lisbon, timed('DURATION:PT0.5H'), ['12-07T14:00/14:30']],
    ['after an hour with a sign', lisbon, timed('DURATION:+PT1H'), hourLong],
    ['after an hour in lower case', lisbon, timed('DURATION:pt1h'), hourLong],
    ['that we can’t read beside a length that we can', lisbon, timed('DTEND:later', 'DURATION:PT1H'), hourLong],
    ['after a day with a T', lisbon, whole('DURATION:PT1D'), dayLong],
    ['after 24 hours', lisbon, whole('DURATION:PT24H'), dayLong],
    ['after 36 hours', lisbon, whole('DURATION:P1DT12H'), [...dayLong, '12-08T00:00/12-09T00:00']],
    ['after an hour of a whole day', lisbon, whole('DURATION:PT1H'), dayLong],
    ['before the start of a whole day', lisbon, whole('DTEND;VALUE=DATE:20261206'), dayLong],
  ]);

  doubts('1 event has no end that we can read. We block an hour.', [
    ['before the start', lisbon, timed('DTEND:20261207T130000Z'), hourLong],
    ['before the start', kolkata, timed('DTEND;TZID=America/New_York:20261207T083000'), hourLong],
    ['after a negative length', lisbon, timed('DURATION:-PT1H'), hourLong],
    ['after months or minutes', newYork, timed('DURATION:P5M'), hourLong],
    ['that is no time', lisbon, timed('DTEND:later'), hourLong],
  ]);

  doubts("1 event has an end that we can't read whole. We block until the end of its day.", [
    [
      'of which only the day can be read',
      lisbon,
      timed('DTEND;TZID=America/New_York:20261207T2590'),
      ['12-07T14:00/12-08T05:00'],
    ],
    [
      'on a day that the month doesn’t have',
      newYork,
      [event('DTSTART:20270227T120000Z', 'DTEND:20270229T120000Z')],
      ['02-27T12:00/02-28T12:00', '02-28T12:00/03-01T12:00'],
    ],
  ]);
});

describe('a start that we can’t read', () => {
  doubts('1 event has a start of which we can read only the day. We block the whole day.', [
    ['at no time of its day', lisbon, [event('DTSTART:20261207T2590', 'DURATION:PT1H')], ['12-07T00:00/12-08T00:00']],
    [
      'at no time of a day of its zone',
      lisbon,
      [event('DTSTART;TZID=America/New_York:20261207T9000')],
      ['12-07T05:00/12-08T05:00'],
    ],
    [
      'and ends the next day',
      newYork,
      [event('DTSTART:20261207T2590Z', 'DTEND:20261208T100000Z')],
      ['12-07T00:00/12-08T00:00', '12-08T00:00/12-09T00:00'],
    ],
    ['on a day that February doesn’t have', lisbon, [event('DTSTART:20270229T090000')], ['02-28T00:00/03-01T00:00']],
    [
      'in a series',
      lisbon,
      [event('DTSTART:20261207T2590', 'RRULE:FREQ=WEEKLY;COUNT=2')],
      ['12-07T00:00/12-08T00:00', '12-14T00:00/12-15T00:00'],
    ],
    [
      'of an added date',
      lisbon,
      [event('DTSTART:20261207T090000', 'DURATION:PT1H', 'RDATE:20261209T9900')],
      ['12-07T09:00/10:00', '12-09T00:00/12-10T00:00'],
    ],
  ]);

  doubts('1 event has no start that we can read. We block the time before its end.', [
    ['but its end', newYork, [event('DTSTART:soon', 'DTEND:20261207T100000Z')], ['12-07T09:00/10:00']],
    ['but its end and length', lisbon, [event('DTEND:20261207T100000', 'DURATION:PT2H')], ['12-07T08:00/10:00']],
    ['but its last day', lisbon, [event('DTEND;VALUE=DATE:20261208')], ['12-07T00:00/12-08T00:00']],
  ]);

  doubts('1 event has no new start that we can read. We block its former time.', [
    [
      'of a changed date',
      lisbon,
      [
        event('DTSTART;TZID=Asia/Tokyo:20261207T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
        event('RECURRENCE-ID:20261208T090000', 'DTSTART:later'),
      ],
      ['12-07T00:00/01:00', '12-08T00:00/01:00'],
    ],
  ]);

  doubts('1 event has no start that we can read. It blocks nothing.', [
    ['and nothing else', lisbon, [event('DTSTART:soon')], []],
    ['on the 41st', newYork, [event('DTSTART:20261241T090000', 'DURATION:PT1H')], []],
  ]);

  doubts("1 exception of repeating events can't be read. We block that time.", [
    [
      'of an exception',
      lisbon,
      [event('DTSTART:20261207T090000', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:tomorrow')],
      ['12-07T09:00/10:00', '12-08T09:00/10:00'],
    ],
  ]);
});

describe('a rule that we can’t read blocks its time on every day', () => {
  const ruled = (rule: string) => [event('DTSTART;VALUE=DATE:20270226', `RRULE:${rule}`)];
  const busy = ['02-26T00:00/02-27T00:00', '02-27T00:00/02-28T00:00', '02-28T00:00/03-01T00:00'];

  doubts("1 event repeats in a way that we can't read. We block that time on every day.", [
    ['of no frequency', lisbon, ruled('BYDAY=MO'), busy],
    ['of an unknown frequency', lisbon, ruled('FREQ=FORTNIGHTLY'), busy],
    ['of an unknown calendar', lisbon, ruled('RSCALE=MAYAN;FREQ=YEARLY'), busy],
  ]);
});

test('a change of all later dates keeps the clock of its zone', () => {
  const march = Date.UTC(2027, 2, 20);
  const lines = [
    event('DTSTART;TZID=Europe/Berlin:20270315T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=3'),
    event(
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20270322T080000Z',
      'DTSTART;TZID=Europe/Berlin:20270322T110000',
      'DURATION:PT1H',
    ),
  ];
  const reading = readCalendar(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n'), newYork, march);

  expect(timesOf(reading as Reading)).toEqual(['03-22T10:00/11:00', '03-29T09:00/10:00']);
});
