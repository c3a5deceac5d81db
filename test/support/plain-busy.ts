import fc from 'fast-check';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import type { Span } from '../../app/domain/time/zones';

/* Busy times by ical.js and Temporal's clocks, and random calendars, to compare with ours. */

const daysAhead = 90 * 86_400_000;

/** Gives ical.js the offsets of Temporal. */
class ZoneOfTemporal extends ICAL.Timezone {
  override utcOffset({ year, month, day, hour, minute, second }: ICAL.Time): number {
    const local = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
    return local.toZonedDateTime(this.tzid).offsetNanoseconds / 1e9;
  }
}
export const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Santiago'];
for (const tzid of zones) {
  const zone = new ZoneOfTemporal({ tzid, component: '' });
  ICAL.TimezoneService.register(zone, tzid);
}

export function instantOf({ zone, year, month, day, hour, minute, second }: ICAL.Time, home: string): number {
  const tzid = zone?.tzid === 'floating' ? home : (zone?.tzid ?? home);
  return Temporal.PlainDateTime.from({ year, month, day, hour, minute, second }).toZonedDateTime(tzid)
    .epochMilliseconds;
}

function merged(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.startsAt - other.startsAt)) {
    const last = all.at(-1);
    if (last && span.startsAt <= last.endsAt) last.endsAt = Math.max(last.endsAt, span.endsAt);
    else all.push({ ...span });
  }
  return all;
}

/** Joined times within the window, however they were cut. */
export const plainly = (spans: Span[], now: number): Span[] =>
  merged(spans).flatMap(({ startsAt, endsAt }) => {
    const span = { startsAt: Math.max(startsAt, now), endsAt: Math.min(endsAt, now + daysAhead) };
    return span.endsAt > span.startsAt ? [span] : [];
  });

/** Reads a calendar by ical.js, event by event and start by start. */
export function plainlyBusy(text: string, home: string, now: number): Span[] {
  const events = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((one) => new ICAL.Event(one, { strictExceptions: true, exceptions: [] }));
  const spans: Span[] = [];
  for (const event of events.filter((one) => !one.isRecurrenceException())) {
    const others = events.filter((one) => one.isRecurrenceException() && one.uid === event.uid);
    for (const other of others) event.relateException(other);
    const add = (item: ICAL.Event, from: ICAL.Time, to: ICAL.Time, first: ICAL.Event) => {
      if (item.component.getFirstPropertyValue('status') === 'CANCELLED') return;
      if (item.component.getFirstPropertyValue('transp') === 'TRANSPARENT') return;
      const [startsAt, wall] = [instantOf(from, home), instantOf(to, home)];
      // A timed event has the same length when clocks change; ical.js adds by the clock.
      const duration = first.component.getFirstPropertyValue('duration') as ICAL.Duration | null;
      const length = duration
        ? duration.toSeconds() * 1000
        : instantOf(first.endDate, home) - instantOf(first.startDate, home);
      spans.push({ startsAt, endsAt: from.isDate ? wall : startsAt + length });
    };
    if (!event.isRecurring()) {
      add(event, event.startDate, event.endDate, event);
      continue;
    }
    // The first start counts even if the rule names another, as in Google and Outlook; ical.js leaves it out.
    const rules = event.component.getAllProperties('rrule').map((one) => one.getFirstValue() as ICAL.Recur);
    const isNamed = rules.some((rule) => rule.iterator(event.startDate).next()?.compare(event.startDate) === 0);
    if (!isNamed) add(event, event.startDate, event.endDate, event);
    const iterator = event.iterator();
    for (let next = iterator.next(); next; next = iterator.next()) {
      if (instantOf(next, home) > now + daysAhead + 60 * 86_400_000) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      add(item, startDate, endDate, item);
    }
  }
  return plainly(spans, now);
}

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const two = (n: number) => String(n).padStart(2, '0');
const dateText = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
const timeText = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

const some = <Value>(values: Value[], most: number) => fc.subarray(values, { minLength: 1, maxLength: most });
const part = (name: string, values: fc.Arbitrary<unknown[]>) =>
  fc.option(values, { nil: [], freq: 2 }).map((list) => (list.length > 0 ? `;${name}=${list.join(',')}` : ''));

/** The parts of rules by frequency, without those that ical.js expands wrongly, such as 30 February and BYSETPOS. */
const partsOf = {
  DAILY: [part('BYDAY', some(weekdays, 5)), part('BYMONTH', some([1, 2, 3, 6, 9, 11, 12], 5))],
  WEEKLY: [part('BYDAY', some(weekdays, 4)), fc.constantFrom('', ';WKST=SU', ';WKST=MO', ';WKST=WE')],
  MONTHLY: [
    fc.oneof(
      fc.constant(''),
      some(['1MO', '2TU', '-1FR', '3SU', '-2WE', '4TH'], 2).map((list) => `;BYDAY=${list.join(',')}`),
      some([1, 5, 13, 28, 30, 31, -1], 3).map((list) => `;BYMONTHDAY=${list.join(',')}`),
      fc.constant(';BYDAY=FR;BYMONTHDAY=13,14,15'),
    ),
  ],
  YEARLY: [
    fc.oneof(
      fc.constant(''),
      some([1, 3, 5, 7, 10, 12], 3).map((list) => `;BYMONTH=${list.join(',')}`),
      fc
        .tuple(some([1, 4, 10, 11], 2), fc.constantFrom('1SU', '-1SU', '2MO', '4TH'))
        .map(([months, weekday]) => `;BYMONTH=${months.join(',')};BYDAY=${weekday}`),
      fc
        .tuple(some([1, 4, 9], 2), some([1, 15, 29, 30], 2))
        .map(([months, dates]) => `;BYMONTH=${months.join(',')};BYMONTHDAY=${dates.join(',')}`),
    ),
  ],
};

