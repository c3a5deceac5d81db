import type { Appointment } from '../../app/domain/bookings/appointments';
import type { Status } from '../../app/domain/bookings/status';
import { fold, sortKey } from '../../app/domain/input/fold';
import type { Actor } from '../../app/domain/profile/accounts';
import { dateWords, day } from '../../app/domain/time/clock';
import { inEnglish } from '../../app/domain/words/english';
import { stored } from './history';

/*
 * The lists by their descriptions alone: every row is read and checked one by one.
 */

/** A time as lists show it: an open slot, one that was withdrawn while it was open, or a booking. */
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
  publication: string | null;
  canceled_at: number | null;
  canceled_by: 'provider' | 'consumer' | null;
  reason: string | null;
  booker_id: string | null;
  cancel_until: number | null;
  moved_from: string | null;
  moved_to: string | null;
  calendar_id: string | null;
  sequence: number | null;
  link_seed: string | null;
};
export type Account = {
  id: string;
  username: string;
  display_name: string;
  role: string;
  city: string | null;
  time_zone: string;
  description: string | null;
  open_slots_at_most: number;
  notice: number;
  horizon_days: number | null;
  per_day: number | null;
};
/** All accounts and times, and the cities' names by their folded ones. */
export type Book = { slots: Slot[]; accounts: Account[]; cities: Map<string, string> };

export async function readBook(): Promise<Book> {
  const columns = 'id, provider_id, city, starts_at, ends_at, local_date, time_zone, notes, template_id, reason';
  const [slots, accounts, cities] = await Promise.all([
    stored<Slot>(`SELECT ${columns}, publication, state AS status, withdrawn_at AS canceled_at,
        iif(withdrawn_at IS NULL, NULL, 'provider') AS canceled_by, NULL AS booker_id, NULL AS cancel_until,
        NULL AS moved_from, NULL AS moved_to, NULL AS calendar_id, NULL AS sequence, NULL AS link_seed
      FROM slots WHERE state = 0 OR withdrawn_at IS NOT NULL
      UNION ALL SELECT ${columns}, NULL, status, canceled_at, canceled_by, booker_id, cancel_until, moved_from, moved_to,
        calendar_id, sequence, link_seed
      FROM bookings`),
    stored<Account>('SELECT * FROM accounts'),
    stored<{ folded: string; name: string }>('SELECT * FROM cities'),
  ]);
  return { slots, accounts, cities: new Map(cities.map(({ folded, name }) => [folded, name])) };
}

/** As SQLite compares text: by code points, not by code units. */
export const compareText = (one: string, other: string) => {
  const [points, others] = [[...one], [...other]];
  const place = points.findIndex((point, index) => point !== others[index]);
  if (place < 0) return points.length - others.length;
  return (points[place]?.codePointAt(0) ?? -1) - (others[place]?.codePointAt(0) ?? -1);
};
export const byStart = (one: Slot, other: Slot) => one.starts_at - other.starts_at || compareText(one.id, other.id);

/** A list in pages, with one after the last. */
function inPages<Row>(rows: Row[]): { rows: Row[]; hasMore: boolean }[] {
  return Array.from({ length: Math.ceil(rows.length / 20) + 1 }, (_, page) => ({
    rows: rows.slice(20 * page, 20 * page + 20),
    hasMore: rows.length > 20 * page + 20,
  }));
}
const shownInPages = (book: Book, slots: Slot[], reader?: Actor) =>
  inPages(slots.map((slot) => shown(book, slot, reader)));

const plain = (text: string) => sortKey(text).split('\u0001')[0] as string;
const isNamed = ({ username, display_name }: Account, q = '') =>
  plain(q)
    .trim()
    .split(/[\s,]+/)
    .every((word) => [username, display_name].some((name) => plain(name).includes(word)));
const ownerOf = ({ accounts }: Pick<Book, 'accounts'>, { provider_id }: Place) =>
  accounts.find(({ id }) => id === provider_id) as Account;

