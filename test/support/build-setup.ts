import { buildIfStale } from '../../app/local/build';

/** Before all tests: what they test is what the sources say now. */
export default async function setup(): Promise<void> {
  await buildIfStale((line) => process.stdout.write(`${line}\n`));
}
