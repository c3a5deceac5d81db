import type { ReactNode } from 'react';
import type { Appointment } from '../domain/bookings/appointments';
import { providerWords } from '../domain/leaving/former';
import { Facts } from './Card';
import { CallLink, MapLink } from './Reach';
import { Leaf, useTimeFacts, WhenLine } from './Time';

export function AppointmentFacts({
  appointment,
  more = [],
}: {
  appointment: Appointment;
  more?: [string, ReactNode][];
}) {
  const { providerName, provider, providerAddress, providerPhone, notes, service, people } = appointment;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Leaf date={appointment.date} />
        <p className="flex-1 basis-52 text-lg font-semibold">
          <WhenLine {...appointment} />
        </p>
      </div>
      <Facts
        isCompact
        facts={[
          [
            'Provider',
            provider ? (
              <Name key="provider" name={providerName} username={provider} />
            ) : (
              providerWords(providerName, true)
            ),
          ],
          ...(service
            ? ([['Service', [service.name, service.price].filter(Boolean).join(' · ')]] as [string, ReactNode][])
            : []),
          ...useTimeFacts(appointment),
          ...(people !== null && people > 1 ? ([['People', String(people)]] as [string, ReactNode][]) : []),
          ...(providerAddress
            ? ([['Address', <MapLink key="address" address={providerAddress} />]] as [string, ReactNode][])
            : []),
          ...(providerPhone
            ? ([['Phone', <CallLink key="phone" phone={providerPhone} />]] as [string, ReactNode][])
            : []),
          ...(notes ? ([['Notes', notes]] as [string, ReactNode][]) : []),
          ...more,
        ]}
      />
    </div>
  );
}

// Each name runs in its own direction.
export const Name = ({ name, username }: { name: string; username: string }) => (
  <>
    <bdi>{name}</bdi> {`(${username})`}
  </>
);
