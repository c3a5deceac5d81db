import { day, hour } from '../../app/domain/time/clock';

const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** A calendar of so many events and bytes, of which the last few are ahead, as those of years are. */
export function yearsOfEvents(events: number, bytes: number, now: number): string {
  const filler = `DESCRIPTION:${'x'.repeat(Math.max(0, Math.floor(bytes / events) - 190))}`;
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...Array.from({ length: events }, (_, n) => {
      const start = now + Math.floor((n - events * 0.97) * 2.5) * (day / 2) + hour / 2;
      return [
        'BEGIN:VEVENT',
        `DTSTART;TZID=Europe/Berlin:${stamp(start)}`,
        `DTEND;TZID=Europe/Berlin:${stamp(start + hour)}`,
        `UID:${n}@google.com`,
        filler,
        'STATUS:CONFIRMED',
        'TRANSP:OPAQUE',
        'SEQUENCE:0',
        'END:VEVENT',
      ].join('\r\n');
    }),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}

/** So many events that have come back each week since 2009. */
export const weeklySince2009 = (rules: number): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...Array.from({ length: rules }, (_, n) =>
      [
        'BEGIN:VEVENT',
        `DTSTART;TZID=America/New_York:200901${String((n % 27) + 1).padStart(2, '0')}T${String(8 + (n % 10)).padStart(2, '0')}0000`,
        'DURATION:PT30M',
        'RRULE:FREQ=WEEKLY',
        `UID:${n}`,
        'END:VEVENT',
      ].join('\r\n'),
    ),
    'END:VCALENDAR',
    '',
  ].join('\r\n');
