import { msg } from '@lingui/core/macro';
import { asc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Db, Named } from '../../../db/client';
import { newId } from '../../../db/columns';
import { RuleBroken } from '../../../db/errors';
import { hasId, providerIn, providerOf, startOf } from '../../../db/ids';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, refusals } from '../../../db/schema';
import { startsIn } from '../../../db/starts-in';
import { orm } from '../../../db/statement';
import { hasEnded, isBooked, isNotBusy, isToCome } from '../../../db/states';
import { ended } from '../bookings/book.server';
import { booker, phoneOfBooking } from '../bookings/columns.server';
import { runAfterHolds } from '../bookings/holds.server';
import { whyNotForOld } from '../bookings/movable.server';
import { insertMoved } from '../bookings/move.server';
import { questionsOf, slotWithService, withService } from '../bookings/slot-with-service.server';
import { shareOfDay } from '../bookings/turn.server';
import { isOfColleague, tellOfPassedOn } from '../bookings/with-colleague.server';
import { DomainError, notLoggedIn } from '../errors';
import { fold } from '../input/fold';
import { mayActFor } from '../login/acting.server';
import { isLoggedIn, selectIsLoggedIn } from '../login/sessions.server';
import { isUntold } from '../messages/ways';
import { toldBooker, wayToBooker } from '../messages/ways.server';
import { notFound } from '../not-found';
import { guestLinkSourceOf, languageOfClient } from '../people/client-columns.server';
import { aboutBooking, type TextAbout } from '../people/texts.server';
import type { Actor } from '../profile/accounts';
import { selectShop, shopOf } from '../shop/shops.server';
import { dateWords, type Instant, type LocalDate, localDateOf, timeWords } from '../time/clock';
import { edgesOfDays } from '../time/zones';
import {
  type FreeTaker,
  fairestFirst,
  type HandedOver,
  type HandOver,
  type HandOverDays,
  type ToHandOver,
} from './hand-over';

/** Whether mails go out, and when it is. */
export type Moment = { now: Instant; hasMail: boolean };

/** SQL: the colleague of `slots` can take the booking `old` over, at its own time. A class does not go as a whole. */
const canTake = (now: Instant) => sql`slots.seats = 1 AND ${isOfColleague} AND ${isNotBusy('slots')}
  AND ${whyNotForOld({ me: sql`old.provider_id`, now: sql`${now}`, provider: sql`provider` }, false)} IS NULL`;

const slotsThen = sql`${slotWithService(sql`old.service_id`)} CROSS JOIN accounts AS provider ON provider.id = slots.provider_id`;

const old = alias(bookings, 'old');

/** SQL: who can take a booking of `bookings` over, as a JSON list. */
const takersOf = (now: Instant) =>
  sql<FreeTaker[]>`(
  SELECT json_group_array(json_object('username', provider.username, 'displayName', provider.display_name, 'place', turn.place,
      'day', json(${shareOfDay})))
    FROM bookings AS old CROSS JOIN colleagues AS mine ON mine.account_id = old.provider_id
      CROSS JOIN colleagues AS turn ON turn.shop_id = mine.shop_id AND turn.takes AND turn.account_id <> old.provider_id
      CROSS JOIN slots ON slots.provider_id = turn.account_id AND slots.starts_at = old.starts_at
      ${withService(sql`old.service_id`)}
      CROSS JOIN accounts AS provider ON provider.id = slots.provider_id
    WHERE ${hasId(old, bookings.id)} AND ${canTake(now)})`.mapWith((stored: string): FreeTaker[] =>
    (JSON.parse(stored) as (Omit<FreeTaker, 'taken' | 'published'> & { day: [number, number] })[]).map(
      ({ day: [taken, published], ...taker }) => ({ ...taker, taken, published }),
    ),
  );

const columns = {
  id: sql<string>`${bookings.id}`.as('handed_id'),
  startsAt: bookings.startsAt,
  endsAt: bookings.endsAt,
  date: bookings.localDate,
  timeZone: bookings.timeZone,
  client: sql<string>`${booker.displayName}`.mapWith(booker.displayName).as('client'),
  service: bookings.serviceName,
  asked: sql<'anyone' | null>`iif(${bookings.turn} IS NULL, NULL, 'anyone')`.as('asked'),
  phone: phoneOfBooking.as('their_phone'),
  lang: languageOfClient(booker).as('their_lang'),
  linkSource: guestLinkSourceOf(booker).as('their_link'),
};

