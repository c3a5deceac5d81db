import { getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { freshId, providerOf, startOf } from '../../db/ids';
import { bookings } from '../../db/schema';
import {
  bookingStatus,
  hasEnded,
  hasOffer,
  isBooked,
  isBusy,
  isFull,
  isHeld,
  isInLine,
  isMadeForSomebody,
  isNotBusy,
  isOpen,
  isPublished,
  isStillWanted,
  isWaiting,
  isWishOver,
  isWithdrawn,
  madeBy,
  readState,
  slotState,
  stands,
  wasBooked,
  wishState,
} from '../../db/states';
import { whyNotInView } from './bookings/claimable-in-views.server';
import { isAllowedNow, minutesAhead } from './bookings/holds.server';
import { isFreeThroughout } from './bookings/lengths.server';
import { columnsOfOffer, isPartOf, whyNotOffered } from './bookings/movable.server';
import { countOfDay, hasRoomFor, isDayOfOld, lastMoment, shopOf, takesPerson } from './bookings/rules.server';
import {
  cityNow,
  columnsOfService,
  columnsOfSlot,
  isInTimeOf,
  isOverlapping,
  withService,
} from './bookings/slot-with-service.server';
import {
  countedIn,
  dueAt,
  gatheringTime,
  hashOf,
  isConfirmed,
  isMailed,
  mailIn,
  stateOf,
  whyWithheld,
} from './messages/mail-policy.server';
import { hearsOfEvent } from './parties/hearers.server';
import { nameOf } from './profile/name-of.server';
import { lastAddressOf, placeOf } from './services/where.server';
import { ownRulesUnder, rulesFrom } from './shop/house-rules.server';
import { isTimeOfEvent } from './slots/busy-times.server';
import { day, hour } from './time/clock';
import { longest } from './time/longest';
import { hears } from './webhooks/webhooks.server';

/*
 * The rules that triggers and views share with the statements of this domain. A file of db/behaviour names a rule in double
 * brackets, such as `[[startOf(NEW.moved_to)]]`, or a number, such as `[[slotState.open]]` or `[[time.day]]`, and `npm run structure`
 * writes it there. So each rule is said once.
 */

type Rule = (...operands: SQL[]) => SQL;
const operand = (operands: SQL[], place: number): SQL => operands[place] ?? sql``;

type ByTime = Record<keyof typeof columnsOfSlot, SQLWrapper>;

const columnsByTime: ByTime = { ...columnsOfSlot, ...columnsOfService };

/** What the booking of a standing time has: it is where it was the last time, if that is at its client's. */
const columnsOfStanding: ByTime = {
  ...columnsByTime,
  place: placeOf({
    kind: sql`service.place_kind`,
    address: lastAddressOf(sql`standing.provider_id`, sql`standing.booker_id`),
    link: sql`service.link`,
  }),
};

const nameOfColumn = (column: string) => sql.identifier(getTableColumns(bookings)[column as keyof ByTime].name);

/** SQL: the columns of a view, by their names in `bookings`. */
const asColumns = (columns: ByTime): SQL =>
  sql.join(
    Object.entries(columns).map(([column, value]) => sql`${value} AS ${nameOfColumn(column)}`),
    sql`, `,
  );

const rules: Record<string, Rule> = {
  // `(row)`, such as NEW, or `()` if only one table of the statement has the column
  isOpen,
  isFull,
  isWithdrawn,
  isPublished,
  isBusy,
  isNotBusy,
  isStillWanted,
  isHeld,
  isBooked,
  hasEnded,
  stands,
  wasBooked,
  isMadeForSomebody,
  isInLine,
  hasOffer,
  isWaiting,
  isWishOver,
  /** `(id)` */
  startOf: (...of) => startOf(operand(of, 0)),
  providerOf: (...of) => providerOf(operand(of, 0)),
  /** `(id of a booking)`, in a statement with no table but slots */
  isPartOf: (...of) => isPartOf({ provider: providerOf(operand(of, 0)), start: startOf(operand(of, 0)) }),
  /** `(a booking)`, of a row of slots */
  isInTimeOf: (...of) => isInTimeOf(operand(of, 0)),
  cityNow: () => cityNow,
  /** `(provider, start, end)`, of a row of slots */
  isOverlapping: (...of) => isOverlapping({ provider: operand(of, 0), start: operand(of, 1), end: operand(of, 2) }),
  /** `(a party or meetup)`, of a row of busy_times */
  isTimeOfEvent: (...of) => isTimeOfEvent(operand(of, 0)),
  /** `(a party or meetup)`, of a row of invitations */
  hearsOfEvent: (...of) => hearsOfEvent(operand(of, 0)),
  /** `(provider, start)` */
  freshId: (...of) => freshId(operand(of, 0), operand(of, 1)),
  /** `(provider, start, end, end with the gap)` */
  isFreeThroughout: (...of) =>
    isFreeThroughout({
      provider: operand(of, 0),
      start: operand(of, 1),
      end: operand(of, 2),
      takenUntil: operand(of, 3),
    }),
  // The next ones are asked of a row named `slots`, joined `withService` as `service`.
  /** `(wanted service)` */
  withService: (...of) => withService(operand(of, 0)),
  /** `(wanted service, people)` */
  whyNotInView: (...of) => whyNotInView(operand(of, 0), operand(of, 1)),
  /** What a booking there has, by the names of its columns; of a row named `standing` too. */
  columnsOfStanding: () => asColumns(columnsOfStanding),
  // These are asked of a row named `old` too: the booking that the wish is to move.
  /** `(wanted service, people)` */
  whyNotOffered: (...of) => whyNotOffered(operand(of, 0), operand(of, 1)),
  /** As columnsOfStanding, for an offer. */
  columnsOfOffer: () => asColumns({ ...columnsByTime, ...columnsOfOffer }),
  endOfOffer: () => columnsOfOffer.endsAt,
  /** The names of the columns of `columnsOfStanding` and of `columnsOfOffer`. */
  columnsByTime: () => sql.join(Object.keys(columnsByTime).map(nameOfColumn), sql`, `),
  /** `(the provider's account)` */
  hasRoomFor: (...of) => hasRoomFor('slots', operand(of, 0), isDayOfOld),
  /** `(the provider's account, account)` */
  takesPerson: (...of) => takesPerson(operand(of, 0), operand(of, 1)),
  /** `(account)` */
  nameOf: (...of) => nameOf(operand(of, 0)),
  /** `(provider)` */
  shopOf: (...of) => shopOf(operand(of, 0)),
  /** `(start, the provider's account)` */
  lastMoment: (...of) => lastMoment(operand(of, 0), operand(of, 1)),
  /** `(provider, date, a start of that day)` */
  countOfDay: (...of) =>
    countOfDay({ provider: operand(of, 0), date: operand(of, 1), from: operand(of, 2), until: operand(of, 2) }),
  /** `(now)`, of a row of the view fits */
  isAllowedNow: (...of) => isAllowedNow(operand(of, 0)),
  /** `(clock, instant)` */
  minutesAhead: (...of) => minutesAhead(operand(of, 0), operand(of, 1)),
  /** `(kind, an address was typed for this alone, the reader's account)` */
  isMailed: (...of) => isMailed(operand(of, 0), operand(of, 1), operand(of, 2)),
  /** `(an address was typed for this alone, the reader's account)` */
  isConfirmed: (...of) => isConfirmed(operand(of, 0), operand(of, 1)),
  /** `(account)` */
  hashOf: (...of) => hashOf(operand(of, 0)),
  /** `(kind)` */
  gatheringTime: (...of) => gatheringTime(operand(of, 0)),
  /** `(message)` */
  whyWithheld: (...of) => whyWithheld(mailIn(operand(of, 0))),
  /** `(reason)` */
  stateOf: (...of) => stateOf(operand(of, 0)),
  /** `(reason, message)` */
  dueAt: (...of) => dueAt(operand(of, 0), mailIn(operand(of, 1))),
  /** `(message)` */
  countedIn: (...of) => countedIn(mailIn(operand(of, 0))),
  /** `(what the house sets)`, of a row of accounts */
  ownRulesUnder: (...of) => ownRulesUnder(operand(of, 0)),
  /** `(rules by their names)`, in an UPDATE of accounts */
  rulesFrom: (...of) => rulesFrom(operand(of, 0)),
  /** `(kind)`, of a row of webhooks */
  hears: (...of) => hears(operand(of, 0)),
};

const numbers: Record<string, Record<string, number>> = {
  slotState,
  madeBy,
  bookingStatus,
  wishState,
  readState,
  longest,
  // In milliseconds
  time: { hour, day },
  // In minutes after midnight: nobody is to answer an offer between them.
  night: { start: 22 * 60, end: 8 * 60 },
};

const operandsOf = (text: string): SQL[] => (text === '' ? [] : text.split(',').map((one) => sql.raw(one.trim())));

const withNumbers = (behaviour: string): string =>
  behaviour.replace(/\[\[(\w+)\.(\w+)\]\]/g, (_, group: string, name: string) => {
    const number = numbers[group]?.[name];
    if (number === undefined) throw new Error(`db/behaviour names ${group}.${name}, which the domain does not have.`);
    return String(number);
  });

/** The SQL of a file of db/behaviour, with each rule that it names. @throws Error if there is no such rule */
export const withRules = (behaviour: string): string =>
  withNumbers(behaviour).replace(/\[\[(\w+)\((.*?)\)\]\]/gs, (_, name: string, operands: string) => {
    const rule = rules[name];
    if (!rule) throw new Error(`db/behaviour names the rule ${name}, which the domain does not have.`);
    const { sql: text, params } = new SQLiteSyncDialect().sqlToQuery(rule(...operandsOf(operands)));
    if (params.length > 0) throw new Error(`The rule ${name} has values, so no trigger can say it.`);
    return text.replace(/\s+/g, ' ');
  });
