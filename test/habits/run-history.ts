import { spawn } from 'node:child_process';
import { once } from 'node:events';

/* `npm run history [-- steps] [seed]`: a long random history of the book. */

const [steps = '100000', seed = ''] = process.argv.slice(2);
if (!(Number.isInteger(Number(steps)) && Number(steps) > 0)) throw new Error('Steps are a whole number.');
const history = spawn(
  'npx',
  ['vitest', 'run', '--project', 'domain', '--retry=0', 'test/domain/bookings/book-history.test.ts'],
  { stdio: 'inherit', env: { ...process.env, STEPS: steps, SEED: seed || String(Date.now() % 2 ** 31) } },
);
const [code] = await once(history, 'exit');
process.exitCode = code ?? 1;
