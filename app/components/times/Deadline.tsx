import { Trans } from '@lingui/react/macro';
import type { Appointment } from '../../domain/bookings/appointments';
import { deadlineLengthWords, deadlineOf, type tooLateWords } from '../../domain/bookings/deadline';
import { mailtoOf } from '../mailto';
import { CallLink } from '../Reach';
import { useWords } from '../words';
import { Moment } from './Time';

type Until = Pick<Appointment, 'startsAt' | 'timeZone' | 'changeableUntil'>;

const Deadline = (appointment: Until) => <Moment at={deadlineOf(appointment)} zone={appointment.timeZone} isFull />;

export const UntilWhen = ({ canChange, ...appointment }: Until & { canChange: boolean }) => (
  <p className="text-muted">
    {!canChange ? (
      <Trans>It can't be canceled or moved.</Trans>
    ) : deadlineOf(appointment) === appointment.startsAt ? (
      <Trans>It can be canceled or moved until it begins.</Trans>
    ) : (
      <Trans>
        It can be canceled or moved until <Deadline {...appointment} />.
      </Trans>
    )}
  </p>
);

export const CancelUntil = (appointment: Until) =>
  deadlineOf(appointment) !== appointment.startsAt && (
    <p className="text-muted">
      <Trans>
        You can cancel or move it until <Deadline {...appointment} />.
      </Trans>
    </p>
  );

type TooLate = Parameters<typeof tooLateWords>[0];

export function TooLateToChange({ providerName, providerEmail, providerPhone, ...appointment }: TooLate) {
  const words = useWords();
  const length = words(deadlineLengthWords(appointment));
  const name = <bdi>{providerName}</bdi>;
  const reach = (
    <>
      {providerPhone && <CallLink phone={providerPhone} />}
      {providerPhone && providerEmail && ', '}
      {providerEmail && (
        <a href={mailtoOf(providerEmail)} className="underline underline-offset-4">
          {providerEmail}
        </a>
      )}
    </>
  );
  return (
    <p className="text-muted">
      {providerPhone || providerEmail ? (
        <Trans>
          Less than {length} is left, so it can't be canceled or moved here. Please ask {name}: {reach}.
        </Trans>
      ) : (
        <Trans>
          Less than {length} is left, so it can't be canceled or moved here. Please ask {name}.
        </Trans>
      )}
    </p>
  );
}
