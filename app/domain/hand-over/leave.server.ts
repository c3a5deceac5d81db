import { and, gt, sql } from 'drizzle-orm';
import type { Db, Named } from '../../../db/client';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, bookings, refusals } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isBooked, isToCome } from '../../../db/states';
import { ended } from '../bookings/book.server';
import { endHolds } from '../bookings/holds.server';
import { fold } from '../input/fold';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { tellHowMany } from '../series/message.server';
import { type Leaver, leaveShop } from '../shop/joining.server';
import type { Instant } from '../time/clock';
import type { LeavingChoice } from './hand-over';
import { cannotBeHandedOver, isNotAsShown, listComing, type Moment, passOn } from './hand-over.server';

type Leave = { username?: string | undefined; appointments?: LeavingChoice | undefined };

const tries = 3;

/**
 * Takes somebody out of the shop as leaveShop does, and says what becomes of their coming appointments, in the same step: they
 * stay theirs, each goes to whoever has the turn among those who can take it, or all are canceled.
 * @throws DomainError as leaveShop, and conflict (names what nobody can take, and nothing happens)
 */
export async function leaveWith(
  db: Db,
  actor: Actor,
  { username, appointments = 'stay' }: Leave,
  moment: Moment,
): Promise<void> {
  const { now } = moment;
  if (appointments === 'stay') return leaveShop(db, actor, { username }, now);
  const leaver = username === undefined ? actor.accountId : await findId(db, username);
  if (appointments === 'cancel') return leaveShop(db, actor, { username }, now, cancelAll(leaver, actor, now));
  for (let left = tries; ; left--) {
    const coming = await listComing(db, leaver, moment);
    const lost = coming.filter(({ takers }) => takers.length === 0);
    if (lost.length > 0) throw cannotBeHandedOver(lost, 0);
    const moves = coming.map(({ id, takers }) => ({ id, to: takers[0]?.username ?? '' }));
    try {
      return await leaveShop(db, actor, { username }, now, (isLeaving) => ({
        overdue: endHolds(now),
        ...(moves.length > 0 &&
          passOn({ moves, reason: null, memberId: actor.accountId, republish: true, mayPassOn: isLeaving }, now)),
        none: insertFrom(
          refusals,
          { name: 'not_as_shown' },
          sql`WHERE ${isLeaving} AND EXISTS (SELECT 1 FROM bookings
            WHERE provider_id = ${leaver} AND ${isToCome(now)})`,
        ),
      }));
    } catch (error) {
      // Somebody has booked or moved since they were read.
      if (!isNotAsShown(error)) throw error;
      if (left === 1) throw cannotBeHandedOver([], moves.length);
    }
  }
}

async function findId(db: Db, username: string): Promise<string> {
  const [[found]] = await db.run(
    orm
      .select({ id: accounts.id })
      .from(accounts)
      .where(sql`${accounts.usernameFolded} = ${fold(username.trim())}`),
  );
  if (!found) throw notFound('provider');
  return found.id;
}

/** Cancels all coming appointments. Whoever is removed by an owner is told of that once. */
function cancelAll(leaver: string, actor: Actor, now: Instant): Leaver {
  const isRemoved = leaver !== actor.accountId;
  const toldWith = isRemoved ? newId() : undefined;
  const by = { accountId: leaver, ...(isRemoved && { memberId: actor.accountId }) };
  return (isLeaving): Named => ({
    overdue: endHolds(now),
    canceled: orm
      .update(bookings)
      .set(ended(by, { reason: null, republish: true, toldWith }, now))
      .where(and(ownedBy(leaver, bookings), isBooked(bookings), gt(bookings.startsAt, now), isLeaving)),
    told: toldWith
      ? tellHowMany('canceled', sql`told.provider_id = ${leaver} AND told.starts_at > ${now}`, toldWith)
      : undefined,
  });
}
