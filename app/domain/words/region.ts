import { memo } from '../memo';
import type { Locale } from './languages';

/** What a region changes in how its readers write times. */
export type Habits = { hourCycle: 'h12' | 'h23'; isMonthFirst: boolean; digits: string };

const habitsBy = memo<Habits>(1000);

/** How the readers of this tag write times, by Intl. English without a region has the formats of the product. */
export const habitsOf = (tag: string): Habits => habitsBy(tag, () => readHabits(tag));

function readHabits(tag: string): Habits {
  const { language, region, hourCycle } = new Intl.Locale(tag);
  if (language === 'en' && !region)
    return { hourCycle: hourCycle === 'h12' ? 'h12' : 'h23', isMonthFirst: false, digits: 'latn' };
  const clock = new Intl.DateTimeFormat(tag, { hour: 'numeric' }).resolvedOptions();
  const date = new Intl.DateTimeFormat(tag, { month: 'long', day: 'numeric', calendar: 'gregory' }).formatToParts(0);
  const parts = date.map(({ type }) => type);
  return {
    hourCycle: clock.hourCycle === 'h11' || clock.hourCycle === 'h12' ? 'h12' : 'h23',
    isMonthFirst: parts.indexOf('month') < parts.indexOf('day'),
    digits: clock.numberingSystem,
  };
}

/**
 * The locale in which a page is written that readers of several regions share: one for each language, hour cycle, order of
 * dates and kind of digits, so 'de' for 'de-AT' and 'es-u-hc-h12' for 'es-AR'.
 */
export function sharedLocale({ language, tag }: Locale): Locale {
  const habits = habitsOf(tag);
  const isAmerican = language === 'en' && habits.isMonthFirst;
  const base = isAmerican ? 'en-US' : language;
  const usual = habitsOf(base);
  const differing = [
    habits.hourCycle === usual.hourCycle ? '' : `-hc-${habits.hourCycle}`,
    habits.digits === usual.digits ? '' : `-nu-${habits.digits}`,
  ].join('');
  return { language, tag: differing ? `${base}-u${differing}` : base };
}
