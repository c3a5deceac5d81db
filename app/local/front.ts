import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { domainToUnicode } from 'node:url';
import { isThisMachine } from '../http/plain.server';
import { clientAddress, type TrustedProxy } from './client-address';
import { keyHeader } from './gate';
import { print } from './lines';
import { systemCode } from './refusal';

// The runtime believes these headers, so no client may send them.
const runtimeHeaders = /^(cf-|mf-)/i;
// Headers that concern a single connection. This listener itself has answered `Expect`.
const connectionHeaders = /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te|expect)$/i;

function headersOf({ rawHeaders }: IncomingMessage, isDropped: (name: string) => boolean): string[] {
  return rawHeaders.flatMap((name, place) =>
    place % 2 === 0 && !isDropped(name) ? [name, rawHeaders[place + 1] ?? ''] : [],
  );
}

const brokenLabel = /(^|\.)xn--/;
const isHost = /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i;

/** Reads the host that a request names; undefined if it names none, several, or something that is no host. */
function hostOf({ rawHeaders }: IncomingMessage): URL | undefined {
  const [host, ...others] = rawHeaders.filter(
    (_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === 'host',
  );
  if (host === undefined || others.length > 0 || !isHost.test(host)) return undefined;
  const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
  // Node 24 and later read a name in Punycode that stands for nothing, and leave it as it is.
  return url && !brokenLabel.test(domainToUnicode(url.hostname)) ? url : undefined;
}

// How long requests may still take before the runtime starts again, in milliseconds.
const lastMoment = 2_000;
// The runtime closes a connection that is idle for 5 seconds. We close it earlier, so that no request meets its end.
const idleMs = 1_000;

/** A request that this listener can answer by itself. */
export type Asked = { method: string; url: URL; client: string; incoming: IncomingMessage };

type FrontOptions = {
  port: number;
  host: string;
  /** The port of the runtime. */
  target: number;
  /** Proves to the runtime that a request comes from here. */
  key: string;
  /** Proxies that may name the client. */
  trusted?: TrustedProxy | undefined;
  /** The hosts that a request may name. Without it, any: others reach this server by names that it can't know. */
  isNamed?: ((hostname: string) => boolean) | undefined;
  /** Answers what the runtime is not asked; undefined for all else. */
  respond?: (asked: Asked) => Promise<Response> | undefined;
  /** Called before a request that may write is passed on. */
  onWrite?: () => void;
};

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

// A page elsewhere can lead its own name to this machine, and read what this server answers to it. So a server for this
// machine alone answers to names of this machine, and to that of PUBLIC_URL.
export const ownNames =
  (publicOrigin: string | undefined) =>
  (hostname: string): boolean =>
    isThisMachine(hostname) || (publicOrigin !== undefined && new URL(publicOrigin).hostname === hostname);

const unreadable = 'Daybook can’t read this request.\n';
const elsewhere =
  'This Daybook is for its own machine alone, and has another name. Open it as http://localhost, with its port. To serve it to others, see HOST, TRUST_PROXY and PUBLIC_URL in README.md.\n';

function refuse(outgoing: ServerResponse, status: number, text: string): void {
  outgoing.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
  });
  outgoing.end(text);
}

async function give(outgoing: ServerResponse, pendingResponse: Promise<Response>): Promise<void> {
  try {
    const response = await pendingResponse;
    const body = Buffer.from(await response.arrayBuffer());
    outgoing.writeHead(response.status, [...response.headers].flat()).end(body);
  } catch (error) {
    print(String(error), 'error');
    refuse(outgoing, 500, 'This can’t be read right now. The reason is in the log of the server.\n');
  }
}

