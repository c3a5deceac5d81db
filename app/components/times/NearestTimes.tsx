import { msg } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Appointment } from '../../domain/bookings/appointments';
import type { Words } from '../../domain/words/words';
import { ButtonLink } from '../Button';
import { PostForm, Submit } from '../forms/Form';
import { Leaf, SpanTimes } from './Time';

export const adviceToTakeNearest = (nearest: unknown[]): Words =>
  nearest.length > 0 ? msg`These are the nearest free times.` : msg`No other time is free for this at the moment.`;

type Props = {
  slot: Appointment;
  /** Its form. */
  to: string;
  /** The fields of the form for the taken time, which book this one with one tap; null where it has to be filled in first. */
  typed: [string, string[]][] | null;
  /** What else that form sends. */
  children?: ReactNode;
};

/** A free time near one that is taken. */
export function NearestTime({ slot, to, typed, children }: Props) {
  const isDescribed = { 'aria-describedby': slot.id };
  const book = <Trans context="verb">Book</Trans>;
  return (
    <li className="flex flex-wrap items-center gap-4 border-b border-dashed border-rule py-3 last:border-0">
      <div id={slot.id} className="contents">
        <Leaf date={slot.date} />
        <p className="min-w-0 flex-1 basis-48 text-sm">
          <SpanTimes {...slot} />
        </p>
      </div>
      {typed ? (
        <PostForm action={to}>
          {children}
          {typed.flatMap(([name, values]) =>
            values.map((value) => <input key={name + value} type="hidden" name={name} value={value} />),
          )}
          <Submit {...isDescribed}>{book}</Submit>
        </PostForm>
      ) : (
        <ButtonLink to={to} {...isDescribed}>
          {book}
        </ButtonLink>
      )}
    </li>
  );
}
