import { readCalendar } from '../../app/domain/busy/reading';
import { Chance } from './chance';

/* Searches for the calendars that take the most processor time to read. */

/** What a server may send, in characters. */
const mostLetters = 2_000_000;
/** In milliseconds of processor time, for any calendar. */
export const mostTime = 100;

export type SlowCalendar = { time: number; kinds: string[]; result: string; letters: number };

const now = Date.UTC(2026, 11, 1, 12);
const list = (length: number, from = 0) => Array.from({ length }, (_, n) => n + from).join(',');
const uid = (chance: Chance, n: number) => `UID:${chance.is(0.5) ? 'one' : n}`;
const event = (...lines: string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\n');

function anyRule(chance: Chance): string {
  const parts = [
    `INTERVAL=${chance.of([2, 7, 53, 400, 280_000, 999_999_999])}`,
    `COUNT=${chance.of([1, 1000, 999_999_999])}`,
    `UNTIL=${chance.of(['20270301', '99991231T235959Z'])}`,
    `BYMONTH=${list(12, 1)}`,
    `BYMONTHDAY=${chance.of([list(31, 1), '31', '-31', '30'])}`,
    `BYYEARDAY=${chance.of([list(366, 1), '-366'])}`,
    `BYWEEKNO=${chance.of([list(53, 1), '53'])}`,
    `BYDAY=${chance.of(['MO', 'MO,TU,WE,TH,FR,SA,SU', Array.from({ length: 53 }, (_, n) => `${n + 1}MO`).join(',')])}`,
    `BYHOUR=${list(24)}`,
    `BYMINUTE=${chance.of(['0', '0,5,10,15,20,25,30,35,40,45,50,55'])}`,
    `BYSETPOS=${chance.of(['-1', '366', list(366, 1)])}`,
  ].filter(() => chance.is(0.3));
  return `RRULE:${[`FREQ=${chance.of(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'HOURLY'])}`, ...parts].join(';')}`;
}

const anyStart = (chance: Chance) =>
  `${chance.of(['00010101', '16010101', '20090105', '20260101', '20261202', '99990101'])}T090000${chance.of(['', 'Z'])}`;

/** Kinds of components: each gives one, and a file has many. */
const kinds: Record<string, (chance: Chance, n: number) => string> = {
  rule: (chance, n) => event(`DTSTART:${anyStart(chance)}`, anyRule(chance), uid(chance, n)),
  'long rule': (chance, n) =>
    event(`DTSTART:${anyStart(chance)}`, `DURATION:P${chance.of([1, 4000, 99_999])}W`, anyRule(chance), uid(chance, n)),
  'zone name': (chance, n) =>
    event(`DTSTART;TZID=${chance.of(['Zone', 'Area/Zone', 'a/b/c/Zone'])}${n}:20261202T090000`),
  'described zone': (_, n) => event('DTSTART;TZID=Described:20261202T090000', `UID:${n}`),
  change: (chance, n) => event('DTSTART:20261203T090000', `RECURRENCE-ID:${anyStart(chance)}`, uid(chance, n)),
  'later changes': (chance, n) =>
    event('DTSTART:20261203T090000', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20261201T090000', uid(chance, n)),
  'dates added': (chance, n) =>
    event(
      'DTSTART:20261201T090000',
      `RDATE:${Array.from({ length: 500 }, () => anyStart(chance)).join(',')}`,
      uid(chance, n),
    ),
  'dates left out': (chance, n) =>
    event(
      'DTSTART:20261201T090000',
      'RRULE:FREQ=DAILY',
      ...Array.from({ length: 500 }, () => `EXDATE;TZID=Described:${anyStart(chance)}`),
      uid(chance, n),
    ),
  'many lines': (chance, n) => event('RECURRENCE-ID:20261201T090000', 'A:\n'.repeat(5000), uid(chance, n)),
  'empty event': () => event(),
  'nested component': (chance) => event('DTSTART:20261202T090000', 'BEGIN:X\n'.repeat(chance.of([10, 1000]))),
  'colons and quotes': (chance) => event(`DTSTART;TZID=${chance.of([':', '"', ':"', ';', '";'])}`.repeat(500)),
  fold: () => event(`D${'\n '.repeat(2000)}TSTART:20261202T090000`),
  'busy list': () => `BEGIN:VFREEBUSY\nFREEBUSY:${'20261202T090000Z/PT1H,'.repeat(500)}\nEND:VFREEBUSY`,
  'zone of many dates': (_, n) => describedZone(`Described${n % 3 || ''}`, 400),
};

const describedZone = (name: string, dates: number) =>
  [
    'BEGIN:VTIMEZONE',
    `TZID:${name}`,
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0130',
    ...Array.from({ length: dates }, (_, n) => `RDATE:${2000 + (n % 50)}0${(n % 9) + 1}1${n % 10}T000000`),
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\n');

function anyCalendar(chance: Chance): { text: string; kinds: string[] } {
  const chosen = Array.from({ length: 1 + chance.below(3) }, () => chance.of(Object.keys(kinds)));
  const most = chance.of([20_000, 200_000, mostLetters]);
  const parts = [describedZone('Described', 990)];
  let letters = (parts[0] as string).length + 40;
  for (let n = 0; ; n++) {
    const part = (kinds[chosen[n % chosen.length] as string] as (chance: Chance, n: number) => string)(chance, n);
    letters += part.length + 1;
    if (letters > most) break;
    parts.push(part);
  }
  return { text: ['BEGIN:VCALENDAR', ...parts, 'END:VCALENDAR', ''].join('\n'), kinds: chosen };
}

function timeOf(text: string): { time: number; result: string } {
  const begun = process.cpuUsage().user;
  const reading = readCalendar(text, 'Europe/Lisbon', now);
  const time = (process.cpuUsage().user - begun) / 1000;
  return { time, result: typeof reading === 'string' ? reading : `${reading.events} events` };
}

/** Reads random calendars, and lists the slowest. One that seems slow is read twice more, and its best time counts. */
export function slowestCalendars(calendars: number, seed: number, shown = 10): SlowCalendar[] {
  const slowest: SlowCalendar[] = [];
  for (let n = 0; n < calendars; n++) {
    const { text, kinds } = anyCalendar(new Chance(seed + 7919 * n));
    const first = timeOf(text);
    const isSlow = first.time > (slowest.length < shown ? 0 : (slowest.at(-1)?.time ?? 0));
    const time = isSlow ? Math.min(first.time, timeOf(text).time, timeOf(text).time) : first.time;
    slowest.push({ time, result: first.result, kinds, letters: text.length });
    slowest.sort((one, other) => other.time - one.time);
    slowest.length = Math.min(shown, slowest.length);
  }
  return slowest;
}
