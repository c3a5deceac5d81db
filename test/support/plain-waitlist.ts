import type { Hours } from '../../app/domain/hours/hours';
import type { Service } from '../../app/domain/services/services';
import { hour, type LocalDate, localDateOf, localTimeOf, minute, weekdayOf } from '../../app/domain/time/clock';
import { plainlyWanted } from './plain-hours';

/* Who may have which time, in loops and words: slow, and without a line of the product's SQL. */

const day = 24 * hour;

export type Span = { startsAt: number; endsAt: number };
export type Slot = Span & {
  provider: string;
  id: string;
  state: 0 | 1 | 2; // open, full, withdrawn
  seats: number;
  taken: number;
  partOf: number | null; // the start of the booking that has it
  service: string | null;
  date: LocalDate;
  isByHours: boolean; // or made for a booking
};
/** What somebody has, or what is held for a wish. */
export type Booking = Span & {
  provider: string;
  id: string;
  slot: string | null; // the class that it is in
  isHeld: boolean;
  takenUntil: number; // its end and the gap behind it
  who: string;
  people: number;
  service: string | null;
  date: LocalDate;
  heldUntil: number | null;
  wish: string | null;
  shop: string | null; // in which it was booked
  price: string | null;
  link: string; // the seed of its personal link
  entry: string; // its id in calendars
  movedFrom?: string | null;
};
export type Wish = {
  provider: string;
  id: string;
  state: 0 | 1 | 2; // in line, with an offer, over
  askedAt: number;
  endsAt: number;
  who: string;
  service: string | null;
  people: number;
  insteadOf: string | null;
  linkSeed: string;
  offer: string | null;
  passes: number; // how many offers were let pass
};
/** A time that somebody who waits was told of; `isHeld` if it was also held for them. */
export type Told = { wish: string; startsAt: number; isHeld: boolean };
/** `lost` names the wishes and starts of held times that were dropped. */
export type Book = { slots: Slot[]; bookings: Booking[]; wishes: Wish[]; told: Map<string, Told>; lost: Set<string> };

export type Person = { id: string; name: string; isGuest: boolean };
/** What a wish asks for. */
export type Ask = {
  start: number | null; // of the class that somebody waits for
  from: LocalDate | null;
  to: LocalDate | null;
  days: number[] | null;
  after: string | null;
  before: string | null;
};
/** What a provider has set. */
export type Host = {
  id: string;
  name: string;
  zone: string;
  shop: string | null; // in which they work
  openTo: 'anyone' | 'accounts';
  waitlist: 'on' | 'off';
  notice: number;
  horizonDays: number | null;
  perPerson: number | null;
  perDay: number | null;
  partiesBlock: boolean;
  services: Service[];
  hours: Hours | null;
  parties: (Span & { id: string; kind: 'party' | 'meetup' })[];
  events: Span[];
  /** Starts of times that the provider published again though hours may not want them. */
  published: number[];
  /** Times that were never published: each stands for what is booked there, unless hours come to want it. */
  made: Pick<Slot, 'startsAt' | 'endsAt' | 'service' | 'date'>[];
  /** Starts of times that the provider had withdrawn when they booked somebody there: they are withdrawn again after that. */
  withdrawn: number[];
};

/**
 * How to read the contract where it leaves a choice. What `must` be given is given by every reading; what `may` be given
 * is given by one at least.
 */
export type Reading = 'must' | 'may';

export type Why =
  | 'waitlist off'
  | 'not asked for'
  | 'has a held time'
  | 'taken'
  | 'taken after it'
  | 'too long'
  | 'service'
  | 'busy'
  | 'notice'
  | 'horizon'
  | 'guest'
  | 'has a seat'
  | 'perPerson'
  | 'perDay';

const overlaps = (one: Span, other: Span) => one.startsAt < other.endsAt && other.startsAt < one.endsAt;

export const isBusy = ({ parties, partiesBlock, events }: Host, span: Span): boolean =>
  events.some((event) => overlaps(event, span)) || (partiesBlock && parties.some((party) => overlaps(party, span)));

const wantedOn = new Map<string, Set<string>>();
const textOf = (startsAt: number, endsAt: number, service: string | null) => `${startsAt} ${endsAt} ${service}`;

