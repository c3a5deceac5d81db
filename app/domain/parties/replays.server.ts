import { Column, eq, is, SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, parties } from '../../../db/schema';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { packedWithMailState, unpackWithMailState } from './invitations.server';
import type { Party } from './parties';
import { getHosted, type HostedSummary, type Kind } from './parties.server';
import { partyColumns } from './select.server';

// Raise this when a release changes the fields of a party or a packed invitation. Keys of the day before then return
// the party as it is now.
export const version = 4;

type Replay = { version: number; id: string; party: Record<string, unknown>[]; invitations: unknown[][] };

// D1 takes at most 32 arguments to a function.
const pairsAtOnce = 16;

/** SQL: a party with its invitations at this moment, which a one-time key can return again. */
export function replayOf(id: string): SQL {
  const pairs = Object.entries(partyColumns).map(([name, column]) => {
    return sql`${sql.raw(`'${name}'`)}, ${is(column, SQL.Aliased) ? column.sql : column}`;
  });
  const parts = Array.from({ length: Math.ceil(pairs.length / pairsAtOnce) }, (_, part) => {
    const batch = pairs.slice(part * pairsAtOnce, (part + 1) * pairsAtOnce);
    return sql`json_object(${sql.join(batch, sql`, `)})`;
  });
  return sql`(SELECT json_object('version', ${sql.raw(String(version))}, 'id', ${parties.id},
      'party', json_array(${sql.join(parts, sql`, `)}), 'invitations', json((SELECT ${packedWithMailState} FROM invitations WHERE party_id = ${parties.id})))
    FROM ${parties} JOIN ${accounts} ON ${eq(accounts.id, parties.providerId)} WHERE ${parties.id} = ${id})`;
}

/**
 * Reads what `replayOf` stored, or the party itself if another version of the code stored it.
 * @throws DomainError not_found
 */
export async function readReplay(
  db: Db,
  actor: Actor,
  kind: Kind,
  stored: unknown,
  now: Instant,
): Promise<HostedSummary> {
  const replay = stored as Replay;
  if (replay.version !== version) return getHosted(db, actor, kind, replay.id, now);
  const values = Object.assign({}, ...replay.party) as Record<string, unknown>;
  const party = Object.fromEntries(
    Object.entries(partyColumns).map(([name, column]) => {
      const value = values[name];
      return [name, is(column, Column) && value !== null ? column.mapFromDriverValue(value) : value];
    }),
  ) as Party;
  return { ...party, invitations: unpackWithMailState(replay.invitations, party.id) };
}
