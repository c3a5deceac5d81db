import { day, hour, type Instant, minute } from '../time/clock';
import type { Span } from '../time/zones';

/** Merges spans that overlap or have at most `gap` milliseconds between them. */
export function mergeSpans(spans: Span[], gap = 0): Span[] {
  const merged: Span[] = [];
  for (const span of spans.toSorted((one, other) => one.startsAt - other.startsAt)) {
    const last = merged.at(-1);
    if (last && span.startsAt <= last.endsAt + gap) last.endsAt = Math.max(last.endsAt, span.endsAt);
    else merged.push({ ...span });
  }
  return merged;
}

/** If a calendar has more spans, nobody would book the gaps between them. */
const mostSpans = 1000;
const gaps = [0, 15 * minute, hour, 4 * hour, day];

/** Closes the smallest gaps until the spans are few enough. @returns also the largest gap that was closed */
export function fewSpans(spans: Span[]): { spans: Span[]; gap: number } {
  for (const gap of gaps) {
    const merged = mergeSpans(spans, gap);
    if (merged.length <= mostSpans) return { spans: merged, gap };
  }
  return { spans: mergeSpans(spans, 2 * day), gap: 2 * day };
}

/** Cuts long spans into pieces of a day, so that looking back one day finds everything that is still going on. */
export function inDays(spans: Span[], { from, until }: { from: Instant; until: Instant }): Span[] {
  return spans.flatMap(({ startsAt, endsAt }) => {
    const first = Math.max(0, Math.floor((from - startsAt) / day));
    const last = Math.ceil((Math.min(endsAt, until) - startsAt) / day);
    return Array.from({ length: Math.max(0, last - first) }, (_, place) => {
      const at = startsAt + (first + place) * day;
      return { startsAt: at, endsAt: Math.min(at + day, endsAt) };
    });
  });
}
