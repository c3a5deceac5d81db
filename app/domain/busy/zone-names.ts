import { hour, isTimeZone, minute } from '../time/clock';
import { type Clock, clockOf } from './clocks';
import { zoneOfWindows } from './windows-zones';

// Programs name zones in many ways: Europe/Berlin, W. Europe Standard Time, /citadel.org/20210210_1/Europe/Berlin,
// (UTC+01:00) Amsterdam, Berlin, Bern, GMT -0500.

const plain = (name: string) => name.replaceAll(/["\\]/g, '').replaceAll(/\s+/g, ' ').trim();

/** The same for two spellings of one name. */
export const nameKey = (name: string): string => plain(name).toLowerCase();

/** Finds a zone by its IANA name, even at the end of a longer name, or by its Windows name. */
export function zoneNamed(text: string): string | undefined {
  const name = plain(text);
  if (/^(utc|gmt|z|zulu|tzone:\/\/microsoft\/utc)$/i.test(name)) return 'UTC';
  if (isTimeZone(name)) return name;
  const ofWindows = zoneOfWindows(name);
  if (ofWindows) return isTimeZone(ofWindows) ? ofWindows : undefined;
  // Some programs put a prefix before it, such as /freeassociation.sourceforge.net/Europe/Berlin.
  const ends = name.replaceAll(' ', '_').split('/').filter(Boolean);
  if (ends.length < 2) return undefined;
  return [ends.slice(-3), ends.slice(-2)].map((end) => end.join('/')).find((end) => end !== name && isTimeZone(end));
}

/** Places that Windows and others name instead of the city of the IANA zone, and common short names. */
const places: Record<string, string> = {
  'abu dhabi': 'Asia/Dubai',
  alaska: 'America/Anchorage',
  arizona: 'America/Phoenix',
  astana: 'Asia/Almaty',
  beijing: 'Asia/Shanghai',
  bern: 'Europe/Zurich',
  brasilia: 'America/Sao_Paulo',
  canberra: 'Australia/Sydney',
  'central european time': 'Europe/Berlin',
  chennai: 'Asia/Kolkata',
  'eastern european time': 'Europe/Helsinki',
  edinburgh: 'Europe/London',
  hanoi: 'Asia/Bangkok',
  hawaii: 'Pacific/Honolulu',
  'indiana (east)': 'America/Indianapolis',
  islamabad: 'Asia/Karachi',
  'mitteleuropaische zeit': 'Europe/Berlin',
  mumbai: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  newfoundland: 'America/St_Johns',
  osaka: 'Asia/Tokyo',
  pretoria: 'Africa/Johannesburg',
  saskatchewan: 'America/Regina',
  'st. petersburg': 'Europe/Moscow',
  wellington: 'Pacific/Auckland',
  'western european time': 'Europe/Lisbon',
  aedt: 'Australia/Sydney',
  aest: 'Australia/Sydney',
  bst: 'Europe/London',
  cest: 'Europe/Berlin',
  edt: 'America/New_York',
  eest: 'Europe/Helsinki',
  mdt: 'America/Denver',
  nzdt: 'Pacific/Auckland',
  nzst: 'Pacific/Auckland',
  pdt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  west: 'Europe/Lisbon',
};

let cities: Map<string, string> | undefined;

function zoneOfCity(city: string): string | undefined {
  cities ??= new Map(
    Intl.supportedValuesOf('timeZone')
      .filter((zone) => zone.includes('/') && !zone.startsWith('Etc/'))
      .map((zone) => [zone.slice(zone.lastIndexOf('/') + 1).toLowerCase(), zone]),
  );
  return cities.get(city.replaceAll(' ', '_'));
}

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');

/** The zone of a part of a name, such as 'Berlin', 'Eastern Time (US & Canada)' or 'GMT Standard Time 1'. */
function zoneOfPart(text: string): string | undefined {
  const part = withoutAccents(text)
    .toLowerCase()
    .replace(/[ _-]\d+$/, '')
    .trim();
  const bare = part.replaceAll(/\([^)]*\)/g, '').trim();
  return (
    places[part] ??
    places[bare] ??
    zoneOfCity(bare) ??
    zoneOfWindows(part) ??
    zoneOfWindows(bare.replace(/( standard| daylight| summer)? time$/, ' standard time'))
  );
}

const offsetPattern = /(?:utc|gmt|^\(?)\s*([+\u2212\u2013-])\s*(\d{1,2})(?:[:.]?([0-5]\d))?(?![:.,]?\d)/i;

/** Reads an offset inside of a name, such as 'UTC+3' or '(GMT -05:00)', in milliseconds. */
function offsetIn(name: string): number | undefined {
  const [, sign, hours, minutes = '0'] = offsetPattern.exec(name) ?? [];
  if (sign)
    return Number(hours) > 14 ? undefined : (sign === '+' ? 1 : -1) * (Number(hours) * hour + Number(minutes) * minute);
  return /\b(utc|gmt|zulu|universal time|greenwich mean time)\b(?!\s*[+\u2212\u2013-]?\s*\d)/i.test(name)
    ? 0
    : undefined;
}

const [winter, summer] = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
const hasOffset = (clock: Clock, offset: number) =>
  winter - clock(winter) === offset || summer - clock(summer) === offset;

/** The clock that an unknown name describes: by the places in it, or else by the offset in it. */
export function clockOfWords(text: string): Clock | undefined {
  const name = plain(text);
  if (/(^|\/)etc\//i.test(name)) return undefined;
  const offset = offsetIn(name);
  // A place whose clock has another offset than the name says is not what is meant.
  for (const part of [name, ...name.replace(/^\([^)]*\)/, '').split(/[,;:/]/)]) {
    const zone = zoneOfPart(part.trim());
    const clock = zone && isTimeZone(zone) ? clockOf(zone) : undefined;
    if (clock && (offset === undefined || hasOffset(clock, offset))) return clock;
  }
  return offset === undefined ? undefined : (at) => at - offset;
}
