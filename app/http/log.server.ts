import type { Tally } from '../../db/client';

// Contains nobody's name, address, e-mail, key or text.
type Line = { id: string; route: string; method: string; status: number; milliseconds: number; d1: Tally | null };

export type SecurityEvent =
  | 'login failed'
  | 'throttled'
  | 'cross-site refused'
  | 'password changed'
  | 'e-mail changed'
  | 'second factor on'
  | 'second factor off'
  | 'session ended'
  | 'key made'
  | 'key ended'
  | 'webhook made'
  | 'webhook changed'
  | 'webhook ended'
  | 'session check failed'
  | 'account deleted';

// Written as JSON, because the platform indexes that.
export function logRequest(line: Line, events: SecurityEvent[]): void {
  console.log(JSON.stringify({ message: 'request', ...line }));
  for (const event of events)
    console.log(JSON.stringify({ message: 'security', event, id: line.id, route: line.route }));
}

/** Logs a fault. The line must contain nothing about anybody. */
export function logFault(line: { message: string } & Record<string, unknown>, level: 'error' | 'warn' = 'error'): void {
  console[level](JSON.stringify(line));
}
