import type { Appointment } from '../../domain/bookings/appointments';
import { providerWords } from '../../domain/profile/former';
import { type Fact, Facts, FinePrint } from '../Card';
import { CallLink, MapLink } from '../Reach';
import { Leaf, useTimeFacts, WhenLine } from './Time';

type Props = {
  appointment: Appointment;
  own?: Fact[];
  /** False above a form: the time is said once before its first field, and the fine print stands below. */
  hasFinePrint?: boolean;
};

/**
 * Shows the time on one line, then the facts. On the provider's own page the facts about the client (`own`) come first.
 */
export function AppointmentFacts({ appointment, own, hasFinePrint = true }: Props) {
  const { providerName, provider, providerAddress, providerPhone, notes, service, people } = appointment;
  const providerFact: Fact = [
    'Provider',
    provider ? <Name key="provider" name={providerName} username={provider} /> : providerWords(providerName, true),
  ];
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
          ...(own ?? [providerFact]),
          ...(service ? ([['Service', [service.name, service.price].filter(Boolean).join(' · ')]] as Fact[]) : []),
          ...(people !== null && people > 1 ? ([['People', String(people)]] as Fact[]) : []),
          ...(providerAddress ? ([['Address', <MapLink key="address" address={providerAddress} />]] as Fact[]) : []),
          ...(providerPhone ? ([['Phone', <CallLink key="phone" phone={providerPhone} />]] as Fact[]) : []),
          ...(notes ? ([['Notes', notes]] as Fact[]) : []),
        ]}
      />
      {hasFinePrint && <TimeFinePrint appointment={appointment} first={own ? [providerFact] : []} />}
    </div>
  );
}

export const TimeFinePrint = ({ appointment, first = [] }: { appointment: Appointment; first?: Fact[] }) => (
  <FinePrint facts={[...first, ...useTimeFacts(appointment)]} />
);

// A name may run from right to left, whatever stands beside it.
export const Name = ({ name, username }: { name: string; username: string }) => (
  <>
    <bdi>{name}</bdi> {`(${username})`}
  </>
);
