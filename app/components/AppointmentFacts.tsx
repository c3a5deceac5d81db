import type { ReactNode } from 'react';
import type { Appointment } from '../domain/appointments/appointments';
import { Facts } from './Card';
import { useTimeFacts } from './Time';

/** An appointment in full: provider, start, end, date, and notes where there are any. */
export function AppointmentFacts({
  appointment,
  more = [],
}: {
  appointment: Appointment;
  more?: [string, ReactNode][];
}) {
  const { providerName, provider, notes } = appointment;
  return (
    <Facts
      facts={[
        ['Provider', <Name key="provider" name={providerName} username={provider} />],
        ...useTimeFacts(appointment),
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
