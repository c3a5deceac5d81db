/*
 * Calendars in the shapes that known programs give them: how they name zones, fold lines, repeat, leave out and move. Their events
 * are from the first of December 2026 on.
 */

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const calendar = (product: string, ...body: string[]) =>
  lines('BEGIN:VCALENDAR', `PRODID:${product}`, 'VERSION:2.0', ...body, 'END:VCALENDAR');
const event = (...body: string[]) => lines('BEGIN:VEVENT', ...body, 'END:VEVENT').trimEnd();

const berlin = [
  'BEGIN:VTIMEZONE',
  'TZID:Europe/Berlin',
  'X-LIC-LOCATION:Europe/Berlin',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'TZNAME:GMT+2',
  'DTSTART:19700329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'TZNAME:GMT+1',
  'DTSTART:19701025T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** Each shape by the program that writes it. */
export const corpus: Record<string, string> = {
  'Google: a weekly meeting with a day off and one moved, a holiday, a lunch that is free': calendar(
    '-//Google Inc//Google Calendar 70.9054//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Work',
    'X-WR-TIMEZONE:Europe/Berlin',
    ...berlin,
    event(
      'DTSTART;TZID=Europe/Berlin:20260907T093000',
      'DTEND;TZID=Europe/Berlin:20260907T103000',
      'RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20270131T225959Z;BYDAY=MO,WE',
      'EXDATE;TZID=Europe/Berlin:20261207T093000',
      'DTSTAMP:20261120T080000Z',
      'UID:4k2v0h@google.com',
      'DESCRIPTION:A text that is longer than a line may be\\, so that it is folded',
      '  in the middle of a word and of an escape \\n',
      'SEQUENCE:2',
      'STATUS:CONFIRMED',
      'SUMMARY:Team',
      'TRANSP:OPAQUE',
    ),
    event(
      'DTSTART;TZID=Europe/Berlin:20261210T150000',
      'DTEND;TZID=Europe/Berlin:20261210T163000',
      'DTSTAMP:20261120T080000Z',
      'UID:4k2v0h@google.com',
      'RECURRENCE-ID;TZID=Europe/Berlin:20261209T093000',
      'STATUS:CONFIRMED',
      'SUMMARY:Team',
    ),
    event(
      'DTSTART;VALUE=DATE:20261224',
      'DTEND;VALUE=DATE:20261227',
      'DTSTAMP:20261120T080000Z',
      'UID:days@google.com',
      'TRANSP:OPAQUE',
      'SUMMARY:Away',
    ),
    event(
      'DTSTART:20261201T110000Z',
      'DTEND:20261201T120000Z',
      'DTSTAMP:20261120T080000Z',
      'UID:lunch@google.com',
      'RRULE:FREQ=DAILY',
      'TRANSP:TRANSPARENT',
    ),
  ),
  'iCloud: a day that comes back each year, a dentist with an alarm, a series with its end by number': calendar(
    '-//Apple Inc.//iCloud//EN',
    'X-APPLE-CALENDAR-COLOR:#1BADF8',
    ...berlin,
    event(
      'CREATED:20260101T000000Z',
      'DTSTART;VALUE=DATE:20001212',
      'DTEND;VALUE=DATE:20001213',
      'RRULE:FREQ=YEARLY',
      'DTSTAMP:20261120T080000Z',
      'UID:0B7B0E0A-1111-4C11-8A1D-2F0C1E0C0001',
      'SUMMARY:Birthday',
    ),
    event(
      'DTSTART;TZID=Europe/Berlin:20261203T081500',
      'DTEND;TZID=Europe/Berlin:20261203T090000',
      'DTSTAMP:20261120T080000Z',
      'UID:0B7B0E0A-1111-4C11-8A1D-2F0C1E0C0002',
      'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Reminder',
      'TRIGGER:-PT30M',
      'END:VALARM',
    ),
    event(
      'DTSTART;TZID=Europe/Berlin:20261103T190000',
      'DTEND;TZID=Europe/Berlin:20261103T203000',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=8',
      'DTSTAMP:20261120T080000Z',
      'UID:0B7B0E0A-1111-4C11-8A1D-2F0C1E0C0003',
    ),
  ),
  'Fastmail and Nextcloud: lengths for ends, a rule for the last Friday, times added by hand': calendar(
    '-//CyrusIMAP.org/Cyrus 3.11//EN',
    event(
      'DTSTART;TZID=Europe/Berlin:20260130T160000',
      'DURATION:PT1H30M',
      'RRULE:FREQ=MONTHLY;BYDAY=-1FR',
      'DTSTAMP:20261120T080000Z',
      'UID:f1',
    ),
    event(
      'DTSTART;TZID=America/New_York:20261202T120000',
      'DURATION:PT45M',
      'RDATE;TZID=America/New_York:20261204T120000,20261211T130000',
      'DTSTAMP:20261120T080000Z',
      'UID:f2',
    ),
  ),
  'Thunderbird: a zone with a long name of its own, floating times, an end before midnight': calendar(
    '-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN',
    ...berlin,
    event(
      'DTSTART;TZID=Europe/Berlin:20261205T220000',
      'DTEND;TZID=Europe/Berlin:20261206T013000',
      'DTSTAMP:20261120T080000Z',
      'UID:t1',
      'X-MOZ-GENERATION:1',
    ),
    event('DTSTART:20261208T140000', 'DTEND:20261208T150000', 'DTSTAMP:20261120T080000Z', 'UID:t2'),
  ),
  'a timetable of a university: many plain times in UTC, one called off': calendar(
    '-//TimeEdit AB//TimeEdit//EN',
    ...Array.from({ length: 20 }, (_, n) =>
      event(
        `DTSTART:202612${String(n + 1).padStart(2, '0')}T081500Z`,
        `DTEND:202612${String(n + 1).padStart(2, '0')}T100000Z`,
        'DTSTAMP:20261120T080000Z',
        `UID:te-${n}`,
        ...(n === 4 ? ['STATUS:CANCELLED'] : []),
      ),
    ),
  ),
  'a holiday home: nights as whole days, one after the other': calendar(
    '-//Airbnb Inc//Hosting Calendar 1.0//EN',
    event('DTSTAMP:20261120T080000Z', 'DTSTART;VALUE=DATE:20261215', 'DTEND;VALUE=DATE:20261218', 'UID:a1'),
    event('DTSTAMP:20261120T080000Z', 'DTSTART;VALUE=DATE:20261218', 'DTEND;VALUE=DATE:20261220', 'UID:a2'),
    event('DTSTAMP:20261120T080000Z', 'DTSTART;VALUE=DATE:20270105', 'DTEND;VALUE=DATE:20270301', 'UID:a3'),
  ),
  'duty by weeks: every third week across the change of clocks, from years ago': calendar(
    '-//PlanDay//Roster//EN',
    event(
      'DTSTART;TZID=America/New_York:20190107T070000',
      'DTEND;TZID=America/New_York:20190107T190000',
      'RRULE:FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TU,WE',
      'EXDATE;TZID=America/New_York:20261215T070000',
      'DTSTAMP:20261120T080000Z',
      'UID:duty',
    ),
    event(
      'DTSTART;TZID=Asia/Kolkata:20200101T093000',
      'DTEND;TZID=Asia/Kolkata:20200101T100000',
      'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15',
      'DTSTAMP:20261120T080000Z',
      'UID:pay',
    ),
  ),
};
