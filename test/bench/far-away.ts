import { tripsOf } from '../support/visit';
import { timed } from './first-byte';
import { nameOf } from './rows';
import { findTargets, logIn, makeFeed } from './scenarios';
import { distance, type Say, serving } from './served';
import { cookieOf, subjectsOf } from './subjects';
import { number, table } from './table';
import { withCopy } from './world-folder';
import { worldOf } from './world-plan';
import { costOfWrites, type Send } from './writes';

/* Time to first byte of every screen, call and write, with a distance between the Worker and D1. */

/** Milliseconds of a round trip between Worker and D1: beside it, on the same continent, on another one. */
const distances = [1, 30, 120];
/** A page may take so long beside its round trip, in milliseconds. */
const beside = 15;
/** Requests of each page: first to warm up, then counted. The fastest counts, because others use this machine. */
const [warmUp, counted] = [2, 7];
/** A slow page is measured so often again: other users of the machine may be done by then. */
const again = 3;
const slots = 1000;

/** One kind of request: its round trips, and the milliseconds to its first byte at each distance. */
type Row = { what: string; reader: string; trips: number; times: number[] };

/** The most that one took beside its round trips, in milliseconds. */
const most = ({ trips, times }: Row) => Math.max(...times.map((time, place) => time - trips * (distances[place] ?? 0)));

/**
 * Measures, and prints the tables.
 * @returns true if every page takes at most its round trip and 15 ms
 */
export async function measureFarAway(say: Say): Promise<boolean> {
  const options = { before: distance(), vars: { TIMING: 'on' } };
  return withCopy(slots, 'far', say, (dataDir) =>
    serving(dataDir, options, async (server) => {
      const sessions = await logIn(server.url, 0);
      const found = await findTargets(server.d1, server.url, sessions, Date.now());
      const targets = { ...found, feed: await makeFeed(server.url, sessions) };
      const pages: Row[] = [];
      for (const { path, reader } of subjectsOf(targets)) {
        const cookie = cookieOf(sessions, reader);
        const ask = async (distance: number) => {
          const answer = await timed(server.url, { path, headers: { ...cookie, 'x-distance': String(distance) } });
          if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status} as ${reader}.`);
          return answer;
        };
        for (let times = 0; times < warmUp; times += 1) await ask(0);
        const row: Row = { what: nameOf(path), reader, trips: tripsOf(await ask(0)), times: [] };
        for (let round = 0; round <= again; round += 1) {
          for (const [place, distance] of distances.entries()) {
            const taken = [row.times[place] ?? Number.POSITIVE_INFINITY];
            while (taken.length <= counted) taken.push((await ask(distance)).firstByte);
            row.times[place] = Math.min(...taken);
          }
          if (most(row) <= beside) break;
        }
        pages.push(row);
      }
      const writes = new Map<string, Row>();
      for (const [place, distance] of distances.entries()) {
        const sent = { 'x-distance': String(distance) };
        const times: number[] = [];
        const send: Send = async (method, path, body, headers) => {
          const answer = await timed(server.url, { method, path, body, headers: { ...headers, ...sent } });
          times.push(answer.firstByte);
          const isJson = /^application\/json/.test(answer.headers.get('content-type') ?? '');
          return { ...answer, json: isJson ? JSON.parse(answer.text) : undefined };
        };
        // On later days each time.
        const now = Date.now() + place * 20 * 86_400_000;
        const writings = await costOfWrites(server.url, { size: worldOf(slots), sessions, now, send });
        for (const [nth, { what, trips }] of writings.entries()) {
          const row = writes.get(what) ?? { what, reader: '', trips, times: [] };
          row.times.push(times[nth] ?? 0);
          writes.set(what, row);
        }
      }
      for (const line of linesOf('page or call', pages)) say(line);
      say('');
      for (const line of linesOf('write', [...writes.values()])) say(line);
      const slow = pages.filter((row) => row.trips > 1 || most(row) > beside);
      const worst = Math.max(...pages.map(most));
      say('');
      const fast = `${pages.length - slow.length} of ${pages.length} pages and calls`;
      say(`${fast} take at most one round trip and ${beside} ms;`);
      say(`the slowest takes ${number(worst)} ms beside it.`);
      return slow.length === 0;
    }),
  );
}

function linesOf(kind: string, rows: Row[]): string[] {
  const head = [kind, 'reader', 'trips', ...distances.map((distance) => `at ${distance} ms`), 'beside'];
  const cells = rows.map((row) => [
    row.what,
    row.reader,
    String(row.trips),
    ...row.times.map((time) => number(time)),
    number(most(row)),
  ]);
  return table(head, cells);
}
