import { sql } from 'drizzle-orm';
import { hasId } from '../../../db/ids';
import { slots } from '../../../db/schema';
import { isNotBusy } from '../../../db/states';
import { areAnswered, askingOf, isReachable, mayBook, serviceOf } from './claim-conditions.server';
import { type ClaimSql, isForSomeone, ofRequest, rowOf, type Shape } from './claim-request.server';
import { whyNot } from './claimable.server';
import { shareOfDay, turnOf } from './turn.server';

/** SQL: the time at which somebody in the shop has the turn, of those who are free for what was asked; null if nobody is. */
const turnIn = (shape: Shape) =>
  turnOf({
    shop: ofRequest('shop'),
    start: ofRequest('start'),
    service: serviceOf(shape),
    accountId: ofRequest('accountId'),
    // A provider may book over what else they have then; but nobody chose these colleagues, so those who have something are passed over.
    condition: sql`${whyNot(askingOf(shape), serviceOf(shape))} IS NULL AND ${isReachable(shape)} AND ${areAnswered(shape)}
      AND ${isForSomeone(shape) ? isNotBusy('slots') : mayBook(shape)}`,
  });

/** A time in a shop, with whoever has the turn: the statement itself finds them. With LIMIT, SQLite does so once. */
export const ofTurn: ClaimSql = {
  row: (shape, values) => sql`(SELECT request.*, ${turnIn(shape)} AS turn_id FROM ${rowOf(values)} LIMIT 1) AS request`,
  isGrantable: () => hasId(slots, sql`request.turn_id`),
  columns: () => ({ turn: shareOfDay }),
};
