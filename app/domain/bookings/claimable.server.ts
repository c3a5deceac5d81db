import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { firstThatHolds } from '../../../db/first-that-holds';
import { isBooked, isFull, isOpen } from '../../../db/states';
import { isFreeThroughout } from './lengths.server';
import type { WhyNot } from './refusals';
import { brokenRule, type TakesWhenFull } from './rules.server';
import { endOfService, serviceTakenUntil } from './slot-with-service.server';

/**
 * Why a service can't be booked there. 'service': the provider doesn't offer it there. 'length': there is too little
 * time. 'changed': its length, price or deposit is not what the form said.
 */
export type Unfit = Extract<WhyNot, 'service' | 'length' | 'changed'>;

/**
 * @param terms what the form said of the service, as JSON
 * @param mayBeOff a provider books also what is switched off
 */
export const unfit = (
  service: Placeholder | SQL | string | null,
  terms?: Placeholder | SQL,
  mayBeOff = false,
): SQL<Unfit | null> => {
  const isOff = mayBeOff ? sql`false` : sql`NOT service.is_offered`;
  const changed: [SQL, Unfit][] = terms
    ? [
        [
          // A form from before deposits has none, and null differs from nothing.
          sql`${terms} ->> 'price' <> coalesce(service.price, '')
            OR ${terms} ->> 'deposit' <> coalesce(service.deposit, '')
            OR slots.service_id IS NULL AND ${terms} ->> 'minutes' <> service.minutes`,
          'changed',
        ],
      ]
    : [];
  if (service === null) {
    return sql`iif(slots.service_id IS NULL, NULL, ${firstThatHolds([isOff, 'service'], ...changed)})`;
  }
  const stretch = {
    provider: sql`slots.provider_id`,
    start: sql`slots.starts_at`,
    end: endOfService,
    takenUntil: serviceTakenUntil,
  };
  return firstThatHolds<Unfit>(
    [sql`service.id IS NOT ${service} OR ${isOff}`, 'service'],
    [sql`slots.service_id IS NULL AND (slots.seats > 1 OR service.seats > 1)`, 'service'],
    [sql`slots.service_id IS NULL AND NOT ${isFreeThroughout(stretch)}`, 'length'],
    ...changed,
  );
};

/** SQL: the service in the row `service`, which is offered, can begin at the slot in `slots`. */
export const canBegin = sql`(slots.service_id = service.id OR slots.service_id IS NULL AND ${unfit(sql`service.id`)} IS NULL)`;

export type Value = Placeholder | SQL;
export type AskingSql = {
  people: Value;
  now: Value;
  accountId: Value;
  /** Their card, if a provider books for one. */
  personId?: Value;
  /** The name of the provider's account in `FROM`. */
  provider: SQL;
  /** The booking that moves there, and so counts as gone. */
  except?: Value;
  takesWhenFull?: TakesWhenFull;
  /** Whether the provider's rules bind whoever asks, or SQL for that. */
  isBound: boolean | SQL;
  /** A service that is switched off will do: its provider books it for somebody. */
  mayBeOff?: boolean;
};

/**
 * Whoever looks at a list: nobody in particular, who comes alone. They count as somebody with an account, so that a list shows times
 * that only accounts may book.
 * @param provider the name of the provider's account in `FROM`
 */
export const nobody = (now: Value, provider: SQL): AskingSql => ({
  people: sql`1`,
  now,
  accountId: sql`''`,
  provider,
  isBound: true,
});

/** SQL: the person has a place of this class, whether they have booked it or their provider has for their card. */
export const hasSeat = (accountId: Value, personId?: Value) => {
  const taken = (isTheirs: SQL) => sql`EXISTS (SELECT 1 FROM bookings AS mine
    WHERE ${isTheirs} AND ${isBooked('mine')} AND mine.starts_at = slots.starts_at AND mine.slot_id = slots.id)`;
  const byCard = personId
    ? taken(sql`mine.provider_id = slots.provider_id AND mine.person_id = ${personId}`)
    : sql`false`;
  return sql`(slots.seats > 1 AND (${taken(sql`mine.booker_id = ${accountId}`)} OR ${byCard}))`;
};

/** SQL: why nobody can have the slot any more. */
export const whyTaken = (isFree: SQL): SQL<WhyNot | null> =>
  firstThatHolds<WhyNot>([sql`${isFull('slots')} AND slots.seats > 1`, 'full'], [sql`NOT ${isFree}`, 'taken']);

export const exceedsSeats = (people: Value): SQL => sql`slots.taken + ${people} > slots.seats`;

/**
 * SQL: why somebody can't have the slot in `slots`, or null if they can. Whatever books, moves, previews a series or refuses
 * asks this.
 * @param unfit SQL: why the service does not fit there
 * @param isFree SQL: the slot is free for them
 */
export const whyNotBy = (
  unfit: SQL<Unfit | null>,
  { people, now, accountId, personId, provider, except, takesWhenFull, isBound }: AskingSql,
  isFree: SQL = isOpen('slots'),
): SQL<WhyNot | null> => {
  const rule = brokenRule(provider, { accountId, now, except }, takesWhenFull);
  const ruleThatBinds =
    typeof isBound === 'boolean' ? (isBound ? rule : sql`NULL`) : sql`iif(${isBound}, ${rule}, NULL)`;
  return sql`coalesce(
    ${whyTaken(isFree)},
    iif(slots.starts_at <= ${now}, 'begun', NULL),
    ${unfit},
    ${firstThatHolds<WhyNot>([hasSeat(accountId, personId), 'seated'], [exceedsSeats(people), 'places'])},
    ${ruleThatBinds})`;
};

/** As whyNotBy, for a new booking. The query joins the slot by `slotWithService`. */
export const whyNot = (
  asking: AskingSql & { terms?: Value },
  service: Placeholder | SQL | string | null,
): SQL<WhyNot | null> => whyNotBy(unfit(service, asking.terms, asking.mayBeOff), asking);
