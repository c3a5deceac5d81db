import { dump } from '../../app/local/database';
import type { Served } from './use-server';

type Rows = { id: string; data?: string }[];

/**
 * The rows of the book, to compare around a request that must change nothing. It leaves out counted tries, the last use of sessions,
 * the state of mail, and the named tables.
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
