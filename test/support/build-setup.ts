import { buildIfStale } from '../../app/local/build';

/** Builds before all tests, if the sources have changed. */
export default async function setup(): Promise<void> {
  await buildIfStale((line) => process.stdout.write(`${line}\n`));
}
