import type { Chance } from '../habits/chance';

/* Plain statements that change slots and bookings, and an oracle in loops that foretells their results. */

/** A slot as the oracle knows it: `id` is null until the database has made it. */
export type Slot = {
  starts: number;
  ends: number;
  id: string | null;
  seats: number;
  taken: number;
  state: 0 | 1 | 2;
  partOf: number | null;
};
/** A booking for a standing time has no id until the database has made it. */
type Booking = Pick<Slot, 'id' | 'starts' | 'ends'> & {
  takenUntil: number;
  people: number;
  isSeat: boolean;
  who: string;
};
/** A standing time of the only day: `missed` says why the day is not booked. */
export type Standing = { id: string; who: string; starts: number; missed: string | null };
type Statement = [sql: string, ...values: (string | number | null)[]];

/** Changes for one batch, and the provider's book after them; null if the batch must fail. */
type Step = { name: string; batch: Statement[]; after: Book | null };

/** `had` are all bookings ever made for standing times, and `told` how often a provider heard that one can't be kept. */
export type Book = {
  slots: Slot[];
  bookings: Booking[];
  ended: string[];
  standing: Standing[];
  had: Pick<Standing, 'id' | 'who'>[];
  told: number;
};
export const emptyBook: Book = { slots: [], bookings: [], ended: [], standing: [], had: [], told: 0 };

const unit = 30 * 60_000;
const copyOf = ({ slots, bookings, standing, ...rest }: Book): Book => ({
  ...rest,
  slots: slots.map((one) => ({ ...one })),
  bookings: bookings.map((one) => ({ ...one })),
  standing: standing.map((one) => ({ ...one })),
  ended: [],
});
const pad = (at: number) => String(at).padStart(13, '0');
const keyOf = (text: string) => [Number(text.slice(-25, -12)), text] as const;

/** The book with a new slot, unless its time is open, full, or kept free after a booking. */
function published(book: Book, { starts, ends, seats }: Pick<Slot, 'starts' | 'ends' | 'seats'>): void {
  const under = book.slots.filter((slot) => slot.starts < ends && slot.ends > starts);
  if (under.some(({ state }) => state < 2)) return;
  if (book.bookings.some((booking) => booking.starts < starts && booking.takenUntil > starts)) return;
  for (const { id } of under) book.ended.push(id ?? '');
  const slot: Slot = { starts, ends, id: null, seats, taken: 0, state: 0, partOf: null };
  book.slots = [...book.slots.filter((one) => !under.includes(one)), slot].sort(
    (one, other) => one.starts - other.starts,
  );
}

/** Takes the slots of a booking, if it can. A booking that moves may reuse its own. */
function taken(book: Book, booking: Booking, slotId: string | null, old?: Booking): boolean {
  const { starts, ends, takenUntil, people } = booking;
  const all = book.slots.filter((slot) => slot.starts >= starts && slot.starts < takenUntil);
  const wanted = all.filter((slot) => slot.state < 2 || slot.starts < ends);
  if (!all.some((slot) => slot.starts === starts) || wanted.length === 0) return false;
  const isOwn = (slot: Slot) => slot.state === 1 && slot.seats === 1 && slot.partOf === old?.starts;
  for (const slot of wanted) {
    if (!isOwn(slot) && (slot.state !== 0 || slot.taken + people > slot.seats)) return false;
    if (slot.seats > 1 && (slot.id !== slotId || slot.ends !== takenUntil)) return false;
    if (slot.seats === 1 && slot.starts === starts && slot.id !== booking.id) return false;
  }
  for (const slot of wanted) {
    if (isOwn(slot)) {
      slot.partOf = starts;
      if (slot.starts !== starts) slot.id = null;
      continue;
    }
    slot.taken += people;
    if (slot.taken < slot.seats) continue;
    slot.state = 1;
    slot.partOf = starts;
  }
  book.bookings = [...book.bookings, booking];
  return true;
}

/** Books the standing times that are free now, and notes why others are not. */
function bookStanding(book: Book): void {
  for (const one of book.standing) {
    const { id, who, starts } = one;
    const isGone = (other: Pick<Standing, 'id'>) => !book.standing.some((still) => still.id === other.id);
    if (book.bookings.some((booking) => booking.who === who && booking.starts === starts)) continue;
    if (book.had.some((had) => had.who === who && (had.id === id || isGone(had)))) continue;
    const slot = book.slots.find((found) => found.starts === starts);
    if (slot?.state === 0) {
      const isSeat = slot.seats > 1;
      const booking = {
        id: isSeat ? null : slot.id,
        starts,
        ends: slot.ends,
        takenUntil: slot.ends,
        people: 1,
        isSeat,
        who,
      };
      slot.taken += 1;
      if (slot.taken === slot.seats) Object.assign(slot, { state: 1, partOf: starts });
      book.bookings = [...book.bookings, booking];
      book.had = [...book.had, { id, who }];
      one.missed = null;
    } else if (one.missed === null && book.slots.some((near) => near.starts <= starts && near.ends > starts)) {
      one.missed = slot?.state === 1 ? 'taken' : 'closed';
      book.told += 1;
    }
  }
}

