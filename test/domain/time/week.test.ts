import { beforeAll, describe, expect, test } from 'vitest';
import { datesFrom, drawDay } from '../../../app/domain/calendar/week';
import { readWeek, thisWeek } from '../../../app/domain/calendar/week.server';
import { setHours } from '../../../app/domain/hours/hours.server';
import { inEnglish } from '../../../app/domain/words/english';
import { join, newDb, publishTimes, start, year } from '../../support/history';

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
  ['Europe/Berlin', `${year}-03-31`, 23],
  ['Europe/Berlin', `${year}-10-27`, 25],
  ['Australia/Lord_Howe', `${year}-10-06`, 23.5],
  ['America/Santiago', `${year}-09-08`, 23],
] as const;

const ranges = [
  { start: '04:00', end: '12:00' },
  { start: '13:15', end: '17:30' },
];
const dayOff = `${year}-03-13`;
const hours = {
  hours: [0, 1, 2, 3, 4, 5, 6].flatMap((day) => ranges.map((range) => ({ day, ...range }))),
  except: [{ date: dayOff, hours: [] }],
  ...{ len: 60, gap: 0, ahead: 1, notes: null, templateId: null },
};

describe.each(weeks)('the picture of a week in %s, with %s as long as %d hours', (timeZone, date, length) => {
  const db = newDb();
  const from = thisWeek(timeZone, 0, Date.parse(`${date}T12:00:00Z`));
  let created: number;
  let week: Awaited<ReturnType<typeof readWeek>>;
  let realDays: ((typeof week)['days'][number] & { real: ReturnType<typeof reference> })[];
  beforeAll(async () => {
    const username = `week.${timeZone.slice(-4).toLowerCase()}.${date}`;
    const actor = await join(db, { username, displayName: 'W', timeZone, role: 'Provider', location: 'Lisbon' });
    const dates = datesFrom(from).filter((one) => one >= `${year}-03-10`);
    // What is open all day shows the whole of it.
    ({ created } = await publishTimes(db, actor, { start: '00:00', end: '00:00', dates, len: 60 }));
    await setHours(db, actor, hours, start);
    week = await readWeek(db, actor, from, start);
    realDays = week.days.map((day) => ({ ...day, real: reference(day.date, timeZone) }));
  });

  test('has its seven days', () => {
    expect(week.days.map((day) => day.date)).toEqual(datesFrom(from));
  });

  test('has all that is published', () => {
    expect(created).toBeGreaterThan(24);
    expect(week.days.flatMap(({ items }) => items.flatMap(({ slots }) => slots))).toHaveLength(created);
  });

  test('has the day on which the clocks change as long as it is', () => {
    expect(week.days.find((day) => day.date === date)?.height).toBe(length);
  });

  test('has each day as long as the clocks say', () => {
    for (const day of realDays) expect(day.height, day.date).toBe(day.real.minutes.length / 60);
  });

  test('has a tick at each full hour', () => {
    for (const day of realDays) {
      const ticks = day.real.times.map(({ time }, place) => ({ time, top: place }));
      expect(day.ticks, day.date).toMatchObject(ticks);
    }
  });

  test('has each slot where its time is', () => {
    for (const { date, items, real } of realDays)
      for (const { top, height, startsAt, endsAt } of items) {
        expect(top, `the top, on ${date}`).toBeCloseTo((startsAt - real.from) / hour);
        expect(height, `the height, on ${date}`).toBeCloseTo((endsAt - startsAt) / hour);
      }
  });

  test('is shaded at each minute that the hours do not name', () => {
    for (const { date, closed, real } of realDays) {
      const isOpen = (time: string) =>
        date !== dayOff && ranges.some((range) => range.start <= time && time < range.end);
      const isShaded = real.minutes.map((_, place) =>
        closed.some(({ top, height }) => place >= top * 60 && place < (top + height) * 60),
      );
      expect(isShaded, date).toEqual(real.minutes.map(({ time }) => !isOpen(time)));
    }
  });

  test('says the hours of each day', () => {
    for (const day of week.days) {
      const words = day.date === dayOff ? [] : ['04:00 to 12:00', '13:15 to 17:30'];
      expect(day.hours?.map(inEnglish), day.date).toEqual(words);
    }
  });
});

