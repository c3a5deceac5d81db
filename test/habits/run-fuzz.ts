import { buildIfStale } from '../../app/local/build';
import { fuzz } from './fuzz';
import { runSlowCalendars } from './run-slow-calendars';
import { inFolder, say, serving, told } from './tool';

/* `npm run fuzz [-- requests] [seed]`, or `npm run fuzz -- calendars [how many] [seed]` */

if (process.argv[2] === 'calendars') {
  runSlowCalendars();
  process.exit();
}

const { many: requests, seed } = told('Requests', 20_000);
await buildIfStale(say);
const logged: string[] = [];
const log = ({ level, message }: { level: string; message: string }) =>
  void (level === 'error' && logged.push(message));
const byStatus = ([one]: [number, number], [other]: [number, number]) => one - other;

await inFolder((dataDir) =>
  serving({ dataDir, log }, async (served) => {
    say(`${requests} requests, seed ${seed}`);
    const begun = performance.now();
    const { sent, statuses, faults, broken } = await fuzz(served, { requests, seed, say });
    for (const [name, counted] of [...statuses].sort()) {
      const all = [...counted].sort(byStatus).map(([status, many]) => `${status}: ${many}`);
      say(`${name}  ${all.join(', ')}`);
    }
    const isDone = ([, counted]: [string, Map<number, number>]) => [...counted.keys()].some((status) => status < 300);
    const never = [...statuses].filter((one) => !isDone(one)).map(([name]) => name);
    if (never.length > 0) say(`Never done: ${never.join(', ')}`);
    for (const [fault, { many, first }] of faults) say(`\n${fault} (${many} times)\n  ${first}`);
    for (const line of [...broken, ...new Set(logged)]) say(line);
    const found = `${faults.size} kinds of fault, ${broken.length} rules broken, ${logged.length} errors logged`;
    say(`\n${sent} requests in ${Math.round((performance.now() - begun) / 1000)} s: ${found}; seed ${seed}`);
    if (faults.size + broken.length + logged.length > 0) process.exitCode = 1;
  }),
);
