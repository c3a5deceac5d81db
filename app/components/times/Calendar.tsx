import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Refusal } from '../../domain/errors';
import { dateWords, type LocalDate, shortDate, weekdayWords, wireDate } from '../../domain/time/clock';
import { addMonths, hasDayWithin, type Month, monthOf, monthWeeks, monthWords } from '../../domain/time/month';
import { weekdaysFrom } from '../../domain/time/week-start';
import { isTypedInto } from '../forms/controls';
import { Faults, faultsOf } from '../forms/Field';
import { useIsSending } from '../forms/Form';
import { useDraftState } from '../frame/drafts';
import { useHasScript } from '../frame/script';
import { useShell } from '../frame/shell';
import { useWords } from '../words';

const anchor = 'days';

type Props = {
  legend: string;
  today: LocalDate;
  available?: LocalDate[];
  month: Month;
  chosen: LocalDate[];
  refused?: Pick<Refusal, 'faults'>;
};

/**
 * A month of checkboxes named `dates`. The month buttons submit the form; the response has the other month, and the
 * chosen days of the rest in hidden fields. With script the month changes in place, and a whole week or weekday can be
 * chosen. The checkboxes remember what is chosen, so that nothing ticked before the script arrived is lost.
 */
export function Calendar({ legend, today, available, month: firstMonth, chosen: chosenBefore, refused }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const hasScript = useHasScript();
  const { year, weekStart } = useShell();
  const given = [firstMonth, ...chosenBefore].join();
  const isSending = useIsSending();
  // True if the reader has turned to another month before the response was there: it has nothing of that.
  const asGiven = { given, month: firstMonth, chosen: chosenBefore, isAhead: false };
  const boxes = () => [...(fieldset.current?.querySelectorAll<HTMLInputElement>('input[type=checkbox]:enabled') ?? [])];
  // The saved month takes the place of the first one, in which days may have been ticked before the scripts came.
  const withTicked = (saved: typeof asGiven) => {
    const dates = new Set(saved.chosen);
    for (const box of boxes().filter(isTypedInto)) {
      if (box.checked) dates.add(box.dataset.date ?? '');
      else dates.delete(box.dataset.date ?? '');
    }
    return { ...saved, chosen: [...dates] };
  };
  const [shown, setShown] = useDraftState('month', () => asGiven, withTicked);
  if (shown.given !== given) setShown(shown.isAhead ? { ...shown, given, isAhead: false } : asGiven);
  const { month, chosen } = shown;

  const isFree = (date: LocalDate) => date >= today && (!available || available.includes(date));
  const lastAvailable = available?.at(-1);
  const isMonthOpen = (candidate: Month) =>
    candidate >= monthOf(today) && (!available || (lastAvailable !== undefined && candidate <= monthOf(lastAvailable)));
  const weeks = monthWeeks(month, weekStart);
  const names = weekdaysFrom(weekStart).map((day) => {
    const name = weekdayWords(day);
    return { day, name: words(name), short: words({ ...name, as: 'weekdayHead' }) };
  });
  const monthName = words(monthWords(month));
  const firstFree = weeks.flat().find((date) => date && isFree(date));
  const { id, faults, wiring } = faultsOf(refused, 'dates');
  // The chosen days of other months, without those that have passed since the page was made.
  const chosenElsewhere = chosen.filter((date) => monthOf(date) !== month && isFree(date));

  const dates = words({ list: chosenElsewhere.map((date) => shortDate(date, year)) });
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];

  const turnTo = (next: Month) => {
    const ticked = boxes().flatMap(({ checked, dataset }) => (checked && dataset.date ? [dataset.date] : []));
    setShown({ given, month: next, chosen: [...chosenElsewhere, ...ticked], isAhead: isSending });
  };
  const toggleAll = (dates: (LocalDate | null)[]) => {
    const boxesOfDates = boxes().filter(({ dataset }) => dates.includes(dataset.date ?? ''));
    const isAllChosen = boxesOfDates.every(({ checked }) => checked);
    for (const box of boxesOfDates) box.checked = !isAllChosen;
  };

  const monthButton = (to: Month, sign: '←' | '→', label: string) => (
    <button
      type="submit"
      name="month"
      value={to}
      formNoValidate
      // Without script the response is a new document, which opens at the calendar.
      formAction={`#${anchor}`}
      // With script the button stays focusable at the first and last month, so that the reader keeps the focus.
      disabled={!hasScript && !isMonthOpen(to)}
      aria-disabled={!isMonthOpen(to)}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        if (isMonthOpen(to)) turnTo(to);
      }}
      className="pressable min-h-12 min-w-12 shrink-0 rounded-full border-[1.5px] border-edge px-4 text-base font-semibold hover:bg-wash aria-disabled:opacity-40"
    >
      <span aria-hidden="true" className="arrow">
        {sign}
      </span>
    </button>
  );

  return (
    <fieldset ref={fieldset} id={anchor} className="grid gap-3" aria-describedby={wiring['aria-describedby']}>
      <legend className="mb-2 font-semibold">{legend}</legend>
      <Faults id={`${id}-faults`} faults={faults} />
      {chosenElsewhere.map((date) => (
        <input key={date} type="hidden" name="dates" value={wireDate(date)} />
      ))}
      <input type="hidden" name="shown" value={month} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        {monthButton(before, '←', t`Earlier month: ${{ month: words(monthWords(before)) }}`)}
        <h2 aria-live="polite" className="min-w-min flex-1 basis-0 text-center text-xl">
          {monthName}
        </h2>
        {monthButton(after, '→', t`Later month: ${{ month: words(monthWords(after)) }}`)}
      </div>
      <div className="relative -m-1 overflow-x-auto p-1">
        <table className="days w-full table-fixed border-separate border-spacing-1 text-center">
          <thead>
            <tr>
              {names.map(({ day, name, short }, place) => (
                <th key={day} scope="col" abbr={name} className="pb-1 text-xs font-normal text-muted">
                  {hasScript ? (
                    <button
                      type="button"
                      aria-label={t`${short}: every ${{ weekday: name }} in ${{ month: monthName }}`}
                      onClick={() => toggleAll(weeks.map((week) => week[place] ?? null))}
                      className="min-h-9 w-full rounded-sm border border-rule text-ink hover:bg-wash"
                    >
                      {short}
                    </button>
                  ) : (
                    short
                  )}
                </th>
              ))}
              {hasScript && (
                <th scope="col" className="w-[12%]">
                  <span className="sr-only">
                    <Trans>Whole week</Trans>
                  </span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {weeks.filter(hasDayWithin(today, lastAvailable)).map((week) => (
              <tr key={week.find((date) => date)}>
                {week.map((date, place) =>
                  date ? (
                    <td key={date} className="p-0">
                      <Day
                        date={date}
                        isChosen={chosen.includes(date)}
                        isFree={isFree(date)}
                        isToday={date === today}
                        wiring={date === firstFree ? wiring : undefined}
                      />
                    </td>
                  ) : (
                    <td key={names[place]?.day} />
                  ),
                )}
                {hasScript && (
                  <td className="p-0">
                    {week.some((date) => date && isFree(date)) && (
                      <WholeWeek first={week.find((date) => date) ?? today} toggle={() => toggleAll(week)} />
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(hasScript || month === monthOf(today)) && (
        <p className="text-sm text-muted">
          {month === monthOf(today) && <Trans>Today is underlined.</Trans>}{' '}
          {hasScript && <Trans>A weekday’s name chooses all its days, All a whole week.</Trans>}
        </p>
      )}
      {chosenElsewhere.length > 0 && (
        <p className="text-sm text-muted">
          <Trans>Also chosen: {dates}</Trans>
        </p>
      )}
    </fieldset>
  );
}

function WholeWeek({ first, toggle }: { first: LocalDate; toggle: () => void }) {
  const words = useWords();
  const date = words(dateWords(first).full);
  return (
    <button
      type="button"
      onClick={toggle}
      className="min-h-11 w-full rounded-sm border border-rule text-xs hover:bg-wash"
    >
      <Trans context="days of a week">
        All<span className="sr-only"> of the week of {date}</span>
      </Trans>
    </button>
  );
}

function Day({
  date,
  isChosen,
  isFree,
  isToday,
  wiring,
}: {
  date: LocalDate;
  isChosen: boolean;
  isFree: boolean;
  isToday: boolean;
  wiring?: object;
}) {
  const words = useWords();
  const { day, full } = dateWords(date);
  return (
    <label className="relative">
      <input
        {...wiring}
        type="checkbox"
        name="dates"
        value={wireDate(date)}
        data-date={date}
        aria-label={words(full)}
        defaultChecked={isChosen && isFree}
        disabled={!isFree}
      />
      <span aria-hidden="true" className={isToday ? 'underline decoration-2 underline-offset-4' : undefined}>
        {words(day)}
      </span>
    </label>
  );
}
