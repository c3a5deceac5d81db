import { day, hour } from '../../app/domain/time/clock';

const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

const calendarOf = (events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR', ''].join('\r\n');

/** A calendar of so many events and bytes, of which the last few are ahead, as those of years are. */
export function yearsOfEvents(events: number, bytes: number, now: number): string {
  const filler = `DESCRIPTION:${'x'.repeat(Math.max(0, Math.floor(bytes / events) - 190))}`;
  const eventOf = (n: number) => {
    const start = now + Math.floor((n - events * 0.97) * 2.5) * (day / 2) + hour / 2;
    const times = [`DTSTART;TZID=Europe/Berlin:${stamp(start)}`, `DTEND;TZID=Europe/Berlin:${stamp(start + hour)}`];
    const rest = ['STATUS:CONFIRMED', 'TRANSP:OPAQUE', 'SEQUENCE:0'];
    return ['BEGIN:VEVENT', ...times, `UID:${n}@google.com`, filler, ...rest, 'END:VEVENT'];
  };
  return calendarOf(Array.from({ length: events }, (_, n) => eventOf(n)));
}

/** So many events that have come back each week since 2009. */
export const weeklySince2009 = (rules: number): string =>
  calendarOf(
    Array.from({ length: rules }, (_, n) => {
      const [date, hours] = [(n % 27) + 1, 8 + (n % 10)].map((number) => String(number).padStart(2, '0'));
      const start = `DTSTART;TZID=America/New_York:200901${date}T${hours}0000`;
      return ['BEGIN:VEVENT', start, 'DURATION:PT30M', 'RRULE:FREQ=WEEKLY', `UID:${n}`, 'END:VEVENT'];
    }),
  );
