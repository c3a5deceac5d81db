import { memo } from '../memo';

type WeekInfo = { firstDay: number }; // 1 (Monday) to 7
type LocaleOfWeeks = Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };

const weekStartBy = memo<number>(1000);

/**
 * The day on which weeks begin, 0 (Sunday) to 6. @param region a country's two letters, which decide; null if unknown
 */
export const weekStartIn = (language: string, region: string | null): number =>
  weekStartBy(`${language} ${region}`, () => {
    const locale: LocaleOfWeeks = new Intl.Locale(language, region && region !== nowhere ? { region } : {});
    // Node 20 has only the older property.
    return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 7) % 7;
  });

// The edge says so of a network whose country it doesn't know.
const nowhere = 'XX';

/** The seven weekdays in the order of a week that begins on `weekStart`, 0 (Sunday) to 6. */
export const weekdaysFrom = (weekStart: number): number[] =>
  Array.from({ length: 7 }, (_, place) => (weekStart + place) % 7);

/** Things of weekdays in the order of such a week; those of one day stay as they are. */
export const inWeekOrder = <Thing>(things: Thing[], dayOf: (thing: Thing) => number, weekStart: number): Thing[] =>
  weekdaysFrom(weekStart).flatMap((day) => things.filter((thing) => dayOf(thing) === day));

/** The region in a reader's preferred language, 'DE' for 'de-DE,en;q=0.8'; null if it names none. */
export function regionOfLanguages(accepted: string): string | null {
  const [first = ''] = accepted.split(',');
  return /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?=[-;\s]|$)/i.exec(first.trim())?.[1]?.toUpperCase() ?? null;
}
