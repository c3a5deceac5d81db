import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Fold } from '../../components/Fold';
import { Zone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { Kind, PictureDay, PictureWeek } from '../../domain/hours/picture';
import { dateWords } from '../../domain/time/clock';
import { timeOfMinutes } from '../../domain/time/ranges';
import type { Words } from '../../domain/words/words';

// The coming weeks as they will be, each folded under a line that says what changes. The first weeks are drawn: a row
// for each day, in which length is time. Kinds differ in height as well as in colour.

const looks: Record<Kind, { y: number; height: number; className: string; words: Words }> = {
  new: { y: 1, height: 18, className: 'fill-good', words: msg({ message: 'new', context: 'times' }) },
  open: { y: 6, height: 8, className: 'fill-muted', words: msg`free already` },
  booked: { y: 1, height: 18, className: 'fill-accent', words: msg`booked, stays` },
  leaving: { y: 16, height: 3, className: 'fill-warn', words: msg({ message: 'removed', context: 'times' }) },
};

const Bar = ({ x, width, kind }: { x: number; width: number; kind: Kind }) => {
  const { y, height, className } = looks[kind];
  return <rect x={x} y={y} width={width} height={height} className={className} />;
};

/** @param zone the zone of the times in the picture */
export function WeeksAhead({ weeks, zone }: { weeks: PictureWeek[]; zone: string }) {
  const { t } = useLingui();
  const words = useWords();
  const summaryOf = (week: PictureWeek) => {
    const [from, to] = [words(dateWords(week.from).short), words(dateWords(week.to).short)];
    const changes = words({ list: week.words });
    return from === to ? t`${from}: ${changes}` : t`${from} to ${to}: ${changes}`;
  };
  const opened = Math.max(
    0,
    weeks.findIndex(({ isSame }) => !isSame),
  );
  const drawn = weeks.filter(({ isDrawn }) => isDrawn).flatMap(({ days }) => days);
  const bars = drawn.flatMap((day) => day.bars);
  const first = Math.floor(Math.min(540, ...bars.map(({ from }) => from)) / 60) * 60;
  const last = Math.ceil(Math.max(1020, ...bars.map(({ from, length }) => from + length)) / 60) * 60;
  const kinds = (Object.keys(looks) as Kind[]).filter((kind) => bars.some((bar) => bar.kind === kind));
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-[auto_1fr] gap-x-3 text-sm text-muted">
        <span className="w-24">
          <Zone zone={zone} />
        </span>
        <div className="flex justify-between" aria-hidden="true">
          {[first, (first + last) / 2, last].map((at) => (
            <span key={at}>{words({ clock: timeOfMinutes(at) })}</span>
          ))}
        </div>
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-1 text-sm" aria-hidden="true">
        {kinds.map((kind) => (
          <li key={kind} className="flex items-center gap-2">
            <svg viewBox="0 0 20 20" className="size-5 bg-wash" aria-hidden="true">
              <Bar x={3} width={14} kind={kind} />
            </svg>
            {words(looks[kind].words)}
          </li>
        ))}
      </ul>
      <div>
        {weeks.map((week, place) => (
          <Fold key={week.from} summary={summaryOf(week)} isOpen={place === opened}>
            <ul className="grid gap-1 pb-2">
              {week.days.map((day) => (
                <Day key={day.date} day={day} span={week.isDrawn ? { first, last } : undefined} />
              ))}
            </ul>
          </Fold>
        ))}
      </div>
    </div>
  );
}

/** @param span the hours that are drawn, in minutes of the day; without it nothing is drawn */
function Day({ day, span }: { day: PictureDay; span?: { first: number; last: number } }) {
  const words = useWords();
  return (
    <li className="grid grid-cols-[auto_1fr] items-center gap-x-3 text-sm">
      <span className="w-24 whitespace-nowrap">{words(dateWords(day.date).short)}</span>
      <span className="grid">
        {span && (
          <svg
            viewBox={`${span.first} 0 ${span.last - span.first} 20`}
            preserveAspectRatio="none"
            className="h-6 w-full rounded-sm bg-wash"
            aria-hidden="true"
          >
            {Array.from({ length: (span.last - span.first) / 60 + 1 }, (_, place) => span.first + place * 60).map(
              (at) => (
                <rect key={at} x={at} y={0} width={1} height={20} className="fill-rule" />
              ),
            )}
            {day.bars.map(({ from, length, kind }) => (
              <Bar key={`${kind}${from}`} x={from + 1} width={length - 2} kind={kind} />
            ))}
          </svg>
        )}
        <span className="text-muted">{words({ list: day.words })}</span>
      </span>
    </li>
  );
}
