import { msg, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { Words } from '../../domain/words/words';
import { Submit } from '../forms/Form';
import { useWords } from '../words';
import { SeriesDates, type SeriesDatesProps } from './SeriesDates';

/** `bookedId` is the id of the appointment to repeat, if it is booked already. */
type Props = SeriesDatesProps & { bookedId: string | null };

/** The dates of a series, with a button that says how many it books. Without script, it counts those that are free. */
export function BookDates({ bookedId, ...shown }: Props) {
  const words = useWords();
  const { dates, refused } = shown;
  const isOffered = (id: string) => dates.some(({ nearest }) => nearest.some((time) => time.id === id));
  const list = useRef<HTMLDivElement>(null);
  const [instead, setInstead] = useState(refused?.typed.ids?.filter(isOffered).length ?? 0);
  const countInstead = () =>
    setInstead([...(list.current?.querySelectorAll('select') ?? [])].filter(({ value }) => value !== '').length);
  // Going back to the page, a browser restores what was chosen.
  useEffect(countInstead, []);
  const count = dates.filter(({ id }) => id !== null && id !== bookedId).length + instead;
  const hasOthers = dates.some(({ nearest }) => nearest.length > 0);
  return (
    <>
      <div ref={list} onChange={countInstead}>
        <SeriesDates {...shown} />
      </div>
      {count === 0 && !hasOthers ? (
        <p className="font-semibold">
          <Trans>None of these dates can be booked. Each says why.</Trans>
        </p>
      ) : (
        <div className="grid justify-items-start gap-2">
          <Submit>{words(bookWords(count, bookedId !== null))}</Submit>
          {hasOthers && (
            <p className="text-muted">
              <Trans>A time that you choose instead is booked too.</Trans>
            </p>
          )}
        </div>
      )}
    </>
  );
}

function bookWords(count: number, isMore: boolean): Words {
  if (count === 0) return msg`Book what I chose`;
  return isMore
    ? msg({ message: plural({ count }, { one: 'Book one more', other: 'Book these # more' }) })
    : msg({ message: plural({ count }, { one: 'Book this one', other: 'Book these #' }) });
}
