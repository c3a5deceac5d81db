import fc from 'fast-check';
import ICAL from 'ical.js';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import type { Span } from '../../app/domain/time/zones';
import { instantOf, plainly, zones } from './plain-busy';

/*
 * Random calendars of every rule that RFC 5545 allows with a day or more between its periods, and their busy times: ical.js
 * parses, rrule-temporal repeats. What we and they read differently, and why it is not among the calendars or is evened out:
 *
 * - FREQ=HOURLY and below: we block in doubt.
 * - A first start that the rule does not yield: we count it, as Google and Outlook do; rrule-temporal leaves it out.
 * - UNTIL: rrule-temporal wants the type of DTSTART, we take each. It is compared here, so that both ends are ours to state.
 * - Whole days: rrule-temporal has instants, so they are repeated in UTC and put on the clock of the provider afterwards.
 */

const day = 86_400_000;
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const dateText = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
const timeText = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

const listOf = (values: fc.Arbitrary<unknown>, most: number) =>
  fc.uniqueArray(values, { minLength: 1, maxLength: most }).map((list) => list.join(','));
const part = (name: string, values: fc.Arbitrary<string>, freq = 1) =>
  fc.option(values, { nil: '', freq }).map((list) => (list === '' ? '' : `;${name}=${list}`));
const signed = (most: number) => fc.oneof(fc.integer({ min: 1, max: most }), fc.integer({ min: -most, max: -1 }));

const months = part('BYMONTH', listOf(fc.integer({ min: 1, max: 12 }), 5));
const monthDays = part('BYMONTHDAY', listOf(signed(31), 4));
const plainDays = part('BYDAY', listOf(fc.constantFrom(...weekdays), 5));
const daysBy = (most: number) =>
  part(
    'BYDAY',
    listOf(
      fc.tuple(fc.option(signed(most), { nil: '' }), fc.constantFrom(...weekdays)).map((both) => both.join('')),
      3,
    ),
  );
const yearDays = part('BYYEARDAY', listOf(signed(366), 4));
// Week 53 is in some years only; weeks have no weekdays by number (RFC 5545, 3.3.10).
const weeks = fc.tuple(part('BYWEEKNO', listOf(signed(53), 3)), plainDays).map((parts) => parts.join(''));

const partsOf = {
  DAILY: [months, monthDays, plainDays],
  WEEKLY: [months, plainDays],
  MONTHLY: [months, monthDays, daysBy(5)],
  YEARLY: [
    fc.oneof(
      weeks,
      fc.tuple(months, monthDays, daysBy(5)).map((parts) => parts.join('')),
      yearDays,
    ),
  ],
};

const anyRule = (isAllDay: boolean) =>
  fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY').chain((frequency) =>
    fc
      .record({
        interval: fc.integer({ min: 1, max: frequency === 'YEARLY' ? 2 : 5 }),
        parts: fc.tuple(...partsOf[frequency as keyof typeof partsOf]).map((parts) => parts.join('')),
        times: isAllDay
          ? fc.constant('')
          : fc
              .tuple(
                part('BYHOUR', listOf(fc.integer({ min: 0, max: 23 }), 3), 4),
                part('BYMINUTE', listOf(fc.constantFrom(0, 15, 30, 59), 2), 4),
              )
              .map((parts) => parts.join('')),
        places: part('BYSETPOS', listOf(signed(4), 2), 3),
        weekStart: part('WKST', fc.constantFrom(...weekdays)),
        count: part('COUNT', fc.integer({ min: 1, max: 60 }).map(String), 2),
      })
      .map(({ interval, parts, times, places, weekStart, count }) => {
        const some = parts + times === '' ? '' : places;
        return `FREQ=${frequency};INTERVAL=${interval}${parts}${times}${some}${weekStart}${count}`;
      }),
  );

const inUtc = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC');

// The generator and the reader ask for the same starts one after the other.
let latest = new Map<string, number[]>();

/** The starts of a rule up to a time, as if the zone were UTC. */
function startsOf(rule: string, first: number, until: number): number[] {
  const key = `${rule} ${first} ${until}`;
  const known = latest.get(key);
  if (known) return known;
  const rrule = new RRuleTemporal({ rruleString: `RRULE:${rule}`, dtstart: inUtc(first), maxIterations: 100_000 });
  const starts = rrule.between(new Date(first - 1), new Date(until), true).map((time) => time.epochMilliseconds);
  if (latest.size >= 20) latest = new Map();
  latest.set(key, starts);
  return starts;
}

