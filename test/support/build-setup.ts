import { buildIfStale } from '../../app/local/build';

/** Builds before all tests, if the sources have changed: what is deployed, or for a quick run what `npm start` serves. */
export default async function setup(): Promise<void> {
  const mode = process.env.QUICK === 'on' ? 'quick' : 'production';
  await buildIfStale((line) => process.stdout.write(`${line}\n`), mode);
}
