import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Miniflare } from 'miniflare';
import { workerOf } from '../../app/local/configuration';
import { weeklySince2009, yearsOfEvents } from '../support/large-calendar';
import { timed } from './first-byte';
import { processorTime, withRuntime } from './runtime-process';
import { bundle, known, type Say } from './served';
import { number, table } from './table';

/* The processor time of workerd for other calendars: to fetch one as the product does, and to read it. */

/** Milliseconds for the reading of a calendar of years, which is what most have. */
const most = 10;
const [warmUp, counted] = [20, 40];

const now = Date.now();
/** Each calendar, and whether its reading is to take no more than `most`. */
const calendars: [string, string, boolean][] = [
  ['884 kB, 2,000 events', yearsOfEvents(2000, 884_000, now), true],
  ['2 MB, 5,000 events', yearsOfEvents(5000, 1_990_000, now), false],
  ['500 weekly rules of 2009', weeklySince2009(500), false],
];

/** Measures, and prints the table. @returns true if the usual calendar takes no longer than it may */
export async function measureCalendars(say: Say): Promise<boolean> {
  const bundled = await bundle('calendar-worker.ts', 'calendars');
  const elsewhere = createServer(({ url = '' }, response) => {
    const [, text = ''] = calendars[Number(url.slice(1))] ?? [];
    response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(text);
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  const product = await workerOf({ ASK_LOOPBACK: 'on' }, { SESSION_SECRETS: '', PASSWORD_PEPPER: '' });
  const { serviceBindings, compatibilityDate, compatibilityFlags } = product;
  const { runtime, url, ...process } = await withRuntime(async () => {
    const runtime = new Miniflare({
      ...bundled,
      host: '127.0.0.1',
      port: 0,
      compatibilityDate,
      compatibilityFlags,
      serviceBindings: { OUTSIDE: serviceBindings?.OUTSIDE as never },
    });
    return { runtime, url: (await runtime.ready).href.replace(/\/$/, '') };
  });
  try {
    const pid = known(process.pid);
    /** The mean of a request in milliseconds of processor time, and its answer. */
    const costOf = async (what: 'fetch' | 'read', place: number) => {
      const at = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/${place}`;
      const query = new URLSearchParams({ at, now: String(now) });
      let said = '';
      const ask = async (times: number) => {
        for (let time = 0; time < times; time++) {
          const { status, text } = await timed(url, { path: `/${what}?${query}` });
          if (status !== 200) throw new Error(`It could not be read: ${text}`);
          said = text;
        }
      };
      await ask(warmUp);
      const before = processorTime(pid);
      await ask(counted);
      return { cpu: (processorTime(pid) - before) / counted, said };
    };
    const cells: string[][] = [];
    let isBounded = true;
    for (const [place, [what, text, hasLimit]] of calendars.entries()) {
      const fetched = await costOf('fetch', place);
      const read = await costOf('read', place);
      const reading = read.cpu - fetched.cpu;
      if (hasLimit && reading >= most) isBounded = false;
      const costs = [fetched.cpu, read.cpu, reading].map((one) => number(one));
      cells.push([what, (text.length / 1000).toFixed(0), read.said, ...costs]);
    }
    const head = ['calendar', 'kB', 'events ahead', 'fetched, CPU ms', 'and read', 'the reading'];
    for (const line of table(head, cells)) say(line);
    say('The processor time is that of all of workerd, its network included.');
    return isBounded;
  } finally {
    await runtime.dispose();
    elsewhere.close();
  }
}
