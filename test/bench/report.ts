import { billLines, billOf } from './bill';
import type { Counts } from './counts';
import type { Load } from './load';
import type { Cost } from './measure';
import type { Memory } from './runtime-process';
import { number, table } from './table';
import type { WorkerSize } from './worker-size';
import { mostOfWorker } from './worker-size';

/** One measurement; its meter is the processor time of the server's process, in milliseconds. */
export type Measured = { slots: number; name: string; connections: number } & Load;

/** Product against yardstick, by requests a second and, surer on a busy machine, by processor time of a request. */
type Ratio = {
  slots: number;
  connections: number;
  what: string;
  ratio: number;
  byCpu: number | null;
  goal: number;
  /** The most that others used of the machine during either; null if unknown. */
  others: number | null;
};

export type Report = {
  date: string;
  commit: string;
  machine: { cpu: string; cores: number; node: string };
  seconds: number;
  rows: Measured[];
  ratios: Ratio[];
  costs: Cost[];
  counts: Counts[];
  memory: { slots: number; server: Memory | null }[];
  /** Seconds to make a world; null for one that was kept. */
  worlds: { slots: number; madeIn: number | null }[];
  /** Milliseconds from the spawn to the first answer. */
  startUp: { slots: number; milliseconds: number }[];
  worker: WorkerSize;
};

/** Milliseconds of processor time that one answer may cost. */
const costLimit = 5;
/** If others use more of the machine, requests a second say little. */
const disturbed = 0.15;

const goals: [product: string, yardstick: string, goal: number][] = [
  ['slot list', 'bare read', 0.8],
  ['slot list', 'bare Remix', 0.8],
  ['party page', 'bare read', 0.8],
  ['party page', 'bare Remix', 0.8],
  ['Book', 'bare write', 0.5],
  ['Book', 'bare booking', 0.75],
  ['provider page, kept', 'bare answer', 0.7],
];

/** Every ratio that has a goal, of measurements of the same size over as many connections. */
export function ratiosOf(rows: Measured[]): Ratio[] {
  return goals.flatMap(([product, yardstick, goal]) =>
    rows
      .filter(({ name }) => name === product)
      .flatMap(({ slots, connections, perSecond, cpu, ...row }) => {
        const against = rows.find(
          (row) => row.name === yardstick && row.slots === slots && row.connections === connections,
        );
        if (!against) return [];
        const others = row.others === null || against.others === null ? null : Math.max(row.others, against.others);
        const ratio = perSecond / against.perSecond;
        const byCpu = cpu && against.cpu ? against.cpu / cpu : null;
        return [{ slots, connections, what: `${product} / ${yardstick}`, ratio, byCpu, goal, others }];
      }),
  );
}

/** The growth of a number in percent. */
function change(now: number | null | undefined, then: number | null | undefined): string {
  if (!now || !then) return '';
  const percent = Math.round((now / then - 1) * 100);
  return `${percent > 0 ? '+' : ''}${percent} %`;
}

function rowsTable({ rows }: Report, before: Report | undefined): string[] {
  const head = ['slots', 'what', 'conn', 'req/s', 'change', 'p50 ms', 'p99 ms', 'refused', 'CPU ms', 'KiB', 'others %'];
  const cells = rows.map((row) => {
    const then = before?.rows.find(
      ({ slots, name, connections }) => slots === row.slots && name === row.name && connections === row.connections,
    );
    return [
      row.slots.toLocaleString('en'),
      row.name,
      String(row.connections),
      number(row.perSecond, 0),
      change(row.perSecond, then?.perSecond),
      number(row.p50),
      number(row.p99),
      String(row.refused),
      number(row.cpu, 2),
      number(row.kilobytes),
      number(row.others === null ? null : row.others * 100, 0),
    ];
  });
  return table(head, cells);
}

function costTable({ costs }: Report, before: Report | undefined): string[] {
  const head = ['path', 'reader', 'CPU ms', 'change', 'p50 ms', 'KiB', ''];
  const cells = costs.map(({ path, reader, cpu, took, kilobytes }) => {
    const then = before?.costs.find((cost) => cost.path === path && cost.reader === reader);
    const flag = cpu !== null && cpu > costLimit ? `over ${costLimit}` : '';
    return [path, reader, number(cpu, 2), change(cpu, then?.cpu), number(took), number(kilobytes), flag];
  });
  return table(head, cells);
}

/** The rows of answers and writes, a column for each size of the world; `!` marks too many. */
function countTables({ counts }: Report): string[] {
  const [first] = counts;
  if (!first) return [];
  const sizes = counts.map(({ slots }) => slots.toLocaleString('en'));
  const reads = first.reads.map(({ what, reader, trips, shown }, place) => [
    what,
    reader,
    String(trips),
    String(shown),
    number(first.reads[place]?.most, 0),
    ...counts.map(({ reads }) => {
      const { read = 0, most = null } = reads.find((one) => one.what === what && one.reader === reader) ?? {};
      return `${read}${most !== null && read > most ? '!' : ''}`;
    }),
  ]);
  const writes = first.writes.map(({ what, trips, written }, place) => [
    what,
    String(trips),
    String(written),
    ...counts.map(({ writes }) => String(writes[place]?.read)),
  ]);
  return [
    'Rows read at so many slots:',
    ...table(['what', 'reader', 'trips', 'shown', 'most', ...sizes], reads),
    '',
    ...table(['write', 'trips', 'rows written', ...sizes.map((size) => `read at ${size}`)], writes),
    '',
  ];
}

/** The whole report for people, compared with an earlier one. */
export function linesOf(report: Report, before: Report | undefined): string[] {
  const { commit, machine, seconds, worker } = report;
  const against = before ? `, against ${before.commit} of ${before.date}` : '';
  const { cpu, cores, node } = machine;
  const ratios = report.ratios.map(({ slots, connections, what, ratio, byCpu, goal, others }) => [
    slots.toLocaleString('en'),
    what,
    String(connections),
    number(ratio, 2),
    number(byCpu, 2),
    number(goal, 2),
    `${ratio >= goal ? 'reached' : 'missed'}${others !== null && others > disturbed ? ', machine busy' : ''}`,
  ]);
  const verdict = worker.gzip > mostOfWorker ? 'too large' : 'small enough';
  return [
    `Daybook ${commit}, ${seconds} s each, on ${cpu}, ${cores} cores, node ${node}${against}`,
    '',
    ...rowsTable(report, before),
    '',
    ...table(['slots', 'ratio', 'conn', 'by req/s', 'by CPU', 'goal', ''], ratios),
    '',
    ...(report.costs.length > 0 ? [...costTable(report, before), ''] : []),
    ...countTables(report),
    ...report.counts.slice(-1).flatMap((counts) => [...billLines(billOf(counts)), '']),
    ...report.memory.map(
      ({ slots, server }) =>
        `Memory at ${slots.toLocaleString('en')} slots: ${number(server?.now, 0)} MiB, at most ${number(server?.most, 0)}`,
    ),
    ...report.startUp.map(
      ({ slots, milliseconds }) => `Start-up at ${slots.toLocaleString('en')} slots: ${number(milliseconds, 0)} ms`,
    ),
    '',
    `Worker: ${number(worker.raw)} KiB, ${number(worker.gzip)} KiB gzip (${verdict}; at most ${mostOfWorker})`,
    ...table(
      ['part', 'KiB minified', 'KiB gzip alone'],
      worker.parts.map(({ part, raw, gzip }) => [part, number(raw), number(gzip)]),
    ),
  ];
}