/** What nobody in a history has, or only the detail of an appointment shows. */
const hidden = {
  ...{ service: null, answers: [], answeredAt: null, seriesId: null, privateNote: null },
  ...{ bookerEmail: null, bookerPhone: null, attendance: null, paid: false, why: null, by: null, payBy: null },
  ...{ providerEmail: null, providerAddress: null, providerPhone: null, askPhone: 'no' as const },
  ...{ where: 'here' as const, place: null },
};

/** A slot as lists show it to this reader. */
export function shown(book: Book, slot: Slot, reader?: Actor): Appointment {
  const provider = ownerOf(book, slot);
  const booker = book.accounts.find(({ id }) => id === slot.booker_id);
  return {
    ...hidden,
    id: slot.id,
    provider: provider.username,
    providerName: provider.display_name,
    shop: null,
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
    people: booker ? 1 : null,
    cancelReason: slot.reason,
    movedFrom: slot.moved_from,
    movedTo: slot.moved_to,
    changeableUntil: slot.cancel_until === null ? null : slot.starts_at - slot.cancel_until * 60_000,
    calendarId: slot.calendar_id ?? slot.id,
    sequence: slot.sequence ?? 0,
    canceledAt: slot.canceled_at,
    canceledBy: slot.canceled_by,
    linkSource:
      reader && reader.accountId === slot.booker_id ? `${slot.link_seed} ${slot.calendar_id ?? slot.id}` : null,
  };
}

type Place = Pick<Slot, 'provider_id' | 'starts_at' | 'local_date'>;

/** The slot's provider lets it be booked: it is neither too near nor too far ahead, and its day is not full. */
export function isBookable(book: Book, slot: Place, now: number): boolean {
  if (!isInTime(book, slot, now)) return false;
  const { per_day } = ownerOf(book, slot);
  const isOfDay = (other: Slot) => other.provider_id === slot.provider_id && other.local_date === slot.local_date;
  return per_day === null || book.slots.filter((other) => isOfDay(other) && other.status === 1).length < per_day;
}

const isTooFar = (book: Book, slot: Place, now: number) =>
  slot.starts_at - now > (ownerOf(book, slot).horizon_days ?? Number.POSITIVE_INFINITY) * day;
const isInTime = (book: Book, slot: Place, now: number) =>
  slot.starts_at > now && slot.starts_at - now >= ownerOf(book, slot).notice * 60_000 && !isTooFar(book, slot, now);

type Filter = { provider?: string; location?: string; dates?: string[]; q?: string };

/** The open slots to come of a provider, whatever their rules, in pages by start. */
export const ownOpenSlots = (book: Book, { accountId }: Actor, now: number) =>
  shownInPages(
    book,
    book.slots
      .filter(({ provider_id, status, starts_at }) => provider_id === accountId && status === 0 && starts_at > now)
      .sort(byStart),
  );

/** The open slots that can be booked and that a filter lets through, in pages by start. */
export function openSlots(book: Book, { provider, location, dates, q }: Filter, now: number) {
  const chosen = book.slots.filter((slot) => {
    const owner = ownerOf(book, slot);
    return (
      slot.status === 0 &&
      isBookable(book, slot, now) &&
      (!provider || fold(owner.username) === fold(provider)) &&
      (!location || slot.city === fold(location)) &&
      (!dates || dates.includes(slot.local_date)) &&
      isNamed(owner, q)
    );
  });
  return inPages(chosen.sort(byStart));
}

/** The actor's appointments in some states, with what a provider withdrew; `past`: the latest first. */
export function agenda(book: Book, actor: Actor, { states, past }: { states: Status[]; past: boolean }, now: number) {
  const rows = book.slots
    .filter((slot) => (actor.role === 'Provider' ? slot.provider_id : slot.booker_id) === actor.accountId)
    .filter(({ status, ends_at }) => states.includes(status) && ends_at <= now === past)
    .sort(byStart);
  return shownInPages(book, past ? rows.reverse() : rows, actor);
}

const canceledToCome = ({ slots }: Book, now: number) =>
  slots.filter(({ status, ends_at, moved_to }) => status === 2 && ends_at > now && moved_to === null);

