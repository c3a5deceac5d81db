/*
 * Calendars in the shapes that known programs give them: how they name zones, fold lines, repeat, leave out and move. Their events
 * are from the first of December 2026 on.
 */

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const calendar = (product: string, ...body: string[]) =>
  lines('BEGIN:VCALENDAR', `PRODID:${product}`, 'VERSION:2.0', ...body, 'END:VCALENDAR');
/** Of events with one UID the later ones are dates that were moved. */
const event = (uid: string, ...body: string[]) =>
  lines('BEGIN:VEVENT', 'DTSTAMP:20261120T080000Z', `UID:${uid}`, ...body, 'END:VEVENT').trimEnd();
/** From when to when, in a zone or on whole days: as the two values or a length are written. */
const from = (start: string, end: string, parameter = 'TZID=Europe/Berlin') => [
  `DTSTART;${parameter}:${start}`,
  end.startsWith('P') ? `DURATION:${end}` : `DTEND;${parameter}:${end}`,
];
const days = (first: string, after: string) => from(first, after, 'VALUE=DATE');

const berlin = `BEGIN:VTIMEZONE
TZID:Europe/Berlin
X-LIC-LOCATION:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
TZNAME:GMT+2
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
TZNAME:GMT+1
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE`.split('\n');

/** Each shape by the program that writes it. */
export const corpus: Record<string, string> = {
  'Google: a weekly meeting with a day off and one moved, a holiday, a lunch that is free': calendar(
    '-//Google Inc//Google Calendar 70.9054//EN',
    ...['CALSCALE:GREGORIAN', 'METHOD:PUBLISH', 'X-WR-CALNAME:Work', 'X-WR-TIMEZONE:Europe/Berlin', ...berlin],
    event(
      '4k2v0h@google.com',
      ...from('20260907T093000', '20260907T103000'),
      'RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20270131T225959Z;BYDAY=MO,WE',
      'EXDATE;TZID=Europe/Berlin:20261207T093000',
      'DESCRIPTION:A text that is longer than a line may be\\, so that it is folded',
      '  in the middle of a word and of an escape \\n',
      ...['SEQUENCE:2', 'STATUS:CONFIRMED', 'SUMMARY:Team', 'TRANSP:OPAQUE'],
    ),
    event(
      '4k2v0h@google.com',
      ...from('20261210T150000', '20261210T163000'),
      'RECURRENCE-ID;TZID=Europe/Berlin:20261209T093000',
      ...['STATUS:CONFIRMED', 'SUMMARY:Team'],
    ),
    event('days@google.com', ...days('20261224', '20261227'), 'TRANSP:OPAQUE', 'SUMMARY:Away'),
    event(
      'lunch@google.com',
      ...['DTSTART:20261201T110000Z', 'DTEND:20261201T120000Z', 'RRULE:FREQ=DAILY', 'TRANSP:TRANSPARENT'],
    ),
  ),
  'iCloud: a day that comes back each year, a dentist with an alarm, a series with its end by number': calendar(
    '-//Apple Inc.//iCloud//EN',
    'X-APPLE-CALENDAR-COLOR:#1BADF8',
    ...berlin,
    event('0B7B0E0A-1111', 'CREATED:20260101T000000Z', ...days('20001212', '20001213'), 'RRULE:FREQ=YEARLY'),
    event(
      '0B7B0E0A-2222',
      ...from('20261203T081500', '20261203T090000'),
      'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
      ...['BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Reminder', 'TRIGGER:-PT30M', 'END:VALARM'],
    ),
    event('0B7B0E0A-3333', ...from('20261103T190000', '20261103T203000'), 'RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=8'),
  ),
  'Fastmail and Nextcloud: lengths for ends, a rule for the last Friday, times added by hand': calendar(
    '-//CyrusIMAP.org/Cyrus 3.11//EN',
    event('f1', ...from('20260130T160000', 'PT1H30M'), 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'),
    event(
      'f2',
      ...from('20261202T120000', 'PT45M', 'TZID=America/New_York'),
      'RDATE;TZID=America/New_York:20261204T120000,20261211T130000',
    ),
  ),
  'Thunderbird: a zone with a long name of its own, floating times, an end before midnight': calendar(
    '-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN',
    ...berlin,
    event('t1', ...from('20261205T220000', '20261206T013000'), 'X-MOZ-GENERATION:1'),
    event('t2', 'DTSTART:20261208T140000', 'DTEND:20261208T150000'),
  ),
  'a timetable of a university: many plain times in UTC, one called off': calendar(
    '-//TimeEdit AB//TimeEdit//EN',
    ...Array.from({ length: 20 }, (_, n) => {
      const date = `202612${String(n + 1).padStart(2, '0')}`;
      const status = n === 4 ? ['STATUS:CANCELLED'] : [];
      return event(`te-${n}`, `DTSTART:${date}T081500Z`, `DTEND:${date}T100000Z`, ...status);
    }),
  ),
  'a holiday home: nights as whole days, one after the other': calendar(
    '-//Airbnb Inc//Hosting Calendar 1.0//EN',
    event('a1', ...days('20261215', '20261218')),
    event('a2', ...days('20261218', '20261220')),
    event('a3', ...days('20270105', '20270301')),
  ),
  'duty by weeks: every third week across the change of clocks, from years ago': calendar(
    '-//PlanDay//Roster//EN',
    event(
      'duty',
      ...from('20190107T070000', '20190107T190000', 'TZID=America/New_York'),
      'RRULE:FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TU,WE',
      'EXDATE;TZID=America/New_York:20261215T070000',
    ),
    event(
      'pay',
      ...from('20200101T093000', '20200101T100000', 'TZID=Asia/Kolkata'),
      'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15',
    ),
  ),
};