// The runtime believes every `CF-Connecting-IP`, as it may behind Cloudflare's edge, and every host. So all requests
// come to this listener, which checks them and passes them on with the sender's address.
export async function openFront({
  port,
  host,
  target,
  key,
  trusted,
  isNamed,
  respond,
  onWrite,
}: FrontOptions): Promise<Front> {
  const clientOf = clientAddress(trusted);
  const agent = new Agent({ keepAlive: true, timeout: idleMs });
  let gate: Promise<void> | undefined;
  const pending = new Set<ServerResponse>();
  const upgrades = new WeakMap<Duplex, { onward: ClientRequest; outgoing: ServerResponse }>();
  let onIdle = () => {};

  function forward(incoming: IncomingMessage, outgoing: ServerResponse, url: URL): void {
    const { method = 'GET', url: path, socket } = incoming;
    const { client, isHttps } = clientOf(socket.remoteAddress ?? '', incoming.headers);
    const ownResponse = respond?.({ method, url, client, incoming });
    if (ownResponse) return void give(outgoing, ownResponse);
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead) onWrite?.();
    const headers = headersOf(incoming, (name) => runtimeHeaders.test(name) || connectionHeaders.test(name));
    headers.push('CF-Connecting-IP', client, keyHeader, key);
    // Without this, the rest of a body without a length would be read as another request.
    const isChunked = incoming.headers['transfer-encoding'] !== undefined;
    if (isChunked) headers.push('Transfer-Encoding', 'chunked');
    if (isHttps)
      headers.push('MF-Original-URL', `https://${incoming.headers.host}${path}`, 'MF-Proxy-Shared-Secret', key);
    const hasBody = isChunked || incoming.headers['content-length'] !== undefined;
    // Others get a connection of their own: it must not end before they do, and the runtime closes it after a body that
    // it has not read.
    const isRepeatable = !hasBody && isRead;
    const onward = request({
      host: '127.0.0.1',
      port: target,
      agent: isRepeatable ? agent : false,
      method,
      path,
      headers,
      setHost: false,
    });
    upgrades.set(socket, { onward, outgoing });
    onward.once('response', (response) => {
      outgoing.writeHead(
        response.statusCode ?? 502,
        headersOf(response, (name) => connectionHeaders.test(name)),
      );
      pipeline(response, outgoing, () => response.destroy());
    });
    onward.on('error', () => {
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else if (isRepeatable && onward.reusedSocket) forward(incoming, outgoing, url);
      else outgoing.writeHead(502, { 'Content-Type': 'text/plain' }).end('Daybook does not answer. Please try again.');
    });
    outgoing.once('close', () => {
      upgrades.delete(socket);
      if (!outgoing.writableEnded) onward.destroy();
    });
    if (hasBody) pipeline(incoming, onward, () => {});
    else onward.end();
  }

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const named = hostOf(incoming);
    // A target with a host of its own is for a proxy, which this is not.
    if (!named || !incoming.url?.startsWith('/')) return refuse(outgoing, 400, unreadable);
    if (isNamed && !isNamed(named.hostname)) return refuse(outgoing, 421, elsewhere);
    while (gate) await gate;
    if (outgoing.destroyed) return;
    pending.add(outgoing);
    outgoing.once('close', () => {
      pending.delete(outgoing);
      if (pending.size === 0) onIdle();
    });
    forward(incoming, outgoing, named);
  }

  // Called for what Node can't read.
  function breakOff({ code }: NodeJS.ErrnoException, socket: Duplex): void {
    const request = upgrades.get(socket);
    if (request) {
      const { onward, outgoing } = request;
      // A body that can't be read is passed on as one, so that the Worker says what it says of each that breaks off.
      if (!onward.writableEnded) {
        onward.flushHeaders();
        setImmediate(() => onward.socket?.write('-\r\n'));
      }
      outgoing.once('finish', () => (socket as Socket).destroySoon());
      return;
    }
    if (socket.writable) {
      const status = code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
      const type = `text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(unreadable)}`;
      socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${type}\r\n\r\n${unreadable}`);
    }
    (socket as Socket).destroySoon();
  }

  // `receive` itself refuses a request without a host, in words.
  const settings = { keepAliveTimeout: 60_000, requireHostHeader: false };
  const server = createServer(settings, (incoming, outgoing) => {
    receive(incoming, outgoing).catch((error: unknown) => {
      // Its message may have words of the sender.
      print(`A request was not passed on: ${systemCode(error) ?? 'unknown reason'}`, 'error');
      if (outgoing.headersSent) outgoing.destroy();
      else refuse(outgoing, 400, unreadable);
    });
  });
  server.on('clientError', breakOff);
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
      agent.destroy();
    },
    async hold() {
      let open = () => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      const isIdle = new Promise<void>((resolve) => {
        onIdle = resolve;
        if (pending.size === 0) resolve();
      });
      await Promise.race([isIdle, sleep(lastMoment)]);
      return () => {
        agent.destroy();
        gate = undefined;
        open();
      };
    },
  };
}
