import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { reason } from '../bookings/appointments';
import { daysOf } from '../bookings/range';
import { fault, requiredText } from '../input/fields';
import type { Way } from '../messages/ways';
import type { Instant, LocalDate } from '../time/clock';

// Somebody of a shop is ill, or leaves. Their coming appointments go to colleagues who do the same for the same price and are
// free then.

export const handOverDays = daysOf({ of: requiredText(msg`Username`) });
export type HandOverDays = z.output<typeof handOverDays>;

/** How many appointments can be handed over at once. */
const mostAtOnce = 200;

export const handOver = z.object({
  moves: z
    .array(
      z.object({ id: requiredText(msg`The id`), to: requiredText(msg`Username`) }),
      fault(msg`Say which appointments, and to whom.`),
    )
    .check(
      z.minLength(1, fault(msg`Choose at least one appointment.`)),
      z.maxLength(mostAtOnce, fault(msg`Those are too many appointments at once.`)),
      z.refine(
        (moves) => new Set(moves.map(({ id }) => id)).size === moves.length,
        fault(msg`Each appointment can go to one person.`),
      ),
    ),
  reason,
});
export type HandOver = z.output<typeof handOver>;

/** What becomes of the coming appointments of somebody who leaves a shop. */
const leavingChoices = ['stay', 'handOver', 'cancel'] as const;
export type LeavingChoice = (typeof leavingChoices)[number];
export const leaving = z.object({
  appointments: z.optional(
    z.enum(leavingChoices, fault(msg`Say what becomes of the appointments: stay, handOver or cancel.`)),
  ),
});

type Taker = { username: string; displayName: string };

/** Somebody who could take it, with how many minutes of that day are taken and how many they have published. */
export type FreeTaker = Taker & { place: number; taken: number; published: number };

type Handed = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  client: string;
  service: string | null;
  /** Null if the client asked for this provider by name. */
  asked: 'anyone' | null;
  /** The client's number. */
  phone: string | null;
  /** How the client is told. */
  told: Way;
  /** For a text to the client: their language, and the seed of a guest's personal link. */
  lang: string | null;
  linkSource: string | null;
};

/** A coming appointment, and who can take it over: who is to take it comes first. */
export type ToHandOver = Handed & { takers: Taker[] };
/** An appointment that a colleague has now. */
export type HandedOver = Handed & { to: Taker };

/**
 * Sorts who can take each appointment, the fairest first: whoever has the smallest share of their day taken, together with what
 * the appointments before it would add to it, then by the order of the shop. Who asked for the provider by name is served last.
 */
export function fairestFirst<Row extends Handed & { free: FreeTaker[] }>(
  rows: Row[],
): (Omit<Row, 'free'> & ToHandOver)[] {
  const added = new Map<string, number>();
  const inTurn = rows.toSorted(
    (one, other) => Number(!one.asked) - Number(!other.asked) || one.startsAt - other.startsAt,
  );
  const sorted = inTurn.map(({ free, ...row }) => {
    const key = (username: string) => `${username} ${row.date}`;
    const shareOf = ({ username, taken, published }: FreeTaker) =>
      (taken + (added.get(key(username)) ?? 0)) / Math.max(1, published);
    const takers = free.toSorted((one, other) => shareOf(one) - shareOf(other) || one.place - other.place);
    const [first] = takers;
    if (first)
      added.set(key(first.username), (added.get(key(first.username)) ?? 0) + (row.endsAt - row.startsAt) / 60_000);
    return { ...row, takers: takers.map(({ username, displayName }) => ({ username, displayName })) };
  });
  // Whom the desk has to ask comes first.
  return sorted.toSorted(
    (one, other) => Number(one.asked !== null) - Number(other.asked !== null) || one.startsAt - other.startsAt,
  );
}
