import { sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { hours as table } from '../../../db/schema';
import { DomainError } from '../errors';
import { limits } from '../input/limits';
import type { Actor } from '../profile/accounts';
import { type Cuts, noSuchService, otherGap, otherLength, readCuts } from '../services/cuts.server';
import type { Hours, HoursInput } from './hours';
import type { Plan } from './planned-slots';

/** SQL: the provider's plan of hours, with the length and gap of each of its services. */
export const completePlan =
  sql<Plan>`iif(instr(${table.plan}, '"serviceId"') = 0, ${table.plan}, json_set(${table.plan}, '$.cuts', json((
    SELECT json_group_object(id, json_object('len', minutes, 'gap', gap)) FROM services
    WHERE services.provider_id = hours.provider_id))))`
    .mapWith(table.plan)
    .as('plan_with_cuts');

const idsIn = ({ hours, except, serviceId }: HoursInput): string[] => {
  const ranges = [...hours, ...except.flatMap((exception) => exception.hours)];
  const ids = [serviceId, ...ranges.map((range) => range.serviceId)];
  return [...new Set(ids.filter((id) => id !== undefined))];
};

/**
 * Fills in the length and gap if the input lacks them.
 * @throws DomainError invalid (the service has other ones), not_found (a service)
 */
export async function withLengthAndGap(db: Db, actor: Actor, input: HoursInput): Promise<Hours> {
  const ids = idsIn(input);
  const defaults = { len: input.len ?? limits.minutes.usual, gap: input.gap ?? 0 };
  if (ids.length === 0) return { ...input, ...defaults };
  const cuts: Cuts = await readCuts(db, actor, ids);
  const cut = input.serviceId === undefined ? undefined : cuts[input.serviceId];
  if (!cut) {
    if (ids.some((id) => !cuts[id])) throw noSuchService();
    return { ...input, ...defaults, cuts };
  }
  const faults = [
    ...((input.len ?? cut.len) === cut.len ? [] : [otherLength(cut.len)]),
    ...((input.gap ?? cut.gap) === cut.gap ? [] : [otherGap(cut.gap)]),
  ];
  if (faults.length > 0) throw new DomainError('invalid', faults);
  if (ids.some((id) => !cuts[id])) throw noSuchService();
  return { ...input, ...cut, cuts };
}
