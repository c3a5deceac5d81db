import type { Tally } from '../../db/client';

/** What may be told of a request: no name, address, e-mail, key or text of anyone is in it. */
type Line = { id: string; route: string; method: string; status: number; milliseconds: number; d1: Tally | null };

/** What somebody who looks for an attack wants to find. */
export type SecurityEvent =
  | 'login failed'
  | 'throttled'
  | 'cross-site refused'
  | 'password changed'
  | 'e-mail changed'
  | 'second factor on'
  | 'second factor off'
  | 'session ended'
  | 'session check failed'
  | 'account deleted';

/** Writes one line for a request, and one for each thing in it that concerns safety. Each is JSON, which the platform indexes. */
export function logRequest(line: Line, events: SecurityEvent[]): void {
  console.log(JSON.stringify({ message: 'request', ...line }));
  for (const event of events)
    console.log(JSON.stringify({ message: 'security', event, id: line.id, route: line.route }));
}
