import { addDays, type Instant, type LocalDate } from '../../app/domain/time/clock';
import { cutDay, todayIn } from '../../app/domain/time/zones';
import {
  chance,
  cityOf,
  consumerId,
  providerId,
  rich,
  templateId,
  templatesOf,
  type WorldSize,
  zoneOf,
} from './world-plan';

/** A slot as it is published; instants are in milliseconds. */
export type PublishedSlot = {
  id: string;
  provider: number;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  templateId: string | null;
};
/** A slot as it ends up; `booker` and `canceledBy` are account ids. */
type PlannedSlot = PublishedSlot & {
  zone: string;
  state: 'open' | 'booked' | 'canceled';
  booker: string | null;
  canceledBy: string | null;
};

const days = { ago: 60, ahead: 120 };
const hoursOfDay = 14;
const placesOfDays = (days.ago + days.ahead + 1) * hoursOfDay;

type Place = { startsAt: Instant; endsAt: Instant; date: LocalDate };

/** Every whole hour from 8 to 22 of a day: 14, clock changes being at night. */
const placesOn = (date: LocalDate, zone: string): Place[] =>
  cutDay({ date, start: '08:00', end: '22:00', zone, minutes: 60 }).map((span) => ({ ...span, date }));

/** Those of the days around `now` in a zone, by start. */
function placesIn(zone: string, now: Instant): Place[] {
  const today = todayIn(zone, now);
  return Array.from({ length: days.ago + days.ahead + 1 }, (_, day) => addDays(today, day - days.ago)).flatMap((date) =>
    placesOn(date, zone),
  );
}

/** The first places of the days that the rich provider has wholly open. */
const fullPlaces = rich.fullDays.flatMap((day) =>
  Array.from({ length: hoursOfDay }, (_, hour) => (days.ago + day) * hoursOfDay + hour),
);
/** Enough for all that the rich provider must have, at the shares of `richState`. */
const richSlots = 300;

/** How many slots a provider has, so that all of them have `size.slots`. */
function shareOf({ slots, providers }: WorldSize, provider: number): number {
  const first = Math.max(richSlots, Math.round(slots / providers));
  if (provider === 0) return first;
  const rest = slots - first;
  const each = Math.floor(rest / (providers - 1));
  return each + (provider <= rest - each * (providers - 1) ? 1 : 0);
}

/** Which places of the calendar a provider takes: spread evenly, from a start of their own. */
function placesOf(provider: number, count: number): number[] {
  const taken = provider === 0 ? new Set(fullPlaces) : new Set<number>();
  const free = Array.from({ length: placesOfDays }, (_, place) => place).filter((place) => !taken.has(place));
  const wanted = count - taken.size;
  if (wanted > free.length) throw new Error(`A provider has room for ${placesOfDays} slots, not for ${count}.`);
  const shift = (provider * 0.618034) % 1;
  const spread = Array.from(
    { length: wanted },
    (_, nth) => free[Math.floor(((nth + shift) * free.length) / wanted)] as number,
  );
  return [...taken, ...spread];
}

/** 30 % booked, 5 % canceled, also of what is over. */
function usualState(n: number): PlannedSlot['state'] {
  const drawn = chance(n);
  if (drawn < 0.3) return 'booked';
  return drawn < 0.35 ? 'canceled' : 'open';
}

/** The rich provider is fuller: by turns, so that the counts are sure. */
function richState(nth: number, isPast: boolean): PlannedSlot['state'] {
  const turn = nth % 10;
  if (isPast) return turn < 6 ? 'booked' : turn < 7 ? 'canceled' : 'open';
  return turn < 4 ? 'booked' : turn < 6 ? 'canceled' : 'open';
}

