import { stored } from './history';
import { Broken, type World } from './waitlist-world';

/* Whoever is concerned by what a step has done is told of it. Nobody is told here who has left. */

const isTold = (who: string, kind: string, of: string) => `EXISTS (SELECT 1 FROM messages
  WHERE account_id = ${who} AND kind = '${kind}' AND (booking_id = ${of} OR data ->> 'with' = one.told_with))`;
const isHere = (who: string) => `EXISTS (SELECT 1 FROM accounts WHERE id = ${who} AND display_name <> '')`;

const ofTaker = 'substr(one.moved_to, 1, length(one.moved_to) - 25)';
const mover = 'coalesce(one.acted_by, one.provider_id)';
const isPassedOn = `status = 2 AND canceled_at = ?1 AND canceled_by = 'provider' AND ${ofTaker} <> one.provider_id`;
const isToldTogether = (who: string) =>
  `EXISTS (SELECT 1 FROM messages WHERE account_id = ${who} AND id = 'moved:' || one.told_with || ':' || ${who})`;

/** SQL that counts bookings of this moment, of which somebody should have been told. */
const untold = {
  'a provider is told of what a client books': `status = 1 AND booked_at = ?1 AND moved_from IS NULL AND code_hash IS NULL
    AND NOT ${isTold('one.provider_id', 'booked', 'one.id')}`,
  'a client is told of what their provider cancels': `status = 2 AND canceled_at = ?1 AND canceled_by = 'provider' AND moved_to IS NULL
    AND ${isHere('one.booker_id')} AND NOT ${isTold('one.booker_id', 'canceled', 'one.id')}`,
  'a provider is told of what a client cancels': `status = 2 AND canceled_at = ?1 AND canceled_by = 'consumer' AND moved_to IS NULL
    AND ${isHere('one.provider_id')} AND NOT ${isTold('one.provider_id', 'canceled', 'one.id')}`,
  'a client is told of what their provider moves': `status = 2 AND canceled_at = ?1 AND canceled_by = 'provider' AND moved_to IS NOT NULL
    AND NOT ${isTold('one.booker_id', 'moved', 'one.moved_to')}`,
  'a provider is told of what a client moves': `status = 2 AND canceled_at = ?1 AND canceled_by = 'consumer' AND moved_to IS NOT NULL
    AND NOT ${isTold('one.provider_id', 'moved', `iif(${ofTaker} = one.provider_id, one.moved_to, one.id)`)}`,
  'a colleague is told of what a client moves to them': `status = 2 AND canceled_at = ?1 AND canceled_by = 'consumer'
    AND ${ofTaker} <> one.provider_id AND NOT ${isTold(ofTaker, 'moved', 'one.moved_to')}`,
  'a colleague is told of what somebody else gives them': `${isPassedOn} AND ${ofTaker} <> ${mover} AND NOT ${isToldTogether(ofTaker)}`,
  'a provider is told of what somebody else gives away': `${isPassedOn} AND one.provider_id <> ${mover}
    AND NOT ${isToldTogether('one.provider_id')}`,
};

const everyCount = `SELECT ${Object.values(untold).map((condition, place) => `(SELECT count(*) FROM bookings AS one WHERE ${condition}) AS rule_${place}`)}`;

/** @throws Broken */
export async function whoeverIsConcernedIsTold(world: World): Promise<void> {
  const [found] = await stored<Record<string, number>>(everyCount, world.now);
  const rule = Object.keys(untold).find((_, place) => found?.[`rule_${place}`] !== 0);
  if (rule) throw new Broken(rule, world.said);
}
