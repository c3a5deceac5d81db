import { Trans, useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import type { SeriesDate } from '../../domain/series/series';
import { dateWords, type Instant } from '../../domain/time/clock';
import { useShell } from '../frame/shell';
import { useWords } from '../words';
import { Leaf, Moment, momentText } from './Time';

/** `startsAt` is the start of the first appointment; null if that is over. */
export type SeriesDatesProps = { dates: SeriesDate[]; timeZone: string; startsAt: Instant | null; refused?: Refusal };

/** All dates of a series: the time that will be booked, or why none is free and which others there are. */
export function SeriesDates({ dates, timeZone, startsAt, refused }: SeriesDatesProps) {
  const words = useWords();
  return (
    <ol className="lines">
      {dates.map(({ date, id, why, nearest }, place) => (
        <li key={date} className={id ? undefined : 'cannot-be'}>
          <Leaf date={date} />
          <div>
            <h3>
              {id ? words(dateWords(date).full) : <s>{words(dateWords(date).full)}</s>}
              {!id && (
                <span className="badge ms-2 border border-current text-warn">
                  <Trans>Can't be booked</Trans>
                </span>
              )}
            </h3>
            {id ? (
              <p>
                <input type="hidden" name="ids" value={id} />
                {place === 0 && startsAt !== null ? (
                  <Moment at={startsAt} zone={timeZone} />
                ) : (
                  <Trans>Free at the same time</Trans>
                )}
              </p>
            ) : (
              <p className="text-warn">{why && words(why)}</p>
            )}
            {nearest.length > 0 && <Instead {...{ date, nearest, timeZone, refused }} />}
          </div>
        </li>
      ))}
    </ol>
  );
}

type InsteadProps = Pick<SeriesDate, 'date' | 'nearest'> & Pick<SeriesDatesProps, 'timeZone' | 'refused'>;

function Instead({ date, nearest, timeZone, refused }: InsteadProps) {
  const { t } = useLingui();
  const words = useWords();
  const { readerZone } = useShell();
  const day = words(dateWords(date).short);
  const chosen = nearest.find(({ id }) => refused?.typed.ids?.includes(id))?.id;
  return (
    <label className="grid max-w-2xl gap-1.5 py-2 font-semibold">
      <Trans>Instead of {day}</Trans>
      <select
        name="ids"
        defaultValue={chosen ?? ''}
        className="min-h-12 w-full rounded-md border-[1.5px] border-edge bg-card px-3 py-2.5 text-base font-normal text-ink"
      >
        <option value="">{t`Leave this date out`}</option>
        {nearest.map((time) => (
          <option key={time.id} value={time.id}>
            {words(momentText(time.startsAt, timeZone, readerZone))}
          </option>
        ))}
      </select>
    </label>
  );
}
