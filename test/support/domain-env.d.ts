/// <reference types="@cloudflare/vitest-pool-workers/types" />
import type { D1Migration } from 'cloudflare:test';
import type { Env as WorkerEnv } from '../../app/worker';

declare global {
  namespace Cloudflare {
    interface Env extends WorkerEnv {
      TEST_MIGRATIONS: D1Migration[];
      /** A database without a table. */
      EMPTY: D1Database;
    }
  }
}
