import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Appointment } from '../../domain/bookings/appointments';
import { locationOf, whereWords } from '../../domain/services/where';
import { providerInShop } from '../../domain/shop/in-shop';
import { type Fact, Facts, MoreFacts } from '../Card';
import { NotInFrame, useIsFramed, useShell } from '../frame/shell';
import { CallLink, MapLink, VideoLink } from '../Reach';
import { useWords } from '../words';
import { HeadTimes, Leaf, useTimeFacts } from './Time';

type Props = {
  appointment: Appointment;
  /** Whose appointment it is; on the provider's own page. */
  person?: ReactNode;
  own?: Fact[];
  isProvider?: boolean;
  /** False above a form, where the time is said once before its first field and all details stand below. */
  hasDetails?: boolean;
};

/**
 * Shows the time on one line, then the facts. On the provider's own page the facts about the client (`own`) come first.
 */
export function AppointmentFacts({ appointment, person, own = [], isProvider = false, hasDetails = true }: Props) {
  const { t } = useLingui();
  const words = useWords();
  const { providerPhone, notes, service, people, why } = appointment;
  const placeFacts = usePlaceFacts(appointment, isProvider);
  const isFramed = useIsFramed();
  const facts: Fact[] = [
    ...own,
    ...(service ? ([[t`Service`, [service.name, service.price].filter(Boolean).join(' · ')]] as Fact[]) : []),
    // Once it is booked, the deposit is asked for, or said to have come, beside these facts.
    ...(people === null && service?.deposit
      ? ([[t`Deposit`, <bdi key="deposit">{service.deposit}</bdi>]] as Fact[])
      : []),
    ...(why && !isFramed ? ([[t`With whom`, words(why)]] as Fact[]) : []),
    ...(people !== null && people > 1 ? ([[t`People`, String(people)]] as Fact[]) : []),
    ...placeFacts,
    ...(providerPhone && !isFramed ? ([[t`Phone`, <CallLink key="phone" phone={providerPhone} />]] as Fact[]) : []),
    ...(notes ? ([[t`Notes`, notes]] as Fact[]) : []),
  ];
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center gap-4">
        <Leaf date={appointment.date} />
        <p className="flex-1 basis-40">
          <HeadTimes {...appointment} />
        </p>
      </div>
      {person}
      {isFramed && facts.length > 1 ? (
        <FoldedFacts appointment={appointment} facts={facts} />
      ) : (
        <Facts isCompact facts={facts} />
      )}
      {hasDetails && <AllDetails appointment={appointment} />}
    </div>
  );
}

/** The facts in a frame, which has little room: what for and where on one line, the rest under it. */
function FoldedFacts({ appointment, facts }: { appointment: Appointment; facts: Fact[] }) {
  const { t } = useLingui();
  const words = useWords();
  const { service, providerAddress } = appointment;
  const location = locationOf(appointment, providerAddress, false);
  return (
    <details>
      <summary className="text-sm font-semibold">
        {service && <bdi>{service.name}</bdi>}
        {service && location && ' · '}
        {location && <bdi>{words(location)}</bdi>}
        {!service && !location && t`All details`}
      </summary>
      <Facts isCompact facts={facts} />
    </details>
  );
}

/** Where it takes place. Only the two whose booking it is have a link, or the client's address. */
function usePlaceFacts({ where, place, providerAddress }: Appointment, isProvider: boolean): Fact[] {
  const { t } = useLingui();
  const words = useWords();
  const said = whereWords(where, isProvider);
  if (!said) {
    const address = place ?? providerAddress;
    return address ? [[t`Address`, <MapLink key="address" address={address} />]] : [];
  }
  if (!place) return [[t`Where`, words(said)]];
  return [
    [
      t`Where`,
      <span key="where">
        {words(said)}: {where === 'video' ? <VideoLink href={place} /> : <MapLink address={place} />}
      </span>,
    ],
  ];
}

/** What the headline and the line of the time say already, each by its name. */
export function AllDetails({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const words = useWords();
  const { provider, providerName, shop } = appointment;
  const { reader } = useShell();
  const hasAccount = reader !== null && !reader.isGuest;
  return (
    <NotInFrame>
      <MoreFacts
        facts={[
          [
            t`Provider`,
            provider && hasAccount ? (
              <Name key="provider" name={providerName} username={provider} />
            ) : (
              words(providerInShop({ providerName, shop: null }, true))
            ),
          ],
          ...(shop ? ([[t`Shop`, <bdi key="shop">{shop.displayName}</bdi>]] as Fact[]) : []),
          ...useTimeFacts(appointment),
        ]}
      />
    </NotInFrame>
  );
}

// A name may run from right to left, whatever stands beside it.
export const Name = ({ name, username }: { name: string; username: string }) => (
  <>
    <bdi>{name}</bdi> (<bdi>{username}</bdi>)
  </>
);
