import type { Appointment } from '../../app/domain/bookings/appointments';
import type { Status } from '../../app/domain/bookings/status';
import { fold } from '../../app/domain/input/fold';
import type { Actor } from '../../app/domain/profile/accounts';
import { dateWords } from '../../app/domain/time/clock';
import { stored } from './history';

/*
 * The lists by their descriptions alone: every row is read and checked one by one.
 */

type Slot = {
  id: string;
  provider_id: string;
  city: string;
  starts_at: number;
  ends_at: number;
  local_date: string;
  time_zone: string;
  status: Status;
  notes: string | null;
  template_id: string | null;
  canceled_at: number | null;
  canceled_by: string | null;
  cancel_reason: string | null;
  moved_to: string | null;
};
export type Account = {
  id: string;
  username: string;
  username_folded: string;
  display_name: string;
  display_folded: string;
  role: string;
  city: string | null;
  time_zone: string;
  description: string | null;
  open_slots_at_most: number;
  notice: number;
  horizon_days: number | null;
  per_day: number | null;
};
type Booking = {
  slot_id: string;
  booker_id: string;
  cancel_until: number;
  moved_from: string | null;
  calendar_id: string | null;
  sequence: number;
};

/**
 * All stored accounts and times as lists show them: each open slot, each booking, and each slot that was
 * withdrawn while it was open, beside the bookings themselves and the cities' names by their folded ones.
 */
export type Book = { slots: Slot[]; accounts: Account[]; bookings: Booking[]; cities: Map<string, string> };

export async function readBook(): Promise<Book> {
  const [slots, accounts, bookings, cities] = await Promise.all([
    stored<Slot>(`SELECT id, provider_id, city, starts_at, ends_at, local_date, time_zone, state AS status, notes, template_id,
        withdrawn_at AS canceled_at, iif(withdrawn_at IS NULL, NULL, provider_id) AS canceled_by, reason AS cancel_reason,
        NULL AS moved_to
      FROM slots WHERE state = 0 OR withdrawn_at IS NOT NULL
      UNION ALL SELECT id, provider_id, city, starts_at, ends_at, local_date, time_zone, status, notes, template_id, canceled_at,
        iif(canceled_by = 'provider', provider_id, iif(status = 2, booker_id, NULL)), reason, moved_to
      FROM bookings`),
    stored<Account>('SELECT * FROM accounts'),
    stored<Booking>('SELECT *, id AS slot_id FROM bookings'),
    stored<{ folded: string; name: string }>('SELECT * FROM cities'),
  ]);
  return { slots, accounts, bookings, cities: new Map(cities.map(({ folded, name }) => [folded, name])) };
}

const compare = <Value>(one: Value, other: Value) => (one < other ? -1 : one > other ? 1 : 0);
/** As SQLite compares text: by code points, not by code units. */
export const compareText = (one: string, other: string) => {
  const [points, others] = [[...one], [...other]];
  const place = points.findIndex((point, index) => point !== others[index]);
  if (place < 0) return points.length - others.length;
  return (points[place]?.codePointAt(0) ?? -1) - (others[place]?.codePointAt(0) ?? -1);
};
const byStart = (one: Slot, other: Slot) => one.starts_at - other.starts_at || compare(one.id, other.id);

