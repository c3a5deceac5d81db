import type { Appointment } from '../domain/bookings/appointments';
import { lateWords, type tooLateWords } from '../domain/bookings/deadline';
import { mailtoOf } from './mailto';
import { CallLink } from './Reach';
import { Moment } from './Time';

type Until = Pick<Appointment, 'startsAt' | 'timeZone' | 'changeableUntil'> & { canChange: boolean };

/** Tells people before they book whether and until when they can cancel. */
export const UntilWhen = ({ startsAt, timeZone, changeableUntil, canChange }: Until) => (
  <p className="text-muted">
    {canChange ? (
      <>
        It can be canceled or moved until <Moment at={changeableUntil ?? startsAt} zone={timeZone} isFull />.
      </>
    ) : (
      "It can't be canceled or moved."
    )}
  </p>
);

type TooLate = Parameters<typeof tooLateWords>[0];

/** Tells people since when it is too late, and how to reach the provider. */
export const TooLateToChange = ({ providerName, providerEmail, providerPhone, ...appointment }: TooLate) => (
  <p className="text-muted">
    {`${lateWords(appointment)} Please ask `}
    <bdi>{providerName}</bdi>
    {providerPhone && (
      <>
        {': '}
        <CallLink phone={providerPhone} />
      </>
    )}
    {providerEmail && (
      <>
        {providerPhone ? ', ' : ': '}
        <a href={mailtoOf(providerEmail)} className="text-accent underline underline-offset-4">
          {providerEmail}
        </a>
      </>
    )}
    .
  </p>
);