/** @param noon of the last day, as the rule writes it */
const anyRule = (first: number, noon: string) =>
  fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY').chain((frequency) =>
    fc
      .tuple(
        fc.integer({ min: 1, max: frequency === 'YEARLY' ? 2 : 4 }),
        fc.tuple(...partsOf[frequency as keyof typeof partsOf]),
        fc.oneof(
          fc.constant(''),
          fc.integer({ min: 1, max: 60 }).map((count) => `;COUNT=${count}`),
          fc.integer({ min: 0, max: 500 }).map((days) => `;UNTIL=${dateText(first + days * 86_400_000)}${noon}`),
        ),
      )
      // In a daily rule with weekdays ical.js counts a first day that is none of them.
      .map(([interval, parts, end]) => {
        const ending = frequency === 'DAILY' && parts.join('') !== '' && end.startsWith(';COUNT') ? '' : end;
        return `FREQ=${frequency};INTERVAL=${interval}${parts.join('')}${ending}`;
      }),
  );

const state = fc.constantFrom('', '', '', '', 'STATUS:CANCELLED\r\n', 'STATUS:TENTATIVE\r\n', 'TRANSP:TRANSPARENT\r\n');

const noonOf = ({ isAllDay, clock }: { isAllDay: boolean; clock: string }) =>
  isAllDay ? '' : clock === '' ? 'T120000' : 'T120000Z';

/** One event of a calendar, alone or a series with days left out, added and moved. */
const anyEvent = (now: number, uid: number) =>
  fc
    .record({
      ago: fc.integer({ min: -80, max: 200 }),
      minutes: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
      length: fc.constantFrom(15, 60, 90, 600, 1500),
      days: fc.integer({ min: 1, max: 3 }),
      isAllDay: fc.constantFrom(false, false, true),
      hasEnd: fc.boolean(),
      clock: fc.constantFrom('Z', '', ...zones.map((zone) => `;TZID=${zone}`)),
      isRepeated: fc.boolean(),
      state,
      dropped: fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3 }),
      moved: fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -50, max: 50 }), state), {
        maxLength: 2,
      }),
    })
    .chain((event) => {
      const first =
        Math.floor(now / 86_400_000 - event.ago) * 86_400_000 + (event.isAllDay ? 0 : event.minutes * 60_000);
      return fc.record({
        event: fc.constant(event),
        first: fc.constant(first),
        // A start without a zone has an end without one (RFC 5545, 3.3.10); ical.js takes another for its clock.
        rule: event.isRepeated ? anyRule(first, noonOf(event)) : fc.constant(''),
      });
    })
    .map(({ event, first, rule }) => {
      const { isAllDay, clock } = event;
      const [mark, z] = clock === 'Z' ? ['', 'Z'] : [clock, ''];
      const at = (name: string, time: number) =>
        isAllDay ? `${name};VALUE=DATE:${dateText(time)}\r\n` : `${name}${mark}:${timeText(time)}${z}\r\n`;
      const length = isAllDay ? event.days * 86_400_000 : event.length * 60_000;
      const end = (time: number) =>
        event.hasEnd
          ? at('DTEND', time + length)
          : `DURATION:${isAllDay ? `P${event.days}D` : `PT${event.length}M`}\r\n`;
      const block = (lines: string) =>
        `BEGIN:VEVENT\r\nUID:event-${uid}\r\n${lines}SUMMARY:Secret ${two(uid)}\r\nEND:VEVENT\r\n`;
      const iterated = rule === '' ? [] : startsByIcal(rule, first, isAllDay);
      // ical.js forgets the later dates if one is named twice.
      const dropped = [...new Set(event.dropped.flatMap((place) => iterated[place] ?? []))];
      const moved = new Map(
        event.moved.flatMap(([place, by, state]) => (iterated[place] ? [[iterated[place], { by, state }]] : [])),
      );
      for (const one of dropped) moved.delete(one);
      return [
        block(
          at('DTSTART', first) +
            end(first) +
            event.state +
            (rule === '' ? '' : `RRULE:${rule}\r\n`) +
            dropped.map((one) => at('EXDATE', one)).join(''),
        ),
        ...[...moved].map(([one, { by, state }]) => {
          const to = one + by * (isAllDay ? 86_400_000 : 45 * 60_000);
          return block(at('RECURRENCE-ID', one) + at('DTSTART', to) + end(to) + state);
        }),
      ].join('');
    });

/** The first starts of a rule, as if the zone were UTC. */
function startsByIcal(rule: string, first: number, isAllDay: boolean): number[] {
  const text = isAllDay ? new Date(first).toISOString().slice(0, 10) : new Date(first).toISOString().slice(0, 19);
  const iterator = ICAL.Recur.fromString(rule).iterator(ICAL.Time.fromString(text, undefined as never));
  const starts: number[] = [];
  for (let next = iterator.next(); next && starts.length < 41; next = iterator.next()) {
    starts.push(Date.parse(`${next.toString().replace('Z', '').slice(0, 19)}${isAllDay ? 'T00:00:00' : ''}Z`));
  }
  return starts;
}

/** A calendar of a few events, at some moment of some year. */
export const anyCalendar = fc
  .record({
    now: fc
      .integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2029, 0, 1) })
      .map((at) => Math.floor(at / 60_000) * 60_000),
    home: fc.constantFrom('UTC', ...zones),
  })
  .chain(({ now, home }) =>
    fc.record({
      now: fc.constant(now),
      home: fc.constant(home),
      text: fc
        .tuple(...[0, 1, 2, 3].map((uid) => fc.option(anyEvent(now, uid), { nil: '' })))
        .map((events) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//test//EN\r\n${events.join('')}END:VCALENDAR\r\n`),
    }),
  );
