import { msg, plural } from '@lingui/core/macro';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { services } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { isPublished } from '../../../db/states';
import { endBrokenHolds, runAfterHolds } from '../bookings/holds.server';
import { conflict, notLoggedIn } from '../errors';
import { booksOf } from '../login/acting.server';
import { isLoggedIn } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import { isOfShop, isOwnService, listNames, namesIn, ruledByShop } from '../services/services.server';
import type { Instant } from '../time/clock';

const comingTimes = (provider: string | SQL, id: string, now: Instant) =>
  sql<number>`(SELECT count(*) FROM slots
    WHERE ${ownedBy(provider)} AND starts_at > ${now} AND ${isPublished()} AND service_id = ${id})`;
const isInHours = (provider: string | SQL, id: string) =>
  sql<number>`EXISTS (SELECT 1 FROM hours WHERE ${ownedBy(provider)} AND instr(plan, json_quote(${id})) > 0)`;

/** SQL: the provider has coming times or hours for the service. */
export const isUsedBy = (provider: SQL, id: string, now: Instant) =>
  sql`(${comingTimes(provider, id, now)} > 0 OR ${isInHours(provider, id)})`;

/**
 * Deletes a service; one of a shop's with those of all who do it. Booked appointments keep its name, price and deposit.
 * @throws DomainError unauthenticated, invalid (it is the shop's), not_found, conflict (with the number of coming times)
 */
export async function deleteService(db: Db, actor: Actor, id: string, now: Instant): Promise<void> {
  const users = actor.isShop ? namesIn(actor, isUsedBy(sql`one.account_id`, id, now)) : sql<string>`'[]'`;
  const {
    state: [state],
    deleted,
  } = await runAfterHolds(db, now, {
    state: orm
      .select({
        isLoggedIn: sql<number>`${isLoggedIn(actor, now)}`.as('is_logged_in'),
        isThere: sql<number>`${isOwnService(actor, id)}`.as('is_there'),
        isOfShop: isOfShop(actor, id).as('is_of_shop'),
        coming: comingTimes(actor.accountId, id, now).as('coming'),
        inHours: isInHours(actor.accountId, id).as('in_hours'),
        users: users.as('users'),
      })
      .from(sql`(SELECT 1)`),
    deleted: orm
      .delete(services)
      .where(
        and(
          sql`${services.providerId} IN ${booksOf(actor)}`,
          eq(services.id, id),
          sql`${isOwnService(actor, id)} AND NOT ${isOfShop(actor, id)}`,
          sql`${comingTimes(actor.accountId, id, now)} = 0 AND NOT ${isInHours(actor.accountId, id)} AND ${users} = '[]'`,
          isLoggedIn(actor, now),
        ),
      )
      .returning({ provider_id: services.providerId }),
    droppedHolds: endBrokenHolds(booksOf(actor), now),
  });
  if (!state?.isLoggedIn) throw notLoggedIn();
  if (!state.isThere) throw notFound('service');
  if (state.isOfShop) throw ruledByShop();
  if (deleted.length > 0) return;
  throw actor.isShop ? usedByPeople(state.users) : stillUsed(state.coming, Boolean(state.inHours));
}

export const usedByPeople = (names: string | undefined) =>
  conflict(
    msg`There are hours or coming times for this service in the book of ${{ names: listNames(names) }}. Change or remove them first.`,
  );

function stillUsed(coming: number, inHours: boolean) {
  if (!inHours) {
    return conflict(
      msg({
        message: plural(
          { coming },
          {
            one: '# coming time is for this service. Remove or cancel them first, or switch the service off.',
            other: '# coming times are for this service. Remove or cancel them first, or switch the service off.',
          },
        ),
      }),
    );
  }
  if (coming === 0) {
    return conflict(msg`Your hours are for this service. Change them first, or switch the service off.`);
  }
  return conflict(
    msg`Your hours and ${plural({ coming }, { one: '# coming time', other: '# coming times' })} are for this service. Change them first, or switch the service off.`,
  );
}
