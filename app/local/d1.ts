import type { Miniflare } from 'miniflare';

/** The local database, as the runtime gives it out. */
export type D1 = Awaited<ReturnType<Miniflare['getD1Database']>>;
