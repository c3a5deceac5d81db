import * as z from 'zod/mini';
import { getMigration } from '../../domain/health.server';
import { answerJson, call } from '../../http/api.server';

/** What the build knows of itself: see vite.config.ts. */
declare const __RELEASE__: { version: string; migration: string };

export const loader = answerJson('', {
  health: call({
    method: 'GET',
    who: 'anyone',
    says: 'Whether the product works: its version, and the last migration of its database.',
    answers: z.object({ ok: z.literal(true), version: z.string(), migration: z.string() }),
    run: async ({ db }) => ({
      ok: true as const,
      version: __RELEASE__.version,
      migration: await getMigration(db, __RELEASE__.migration),
    }),
  }),
});
export const action = loader;
