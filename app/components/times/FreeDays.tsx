import { type DayOfTimes, type TileTime, TimesOfDay } from './Time';

type FreeTime = DayOfTimes['times'][number] & Pick<DayOfTimes, 'date' | 'timeZone'>;

export function FreeDays({ times, to }: { times: FreeTime[]; to: (time: TileTime) => string }) {
  const days = new Map<string, DayOfTimes>();
  for (const { date, timeZone, ...time } of times) {
    const key = `${date} ${timeZone}`;
    const day = days.get(key) ?? { date, timeZone, times: [] };
    days.set(key, day);
    day.times.push(time);
  }
  return [...days].map(([key, day]) => <TimesOfDay key={key} {...day} to={to} />);
}
