/* On which day the week begins, by region. From Unicode's locale data. */

const saturday = 'AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY'.split(' ');
const sunday =
  'AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW'.split(
    ' ',
  );

/** 0 (Sunday) to 6. @param region a country's two letters; null if unknown */
export function weekStartIn(region: string | null): number {
  if (region === null || sunday.includes(region)) return 0;
  return saturday.includes(region) ? 6 : 1;
}

/** The seven weekdays in the order of a week that begins on `weekStart`, 0 (Sunday) to 6. */
export const weekdaysFrom = (weekStart: number): number[] =>
  Array.from({ length: 7 }, (_, place) => (weekStart + place) % 7);

/** The region in a reader's preferred language, 'DE' for 'de-DE,en;q=0.8'; null if it names none. */
export function regionOfLanguages(accepted: string): string | null {
  const [first = ''] = accepted.split(',');
  return /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?=[-;\s]|$)/i.exec(first.trim())?.[1]?.toUpperCase() ?? null;
}
