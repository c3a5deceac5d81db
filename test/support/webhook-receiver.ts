import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll } from 'vitest';
import type { Person } from './factories';

/** What a program was told. */
export type Told = {
  id: string;
  type: string;
  timestamp: string;
  data: Record<string, string | null>;
  headers: IncomingHttpHeaders;
  raw: string;
};

export type Respond = (response: ServerResponse, told: Told) => void;
const take: Respond = (response) => response.writeHead(204).end();

type Made = { id: string; url: string; kinds: string[]; secret: string };
export const everyKind = ['booked', 'moved', 'canceled', 'answers', 'rsvps', 'attendance'];

/** A server of programs: each has an address, notes what it is told, and answers as the test says. */
export function useReceiver() {
  const programs = new Map<string, { told: Told[]; respond: Respond }>();
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += chunk;
    const program = programs.get(request.url ?? '');
    if (!program) return void response.writeHead(404).end();
    const told = { id: String(request.headers['webhook-id']), ...JSON.parse(raw), headers: request.headers, raw };
    program.told.push(told);
    program.respond(response, told);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  /** A program of nobody yet. */
  const add = (respond: Respond = take) => {
    const path = `/program-${programs.size}`;
    const program = { told: [] as Told[], respond };
    programs.set(path, program);
    return {
      url: at(path),
      told: program.told,
      types: () => program.told.map(({ type }) => type),
      respondWith: (next: Respond) => {
        program.respond = next;
      },
    };
  };
  return {
    add,
    at,
    /** A program that a provider has told us of. */
    async addFor(host: Person, { kinds = everyKind, respond }: { kinds?: string[]; respond?: Respond } = {}) {
      const program = add(respond);
      const { status, json, text } = await host.api('POST', '/api/Account/MakeWebhook', { url: program.url, kinds });
      if (status !== 201) throw new Error(`No webhook was made: ${status} ${text}`);
      const made = json as Made;
      return {
        ...program,
        ...made,
        verify: ({ raw, headers }: Told) => new Webhook(made.secret).verify(raw, headers as never),
      };
    },
  };
}
