import type { WorkerOptions } from 'miniflare';
import { type Hashing, hashingLine } from '../domain/login/hashing.server';
import type { Cost } from '../domain/login/passwords.server';

// On two cores, the last in line waits five seconds.
const [atOnce, waiting] = [2, 100];

// Replaces the namespace of Durable Objects: all objects ask Node.
const namespace = (key: string) => `export default ({ NODE }) => {
  const ask = async (name, ...given) => {
    const response = await NODE.fetch('http://hashing/', { method: 'POST', headers: { Authorization: '${key}' }, body: JSON.stringify([name, ...given]) });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const object = {
    hash: (password) => ask('hash', password),
    verify: (password, stored) => ask('verify', password, stored),
  };
  return { idFromName: (name) => name, get: () => object };
};`;

type Call = ['hash', string] | ['verify', string, string | null];

// All Durable Objects of a machine share one thread of workerd, and a hash would stop it for a tenth of a second. Node
// has threads for this.
export function withHashing(
  worker: WorkerOptions,
  { pepper, cost, key }: { pepper: string; cost?: Cost | undefined; key: string },
): WorkerOptions[] {
  const line: Hashing = hashingLine({ pepper, atOnce, waiting, cost });
  const resultOf = async (call: Call) => (call[0] === 'hash' ? line.hash(call[1]) : line.verify(call[1], call[2]));
  const { HASHERS: _, ...durableObjects } = worker.durableObjects ?? {};
  const hashing: WorkerOptions = {
    name: 'hashing',
    modules: [{ type: 'ESModule', path: 'hashing.js', contents: namespace(key) }],
    serviceBindings: {
      async NODE(request: Request) {
        // Miniflare's own port asks on for whoever names this function.
        if (request.headers.get('Authorization') !== key) return new Response(null, { status: 403 });
        return Response.json(await resultOf((await request.json()) as Call));
      },
    },
  };
  return [{ ...worker, durableObjects, wrappedBindings: { HASHERS: 'hashing' } }, hashing];
}
