import { day, hour } from '../../app/domain/time/clock';

const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** A calendar of so many events and bytes, of which the last few are ahead, as those of years are. */
export function yearsOfEvents(events: number, bytes: number, now: number): string {
  const filler = `DESCRIPTION:${'x'.repeat(Math.max(0, Math.floor(bytes / events) - 190))}`;
  const eventOf = (n: number) => {
    const start = now + Math.floor((n - events * 0.97) * 2.5) * (day / 2) + hour / 2;
    const times = [`DTSTART;TZID=Europe/Berlin:${stamp(start)}`, `DTEND;TZID=Europe/Berlin:${stamp(start + hour)}`];
    const rest = ['STATUS:CONFIRMED', 'TRANSP:OPAQUE', 'SEQUENCE:0'];
    return ['BEGIN:VEVENT', ...times, `UID:${n}@google.com`, filler, ...rest, 'END:VEVENT'];
  };
  const all = Array.from({ length: events }, (_, n) => eventOf(n)).flat();
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...all, 'END:VCALENDAR', ''].join('\r\n');
}
