import { afterAll, beforeAll } from 'vitest';
import { dump } from '../../app/local/database';
import type { Server, ServerOptions } from '../../app/local/server';
import { type Person, registerConsumer, registerProvider } from './factories';
import { borrowServer, type Lent } from './servers';
import { type Visitor, visitor } from './visit';

/** The running server of a test file, and a new browser at its door for each call of `visitor`. */
export type Served = Omit<Server, 'stop' | 'reload' | 'lost' | 'isFull' | 'demo'> & { visitor: () => Visitor };

/**
 * Serves the built Worker to all tests of this file, from an empty book. Its result can be read inside tests and hooks
 * only. By default it has no demo data, no rate limits, and cheap passwords.
 */
export function useServer(options: Partial<ServerOptions> = {}, isShared = true): Served {
  let lent: Lent | undefined;
  const running = (): Server => {
    if (!lent) throw new Error('The server runs inside tests and hooks only.');
    return lent.server;
  };
  beforeAll(async () => {
    lent = await borrowServer(options, isShared);
  }, 120_000);
  afterAll(() => lent?.giveBack());
  return {
    get url() {
      return running().url;
    },
    get port() {
      return running().port;
    },
    get d1() {
      return running().d1;
    },
    get secrets() {
      return running().secrets;
    },
    scheduled: () => running().scheduled(),
    visitor: () => visitor(running().url),
  };
}

type Rows = ({ id: string } & Record<string, unknown>)[];

/**
 * The rows of the book, to compare around a request that must change nothing. It leaves out what changes by
 * itself (counted tries, the last use of sessions, the language that was read last, how far mail and deliveries have come), and the named
 * tables.
 */
export async function storedRows({ d1 }: Served, ...but: string[]): Promise<Record<string, unknown>> {
  const { throttles, accounts, sessions, messages, deliveries, webhooks, ...rest } = await dump(d1);
  const all = {
    ...rest,
    accounts: (accounts as Rows).map(({ read_in, ...account }) => account),
    // What is sent in the background changes these beside what a request writes.
    webhooks: (webhooks as Rows).map(({ failing_since, failures, quiet_until, ...webhook }) => webhook),
    deliveries: (deliveries as Rows).map(({ webhook_id, number, data }) => [webhook_id, number, data]),
    sessions: (sessions as Rows).map(({ id }) => id),
    messages: (messages as Rows).filter(({ id }) => !/^webhook:/.test(String(id))).map(({ id, data }) => [id, data]),
  };
  return Object.fromEntries(Object.entries(all).filter(([table]) => !but.includes(table)));
}

/** The people whom tests know by name. */
const people = {
  karla: ['Karla', registerProvider], // a barber
  ana: ['Ana Costa', registerProvider], // gives lessons
  host: ['Hanna Host', registerProvider], // has parties and meetups
  rival: ['Rita Rival', registerProvider], // nothing of the others is hers
  maya: ['Maya Lindqvist', registerConsumer],
  june: ['June Okafor', registerConsumer],
} as const;

type Name = keyof typeof people;

/**
 * Registers people of the world before the tests of a file. They read UTC unless their details say otherwise; like a server's, their
 * properties can be read inside tests and hooks only.
 */
export function useWorld<Chosen extends Name>(
  daybook: Pick<Served, 'visitor'>,
  chosen: Record<Chosen, object>,
): Record<Chosen, Person> {
  const names = Object.keys(chosen) as Chosen[];
  const world = Object.fromEntries(names.map((name) => [name, {}])) as Record<Chosen, Person>;
  beforeAll(async () => {
    const register = async (name: Chosen) => {
      const [displayName, registerAs] = people[name];
      Object.assign(world[name], await registerAs(daybook, { displayName, ...chosen[name] }));
    };
    await Promise.all(names.map(register));
  });
  return world;
}