/** Slots by provider and local date. */
export function byProviderAndDate(slots: Slot[]): Map<string, Slot[]> {
  const days = new Map<string, Slot[]>();
  for (const slot of slots) {
    const day = `${slot.provider_id} ${slot.local_date}`;
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  return days;
}

/** A list in pages, with one after the last. */
function inPages<Row>(rows: Row[]): { rows: Row[]; hasMore: boolean }[] {
  return Array.from({ length: Math.ceil(rows.length / 20) + 1 }, (_, page) => ({
    rows: rows.slice(20 * page, 20 * page + 20),
    hasMore: rows.length > 20 * page + 20,
  }));
}

const isNamed = ({ username, display_name }: Account, q: string) =>
  fold(username).includes(q) || fold(display_name).includes(q);

const cancelerOf = ({ canceled_by, provider_id }: Slot) =>
  canceled_by === null ? null : canceled_by === provider_id ? 'provider' : 'consumer';

/** A slot as lists show it. */
export function shown({ slots: _, accounts, bookings }: Book, slot: Slot): Appointment {
  const provider = accounts.find(({ id }) => id === slot.provider_id) as Account;
  const booking = bookings.find(({ slot_id }) => slot_id === slot.id);
  const booker = accounts.find(({ id }) => id === booking?.booker_id);
  return {
    id: slot.id,
    provider: provider.username,
    providerName: provider.display_name,
    username: booker?.username ?? null,
    bookerName: booker?.display_name ?? null,
    startsAt: slot.starts_at,
    endsAt: slot.ends_at,
    date: slot.local_date,
    timeZone: slot.time_zone,
    status: slot.status,
    notes: slot.notes,
    templateId: slot.template_id,
    seats: 1,
    free: slot.status === 0 ? 1 : 0,
    slotId: slot.id,
    people: booking ? 1 : null,
    service: null,
    answers: [],
    answeredAt: null,
    cancelReason: slot.cancel_reason,
    movedFrom: booking?.moved_from ?? null,
    movedTo: slot.moved_to,
    seriesId: null,
    changeableUntil: booking ? slot.starts_at - booking.cancel_until * 60_000 : null,
    calendarId: booking?.calendar_id ?? slot.id,
    sequence: booking?.sequence ?? 0,
    canceledAt: slot.canceled_at,
    canceledBy: cancelerOf(slot),
    bookerEmail: null,
    providerEmail: null,
    bookerPhone: null,
    providerAddress: null,
    providerPhone: null,
    askPhone: 'no' as const,
    privateNote: null,
    linkSeed: null,
    attendance: null,
  };
}

type Place = Pick<Slot, 'provider_id' | 'starts_at' | 'local_date'>;

/** The slot's provider lets it be booked: it is neither too near nor too far ahead, and its day is not full. */
export const isBookable = (book: Pick<Book, 'accounts' | 'slots'>, slot: Place, now: number): boolean =>
  isInTime(book, slot, now) && !isFull(book, slot);

function isFull({ accounts, slots }: Pick<Book, 'accounts' | 'slots'>, { provider_id, local_date }: Place): boolean {
  const { per_day } = accounts.find(({ id }) => id === provider_id) as Account;
  const isOfDay = (other: Slot) => other.provider_id === provider_id && other.local_date === local_date;
  return per_day !== null && slots.filter((other) => isOfDay(other) && other.status === 1).length >= per_day;
}

function isInTime({ accounts }: Pick<Book, 'accounts'>, { provider_id, starts_at }: Place, now: number): boolean {
  const { notice, horizon_days } = accounts.find(({ id }) => id === provider_id) as Account;
  const isTooFar = horizon_days !== null && starts_at - now > horizon_days * 24 * 60 * 60_000;
  return starts_at > now && starts_at - now >= notice * 60_000 && !isTooFar;
}

type Filter = { provider?: string; location?: string; dates?: string[]; q?: string };

/** The open slots to come of a provider, whatever their rules, in pages by start. */
export const ownOpenSlots = ({ slots }: Book, { accountId }: Actor, now: number) =>
  inPages(
    slots
      .filter(({ provider_id, status, starts_at }) => provider_id === accountId && status === 0 && starts_at > now)
      .sort(byStart),
  );

/** The open slots that can be booked and that a filter lets through, in pages by start. */
export function openSlots({ slots, accounts }: Book, { provider, location, dates, q }: Filter, now: number) {
  const folded = fold(q?.trim() ?? '');
  const chosen = slots.filter((slot) => {
    const owner = accounts.find(({ id }) => id === slot.provider_id) as Account;
    return (
      slot.status === 0 &&
      isBookable({ accounts, slots }, slot, now) &&
      (!provider || owner.username_folded === fold(provider)) &&
      (!location || slot.city === fold(location)) &&
      (!dates || dates.includes(slot.local_date)) &&
      isNamed(owner, folded)
    );
  });
  return inPages(chosen.sort(byStart));
}

/** The actor's appointments in some states. */
export function agenda(book: Book, actor: Actor, { states, past }: { states: Status[]; past: boolean }, now: number) {
  const mine = new Set(
    book.bookings.filter(({ booker_id }) => booker_id === actor.accountId).map(({ slot_id }) => slot_id),
  );
  const rows = book.slots
    .filter(({ id, provider_id }) => (actor.role === 'Provider' ? provider_id === actor.accountId : mine.has(id)))
    .filter(({ status, ends_at }) => states.includes(status) && ends_at <= now === past)
    .sort(byStart);
  return inPages((past ? rows.reverse() : rows).map((slot) => shown(book, slot)));
}

const isCanceledToCome = ({ status, ends_at }: Slot, now: number) => status === 2 && ends_at > now;

/** What was booked with a provider and is canceled and not over, the newest cancellation first. */
export function cancellations(book: Book, { accountId }: Actor, now: number) {
  const booked = new Set(book.bookings.map(({ slot_id }) => slot_id));
  const rows = book.slots.filter(
    (slot) =>
      isCanceledToCome(slot, now) && slot.provider_id === accountId && booked.has(slot.id) && slot.moved_to === null,
  );
  rows.sort((one, other) => (other.canceled_at ?? 0) - (one.canceled_at ?? 0) || compareText(other.id, one.id));
  return inPages(rows.map((slot) => shown(book, slot)));
}

/** What a consumer had booked until its provider canceled it, and is not over, by start. */
export function calledOff(book: Book, { accountId }: Actor, now: number) {
  const mine = new Set(book.bookings.filter(({ booker_id }) => booker_id === accountId).map(({ slot_id }) => slot_id));
  const rows = book.slots.filter(
    (slot) =>
      isCanceledToCome(slot, now) &&
      mine.has(slot.id) &&
      slot.canceled_by === slot.provider_id &&
      slot.moved_to === null,
  );
  return inPages(rows.sort(byStart).map((slot) => shown(book, slot)));
}

/** The open slots that a provider has withdrawn and that are not over, by start. */
export function withdrawn(book: Book, { accountId }: Actor, now: number) {
  const booked = new Set(book.bookings.map(({ slot_id }) => slot_id));
  const rows = book.slots.filter(
    (slot) => isCanceledToCome(slot, now) && slot.provider_id === accountId && !booked.has(slot.id),
  );
  return inPages(rows.sort(byStart).map((slot) => shown(book, slot)));
}

/** Why a slot can't be booked any more; undefined if it can. */
export function lateness(book: Book, slot: Slot, now: number): string | undefined {
  if (slot.status !== 0) return 'This appointment has just been booked by someone else.';
  if (slot.starts_at <= now) return 'This appointment has already started.';
  if (isBookable(book, slot, now)) return undefined;
  const { horizon_days, per_day, display_name } = book.accounts.find(({ id }) => id === slot.provider_id) as Account;
  if (isInTime(book, slot, now)) {
    const many = per_day === 1 ? 'one appointment' : `${per_day} appointments`;
    return `${display_name} takes at most ${many} a day, and ${dateWords(slot.local_date).full} is full.`;
  }
  const isFar = horizon_days !== null && slot.starts_at - now > horizon_days * 24 * 60 * 60_000;
  return `This appointment can't be booked ${isFar ? 'yet' : 'any more'}.`;
}

/** The three nearest free slots with the same questions, among the fifty nearest on each side of a slot that is late. */
export function nearestOpen(book: Book, wanted: Slot, now: number): string[] | undefined {
  if (!lateness(book, wanted, now)) return undefined;
  const free = book.slots
    .filter((slot) => slot.provider_id === wanted.provider_id && slot.status === 0 && isBookable(book, slot, now))
    .sort(byStart);
  const near = (side: Slot[]) =>
    side
      .slice(0, 50)
      .filter(({ template_id }) => template_id === wanted.template_id)
      .slice(0, 3);
  const before = near(free.filter(({ starts_at }) => starts_at < wanted.starts_at).reverse());
  const after = near(free.filter(({ starts_at }) => starts_at >= wanted.starts_at));
  return [...before.reverse(), ...after].map(({ id }) => id);
}

const alphabet = new Intl.Collator('en', { sensitivity: 'accent' });
/** Names from A to Z whatever the case, É beside E; pictures come last. */
export const compareNames = (one: string, other: string) => {
  const [first, second] = [one, other].map((name) => name.replace(/\p{Emoji_Presentation}/gu, '\uffff'));
  return alphabet.compare(first as string, second as string);
};

/** Providers by display name. */
export function providers({ slots, accounts, cities }: Book, { location, q }: Filter, now: number) {
  const found = accounts
    .filter(({ role, city }) => role === 'Provider' && (!location || city === fold(location)))
    .filter((account) => isNamed(account, fold(q?.trim() ?? '')))
    .sort((one, other) => compareNames(one.display_name, other.display_name) || compareText(one.id, other.id));
  return inPages(
    found.map(({ id, username, display_name, city, description, time_zone }) => {
      const starts = slots
        .filter((slot) => slot.provider_id === id && slot.status === 0 && isBookable({ accounts, slots }, slot, now))
        .map((slot) => slot.starts_at);
      return {
        username,
        displayName: display_name,
        location: cities.get(city as string),
        description,
        nextAt: starts.length > 0 ? Math.min(...starts) : null,
        timeZone: time_zone,
      };
    }),
  );
}
