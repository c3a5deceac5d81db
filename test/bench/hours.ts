import { addDays } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import type { D1 } from '../../app/local/d1';
import { processorTime } from './runtime-process';
import { moduleBefore, type Say, serving } from './served';
import { number, table } from './table';
import { withCopy } from './world-folder';
import { cityOf, providerId, worldOf, zoneOf } from './world-plan';

/* The hourly job publishes a day of every provider's hours; one run of it is stopped in the middle. */

const slots = 1000;
/** The free plan's limit of queries in a run. */
const mostQueries = 50;
/** The batch at which the first run is stopped: within its second step. */
const stopAt = 7;

type Sum = { trips: number; statements: number; read: number; written: number };
type Run = Sum & { took: number; cpu: number; isStopped: boolean };

/** Gives every provider eight hours a day, half an hour each, published until yesterday's last day. */
async function giveHours(d1: D1, now: number): Promise<number> {
  const size = worldOf(slots);
  const hours = Array.from({ length: 7 }, (_, day) => ({ day, start: '09:00', end: '17:00' }));
  const plan = JSON.stringify({ hours, except: [], len: 30, gap: 0, ahead: 300 });
  const list = Array.from({ length: size.providers }, (_, provider) => [
    providerId(provider),
    addDays(todayIn(zoneOf(cityOf(size, provider)), now), 299),
  ]);
  await d1
    .prepare(
      `INSERT INTO hours (provider_id, plan, version, carried_to, next_at)
       SELECT value ->> 0, ?1, 'v', value ->> 1, 1 FROM json_each(?2)`,
    )
    .bind(plan, JSON.stringify(list))
    .run();
  return size.providers;
}

/** Measures, and prints the table. @returns true if each run stays within the free plan's queries */
export async function measureHours(say: Say): Promise<boolean> {
  return withCopy(slots, 'hours', say, (dataDir) => measureIn(dataDir, say));
}

async function measureIn(dataDir: string, say: Say): Promise<boolean> {
  const runs: Run[] = [];
  let providers = 0;
  /** Runs the job until nothing is left, or once if it is to stop. */
  const carry = async (stop: number) => {
    let sum: Sum | undefined;
    const log = ({ message }: { message: string }) => {
      if (message.startsWith('counted ')) sum = JSON.parse(message.slice('counted '.length)) as Sum;
    };
    const before = moduleBefore('counting').replaceAll('STOP_AT', String(stop));
    await serving(dataDir, { before, log }, async (server) => {
      if (providers === 0) providers = await giveHours(server.d1, Date.now());
      const due = () => server.d1.prepare('SELECT count(*) AS n FROM hours WHERE next_at = 1').first<number>('n');
      while ((await due()) !== 0) {
        const [began, cpu] = [performance.now(), server.pid === null ? 0 : processorTime(server.pid)];
        const isDone = await server.scheduled().then(
          () => true,
          () => false,
        );
        const took = performance.now() - began;
        const spent = server.pid === null ? 0 : processorTime(server.pid) - cpu;
        if (!sum) throw new Error('The job was not counted.');
        runs.push({ ...sum, took, cpu: spent, isStopped: !isDone });
        if (stop > 0) return;
      }
    });
  };
  await carry(stopAt);
  await carry(0);
  const cells = runs.map((run, nth) => [
    `run ${nth + 1}${run.isStopped ? `, stopped at trip ${stopAt}` : ''}`,
    ...[run.trips, run.statements, run.read, run.written].map(String),
    ...[run.took, run.cpu].map((time) => number(time, 0)),
  ]);
  const head = [`hours of ${providers} providers`, 'trips', 'queries', 'rows read', 'rows written', 'ms', 'CPU ms'];
  for (const line of table(head, cells)) say(line);
  const total = (of: 'read' | 'written') => runs.reduce((sum, run) => sum + run[of], 0);
  say(
    `Each provider: ${number(total('read') / providers)} rows read, ${number(total('written') / providers)} written.`,
  );
  say('The processor time is that of the whole process, with its D1.');
  return runs.every(({ statements }) => statements <= mostQueries);
}
