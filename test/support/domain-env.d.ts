/// <reference types="@cloudflare/vitest-pool-workers/types" />
import type { Env as WorkerEnv } from '../../app/worker';

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      CASES: string;
      STEPS: string;
      SEED: string;
      /** The statements of each migration, in order; the first makes the journal. */
      TEST_MIGRATIONS: { name: string; statements: string[] }[];
      /** A database without a table. */
      EMPTY: D1Database;
    }
  }
}
