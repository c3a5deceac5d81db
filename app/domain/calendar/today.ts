import { msg, plural } from '@lingui/core/macro';
import { dateWords, day, type Instant, type LocalDate, lengthWords, minute } from '../time/clock';
import type { Words } from '../words/words';
import type { SheetLine } from './sheet';

type Span = { startsAt: Instant; endsAt: Instant };

/** What of a booking says where it stands in a day. A class is the bookings with its id. */
type InDay = Span & Pick<SheetLine, 'classId' | 'people' | 'service'>;

type ClassLine = Span & { kind: 'class'; id: string; name: string | null; people: number };
type BookedLine<Line> = ClassLine | (Span & { kind: 'booked'; line: Line });

export type StripLine =
  | BookedLine<SheetLine>
  | (Span & ({ kind: 'free'; id: string } | { kind: 'busy'; words: Words } | { kind: 'closed' }));

/** The lines of what is booked. A class is one, with all its people. */
export function bookedLines<Line extends InDay>(lines: Line[]): BookedLine<Line>[] {
  const classes = new Map<string, ClassLine>();
  return lines.flatMap((line): BookedLine<Line>[] => {
    const { startsAt, endsAt, classId, people } = line;
    if (classId === null) return [{ kind: 'booked', startsAt, endsAt, line }];
    const entry = classes.get(classId);
    if (entry) {
      entry.people += people;
      return [];
    }
    const first = { kind: 'class' as const, startsAt, endsAt, id: classId, name: line.service, people };
    classes.set(classId, first);
    return [first];
  });
}

/** Adjoining free times become one line, which links to the first of them. */
function freeLines(open: (Span & { id: string })[], now: Instant): StripLine[] {
  const free: (StripLine & { kind: 'free' })[] = [];
  for (const { id, startsAt, endsAt } of open) {
    if (startsAt < now) continue;
    const last = free.at(-1);
    if (last?.endsAt === startsAt) last.endsAt = endsAt;
    else free.push({ kind: 'free', id, startsAt, endsAt });
  }
  return free;
}

/** The breaks that are not over. */
const closedLines = (spans: Span[] | null, now: Instant): StripLine[] =>
  (spans ?? []).slice(1).flatMap(({ startsAt }, place): StripLine[] => {
    const before = spans?.[place]?.endsAt ?? startsAt;
    return before < startsAt && startsAt > now ? [{ kind: 'closed', startsAt: before, endsAt: startsAt }] : [];
  });

type Day = {
  lines: SheetLine[];
  open: (Span & { id: string })[];
  busy: (Span & { words: Words })[];
  /** Null if the provider set none. */
  hours: Span[] | null;
};

/** The day's lines by start. A break is left out where a booking is, and once it is over. */
export function stripOf({ lines, open, busy, hours }: Day, now: Instant): StripLine[] {
  const booked = bookedLines(lines);
  const isApart = (span: Span) =>
    !booked.some(({ startsAt, endsAt }) => startsAt < span.endsAt && endsAt > span.startsAt);
  const blocked = busy.map((span): StripLine => ({ kind: 'busy', ...span }));
  return [...booked, ...freeLines(open, now), ...blocked, ...closedLines(hours, now).filter(isApart)].sort(
    (one, other) => one.startsAt - other.startsAt || one.endsAt - other.endsAt,
  );
}

export const isUpcoming = ({ endsAt, attendance }: SheetLine, now: Instant) => endsAt > now && attendance === 'unknown';

/** 'in 18 minutes', 'now'; after a day its date. */
export function soonWords({ startsAt, date }: { startsAt: Instant; date?: LocalDate }, now: Instant): Words {
  if (startsAt <= now) return msg`now`;
  const minutes = Math.max(1, Math.round((startsAt - now) / minute));
  if (minutes < 180) {
    const length = lengthWords(minutes);
    return msg`in ${length}`;
  }
  if (startsAt - now < day || !date) {
    const hours = Math.round(minutes / 60);
    return msg({ message: plural({ hours }, { one: 'in # hour', other: 'in # hours' }) });
  }
  return dateWords(date).short;
}