const selectToHandOver = (which: SQL, { now, hasMail }: Moment) =>
  orm
    .select({
      ...columns,
      told: wayToBooker(hasMail ? 1 : 0, 'moved').as('told_by'),
      free: takersOf(now).as('free_takers'),
    })
    .from(bookings)
    .innerJoin(booker, eq(booker.id, bookings.bookerId))
    // SQLite knows the provider by this name.
    .innerJoin(sql`accounts AS provider`, sql`provider.id = ${bookings.providerId}`)
    .where(sql`${which} AND ${isBooked(bookings)} AND ${bookings.startsAt} > ${now}`)
    .orderBy(asc(bookings.startsAt), asc(bookings.id));

/** Lists all coming appointments of somebody, with who can take each over. */
export async function listComing(db: Db, accountId: string, moment: Moment): Promise<ToHandOver[]> {
  const [rows] = await db.run(selectToHandOver(ownedBy(accountId, bookings), moment));
  return fairestFirst(rows);
}

/** The colleague whose day it is. @throws DomainError not_found (no shop, the actor only has their own book, nobody of that name) */
function colleagueIn(read: Parameters<typeof shopOf>[0], username: string) {
  const shop = shopOf(read);
  const colleague = shop.people.find((one) => fold(one.username) === fold(username.trim()));
  if (shop.role === 'colleague' || !colleague) throw notFound('provider');
  return colleague;
}

const idOf = (username: string) => sql`(SELECT id FROM accounts WHERE username_folded = ${fold(username.trim())})`;

/** SQL: of the book of this colleague, where the actor works in it. The clocks of a shop are one. */
const inBookOf = (actor: Actor, username: string, row: string) =>
  sql`${sql.raw(row)}.provider_id = ${idOf(username)} AND ${mayActFor(actor.accountId, sql`${sql.raw(row)}.provider_id`)}`;

/**
 * Lists the coming appointments of a colleague on these days, whom each could go to, and how its client would be told. Who asked
 * for the colleague by name comes first.
 * @throws DomainError not_found (not the desk of their shop)
 */
export async function previewHandOver(db: Db, actor: Actor, days: HandOverDays, moment: Moment): Promise<ToHandOver[]> {
  const { coming, ...read } = await db.run({ ...selectShop(actor), coming: selectComing(actor, days, moment) });
  colleagueIn(read, days.of);
  return fairestFirst(coming);
}

const selectComing = (actor: Actor, { of, from, to }: HandOverDays, moment: Moment) =>
  selectToHandOver(
    sql`${inBookOf(actor, of, 'bookings')} AND ${startsIn(edgesOfDays(from, to, actor.timeZone), bookings)}`,
    moment,
  );

/** With what a text to the client is about; null if they are told, or have no number. */
function withAbout<Row extends HandedOver | ToHandOver>(
  row: Row,
): Omit<Row, 'lang' | 'linkSource'> & { about: TextAbout | null } {
  const { lang, linkSource, ...shown } = row;
  return { ...shown, about: isUntold(row.told) ? aboutBooking(row, { lang, linkSource }, row.phone) : null };
}

/** What the page of a hand-over shows: whose day it is, what can go, and what has gone to others. */
export async function readHandOver(
  db: Db,
  actor: Actor,
  { of, date }: { of: string; date: LocalDate | null },
  moment: Moment,
) {
  const day = date ?? localDateOf(moment.now, actor.timeZone);
  const { coming, handed, ...read } = await db.run({
    ...selectShop(actor),
    coming: selectComing(actor, { of, from: day, to: day }, moment),
    handed: selectHandedOver(sql`${inBookOf(actor, of, 'gone')} AND gone.local_date = ${day}`, moment),
  });
  const { username, displayName } = colleagueIn(read, of);
  return {
    username,
    displayName,
    date: day,
    coming: fairestFirst(coming).map(withAbout),
    handed: handed.map(handedOver).map(withAbout),
  };
}

const taker = alias(accounts, 'provider');

