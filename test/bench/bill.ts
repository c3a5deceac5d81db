import type { Reader } from '../support/every-route';
import type { Counts } from './measure';

/* The load that a day of the free plan carries, by the rows that the benchmark counts. */

/** Requests, and rows read and written, of one use of the product. */
type Needs = { requests: number; read: number; written: number };
export type BillRow = Needs & { what: string; times: number; limit: keyof Needs; price: number };

/** Cloudflare's free plan for a day, and the price of a million more on the paid one, in US$. */
const free: Needs = { requests: 100_000, read: 5_000_000, written: 100_000 };
const prices: Needs = { requests: 0.3, read: 0.001, written: 1 };
const resources = Object.keys(free) as (keyof Needs)[];

const add = (...all: Needs[]): Needs => ({
  requests: all.reduce((sum, one) => sum + one.requests, 0),
  read: all.reduce((sum, one) => sum + one.read, 0),
  written: all.reduce((sum, one) => sum + one.written, 0),
});
const times = (count: number, { requests, read, written }: Needs): Needs => ({
  requests: count * requests,
  read: count * read,
  written: count * written,
});

/** So often a free day can do it, rounded down, and the limit that ends it. */
export function timesOf(needs: Needs): Pick<BillRow, 'times' | 'limit'> {
  const possible = (resource: keyof Needs) => (needs[resource] > 0 ? free[resource] / needs[resource] : Infinity);
  const limit = resources.reduce((least, one) => (possible(one) < possible(least) ? one : least));
  const step = possible(limit) < 1000 ? 5 : 50;
  return { times: Math.floor(possible(limit) / step) * step, limit };
}

/** The bill of the counts of one world. @throws Error if one is missing */
export function billOf({ reads, writes }: Pick<Counts, 'reads' | 'writes'>): BillRow[] {
  const get = (what: string, reader: Reader = 'consumer'): Needs => {
    const found = reads.find((one) => one.what === what && one.reader === reader);
    if (!found) throw new Error(`Nobody has counted ${what} as ${reader}.`);
    return { requests: 1, read: found.read, written: 0 };
  };
  const write = (what: string): Needs => {
    const found = writes.find((one) => one.what === what);
    if (!found) throw new Error(`Nobody has counted: ${what}.`);
    return { requests: 1, read: found.read, written: found.written };
  };
  const slots = write('publish a day of 16 slots');
  const slot = { requests: 0, read: slots.read / 16, written: slots.written / 16 };
  const party = write('create a party');
  const names = write('create a meetup of 5');
  const name = { requests: 0, read: (names.read - party.read) / 5, written: (names.written - party.written) / 5 };
  const replied = add(get('/party/{id}'), write('RSVP to a party'), get('/'));
  const registered = add(get('/register', 'stranger'), write('register a consumer'), get('/party/{id}'));
  const meetupLetter = get('/meetup-rsvp/{id}', 'stranger');
  const rows: [string, Needs][] = [
    ['a page of free times', get('/view?provider=name&dates=…')],
    [
      'a client’s booking, from the list of cities to the page after it',
      add(
        ...['/view', '/view?location=city', '/view?provider=name', '/view?provider=name&dates=…'].map((step) =>
          get(step),
        ),
        ...[get('/details/{id}'), write('book another'), get('/booking/{id}'), slot],
      ),
    ],
    [
      'a client’s booking, from the provider’s page',
      add(get('/with/name'), get('/with/name/{id}'), write('book another'), get('/booking/{id}'), slot),
    ],
    [
      'a guest’s booking, from the provider’s page',
      add(
        get('/with/name', 'stranger'),
        get('/with/name/{id}', 'stranger'),
        write('book as a guest'),
        get('/booking/{id}'),
        slot,
      ),
    ],
    ['a party of 50 guests who are logged in: opened, replied to, home', add(party, times(50, replied))],
    ['the same if all 50 register first', add(party, times(50, replied), times(50, registered))],
    [
      'a meetup of 50 names: created, opened, replied to',
      add(names, times(45, name), times(50, add(meetupLetter, write('RSVP to a meetup'), meetupLetter))),
    ],
  ];
  // What a row says follows from the numbers that stand in it, so that a reader can compute it again.
  const shown = rows.map(([what, { requests, read, written }]): [string, Needs] => [
    what,
    { requests: toTenth(requests), read: Math.round(read), written: toTenth(written) },
  ]);
  return shown.map(([what, needs]) => ({
    what,
    ...needs,
    ...timesOf(needs),
    price: resources.reduce((sum, one) => sum + needs[one] * prices[one], 0),
  }));
}

const toTenth = (value: number) => Math.round(value * 10) / 10;

const words: Record<keyof Needs, string> = { requests: 'requests', read: 'rows read', written: 'rows written' };

/** The lines of the table in docs/costs.md. */
export function billLines(rows: BillRow[]): string[] {
  const digits = (value: number) => value.toLocaleString('en');
  return [
    '| what | requests | rows read | rows written | times a free day | used up first | US$ a million more |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ what, requests, read, written, times, limit, price }) =>
        `| ${[what, digits(requests), digits(read), digits(written), digits(times), words[limit], price.toFixed(2)].join(' | ')} |`,
    ),
  ];
}
