import { Plural, useLingui } from '@lingui/react/macro';
import { useBookPaths } from '../../components/frame/book-paths';
import { useWords } from '../../components/words';
import { dateWords, type LocalDate } from '../../domain/time/clock';
import { addMonths, type Month, monthOf, monthWords } from '../../domain/time/month';
import { dayPath, monthPath } from './open-paths';

type Props = {
  month: Month;
  days: { date: LocalDate; count: number }[];
  months: [Month, Month];
  day: LocalDate | null;
};

export function MonthStrip({ month, days, months: [first, last], day }: Props) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];
  const [earlier, later] = [words(monthWords(before)), words(monthWords(after))];
  const turn = (to: Month, label: string, sign: string) => (
    <a
      href={monthPath(desk, to)}
      className="inline-flex min-h-12 min-w-12 items-center justify-center rounded-full border-[1.5px] border-edge text-base font-semibold no-underline hover:bg-wash"
    >
      <span aria-hidden="true" className="arrow">
        {sign}
      </span>
      <span className="sr-only">{label}</span>
    </a>
  );
  return (
    <nav aria-label={t`Days with free times`} className="grid gap-3">
      <div className="flex min-h-12 items-center justify-between gap-3">
        {month > first ? turn(before, t`Earlier month: ${earlier}`, '←') : <span className="min-w-12" />}
        <h2 className="text-center text-xl">{words(monthWords(month))}</h2>
        {month < last ? turn(after, t`Later month: ${later}`, '→') : <span className="min-w-12" />}
      </div>
      {days.length === 0 && <p className="text-muted">{t`No free times in this month.`}</p>}
      <ol className="grid grid-cols-[repeat(auto-fill,minmax(5.25rem,1fr))] gap-1.5">
        {days.map(({ date, count }) => (
          <li key={date}>
            <Day date={date} count={count} isShown={date === day && monthOf(date) === month} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Day({ date, count, isShown }: { date: LocalDate; count: number; isShown: boolean }) {
  const desk = useBookPaths();
  const words = useWords();
  const { weekday, day } = dateWords(date);
  return (
    <a
      href={dayPath(desk, date)}
      aria-current={isShown ? 'date' : undefined}
      className="grid min-h-14 content-center justify-items-center rounded-md border border-edge py-1 text-center text-xs leading-tight whitespace-nowrap no-underline hover:border-accent aria-[current=date]:border-2 aria-[current=date]:border-accent aria-[current=date]:bg-wash"
    >
      <span>{`${words(weekday)} `}</span>
      <span className="text-base font-semibold">{words(day)}</span>
      <span className="sr-only">{`, ${words(monthWords(monthOf(date)))}: `}</span>
      <span className="whitespace-normal text-muted wrap-anywhere">
        <Plural value={count} _0="None free" one="# free" other="# free" />
      </span>
    </a>
  );
}
