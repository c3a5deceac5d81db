import type { Appointment } from '../../domain/bookings/appointments';
import { deadlineLengthWords, deadlineOf, type tooLateWords } from '../../domain/bookings/deadline';
import { mailtoOf } from '../mailto';
import { CallLink } from '../Reach';
import { Moment } from './Time';

type Until = Pick<Appointment, 'startsAt' | 'timeZone' | 'changeableUntil'>;

const Deadline = (appointment: Until) => <Moment at={deadlineOf(appointment)} zone={appointment.timeZone} isFull />;

export const UntilWhen = ({ canChange, ...appointment }: Until & { canChange: boolean }) => (
  <p className="text-muted">
    {canChange ? (
      <>
        It can be canceled or moved until{' '}
        {deadlineOf(appointment) === appointment.startsAt ? 'it begins' : <Deadline {...appointment} />}.
      </>
    ) : (
      "It can't be canceled or moved."
    )}
  </p>
);

export const CancelUntil = (appointment: Until) =>
  deadlineOf(appointment) !== appointment.startsAt && (
    <p className="text-muted">
      You can cancel or move it until <Deadline {...appointment} />.
    </p>
  );

type TooLate = Parameters<typeof tooLateWords>[0];

export const TooLateToChange = ({ providerName, providerEmail, providerPhone, ...appointment }: TooLate) => (
  <p className="text-muted">
    {`Less than ${deadlineLengthWords(appointment)} is left, so it can't be canceled or moved here. Please ask `}
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
        <a href={mailtoOf(providerEmail)} className="underline underline-offset-4">
          {providerEmail}
        </a>
      </>
    )}
    .
  </p>
);
