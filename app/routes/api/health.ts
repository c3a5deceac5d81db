import * as z from 'zod/mini';
import { getHealth } from '../../domain/health.server';
import { call, callHandlers } from '../../http/api.server';

/** The build sets this: see vite.config.ts. */
declare const __RELEASE__: { version: string; migration: string };

export const loader = callHandlers('', {
  health: call({
    method: 'GET',
    who: 'anyone',
    says: 'Whether the product works: its version, the last migration of its database, and what goes wrong in silence.',
    response: z.object({
      ok: z.literal(true),
      version: z.string(),
      migration: z.string(),
      mailWaiting: z.number(),
      warnings: z.array(z.string()),
    }),
    run: async ({ db, now, hasMail }) => ({
      ok: true as const,
      version: __RELEASE__.version,
      ...(await getHealth(db, { needed: __RELEASE__.migration, now, hasMail })),
    }),
  }),
});
export const action = loader;