function freed(book: Book, booking: Booking, isWithdrawn: boolean): void {
  for (const slot of book.slots) {
    if (booking.isSeat ? slot.starts !== booking.starts : slot.state !== 1 || slot.partOf !== booking.starts) continue;
    slot.taken -= booking.people;
    slot.partOf = null;
    slot.state = isWithdrawn && slot.seats === 1 ? 2 : 0;
    if (slot.seats === 1) slot.id = null;
  }
  book.bookings = book.bookings.filter(({ id }) => id !== booking.id);
  book.ended.push(booking.id ?? '');
}

const publishSql = `INSERT INTO slots (provider_id, starts_at, id, ends_at, city, local_date, time_zone, seats, publication)
  VALUES (?1, ?2, ?1 || printf('%013d', ?2) || lower(hex(randomblob(6))), ?3, 'oslo', date(?2 / 1000, 'unixepoch'), 'UTC', ?4, 'p')`;
const bookSql = `INSERT INTO bookings (provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, city, slot_id, status,
    people, booker_id, booker_name, person_id, booked_at)
  SELECT provider_id, starts_at, ?3, ?4, ?5, local_date, time_zone, city, ?6, 1, ?7, ?8, ?8, ?8, 1
  FROM slots WHERE provider_id = ?1 AND starts_at = ?2`;
const moveSql = `INSERT INTO bookings (provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, city, slot_id, status,
    people, booker_id, booker_name, person_id, booked_at, moved_from, moved_by, calendar_id, sequence)
  SELECT old.provider_id, slots.starts_at, ?5, ?8, ?9, slots.local_date, slots.time_zone, slots.city, ?6, 1,
    old.people, old.booker_id, old.booker_name, old.person_id, 2, old.id, ?7, coalesce(old.calendar_id, old.id), old.sequence + 1
  FROM bookings AS old CROSS JOIN slots ON slots.provider_id = old.provider_id AND slots.starts_at = ?4
  WHERE old.provider_id = ?1 AND old.starts_at = ?2 AND old.id = ?3`;
const endSql = `UPDATE bookings SET status = 2, canceled_at = 3, canceled_by = ?4, withdraws = ?5, moved_to = ?6, sequence = sequence + 1
  WHERE provider_id = ?1 AND starts_at = ?2 AND id = ?3 AND status = 1`;
const withdrawSql =
  'UPDATE slots SET state = 2, withdrawn_at = 4 WHERE provider_id = ?1 AND starts_at BETWEEN ?2 AND ?3 AND state = 0';
const standSql = `INSERT INTO standing_times (provider_id, id, person_id, booker_id, day, minute, weeks, from_date, set_at)
  VALUES (?1, ?2, ?3, ?3, 4, ?4, 1, '1970-01-01', -1)`;
const bookStandingSql = `INSERT INTO standing_dates (provider_id, standing_id, local_date, starts_at, now, told_with)
  VALUES (?1, ?2, '1970-01-01', ?3, -1, ?4)`;

