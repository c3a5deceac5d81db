import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

/** An event of a calendar that a test serves: its start, and its minutes. */
export type Served = { at: number; minutes?: number; more?: string };

const stamp = (at: number) => new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** The text of a calendar with these events. */
export const calendarOf = (events: Served[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap(({ at, minutes = 60, more }, n) => [
      'BEGIN:VEVENT',
      `UID:${n}@elsewhere.test`,
      `DTSTART:${stamp(at)}Z`,
      `DTEND:${stamp(at + minutes * 60_000)}Z`,
      'SUMMARY:A secret visit',
      ...(more ? [more] : []),
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

type Responder = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of calendars, whose answers a test may set at any time; it notes the paths that were asked. */
export function useCalendars() {
  const contents = new Map<string, string | Responder>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const content = contents.get(path);
    if (typeof content === 'function') content(request, response);
    else if (content === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(content);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return {
    asked,
    serve: (path: string, content: string | Responder) => contents.set(path, content),
    at,
    /** Serves a calendar at a new address: these events, a text, or what somebody answers. It can be changed later. */
    add(given: Served[] | string | Responder) {
      const path = `/secret-${contents.size}.ics`;
      const change = (to: typeof given) => contents.set(path, Array.isArray(to) ? calendarOf(to) : to);
      change(given);
      return { url: at(path), change, timesAsked: () => asked.filter((one) => one === path).length };
    },
  };
}
