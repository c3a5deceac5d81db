import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientAddress, type TrustedProxy } from './client-address';

// The runtime believes these headers, so no client may send them.
const runtimeHeaders = /^(cf-|mf-)/i;
// Headers that concern a single connection.
const connectionHeaders = /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te)$/i;

function headersOf({ rawHeaders }: IncomingMessage, isDropped: (name: string) => boolean): string[] {
  return rawHeaders.flatMap((name, place) =>
    place % 2 === 0 && !isDropped(name) ? [name, rawHeaders[place + 1] ?? ''] : [],
  );
}

// How long requests may still take before the runtime starts again, in milliseconds.
const lastMoment = 2_000;

export type Front = {
  port: number;
  address: string;
  close: () => void;
  /**
   * Holds new requests while the runtime starts again. Resolves when running requests have ended. Call the result to go
   * on.
   */
  hold: () => Promise<() => void>;
};

// The runtime believes every `CF-Connecting-IP`, as it may behind Cloudflare's edge. So this listener takes the
// requests of other machines and passes them on with the sender's address. `secret` proves to the runtime that they
// come from here.
export async function openFront(
  { port, host, target, secret }: { port: number; host: string; target: number; secret: string },
  trusted?: TrustedProxy,
): Promise<Front> {
  const clientOf = clientAddress(trusted);
  let gate: Promise<void> | undefined;
  const underWay = new Set<ServerResponse>();
  let onIdle = () => {};

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { client, isHttps } = clientOf(incoming.socket.remoteAddress ?? '', incoming.headers);
    const headers = headersOf(incoming, (name) => runtimeHeaders.test(name) || connectionHeaders.test(name));
    headers.push('CF-Connecting-IP', client);
    // Without this, the rest of a body without a length would be read as another request.
    if (incoming.headers['transfer-encoding']) headers.push('Transfer-Encoding', 'chunked');
    const { host: named } = incoming.headers;
    if (isHttps && named && incoming.url?.startsWith('/')) {
      headers.push('MF-Original-URL', `https://${named}${incoming.url}`, 'MF-Proxy-Shared-Secret', secret);
    }
    const { method, url: path } = incoming;
    // Each request gets a new connection, because the runtime may close an idle one just as a request arrives.
    const onward = request({ host: '127.0.0.1', port: target, agent: false, method, path, headers, setHost: false });
    onward.once('response', (answer) => {
      outgoing.writeHead(
        answer.statusCode ?? 502,
        headersOf(answer, (name) => connectionHeaders.test(name)),
      );
      pipeline(answer, outgoing, () => answer.destroy());
    });
    onward.once('error', () => {
      if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'Content-Type': 'text/plain' }).end('Daybook does not answer. Please try again.');
    });
    outgoing.once('close', () => outgoing.writableEnded || onward.destroy());
    pipeline(incoming, onward, () => {});
  }

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    while (gate) await gate;
    if (outgoing.destroyed) return;
    underWay.add(outgoing);
    outgoing.once('close', () => {
      underWay.delete(outgoing);
      if (underWay.size === 0) onIdle();
    });
    forward(incoming, outgoing);
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => void receive(incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const at = server.address() as AddressInfo;
  return {
    port: at.port,
    address: at.family === 'IPv6' ? `[${at.address}]` : at.address,
    close() {
      server.close();
      server.closeAllConnections();
    },
    async hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      const isIdle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (underWay.size === 0) resolve();
      });
      await Promise.race([isIdle, sleep(lastMoment)]);
      return () => {
        gate = undefined;
        open();
      };
    },
  };
}
