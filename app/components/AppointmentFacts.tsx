import type { ReactNode } from 'react';
import type { Appointment } from '../domain/appointments/appointments';
import { Facts } from './Card';
import { useTimeFacts } from './Time';

/** All of an appointment: provider, start, end, date, and notes if there are any. */
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

/** A person by both names, in whichever direction the first one runs. */
export const Name = ({ name, username }: { name: string; username: string }) => (
  <>
    <bdi>{name}</bdi> {`(${username})`}
  </>
);