/** @param which SQL: of the bookings as they were, named `gone` */
function selectHandedOver(which: SQL, { hasMail }: Moment) {
  const gone = alias(bookings, 'gone');
  return orm
    .select({
      ...columns,
      told: toldBooker(sql`${hasMail ? 1 : 0}`).as('told_by'),
      username: sql<string>`${taker.username}`.as('taker'),
      displayName: sql<string>`${taker.displayName}`.mapWith(taker.displayName).as('taker_name'),
    })
    .from(gone)
    .crossJoin(bookings)
    .innerJoin(booker, eq(booker.id, bookings.bookerId))
    .innerJoin(taker, eq(taker.id, bookings.providerId))
    .where(
      sql`${which} AND ${hasEnded('gone')} AND gone.told_with IS NOT NULL AND ${hasId(bookings, sql`gone.moved_to`)}
          AND ${bookings.providerId} <> gone.provider_id`,
    )
    .orderBy(asc(bookings.startsAt), asc(bookings.id));
}

const handedOver = ({
  username,
  displayName,
  ...row
}: Awaited<ReturnType<typeof selectHandedOver>>[number]): HandedOver => ({ ...row, to: { username, displayName } });

type Passing = {
  moves: HandOver['moves'];
  reason: string | null;
  /** Who does it. */
  memberId: string;
  /** True to offer the time of whoever had it again. */
  republish: boolean;
  /** SQL: whoever asks may hand the booking `old` over. */
  mayPassOn: SQL;
};

/**
 * Statements for a batch that hands over exactly these bookings. The last one fails the batch, with the rule 'not_as_shown',
 * unless each is with whom it was meant for. What is repeated is as it was.
 */
export function passOn({ moves, reason, memberId, republish, mayPassOn }: Passing, now: Instant): Named {
  const wanted = sql`json_each(${JSON.stringify(moves.map(({ id, to }) => [id, fold(to.trim())]))}) AS wanted
    CROSS JOIN accounts AS taker ON taker.username_folded = wanted.value ->> 1`;
  const id = sql`(wanted.value ->> 0)`;
  const ids = JSON.stringify(moves.map((move) => move.id));
  const act = newId();
  const created = sql`(SELECT taken.id FROM ${wanted} CROSS JOIN bookings AS taken ON taken.provider_id = taker.id
      AND taken.starts_at = ${startOf(id)} AND taken.moved_from = ${id} AND taken.told_with = ${act}
    WHERE ${id} = ${bookings.id})`;
  return {
    taken: insertMoved(
      {
        id: sql`slots.id`,
        movedBy: sql`'provider'`,
        by: sql`nullif(${memberId}, taker.id)`,
        // They may move or cancel it until it begins: nobody asked them.
        cancelUntil: sql`0`,
        turn: sql`iif(old.turn IS NULL, NULL, ${shareOfDay})`,
        toldWith: act,
        questions: questionsOf({ isService: true }),
        answered: null,
      },
      sql`FROM ${wanted} CROSS JOIN bookings AS old ON ${hasId(old, id)} CROSS JOIN ${slotsThen}
        WHERE slots.provider_id = taker.id AND slots.starts_at = old.starts_at
          AND ${isToCome(now, 'old')} AND ${canTake(now)} AND ${mayPassOn}`,
      now,
    ).returning({ provider_id: bookings.providerId }),
    ended: orm
      .update(bookings)
      .set({
        ...ended({ accountId: bookings.providerId }, { reason, republish, movedTo: created, toldWith: act }, now),
        actedBy: sql`nullif(${memberId}, ${bookings.providerId})`,
      })
      .where(
        sql`(${bookings.providerId}, ${bookings.startsAt}, ${bookings.id}) IN (
          SELECT ${providerOf(sql`value`)}, ${startOf(sql`value`)}, value FROM json_each(${ids}))
          AND ${isBooked(bookings)} AND ${created} IS NOT NULL`,
      ),
    told: tellOfPassedOn({ ids, act, memberId }, now),
    whole: insertFrom(
      refusals,
      { name: 'not_as_shown' },
      sql`WHERE (SELECT count(*) FROM ${wanted} CROSS JOIN bookings AS gone ON ${hasId(alias(bookings, 'gone'), id)}
        WHERE ${providerOf(sql`gone.moved_to`)} = taker.id) <> ${moves.length}`,
    ),
  };
}

/** True for the failure of a hand-over that would not have been as it was shown. */
export const isNotAsShown = (error: unknown): boolean =>
  error instanceof RuleBroken && (error.rule === 'not_as_shown' || error.rule === 'slot_not_open');

