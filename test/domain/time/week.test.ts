import { describe, expect, test } from 'vitest';
import { datesFrom, drawDay } from '../../../app/domain/calendar/week';
import { readWeek, thisWeek } from '../../../app/domain/calendar/week.server';
import { setHours } from '../../../app/domain/hours/hours.server';
import { join, newDb, publishTimes, start } from '../../support/history';

/* Weeks in which the clocks change, against a look at every minute by the runtime's own calendar. */

const minute = 60_000;
const hour = 60 * minute;

/** The minutes of a local date that really pass, and what the clock says at each full hour from the first one on. */
function reference(local: string, zone: string) {
  const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const clock = new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...date, ...time });
  const noon = Date.parse(`${local}T12:00:00Z`);
  const minutes: { at: number; time: string }[] = [];
  for (let at = noon - 40 * hour; at < noon + 40 * hour; at += minute) {
    const [day, time] = clock.format(at).split(', ');
    if (day === local) minutes.push({ at, time: time ?? '' });
  }
  return { minutes, from: minutes[0]?.at ?? 0, times: minutes.filter((_, place) => place % 60 === 0) };
}

const weeks = [
  ['Europe/Berlin', '2030-03-31', 23],
  ['Europe/Berlin', '2030-10-27', 25],
  ['Australia/Lord_Howe', '2030-10-06', 23.5],
  ['America/Santiago', '2030-09-08', 23],
] as const;

const ranges = [
  { start: '04:00', end: '12:00' },
  { start: '13:15', end: '17:30' },
];
const hours = {
  hours: [0, 1, 2, 3, 4, 5, 6].flatMap((day) => ranges.map((range) => ({ day, ...range }))),
  except: [{ date: '2030-03-13', hours: [] }],
  ...{ len: 60, gap: 0, ahead: 1, notes: null, templateId: null },
};

describe('the picture of a week', () => {
  const db = newDb();

  test.each(weeks)('in %s, with %s as long as %d hours', async (timeZone, date, length) => {
    const username = `week.${timeZone.slice(-4).toLowerCase()}.${date}`;
    const actor = await join(db, { username, displayName: 'W', timeZone, role: 'Provider', location: 'Lisbon' });
    const from = thisWeek(timeZone, 0, Date.parse(`${date}T12:00:00Z`));
    const dates = datesFrom(from).filter((one) => one >= '2030-03-10');
    // What is open all day shows the whole of it.
    const { created } = await publishTimes(db, actor, { start: '00:00', end: '00:00', dates, len: 60 });
    expect(created).toBeGreaterThan(24);
    await setHours(db, actor, hours, start);
    const { days, hasHours } = await readWeek(db, actor, from, start);
    expect([hasHours, days.map((one) => one.date)]).toEqual([true, datesFrom(from)]);
    expect(days.flatMap(({ items }) => items)).toHaveLength(created);
    expect(days.find((day) => day.date === date)?.height).toBe(length);
    for (const day of days) {
      const real = reference(day.date, timeZone);
      const ticks = real.times.map(({ time }, place) => ({ time, top: place }));
      expect([day.date, day.height, day.ticks]).toMatchObject([day.date, real.minutes.length / 60, ticks]);
      for (const { top, height, startsAt, endsAt } of day.items) {
        expect(top).toBeCloseTo((startsAt - real.from) / hour);
        expect(height).toBeCloseTo((endsAt - startsAt) / hour);
      }
      // It is shaded at each minute that the hours do not name.
      const isOpen = (time: string) =>
        day.date !== '2030-03-13' && ranges.some((range) => range.start <= time && time < range.end);
      const shaded = real.minutes.map((_, place) =>
        day.closed.some(({ top, height }) => place >= top * 60 && place < (top + height) * 60),
      );
      expect([day.date, shaded]).toEqual([day.date, real.minutes.map(({ time }) => !isOpen(time))]);
      expect(day.hoursWords).toBe(day.date === '2030-03-13' ? 'Closed' : '04:00 to 12:00, 13:15 to 17:30');
    }
  });

  test('gives what overlaps a place of its own, and what does not the whole width', () => {
    const item = (id: string, from: number, to: number) => {
      const kind = 'booked' as const;
      return { id, kind, startsAt: from * hour, endsAt: to * hour, name: id, to: '/' };
    };
    const span = { date: '1970-01-01', from: 0, until: 24 * hour };
    const all = [item('a', 1, 3), item('b', 2, 4), item('c', 3, 5)];
    const threefold = [item('d', 6, 7), item('e', 6, 9), item('f', 6.5, 8)];
    const { items } = drawDay(span, [...all, ...threefold], { zone: 'UTC', now: 0, isToday: false, open: null });
    const third = 1 / 3;
    expect(items.map(({ id, left, width }) => [id, left, width])).toEqual([
      ['a', 0, 0.5],
      ['b', 0.5, 0.5],
      ['c', 0, 0.5],
      ['d', 0, third],
      ['e', third, third],
      ['f', 2 * third, third],
    ]);
  });
});