/** Hours want this slot of the day, or nothing was ever published by them. */
export function isWanted({ hours, zone }: Host, { startsAt, endsAt, service, date }: Host['made'][number]): boolean {
  if (!hours) return false;
  const key = `${zone} ${date} ${JSON.stringify(hours)}`;
  let wanted = wantedOn.get(key);
  if (!wanted) {
    const slots = plainlyWanted(hours, zone, { from: date, to: date, now: 0 });
    wanted = new Set(slots.map(({ from, to, serviceId }) => textOf(from, to, serviceId ?? null)));
    if (wantedOn.size > 500) wantedOn.clear();
    wantedOn.set(key, wanted);
  }
  return wanted.has(textOf(startsAt, endsAt, service));
}

/** A time that hours made and want no more, or that was made for a booking, which its provider did not publish again. */
export const isUnwanted = (host: Host, slot: Slot): boolean =>
  slot.isByHours &&
  !host.published.includes(slot.startsAt) &&
  (host.made.some(({ startsAt }) => startsAt === slot.startsAt) || !isWanted(host, slot));

/** The provider had withdrawn the time before they booked somebody there. */
export const wasWithdrawn = ({ withdrawn }: Host, { startsAt }: Slot): boolean => withdrawn.includes(startsAt);

type Wanted = {
  who: Person;
  slot: Slot;
  service: string | null;
  people: number;
  /** The booking that is moved there. */
  old?: Booking;
};

/** Why this person may not book the time, by the rules for booking; null if they may. */
export function whyNot(
  book: Book,
  host: Host,
  { who, slot, service, people, old }: Wanted,
  now: number,
  reading: Reading,
): Why | null {
  const ofHost = book.bookings.filter((booking) => booking.provider === host.id && booking.id !== old?.id);
  if (slot.state !== 0 || slot.taken + people > slot.seats) return 'taken';
  const misfit = misfitOf(book, host, { slot, service, old }, reading);
  if (misfit) return misfit;
  if (isBusy(host, slot)) return 'busy';
  if (slot.startsAt <= now || slot.startsAt < now + host.notice * minute) return 'notice';
  if (host.horizonDays !== null && slot.startsAt > now + host.horizonDays * day) return 'horizon';
  // An appointment that a guest has may be moved.
  if (who.isGuest && host.openTo === 'accounts' && !old) return 'guest';
  const isOwn = (booking: Booking) => booking.who === who.id && (reading === 'must' || !booking.isHeld);
  if (ofHost.some((booking) => isOwn(booking) && booking.startsAt === slot.startsAt)) return 'has a seat';
  // Whoever works in a shop shares the limit of a person with all of it.
  const inShop = book.bookings.filter(
    (booking) => booking.provider === host.id || (host.shop !== null && booking.shop === host.shop),
  );
  const coming = inShop.filter((booking) => isOwn(booking) && booking.id !== old?.id && booking.startsAt > now);
  if (host.perPerson !== null && coming.length >= host.perPerson) return 'perPerson';
  // A class that has somebody counts already.
  const isCounted = slot.seats > 1 && slot.taken > 0;
  const ofDay = new Set(ofHost.filter(({ date }) => date === slot.date).map((booking) => booking.slot ?? booking.id));
  const isWithinDay = old?.provider === host.id && old.date === slot.date;
  if (host.perDay !== null && !isCounted && !isWithinDay && ofDay.size >= host.perDay) return 'perDay';
  return null;
}

function misfitOf(
  book: Book,
  host: Host,
  { slot, service: chosen, old }: Pick<Wanted, 'slot' | 'service' | 'old'>,
  reading: Reading,
): Why | null {
  const id = chosen ?? slot.service;
  if (slot.service !== null && (slot.service !== id || (old && old.service !== id))) return 'service';
  if (id === null) return null;
  const service = host.services.find((one) => one.id === id);
  if (!service) return 'service';
  // Whoever has a service that is no longer offered may move it in free time.
  const isOffered = service.isOffered || (old?.service === id && (slot.service === null || reading === 'may'));
  if (!isOffered) return 'service';
  if (slot.service !== null) return null;
  if (slot.seats > 1 || service.seats > 1) return 'service';
  return stretchFault(book, host, { slot, service, old }, reading);
}

/** How long a service is, and its gap; whoever moves keeps what they booked. */
const lengthsOf = (service: Pick<Service, 'minutes' | 'gap'> | undefined, old: Booking | undefined) =>
  old
    ? { length: old.endsAt - old.startsAt, gap: old.takenUntil - old.endsAt }
    : { length: (service?.minutes ?? 0) * minute, gap: (service?.gap ?? 0) * minute };

