/** A reason to stop that a person reads in one line, without a stack trace. */
export class Refusal extends Error {}

/**
 * Runs a script. A Refusal ends it with that line on stderr and exit code 1. SIGINT and SIGTERM end it with code 0,
 * through process.exit, so that exit handlers still run.
 */
export async function script(run: () => Promise<void>): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));
  if (process.env.npm_lifecycle_event) endWithParent();
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** npm passes a signal to its shell. The shell ends and leaves this process behind, so watch for it. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || process.exit(0), 500).unref();
}

/** The code of a failed system call, such as ENOENT; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
