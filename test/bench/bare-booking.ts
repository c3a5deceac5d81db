import type { D1 } from '../../app/local/d1';
import { visitor } from '../support/visit';
import type { Ask } from './load';
import { moduleBefore, serving } from './served';
import { consumerName, password } from './world-plan';

/* The yardstick of Book: the batch that Book sends to D1, sent by a Worker that does nothing else. */

/** The values that differ by booking: an id, or a random text of so many characters. */
type Own = 'slot' | 'account' | 'session' | 22 | 64;
type Value = string | number | null;
/** A statement of Book, with its fixed values and the places of a booking's own. */
export type Step = { sql: string; values: { fixed: Value; own: Own | null }[] };

type Batch = { sql: string; values: Value[] }[];

/** Books one slot on a server that prints its batches. @throws Error if the booking is not one batch */
export async function recordBooking(dataDir: string): Promise<Step[]> {
  const batches: Batch[] = [];
  const log = ({ message }: { message: string }) => {
    if (message.startsWith('batch ')) batches.push(JSON.parse(message.slice('batch '.length)));
  };
  return serving(dataDir, { before: moduleBefore('batches'), log }, async (server) => {
    const browser = visitor(server.url);
    await browser.api('POST', '/api/Account/Login', { username: consumerName(1), password });
    const [{ id }] = (await browser.api('GET', '/api/Appointment/GetPage')).json as [{ id: string }];
    const before = batches.length;
    const { status } = await browser.api('PUT', `/api/Appointment/Book?id=${id}`);
    const [batch, ...more] = batches.slice(before);
    if (status !== 200 || !batch || more.length > 0) throw new Error(`The booking to record was answered ${status}.`);
    const session = await server.d1
      .prepare('SELECT id, account_id FROM sessions ORDER BY created_at DESC LIMIT 1')
      .first<{ id: string; account_id: string }>();
    if (!session) throw new Error('Nobody is logged in.');
    const own = new Map<Value, Own>([
      [id, 'slot'],
      [session.account_id, 'account'],
      [session.id, 'session'],
    ]);
    const random = (value: Value): 22 | 64 | undefined => {
      const [length] = /^([\w-]{22}|[\da-f]{64})$/.test(String(value)) ? [String(value).length] : [];
      return length as 22 | 64 | undefined;
    };
    return batch.map(({ sql, values }) => ({
      sql,
      values: values.map((fixed) => ({ fixed, own: own.get(fixed) ?? random(fixed) ?? null })),
    }));
  });
}

type SessionRow = { id: string; account_id: string };

/** Opens the product's sessions in the yardstick's book too. @returns a function that books a slot, by turns */
export async function shareSessions(from: D1, to: D1): Promise<(slot: string, turn: number) => Ask> {
  const { results } = await from.prepare('SELECT * FROM sessions').all<SessionRow>();
  const [first] = results;
  if (!first) throw new Error('Nobody is logged in.');
  const columns = Object.keys(first);
  const values = columns.map((name) => `value ->> '${name}'`);
  const insert = `INSERT OR IGNORE INTO sessions (${columns}) SELECT ${values} FROM json_each(?1)`;
  await to.prepare(insert).bind(JSON.stringify(results)).run();
  const { results: bookers } = await from
    .prepare(`SELECT sessions.* FROM sessions JOIN accounts ON accounts.id = account_id WHERE role = 'Consumer'`)
    .all<SessionRow>();
  return (slot, turn) => {
    const { id, account_id } = bookers[turn % bookers.length] as SessionRow;
    return { method: 'PUT', path: `/book?slot=${slot}&account=${account_id}&session=${id}` };
  };
}