/** Reads the busy times of a calendar, event by event. */
export function busyByRules(text: string, home: string, now: number): Span[] {
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
  const spans: Span[] = [];
  const at = (time: ICAL.Time) => instantOf(time, home);
  const local = (time: ICAL.Time) => Date.UTC(time.year, time.month - 1, time.day, time.hour, time.minute, time.second);
  const timeOf = (event: ICAL.Component, name: string) => event.getFirstPropertyValue(name) as ICAL.Time;
  for (const event of events) {
    const start = timeOf(event, 'dtstart');
    const zone = start.zone?.tzid === 'floating' || start.isDate ? home : (start.zone?.tzid ?? home);
    const onClock = (time: number) => inUtc(time).toPlainDateTime().toZonedDateTime(zone).epochMilliseconds;
    const duration = event.getFirstPropertyValue('duration') as ICAL.Duration | null;
    const length = duration
      ? duration.toSeconds() * 1000
      : start.isDate
        ? local(timeOf(event, 'dtend')) - local(start)
        : at(timeOf(event, 'dtend')) - at(start);
    const gone = new Set(
      [
        ...event.getAllProperties('exdate'),
        ...(event.hasProperty('recurrence-id')
          ? []
          : events
              .filter(
                (other) => String(other.getFirstPropertyValue('uid')) === String(event.getFirstPropertyValue('uid')),
              )
              .flatMap((other) => other.getAllProperties('recurrence-id'))),
      ].map((property) => at(property.getFirstValue() as ICAL.Time)),
    );
    const rule = event.getFirstPropertyValue('rrule') as ICAL.Recur | null;
    const until = rule?.until ? at(rule.until) : Number.POSITIVE_INFINITY;
    const written = String(rule ?? '').replace(/;UNTIL=[^;]*/, '');
    const yielded = rule
      ? startsOf(written, local(start), now + 100 * day).filter((time) => onClock(time) <= until)
      : [];
    const added = event.getAllProperties('rdate').flatMap((property) => property.getValues() as ICAL.Time[]);
    const starts = new Set([
      ...[local(start), ...yielded].map((time) => [onClock(time), start.isDate ? onClock(time + length) : 0].join()),
      ...added.map((time) => [at(time), start.isDate ? onClock(local(time) + length) : 0].join()),
    ]);
    for (const [startsAt = 0, endsAt = 0] of [...starts].map((both) => both.split(',').map(Number)))
      if (!gone.has(startsAt)) spans.push({ startsAt, endsAt: endsAt || startsAt + length });
  }
  return plainly(spans, now);
}

const anySeries = (now: number, uid: number) =>
  fc
    .record({
      ago: fc.oneof(fc.integer({ min: -80, max: 60 }), fc.integer({ min: 60, max: 300 })),
      minutes: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
      length: fc.constantFrom(15, 60, 600, 1500),
      days: fc.integer({ min: 1, max: 3 }),
      isAllDay: fc.constantFrom(false, false, true),
      hasEnd: fc.boolean(),
      clock: fc.constantFrom('Z', '', ...zones.map((zone) => `;TZID=${zone}`)),
      until: fc.option(fc.integer({ min: 0, max: 600 }), { nil: null, freq: 2 }),
      dropped: fc.array(fc.nat(30), { maxLength: 3 }),
      moved: fc.array(fc.tuple(fc.nat(30), fc.integer({ min: -50, max: 50 })), { maxLength: 2 }),
      added: fc.array(fc.tuple(fc.integer({ min: 0, max: 90 }), fc.nat(95)), { maxLength: 2 }),
    })
    .chain((event) => fc.tuple(fc.constant(event), anyRule(event.isAllDay)))
    .map(([event, rule]) => {
      const { isAllDay, clock } = event;
      const first = Math.floor(now / day - event.ago) * day + (isAllDay ? 0 : event.minutes * 60_000);
      const [mark, z] = clock === 'Z' ? ['', 'Z'] : [clock, ''];
      const at = (name: string, time: number) =>
        isAllDay ? `${name};VALUE=DATE:${dateText(time)}` : `${name}${mark}:${timeText(time)}${z}`;
      const length = isAllDay ? event.days * day : event.length * 60_000;
      const end = (time: number) =>
        event.hasEnd ? at('DTEND', time + length) : `DURATION:${isAllDay ? `P${event.days}D` : `PT${event.length}M`}`;
      const noon = isAllDay ? '' : clock === '' ? 'T120000' : 'T120000Z';
      const until =
        event.until === null || rule.includes('COUNT') ? '' : `;UNTIL=${dateText(first + event.until * day)}${noon}`;
      const block = (...lines: string[]) =>
        ['BEGIN:VEVENT', `UID:series-${uid}`, ...lines, 'END:VEVENT', ''].join('\r\n');
      const starts = startsOf(rule, first, now + 100 * day).filter((time) => time > now - 3 * day);
      const some = (place: number) => (starts.length > 0 ? [starts[place % starts.length] as number] : []);
      const dropped = [...new Set(event.dropped.flatMap(some))];
      const moved = new Map(event.moved.flatMap(([place, by]) => some(place).map((from) => [from, by] as const)));
      for (const one of dropped) moved.delete(one);
      const added = event.added.map(([days, quarters]) =>
        at('RDATE', Math.floor(now / day + days) * day + (isAllDay ? 0 : quarters * 15 * 60_000)),
      );
      return [
        block(
          at('DTSTART', first),
          end(first),
          `RRULE:${rule}${until}`,
          ...dropped.map((one) => at('EXDATE', one)),
          ...added,
        ),
        ...[...moved].map(([from, by]) => {
          const to = from + by * (isAllDay ? day : 45 * 60_000);
          return block(at('RECURRENCE-ID', from), at('DTSTART', to), end(to));
        }),
      ].join('');
    });

/** A calendar of up to three series, at some moment of some year. */
export const anyCalendarOfRules = fc
  .record({
    now: fc
      .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2031, 0, 1) })
      .map((at) => Math.floor(at / 60_000) * 60_000),
    home: fc.constantFrom('UTC', ...zones),
  })
  .chain(({ now, home }) =>
    fc.record({
      now: fc.constant(now),
      home: fc.constant(home),
      text: fc
        .tuple(...[0, 1, 2].map((uid) => fc.option(anySeries(now, uid), { nil: '' })))
        .map((events) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n${events.join('')}END:VCALENDAR\r\n`),
    }),
  );
