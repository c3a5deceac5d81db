import type { Miniflare } from 'miniflare';

export type D1 = Awaited<ReturnType<Miniflare['getD1Database']>>;
