import type { ShopRole } from '../../app/domain/shop/colleagues';
import { minute } from '../../app/domain/time/clock';
import {
  type Book,
  type Booking,
  type Host,
  isBusy,
  type Person,
  type Reading,
  type Slot,
  whyNot,
} from './plain-waitlist';

/* Who of a shop has the turn, and to whom a booking may go, in loops and words. */

type Colleague = { id: string; role: ShopRole; takes: boolean };
/** Its people are in the order of its page. */
export type Shop = { id: string; name: string; owner: string; service: string; people: Colleague[] };

/** What a form said of a service. */
export type Terms = { minutes: number; price: string };
/** A provider who books or moves is bound by no rule of theirs; a service must still fit into free time. */
export const unbound = (host: Host, needsTime: boolean): Host => ({
  ...host,
  ...{ notice: 0, horizonDays: null, perPerson: null, perDay: null, openTo: 'anyone' },
  ...(!needsTime && { parties: [], events: [] }),
});

/** What part of a day's published time is taken. */
function shareOf({ slots }: Book, { provider, date }: Slot): number {
  const published = slots.filter((slot) => slot.provider === provider && slot.date === date && slot.state !== 2);
  const lengthOf = (some: Slot[]) => some.reduce((sum, { startsAt, endsAt }) => sum + endsAt - startsAt, 0);
  return lengthOf(published.filter(({ taken, partOf }) => taken > 0 || partOf !== null)) / lengthOf(published);
}

const meets = ({ services }: Host, slot: Slot, service: string | null, terms: Terms | null): boolean => {
  if (terms === null) return true;
  const own = services.find(({ id }) => id === (slot.service ?? service));
  return terms.price === (own?.price ?? '') && (slot.service !== null || terms.minutes === own?.minutes);
};

type Asked = {
  who: Person;
  startsAt: number;
  service: string | null;
  people: number;
  terms: Terms | null;
  isDesk: boolean;
};

/** The colleagues who are free at that start for what was asked; whoever has the turn comes first. */
export function inTurn(
  book: Book,
  hosts: Map<string, Host>,
  shop: Shop,
  { who, startsAt, service, people, terms, isDesk }: Asked,
  now: number,
  reading: Reading,
): string[] {
  const free = shop.people.flatMap(({ id, takes }, place) => {
    const host = hosts.get(id) as Host;
    const slot = book.slots.find((one) => one.provider === id && one.startsAt === startsAt);
    if (!takes || !slot || !meets(host, slot, service, terms)) return [];
    const rules = isDesk ? unbound(host, true) : host;
    const reason = whyNot(book, rules, { who, slot, service, people }, now, reading);
    return reason === null ? [{ id, place, share: shareOf(book, slot) }] : [];
  });
  return free.sort((one, other) => one.share - other.share || one.place - other.place).map(({ id }) => id);
}

/** The colleague does what was booked, as long and for the same price, as it was booked or as its provider does it now. */
function doesTheSame(former: Host, taker: Host, { service: id, price, startsAt, endsAt }: Booking): boolean {
  if (id === null) return true;
  const named = (host: Host) => host.services.find((one) => one.id === id);
  const [has, had] = [named(taker), named(former)];
  if (!has?.isOffered) return false;
  const isAsBooked = has.price === price && has.minutes * minute === endsAt - startsAt;
  return isAsBooked || (had?.price === has.price && had.minutes === has.minutes);
}

type Passing = {
  old: Booking;
  who: Person;
  slot: Slot;
  /** A client moves by the taker's rules; the desk moves anywhere that is free; a hand-over finds who has nothing else then. */
  by: 'client' | 'desk' | 'hand-over';
};

/** Why a booking may not go to this time of a colleague; null if it may. */
export function whyNotPassedOn(
  book: Book,
  hosts: Map<string, Host>,
  { people }: Shop,
  { old, who, slot, by }: Passing,
  now: number,
  reading: Reading,
): string | null {
  const [former, taker] = [hosts.get(old.provider) as Host, hosts.get(slot.provider) as Host];
  const isColleague = people.some(({ id }) => id === former.id) && taker.id !== former.id;
  if (!isColleague || !people.some(({ id, takes }) => id === taker.id && takes)) return 'no colleague who takes it';
  const isForIt = slot.service === old.service;
  if (isForIt && slot.endsAt - slot.startsAt !== old.endsAt - old.startsAt) return 'another length';
  if (slot.seats > 1 && (old.slot === null || by === 'hand-over')) return 'a class';
  if (!doesTheSame(former, taker, old)) return 'another service';
  if (by === 'client' && who.isGuest && taker.openTo === 'accounts') return 'guest';
  if (by === 'hand-over' && isBusy(taker, slot)) return 'busy';
  const rules = by === 'client' ? taker : unbound(taker, old.service !== null && slot.service === null);
  return whyNot(book, rules, { who, slot, service: old.service, people: old.people, old }, now, reading);
}

/** The book after the booking has gone to this time, as far as the next one of a hand-over must know it. */
export function withPassedOn(book: Book, old: Booking, to: Slot): Book {
  const end = to.startsAt + old.takenUntil - old.startsAt;
  const slots = book.slots.map((slot): Slot => {
    const isIts = slot.provider === to.provider && slot.startsAt >= to.startsAt && slot.startsAt < end;
    return isIts && slot.state === 0 ? { ...slot, state: 1, taken: 1, partOf: to.startsAt } : slot;
  });
  return { ...book, slots };
}