/** Names appointments that nobody can take, or not whoever was to. */
export function cannotBeHandedOver(
  lost: Pick<ToHandOver, 'client' | 'startsAt' | 'timeZone'>[],
  total: number,
): DomainError {
  if (lost.length === 0)
    return new DomainError(
      'conflict',
      msg`Something has changed meanwhile, so nothing was handed over. Please look again.`,
    );
  return new DomainError('conflict', [
    ...lost.map(({ client, startsAt, timeZone }) => {
      const [day, time] = [dateWords(localDateOf(startsAt, timeZone)).full, timeWords(startsAt, timeZone)];
      const message =
        total > 0
          ? msg`${client}, ${day}, ${time}: this can't go to whom it was meant for any more.`
          : msg`${client}, ${day}, ${time}: nobody can take this over.`;
      return { field: null, message };
    }),
    { field: null, message: msg`Nothing has changed.` },
  ]);
}

/**
 * Hands coming appointments of one colleague over to others, exactly as said or not at all. Each keeps its entry in calendars and
 * its personal link, and its client may move or cancel it until it begins. A repeat changes nothing.
 * @throws DomainError not_found (not the desk of their shop), conflict (names what can't go any more), unauthenticated
 */
export async function handOverAppointments(
  db: Db,
  actor: Actor,
  { moves, reason }: HandOver,
  moment: Moment,
): Promise<HandedOver[]> {
  const { now } = moment;
  const { accountId, sessionId } = actor;
  const [former = ''] = new Set(moves.map(({ id }) => providerIn(id)));
  if (moves.some(({ id }) => providerIn(id) !== former)) throw notFound('appointment');
  const mayPassOn = sql`(${isLoggedIn({ accountId, sessionId }, now)} AND ${mayActFor(accountId, sql`old.provider_id`)})`;
  const ids = JSON.stringify(moves.map(({ id }) => id));
  const rights = {
    reader: selectIsLoggedIn(actor, now),
    desk: orm.select({ may: sql<number>`${mayActFor(accountId, former)}`.as('may_act') }).from(sql`(SELECT 1)`),
  };
  try {
    const { handed, ...read } = await runAfterHolds(db, now, {
      ...passOn({ moves, reason, memberId: accountId, republish: false, mayPassOn }, now),
      ...rights,
      handed: selectHandedOver(
        sql`gone.provider_id = ${former} AND gone.id IN (SELECT value FROM json_each(${ids}))`,
        moment,
      ),
    });
    // What is repeated changes nothing, whoever repeats it.
    refuseOthers(read);
    return handed.map(handedOver);
  } catch (error) {
    if (!isNotAsShown(error)) throw error;
    const [read, lost] = await Promise.allSettled([db.run(rights), listLost(db, { former, moves }, moment)]);
    if (read.status === 'rejected') throw read.reason;
    refuseOthers(read.value);
    if (lost.status === 'rejected') throw lost.reason;
    throw cannotBeHandedOver(lost.value, moves.length);
  }
}

type Rights = { reader: { isLoggedIn: number }[]; desk: { may: number }[] };

function refuseOthers({ reader: [reader], desk: [desk] }: Rights): void {
  if (!reader?.isLoggedIn) throw notLoggedIn();
  if (!desk?.may) throw notFound('appointment');
}

/** Lists the appointments that can't go to whom they were meant for. */
async function listLost(
  db: Db,
  { former, moves }: { former: string; moves: HandOver['moves'] },
  moment: Moment,
): Promise<Pick<ToHandOver, 'client' | 'startsAt' | 'timeZone'>[]> {
  const ids = JSON.stringify(moves.map(({ id }) => id));
  const [known, coming] = await Promise.all([
    db.run(
      orm
        .select(columns)
        .from(bookings)
        .innerJoin(booker, eq(booker.id, bookings.bookerId))
        .where(sql`${bookings.providerId} = ${former} AND ${bookings.id} IN (SELECT value FROM json_each(${ids}))`)
        .orderBy(asc(bookings.startsAt)),
    ),
    listComing(db, former, moment),
  ]);
  const isFree = ({ id, to }: HandOver['moves'][number]) =>
    coming.some((row) => row.id === id && row.takers.some(({ username }) => fold(username) === fold(to.trim())));
  const lost = new Set(moves.filter((move) => !isFree(move)).map(({ id }) => id));
  const [rows] = known;
  if (rows.length < lost.size && moves.some(({ id }) => !rows.some((row) => row.id === id)))
    throw notFound('appointment');
  return rows.filter(({ id }) => lost.has(id));
}
