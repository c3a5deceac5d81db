import type { ReactNode } from 'react';
import type { Appointment } from '../domain/appointments';
import { dateWords } from '../domain/clock';
import { Facts } from './Card';
import { TimeOf, useReaderZone, YourTimes, Zone } from './Time';

/** An appointment in full: provider, start, end, date, and notes where there are any. */
export function AppointmentFacts({
  appointment,
  more = [],
}: {
  appointment: Appointment;
  more?: [string, ReactNode][];
}) {
  const { providerName, provider, startsAt, endsAt, date, timeZone, notes } = appointment;
  const differs = useReaderZone(appointment) !== null;
  return (
    <Facts
      facts={[
        ['Provider', <Name key="provider" name={providerName} username={provider} />],
        ['Start', <TimeOf key="start" at={startsAt} zone={timeZone} />],
        ['End', <TimeOf key="end" at={endsAt} zone={timeZone} />],
        ['Date', dateWords(date).full],
        ['Time zone', <Zone key="zone" zone={timeZone} />],
        ...(differs ? ([['Your time', <YourTimes key="yours" {...appointment} />]] as [string, ReactNode][]) : []),
        ...(notes ? ([['Notes', notes]] as [string, ReactNode][]) : []),
        ...more,
      ]}
    />
  );
}

/** Somebody by both their names, whichever way the first of them runs. */
export const Name = ({ name, username }: { name: string; username: string }) => (
  <>
    <bdi>{name}</bdi> {`(${username})`}
  </>
);
