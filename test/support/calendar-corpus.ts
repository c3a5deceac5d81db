/* Calendars in the shapes that known programs give them, from the first of December 2026 on. */

const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\n').replaceAll('\n', '\r\n');
const event = (uid: string, lines: string) =>
  `BEGIN:VEVENT\nUID:${uid}\nDTSTAMP:20261120T080000Z\n${lines}\nEND:VEVENT`;

const berlin = `BEGIN:VTIMEZONE
TZID:Europe/Berlin
BEGIN:DAYLIGHT
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
BEGIN:STANDARD
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE`;

/** Each shape by the program that writes it. */
export const corpus: Record<string, string> = {
  'Google: a weekly meeting with a day off and one moved, a holiday, a lunch that is free': calendar(
    'X-WR-TIMEZONE:Europe/Berlin',
    berlin,
    event(
      'team@google.com',
      `DTSTART;TZID=Europe/Berlin:20260907T093000
DTEND;TZID=Europe/Berlin:20260907T103000
RRULE:FREQ=WEEKLY;WKST=MO;UNTIL=20270131T225959Z;BYDAY=MO,WE
EXDATE;TZID=Europe/Berlin:20261207T093000
DESCRIPTION:A text that is longer than a line may be\\, so that it is folded
  in the middle of a word and of an escape \\n
TRANSP:OPAQUE`,
    ),
    event(
      'team@google.com',
      `DTSTART;TZID=Europe/Berlin:20261210T150000
DTEND;TZID=Europe/Berlin:20261210T163000
RECURRENCE-ID;TZID=Europe/Berlin:20261209T093000`,
    ),
    event('days@google.com', 'DTSTART;VALUE=DATE:20261224\nDTEND;VALUE=DATE:20261227'),
    event('lunch@google.com', 'DTSTART:20261201T110000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY\nTRANSP:TRANSPARENT'),
  ),
  'iCloud and Nextcloud: a day of each year, an alarm, a series with its end by number, times added by hand': calendar(
    berlin,
    event('birthday', 'DTSTART;VALUE=DATE:20001212\nDTEND;VALUE=DATE:20001213\nRRULE:FREQ=YEARLY'),
    event(
      'dentist',
      `DTSTART;TZID=Europe/Berlin:20261203T221500
DTEND;TZID=Europe/Berlin:20261204T090000
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT30M
END:VALARM`,
    ),
    event('choir', 'DTSTART;TZID=Europe/Berlin:20261103T190000\nDURATION:PT90M\nRRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=8'),
    event(
      'class',
      `DTSTART;TZID=America/New_York:20261202T120000
DURATION:PT45M
RDATE;TZID=America/New_York:20261204T120000,20261211T130000`,
    ),
    event('floating', 'DTSTART:20261208T140000\nDTEND:20261208T150000'),
  ),
  'duty by weeks: every third week across the change of clocks, from years ago': calendar(
    event(
      'duty',
      `DTSTART;TZID=America/New_York:20190107T070000
DTEND;TZID=America/New_York:20190107T190000
RRULE:FREQ=WEEKLY;INTERVAL=3;BYDAY=MO,TU,WE
EXDATE;TZID=America/New_York:20261215T070000`,
    ),
    event('pay', 'DTSTART;TZID=Asia/Kolkata:20200101T093000\nDURATION:PT30M\nRRULE:FREQ=MONTHLY;BYMONTHDAY=1,15'),
  ),
};
