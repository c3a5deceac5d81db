/** The round trips of one answer, and its rows as D1 counts and bills them. */
export type Asked = { trips: number; read: number; written: number };

/** @throws Error if the server was not started with TIMING=on */
export function askedOf(headers: Headers): Asked {
  const timing = headers.get('server-timing') ?? '';
  const [, trips, read, written] = /trips=(\d+) statements=\d+ rows_read=(\d+) rows_written=(\d+)/.exec(timing) ?? [];
  if (trips === undefined) throw new Error('The answer has no figures of D1: TIMING is not on.');
  return { trips: Number(trips), read: Number(read), written: Number(written) };
}

export const tripsOf = ({ headers }: { headers: Headers }): number => askedOf(headers).trips;