describe('free times', () => {
  type Free = { at: number; minutes?: number; service?: string };
  /** The times of the day's items, at three by the clock. */
  const timesOf = (free: Free[]) => {
    const items = free.map(({ at, minutes = 30, service = null }) => ({
      ...{ id: `${at}`, kind: 'open' as const, name: null, service, to: `/${at}` },
      ...{ startsAt: at * hour, endsAt: at * hour + minutes * minute },
    }));
    const span = { date: '1970-01-01', from: 0, until: 24 * hour };
    return drawDay(span, items, { zone: 'UTC', now: 3 * hour, isToday: true, open: null }).items;
  };
  const wordsOf = (free: Free[]) => timesOf(free).map(({ start, end, slots }) => `${start} to ${end}, ${slots.length}`);

  test('that follow each other are one', () => {
    expect(wordsOf([{ at: 9 }, { at: 9.5 }, { at: 10 }])).toEqual(['09:00 to 10:30, 3']);
  });

  test('with a short pause between them are one', () => {
    expect(wordsOf([{ at: 9 }, { at: 9.75 }])).toEqual(['09:00 to 10:15, 2']);
  });

  test('with a long pause between them are two', () => {
    expect(wordsOf([{ at: 9 }, { at: 10 }])).toEqual(['09:00 to 09:30, 1', '10:00 to 10:30, 1']);
  });

  test('of two services are two', () => {
    expect(wordsOf([{ at: 9 }, { at: 9.5, service: 'Class' }])).toEqual(['09:00 to 09:30, 1', '09:30 to 10:00, 1']);
  });

  test('that have begun are not one with those to come', () => {
    const [over, toCome] = timesOf([{ at: 2.5 }, { at: 3 }, { at: 3.5 }, { at: 4 }]);

    expect(over).toMatchObject({ isPast: true, start: '02:30', end: '03:30', to: '/2.5' });
    expect(toCome).toMatchObject({ isPast: false, start: '03:30', end: '04:30', to: '/view-open?day=1970-01-01' });
  });
});

describe('the width of what is drawn', () => {
  const item = (id: string, from: number, to: number) => {
    const kind = 'booked' as const;
    return { id, kind, startsAt: from * hour, endsAt: to * hour, name: id, to: '/' };
  };
  /** The left edge and the width of each item, in parts of the day's width. */
  const placesOf = (items: ReturnType<typeof item>[]) => {
    const span = { date: '1970-01-01', from: 0, until: 24 * hour };
    const drawn = drawDay(span, items, { zone: 'UTC', now: 0, isToday: false, open: null });
    return drawn.items.map(({ id, left, width }) => ({ id, left, width }));
  };

  test('is the whole of the day where nothing overlaps', () => {
    expect(placesOf([item('a', 1, 2), item('b', 2, 3)])).toEqual([
      { id: 'a', left: 0, width: 1 },
      { id: 'b', left: 0, width: 1 },
    ]);
  });

  test('is half of the day where two overlap at a time', () => {
    expect(placesOf([item('a', 1, 3), item('b', 2, 4), item('c', 3, 5)])).toEqual([
      { id: 'a', left: 0, width: 0.5 },
      { id: 'b', left: 0.5, width: 0.5 },
      { id: 'c', left: 0, width: 0.5 },
    ]);
  });

  test('is a third of the day where three overlap at a time', () => {
    const third = 1 / 3;

    expect(placesOf([item('d', 6, 7), item('e', 6, 9), item('f', 6.5, 8)])).toEqual([
      { id: 'd', left: 0, width: third },
      { id: 'e', left: third, width: third },
      { id: 'f', left: 2 * third, width: third },
    ]);
  });

  test('is not that of what overlaps at another time', () => {
    const [half, whole] = placesOf([item('a', 1, 3), item('b', 2, 4), item('c', 6, 7)]).filter(({ id }) => id !== 'b');

    expect(half).toMatchObject({ id: 'a', width: 0.5 });
    expect(whole).toMatchObject({ id: 'c', width: 1 });
  });
});