/** What was booked with a provider and is canceled and not over, the newest cancellation first. */
export const cancellations = (book: Book, { accountId }: Actor, now: number) =>
  shownInPages(
    book,
    canceledToCome(book, now)
      .filter(({ provider_id, booker_id }) => provider_id === accountId && booker_id !== null)
      .sort((one, other) => (other.canceled_at ?? 0) - (one.canceled_at ?? 0) || compareText(other.id, one.id)),
  );

/** What a consumer had booked until its provider canceled it, and is not over, by start. */
export const calledOff = (book: Book, { accountId }: Actor, now: number) =>
  shownInPages(
    book,
    canceledToCome(book, now)
      .filter(({ booker_id, canceled_by }) => booker_id === accountId && canceled_by === 'provider')
      .sort(byStart),
  );

/** The open slots that a provider has withdrawn and that are not over, by start. */
export const withdrawn = (book: Book, { accountId }: Actor, now: number) =>
  shownInPages(
    book,
    canceledToCome(book, now)
      .filter(({ provider_id, booker_id }) => provider_id === accountId && booker_id === null)
      .sort(byStart),
  );

/** Why a slot can't be booked any more; undefined if it can. */
export function lateness(book: Book, slot: Slot, now: number): string | undefined {
  if (slot.status !== 0) return 'This appointment has just been booked by someone else.';
  if (slot.starts_at <= now) return 'This appointment has already started.';
  if (isBookable(book, slot, now)) return undefined;
  if (!isInTime(book, slot, now))
    return `This appointment can't be booked ${isTooFar(book, slot, now) ? 'yet' : 'any more'}.`;
  const { per_day, display_name } = ownerOf(book, slot);
  const many = per_day === 1 ? 'one appointment' : `${per_day} appointments`;
  return `${display_name} takes at most ${many} a day, and ${inEnglish(dateWords(slot.local_date).full)} is full.`;
}

/** The three nearest free slots with the same questions, among the fifty nearest on each side of a slot that is late. */
export function nearestOpen(book: Book, wanted: Slot, now: number): string[] | undefined {
  if (!lateness(book, wanted, now)) return undefined;
  const free = book.slots
    .filter((slot) => slot.provider_id === wanted.provider_id && slot.status === 0 && isBookable(book, slot, now))
    .sort(byStart);
  const isAlike = ({ template_id }: Slot) => template_id === wanted.template_id;
  const before = free.filter(({ starts_at }) => starts_at < wanted.starts_at).slice(-50);
  const after = free.filter(({ starts_at }) => starts_at >= wanted.starts_at).slice(0, 50);
  return [...before.filter(isAlike).slice(-3), ...after.filter(isAlike).slice(0, 3)].map(({ id }) => id);
}

const alphabet = new Intl.Collator('en', { sensitivity: 'accent' });
/** Names from A to Z whatever the case, É beside E; pictures come last. */
export const compareNames = (one: string, other: string) => {
  const [first, second] = [one, other].map((name) => name.replace(/\p{Emoji_Presentation}/gu, '\uffff'));
  return alphabet.compare(first as string, second as string);
};

/** Providers by display name. */
export function providers(book: Book, { location, q }: Filter, now: number) {
  const found = book.accounts
    .filter(({ role, city }) => role === 'Provider' && (!location || city === fold(location)))
    .filter((account) => isNamed(account, q))
    .sort((one, other) => compareNames(one.display_name, other.display_name) || compareText(one.id, other.id));
  const free = book.slots.filter((slot) => slot.status === 0 && isBookable(book, slot, now)).sort(byStart);
  return inPages(
    found.map(({ id, username, display_name, city, description, time_zone }) => ({
      username,
      displayName: display_name,
      location: book.cities.get(city as string),
      description,
      nextAt: free.find(({ provider_id }) => provider_id === id)?.starts_at ?? null,
      timeZone: time_zone,
      shop: null,
      isShop: false,
      shopName: null,
    })),
  );
}