/** Chooses the next change of a provider's book. */
export function nextStep(chance: Chance, provider: string, book: Book, units: number): Step {
  const after = copyOf(book);
  const booker = `guest${chance.below(3)}`;
  const ofBookings = ['book', 'book several', 'book a seat', 'cancel', 'move', 'stand', 'end a standing time'] as const;
  const acts = [...ofBookings, 'publish', 'publish over', 'withdraw'] as const;
  const name = chance.of(acts);
  const step = (batch: Statement[], isTaken = true): Step => ({ name, batch, after: isTaken ? after : null });
  const freshId = (starts: number) =>
    provider + pad(starts) + Array.from({ length: 12 }, () => chance.below(16).toString(16)).join('');
  const bookingOf = (slot: Slot, last: Slot, people: number, pause: number): Booking => ({
    id: slot.seats > 1 ? freshId(slot.starts) : (slot.id ?? ''),
    starts: slot.starts,
    ends: last.ends,
    takenUntil: last.ends + pause,
    people,
    isSeat: slot.seats > 1,
    who: booker,
  });
  const standingSteps = (act: string) => {
    bookStanding(after);
    return after.standing.map(({ id, starts }): Statement => [bookStandingSql, provider, id, starts, act]);
  };
  const claim = (booking: Booking, slot: Slot): Step => {
    const { id, starts, ends, takenUntil, people } = booking;
    const slotId = booking.isSeat ? slot.id : null;
    const isTaken = taken(after, booking, slotId);
    return step([[bookSql, provider, starts, id as string, ends, takenUntil, slotId, people, booker]], isTaken);
  };
  const withdrawn = book.slots.filter(({ state }) => state === 2);
  const classes = book.slots.filter(({ seats }) => seats > 1);
  const singles = book.slots.filter(({ seats }) => seats === 1);

  if (name === 'book' && singles.length > 0) {
    const slot = chance.of(singles);
    return claim(bookingOf(slot, slot, 1, 0), slot);
  }
  if (name === 'book several' && singles.length > 0) {
    const run = [chance.of(singles)];
    for (const slot of book.slots) if (slot.starts === run.at(-1)?.ends && run.length < 3) run.push(slot);
    const [first, last] = [run[0] as Slot, run.at(-1) as Slot];
    return claim(bookingOf(first, last, 1, chance.of([0, 0, unit])), first);
  }
  if (name === 'book a seat' && classes.length > 0) {
    const slot = chance.of(classes);
    return claim(bookingOf(slot, slot, 1 + chance.below(2), 0), slot);
  }
  if (name === 'cancel' && book.bookings.length > 0) {
    const booking = chance.of(book.bookings);
    const by = chance.of(['consumer', 'provider']);
    const isWithdrawn = by === 'provider' && chance.is(0.5);
    freed(after, booking, isWithdrawn);
    return step([[endSql, provider, ...keyOf(booking.id as string), by, Number(isWithdrawn), null]]);
  }
  if (name === 'move' && book.bookings.length > 0 && book.slots.length > 0) {
    const old = chance.of(book.bookings);
    const slot = chance.of(book.slots);
    if (slot.starts !== old.starts) {
      const by = chance.of(['consumer', 'provider']);
      const next = book.slots.find(({ starts }) => starts === slot.ends);
      const oldKey = keyOf(old.id as string);
      const last = chance.is(0.5) ? (next ?? slot) : slot;
      const moved = { ...bookingOf(slot, last, old.people, chance.of([0, unit])), who: old.who };
      const slotId = moved.isSeat ? slot.id : null;
      const isTaken = taken(after, moved, slotId, old);
      const isWithdrawn = by === 'provider' && chance.is(0.5);
      freed(after, old, isWithdrawn);
      const batch: Statement[] = [
        [moveSql, provider, ...oldKey, slot.starts, moved.id as string, slotId, by, moved.ends, moved.takenUntil],
        [endSql, provider, ...oldKey, by, Number(isWithdrawn), moved.id],
      ];
      return step(batch, isTaken);
    }
  }
  if (name === 'withdraw' && book.slots.length > 0) {
    const from = chance.of(book.slots).starts;
    const until = from + chance.below(4) * unit;
    const open = after.slots.filter(({ starts, state }) => starts >= from && starts <= until && state === 0);
    const isFree = open.every((slot) => slot.taken === 0);
    for (const slot of open) slot.state = 2;
    return step([[withdrawSql, provider, from, until]], isFree);
  }
  if (name === 'stand' && book.standing.length < 4) {
    const one = { id: freshId(0), who: booker, starts: chance.below(units) * unit, missed: null };
    after.standing = [...after.standing, one];
    return step([[standSql, provider, one.id, one.who, one.starts / 60_000], ...standingSteps(one.id)]);
  }
  if (name === 'end a standing time' && book.standing.length > 0) {
    const { id } = chance.of(book.standing);
    after.standing = after.standing.filter((one) => one.id !== id);
    return step([['DELETE FROM standing_times WHERE provider_id = ?1 AND id = ?2', provider, id]]);
  }
  const from =
    withdrawn.length > 0 && name === 'publish over' ? chance.of(withdrawn).starts : chance.below(units) * unit;
  const length = (1 + chance.below(3)) * unit;
  const seats = chance.of([1, 1, 1, 2, 4]);
  const batch = Array.from({ length: 1 + chance.below(3) }, (_, place): Statement => {
    const starts = from + place * length;
    published(after, { starts, ends: starts + length, seats });
    return [publishSql, provider, starts, starts + length, seats];
  });
  return step([...batch, ...standingSteps(freshId(from))]);
}
