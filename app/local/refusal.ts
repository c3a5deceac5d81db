import { setTimeout as sleep } from 'node:timers/promises';
import { print } from './lines';

/** A reason to stop that a person can read in one line, without a stack trace. */
export class Refusal extends Error {}

/**
 * Runs a script. If it throws a Refusal, it prints one line on stderr and ends with exit code 1. After SIGINT and
 * SIGTERM it ends with code 0.
 */
export async function script(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  if (process.env.npm_lifecycle_event) endWithParent();
  try {
    await run();
  } catch (error) {
    const isStack = error instanceof Error && !(error instanceof Refusal);
    print(isStack ? (error.stack ?? error.message) : error instanceof Error ? error.message : String(error), 'error');
    process.exit(1);
  }
}

const lostRuntime =
  'workerd, which runs Daybook, has ended unexpectedly, so Daybook ends too. The data is safe: start it again.';

/** Waits for `work`, unless the server loses its runtime. @throws Refusal if it does */
export async function untilLost({ lost }: { lost: Promise<void> }, work: () => Promise<void>): Promise<never> {
  // If workerd ends, work that waits for it fails too, and perhaps a moment earlier.
  const explain = async (error: unknown) =>
    (await Promise.race([lost.then(() => true), sleep(1000, false)])) ? new Refusal(lostRuntime) : error;
  process.once('uncaughtException', async (error) => {
    const explanation = await explain(error);
    print(explanation instanceof Refusal ? explanation.message : (error.stack ?? error.message), 'error');
    process.exit(1);
  });
  try {
    await work();
  } catch (error) {
    throw await explain(error);
  }
  await lost;
  throw new Refusal(lostRuntime);
}

// npm passes a signal only to its shell, which ends and leaves this process running.
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(0), 500).unref();
}

/** The code of a system error, such as ENOENT; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