/** What the rich consumer still lacks; one provider gives at most so much of each. */
function richConsumer({ providers }: WorldSize) {
  const most = Math.ceil(rich.consumer.booked / (providers - 1));
  const lacks = { ...rich.consumer };
  let given = { booked: 0, canceled: 0, past: 0 };
  return {
    lacks,
    nextProvider: () => {
      given = { booked: 0, canceled: 0, past: 0 };
    },
    /** The state of a slot that the rich consumer takes; undefined where they leave it. */
    take(isPast: boolean): PlannedSlot['state'] | undefined {
      const kinds = isPast ? (['past'] as const) : (['booked', 'canceled'] as const);
      const kind = kinds.find((one) => lacks[one] > 0 && given[one] < most);
      if (!kind) return undefined;
      lacks[kind] -= 1;
      given[kind] += 1;
      return kind === 'canceled' ? 'canceled' : 'booked';
    },
  };
}

/** An id as the product makes it: the provider, the start, and a number where it has chance. */
const slotIdOf = (provider: number, startsAt: Instant, n: number) =>
  `${providerId(provider)}${String(startsAt).padStart(13, '0')}${n.toString(16).padStart(12, '0')}`;

/** Free times beyond all others, of every provider but the rich one by turns, for a load to book. */
export function* planSpareSlots(size: WorldSize, now: Instant, many: number): Generator<PublishedSlot> {
  const others = size.providers - 1;
  const calendars = new Map<string, Place[]>();
  for (let nth = 0; nth < many; nth += 1) {
    const provider = 1 + (nth % others);
    const round = Math.floor(nth / others);
    const zone = zoneOf(cityOf(size, provider));
    const day = days.ahead + 10 + Math.floor(round / hoursOfDay);
    const key = `${zone} ${day}`;
    const calendar = calendars.get(key) ?? placesOn(addDays(todayIn(zone, now), day), zone);
    calendars.set(key, calendar);
    const place = calendar[round % hoursOfDay] as Place;
    yield { id: slotIdOf(provider, place.startsAt, size.slots + nth), provider, ...place, templateId: null };
  }
}

/**
 * Every slot of the world, provider by provider.
 * @throws Error where the size leaves too little for the rich consumer
 */
export function* planSlots(size: WorldSize, now: Instant): Generator<PlannedSlot> {
  const calendars = new Map<string, Place[]>();
  const consumers = size.accounts - size.providers;
  const someConsumer = (n: number) => consumerId(size, 1 + Math.floor(chance(n + 7) * (consumers - 1)));
  const consumer = richConsumer(size);
  let n = 0;
  for (let provider = 0; provider < size.providers; provider += 1) {
    const zone = zoneOf(cityOf(size, provider));
    const calendar = calendars.get(zone) ?? placesIn(zone, now);
    calendars.set(zone, calendar);
    const places = placesOf(provider, shareOf(size, provider));
    // Not from the first, or the rich consumer would see everybody on the day that the calendar begins.
    const from = Math.floor(chance(provider) * places.length);
    consumer.nextProvider();
    for (let nth = 0; nth < places.length; nth += 1, n += 1) {
      const at = (nth + from) % places.length;
      const { startsAt, endsAt, date } = calendar[places[at] as number] as Place;
      const isPast = endsAt <= now;
      const taken = provider > 0 && (isPast || startsAt > now) ? consumer.take(isPast) : undefined;
      const isFullDay = provider === 0 && at < fullPlaces.length;
      const own = isFullDay ? 'open' : provider === 0 ? richState(nth, isPast) : usualState(n);
      const state = taken ?? own;
      const isHeld = state === 'booked' || (state === 'canceled' && (taken !== undefined || n % 2 === 0));
      const booker = isHeld ? (taken ? consumerId(size, 0) : someConsumer(n)) : null;
      const templates = isFullDay ? 0 : templatesOf(provider);
      yield {
        id: slotIdOf(provider, startsAt, n),
        provider,
        startsAt,
        endsAt,
        date,
        zone,
        templateId: templates > 0 && n % 3 === 0 ? templateId(provider, n % templates) : null,
        state,
        booker,
        canceledBy: state === 'canceled' ? (booker && n % 4 < 2 ? booker : providerId(provider)) : null,
      };
    }
  }
  const lacks = Object.values(consumer.lacks).some((count) => count > 0);
  if (lacks) throw new Error(`${size.slots} slots are too few for a consumer with full lists.`);
}
