import { useEffect, useRef, useState } from 'react';
import { Submit } from '../forms/Form';
import { SeriesDates, type SeriesDatesProps } from './SeriesDates';

/** `bookedId` is the id of the appointment to repeat, if it is booked already. */
type Props = SeriesDatesProps & { bookedId: string | null };

/** The dates of a series, with a button that says how many it books. Without script, it counts those that are free. */
export function BookDates({ bookedId, ...shown }: Props) {
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
        <p className="font-semibold">None of these dates is free. Choose others.</p>
      ) : (
        <div className="grid justify-items-start gap-2">
          <Submit>{bookWords(count, bookedId !== null)}</Submit>
          {hasOthers && <p className="text-muted">A time that you choose instead is booked too.</p>}
        </div>
      )}
    </>
  );
}

function bookWords(count: number, isMore: boolean): string {
  if (count === 0) return 'Book what I chose';
  if (count === 1) return isMore ? 'Book one more' : 'Book this one';
  return isMore ? `Book these ${count} more` : `Book these ${count}`;
}
