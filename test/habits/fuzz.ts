import type { Served } from '../support/use-server';
import { drawCall } from './calls';
import { Chance } from './chance';
import { type Actor, type Crew, comeBack, newCrew } from './crew';
import { faultsOf } from './faults';
import { drawForm, drawVisit } from './forms';
import { brokenRules } from './invariants';
import { type Drawn, type PlainResponse, send } from './requests';

/** The requests sent, and each fault once, with its count and first request. */
export type Report = {
  sent: number;
  /** Counts of each status, by call, and of all screens together. */
  statuses: Map<string, Map<number, number>>;
  faults: Map<string, { many: number; first: string }>;
  broken: string[];
};

/** After so many requests new people take over, free of what the others have done to each other. */
const shift = 500;
const lanes = 6;
const renewedAfter = 25;

/**
 * Sends random requests from the OpenAPI document and from every form, and checks each response; in the end
 * it checks the book. The same seed draws the same, except for ids.
 */
export async function fuzz(
  daybook: Served,
  { requests, seed, say }: { requests: number; seed: number; say?: (line: string) => void },
): Promise<Report> {
  const report: Report = { sent: 0, statuses: new Map(), faults: new Map(), broken: [] };
  let turns = 0;
  while (report.sent < requests) {
    const crew = await newCrew(daybook);
    const end = Math.min(requests, report.sent + shift);
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (report.sent < end) await turn(daybook, crew, new Chance(seed + 7919 * turns++), report);
      }),
    );
    say?.(`${report.sent} requests, ${report.faults.size} kinds of fault`);
  }
  report.broken = await brokenRules(daybook.d1);
  return report;
}

/** Makes one call, or a visit and what follows from it. */
async function turn(daybook: Served, crew: Crew, chance: Chance, report: Report): Promise<void> {
  const judge = async (drawn: Drawn): Promise<PlainResponse> => {
    const response = await send(drawn);
    note(report, drawn, response);
    const isOut = response.status === 401 || response.headers.get('location')?.includes('/not-logged-in');
    if (isOut || chance.is(1 / renewedAfter)) await comeBack(daybook, drawn.actor);
    return response;
  };
  if (chance.is(0.5)) return browse(chance, crew, chance.of(crew.actors), judge);
  const { status, text } = await judge(drawCall(chance, crew));
  if (status > 0 && status < 300 && text !== '' && text.length < 200_000) crew.things.learn(JSON.parse(text));
}

/** Visits a page, sends a form of it, and goes on from the response, a few times. */
async function browse(
  chance: Chance,
  crew: Crew,
  actor: Actor,
  judge: (drawn: Drawn) => Promise<PlainResponse>,
): Promise<void> {
  let drawn = drawVisit(chance, crew, actor);
  let response = await judge(drawn);
  for (let step = 0; step < 4; step++) {
    const to = response.headers.get('location');
    const isPage = /html/.test(response.headers.get('content-type') ?? '');
    const next: Drawn | undefined = to
      ? follow(actor, to)
      : isPage
        ? drawForm(chance, crew, actor, response.text, drawn.path)
        : undefined;
    if (!next) return;
    drawn = next;
    response = await judge(next);
  }
}

function follow(actor: Actor, to: string): Drawn {
  const { pathname, search } = new URL(to, actor.browser.url);
  const cookie = actor.browser.cookies.header(pathname);
  return { actor, method: 'GET', path: pathname + search, headers: { accept: 'text/html', ...(cookie && { cookie }) } };
}

function note(report: Report, drawn: Drawn, response: PlainResponse): void {
  report.sent += 1;
  const { pathname } = new URL(drawn.path, drawn.actor.browser.url);
  const name = /^\/api\/\w+(\/\w+)?/.exec(pathname)?.[0].toLowerCase() ?? 'screens';
  const counted = report.statuses.get(name) ?? new Map<number, number>();
  counted.set(response.status, (counted.get(response.status) ?? 0) + 1);
  report.statuses.set(name, counted);
  for (const what of faultsOf(drawn, response)) {
    const fault = `${drawn.method} ${/^\/[\w-]*(\/[\w-]+)?/.exec(pathname)?.[0].replace(/[\w-]{20,}/, ':id')}: ${what}`;
    const known = report.faults.get(fault);
    if (known) known.many += 1;
    else report.faults.set(fault, { many: 1, first: wordsOf(drawn, response) });
  }
}

/** A request and its response in words, for a report. */
function wordsOf({ actor, method, path, headers, body }: Drawn, { status, text }: PlainResponse): string {
  const { cookie, ...others } = headers;
  const sent = `${method} ${path.slice(0, 1_000)} by a ${actor.role} ${JSON.stringify(others)}`;
  return `${sent}\n  ${body?.toString('utf8').slice(0, 1_500) ?? ''}\n  ${status} ${text.slice(0, 300)}`;
}
