import { billLines, billOf } from './bill';
import { type Load, noFigure } from './load';
import type { Cost, Counts } from './measure';
import { number, table } from './table';
import { mostOfWorker } from './worker-size';

/** One measurement. */
export type Measured = { slots: number; name: string; connections: number } & Load;

export type Report = {
  date: string;
  commit: string;
  machine: string;
  seconds: number;
  rows: Measured[];
  ratios: ReturnType<typeof ratiosOf>;
  costs: Cost[];
  counts: Counts[];
  /** MiB, and milliseconds from the spawn to the first answer. */
  process: { slots: number; memory: number | null; startUp: number }[];
  /** Sizes in KiB. */
  worker: { raw: number; gzip: number };
};

/** Milliseconds of processor time that one response may cost. */
const costLimit = 5;

const goals: [product: string, yardstick: string, goal: number][] = [
  ['slot list', 'bare read', 0.8],
  ['party page', 'bare read', 0.8],
  ['Book', 'bare write', 0.5],
  ['Book', 'bare booking', 0.75],
  ['provider page, cached', 'bare response', 0.7],
];

/**
 * Product against yardstick where there is a goal, of measurements of the same size over as many connections: by requests a second and, surer
 * on a busy machine, by processor time of a request.
 */
export function ratiosOf(rows: Measured[]) {
  return goals.flatMap(([product, yardstick, goal]) =>
    rows
      .filter((row) => row.name === product && !noFigure(row))
      .flatMap(({ slots, connections, perSecond, cpu }) => {
        const against = rows.find(
          (row) => row.name === yardstick && row.slots === slots && row.connections === connections,
        );
        if (!against || noFigure(against)) return [];
        const ratio = perSecond / against.perSecond;
        const byCpu = cpu && against.cpu ? against.cpu / cpu : null;
        return [{ slots, connections, what: `${product} / ${yardstick}`, ratio, byCpu, goal }];
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
  const head = ['slots', 'what', 'conn', 'req/s', 'change', 'p50 ms', 'p99 ms', 'CPU ms', 'KiB', ''];
  const cells = rows.map((row) => {
    const then = before?.rows.find(
      ({ slots, name, connections }) => slots === row.slots && name === row.name && connections === row.connections,
    );
    const what = [row.slots.toLocaleString('en'), row.name, String(row.connections)];
    const missing = noFigure(row);
    if (missing) return [...what, '', '', '', '', '', '', missing];
    return [
      ...what,
      number(row.perSecond, 0),
      change(row.perSecond, then && !noFigure(then) ? then.perSecond : undefined),
      number(row.p50),
      number(row.p99),
      number(row.cpu, 2),
      number(row.kilobytes),
      row.refused > 0 ? `refused ${row.refused} of ${row.requests}` : '',
    ];
  });
  return table(head, cells);
}

function costTable({ costs }: Report, before: Report | undefined): string[] {
  const head = ['path', 'reader', 'CPU ms', 'change', 'p50 ms', 'KiB', ''];
  const cells = costs.map((row) => {
    const { path, reader, cpu, took, kilobytes } = row;
    const missing = noFigure(row);
    if (missing) return [path, reader, '', '', '', '', missing];
    const then = before?.costs.find((cost) => cost.path === path && cost.reader === reader);
    const flag = cpu !== null && cpu > costLimit ? `over ${costLimit}` : '';
    return [path, reader, number(cpu, 2), change(cpu, then?.cpu), number(took), number(kilobytes), flag];
  });
  return table(head, cells);
}

/** The rows of responses and writes, a column for each size of the world; `!` marks too many. */
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
  const { worker } = report;
  const against = before ? `, against ${before.commit} of ${before.date}` : '';
  const ratios = report.ratios.map(({ slots, connections, what, ratio, byCpu, goal }) => [
    slots.toLocaleString('en'),
    what,
    String(connections),
    ...[ratio, byCpu, goal].map((one) => number(one, 2)),
    ratio >= goal ? 'reached' : 'missed',
  ]);
  const processes = report.process.map(({ slots, memory, startUp }) => [
    slots.toLocaleString('en'),
    number(memory, 0),
    number(startUp, 0),
  ]);
  const verdict = worker.gzip > mostOfWorker ? 'too large' : 'small enough';
  return [
    `Daybook ${report.commit}, ${report.seconds} s each, on ${report.machine}${against}`,
    '',
    ...(report.rows.length > 0 ? [...rowsTable(report, before), ''] : []),
    ...(ratios.length > 0 ? [...table(['slots', 'ratio', 'conn', 'by req/s', 'by CPU', 'goal', ''], ratios), ''] : []),
    ...(report.costs.length > 0 ? [...costTable(report, before), ''] : []),
    ...countTables(report),
    ...report.counts.slice(-1).flatMap((counts) => [...billLines(billOf(counts)), '']),
    ...(processes.length > 0 ? table(['slots', 'memory MiB', 'start-up ms'], processes) : []),
    `Worker: ${number(worker.raw)} KiB, ${number(worker.gzip)} KiB gzip (${verdict}; at most ${mostOfWorker})`,
  ];
}