/** Why a service does not fit into the free time from this slot on; null if it does. */
function stretchFault(
  { slots }: Book,
  host: Host,
  { slot, service, old }: { slot: Slot; service: Service; old?: Booking },
  reading: Reading,
): Why | null {
  const { length, gap } = lengthsOf(service, old);
  const end = slot.startsAt + length;
  const takenUntil = end + gap;
  const pause = (host.hours?.gap ?? 0) * minute;
  const isOwn = (next: Slot) => reading === 'may' && old?.provider === next.provider && next.partOf === old.startsAt;
  const isFree = (next: Slot) =>
    isOwn(next) || (next.state === 0 && next.seats === 1 && next.service === null && !isBusy(host, next));
  const later = slots
    .filter((next) => next.provider === host.id && next.startsAt >= slot.startsAt && next.startsAt < takenUntil)
    .sort((one, other) => one.startsAt - other.startsAt);
  let reach = slot.startsAt;
  for (const next of later.filter(({ startsAt }) => startsAt < end)) {
    if (!isFree(next) || next.startsAt > reach + (next === slot ? 0 : pause)) return 'too long';
    reach = next.endsAt;
  }
  if (reach < end) return 'too long';
  for (const next of later.filter(({ startsAt }) => startsAt >= end)) {
    if (next.state !== 2 && !isFree(next)) return next.state === 1 ? 'taken after it' : 'too long';
  }
  return null;
}

/** The time is on a day and at an hour that the wish asks for. */
export function isAskedFor(
  { bookings }: Book,
  { zone }: Host,
  { insteadOf }: Pick<Wish, 'insteadOf'>,
  ask: Ask,
  { startsAt }: Span,
): boolean {
  const [date, time] = [localDateOf(startsAt, zone), localTimeOf(startsAt, zone)];
  if (ask.start !== null && startsAt !== ask.start) return false;
  if ((ask.from !== null && date < ask.from) || (ask.to !== null && date > ask.to)) return false;
  // Whoever names no days asks for any.
  if (ask.days?.length && !ask.days.includes(weekdayOf(date))) return false;
  if ((ask.after !== null && time < ask.after) || (ask.before !== null && time >= ask.before)) return false;
  const old = bookings.find(({ id }) => id === insteadOf);
  return insteadOf === null || (old !== undefined && startsAt < old.startsAt);
}

/** Why somebody who waits may not have a time that is free; null if they may. */
export function whyNotOffered(
  book: Book,
  host: Host,
  { wish, ask, who, slot }: { wish: Pick<Wish, 'service' | 'people' | 'insteadOf'>; ask: Ask; who: Person; slot: Slot },
  now: number,
  reading: Reading,
): Why | null {
  const { service, people } = wish;
  const old = book.bookings.find(({ id }) => id === wish.insteadOf);
  if (!isAskedFor(book, host, wish, ask, slot)) return 'not asked for';
  const named = host.services.find(({ id }) => id === service);
  const { length } = lengthsOf(named, named && old);
  // A wish is for one slot.
  if (slot.service === null && length > slot.endsAt - slot.startsAt) return 'too long';
  const reason = whyNot(book, host, { who, slot, service, people, old }, now, reading);
  if (reason === 'taken') return reason;
  if (host.waitlist === 'off') return 'waitlist off';
  // A class goes on for those who have booked, though hours want it no more.
  if (isUnwanted(host, slot)) return 'not asked for';
  if (book.bookings.some((one) => one.isHeld && one.who === who.id && one.provider === host.id))
    return 'has a held time';
  return reason;
}

/** The provider as whoever takes an offer finds them: a service that has changed since is as long as the time that is held. */
export const offering = (host: Host, { service, startsAt, endsAt, takenUntil }: Booking): Host => {
  const held = { minutes: (endsAt - startsAt) / minute, gap: (takenUntil - endsAt) / minute };
  return { ...host, services: host.services.map((one) => (one.id === service ? { ...one, ...held } : one)) };
};

/** The book without a hold, as whoever takes it finds it. */
export function released(book: Book, hold: Booking): Book {
  const slots = book.slots.map((slot): Slot => {
    if (slot.provider !== hold.provider) return slot;
    const isIts = hold.slot === null ? slot.partOf === hold.startsAt && slot.state === 1 : slot.id === hold.slot;
    return isIts ? { ...slot, state: 0, taken: slot.taken - hold.people, partOf: null } : slot;
  });
  return { ...book, slots, bookings: book.bookings.filter(({ id }) => id !== hold.id) };
}
