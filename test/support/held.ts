import { dump } from '../../app/local/database';
import type { Served } from './use-server';

type Rows = { id: string; data?: string }[];

/**
 * What the book holds, to be the same after what must change nothing; but tries that were counted, when a session was used,
 * which mail of before has left meanwhile, and the named tables.
 */
export async function held({ d1 }: Served, ...but: string[]): Promise<Record<string, unknown>> {
  const { throttles, sessions, messages, ...rest } = await dump(d1);
  const all = {
    ...rest,
    sessions: (sessions as Rows).map(({ id }) => id),
    messages: (messages as Rows).map(({ id, data }) => [id, data]),
  };
  return Object.fromEntries(Object.entries(all).filter(([table]) => !but.includes(table)));
}
