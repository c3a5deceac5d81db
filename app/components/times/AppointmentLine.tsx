import { msg, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Appointment, ListedAppointment, OwnLine } from '../../domain/bookings/appointments';
import { attendanceWords } from '../../domain/people/attendance-words';
import { providerWords } from '../../domain/profile/former';
import { providerInShop } from '../../domain/shop/in-shop';
import type { Instant } from '../../domain/time/clock';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { useWords } from '../words';
import { Leaf, Moment, SpanTimes } from './Time';

const badges = {
  0: { is: msg({ message: 'Open', context: 'state' }), look: 'badge bg-paper text-muted' },
  1: { is: msg({ message: 'Booked', context: 'state' }), look: 'badge bg-good-wash text-good' },
  2: { is: msg({ message: 'Canceled', context: 'state' }), look: 'badge bg-wash text-accent' },
};

export function StatusBadge({ status }: Pick<Appointment, 'status'>) {
  const words = useWords();
  const { is, look } = badges[status];
  return <span className={look}>{words(is)}</span>;
}

export type LineOf = Pick<Appointment, 'id' | 'startsAt' | 'endsAt' | 'date' | 'timeZone'> & {
  who: Words; // a client sees the provider here, a provider sees the client
  service: Words | null; // the service's name; for a class also how many places are taken
  notes: string | null;
  /** Whether the client came, in a word; null if the provider marked nothing. */
  mark: Words | null;
  /** Cancellation details: `by` is null if the reader did it; `isWithdrawn` if nobody had booked it. */
  canceled?: { at: Instant; by: Words | null; isWithdrawn: boolean; isMoved: boolean };
  again: string | null; // the page to book another time, for a canceled booking
};

/** The address of the provider's free times; null if the provider's account is deleted. */
const againPath = (provider: string) => (provider === '' ? null : paths.search({ provider }));

/**
 * A list sends the browser only the fields that its lines show.
 * @param book the name of the colleague whose book it is; none for the reader's own
 */
export function lineOf(
  appointment: ListedAppointment | OwnLine,
  isProvider: boolean,
  hasNotes = !isProvider,
  book?: string,
): LineOf {
  const { id, startsAt, endsAt, date, timeZone, bookerName, canceledAt, canceledBy, movedTo } = appointment;
  const { places = null, attendance = null } = 'providerName' in appointment ? appointment : {};
  return {
    id,
    startsAt,
    endsAt,
    date,
    timeZone,
    ...serviceInWords(appointment),
    who: places
      ? (appointment.service ?? msg`Class`)
      : 'providerName' in appointment && !isProvider
        ? providerInShop({ ...appointment, shop: appointment.shop ?? null }, true)
        : (bookerName ?? msg`Free time`),
    notes: hasNotes ? appointment.notes : null,
    mark: attendance && attendanceWords[attendance],
    again:
      'provider' in appointment && !isProvider && canceledAt !== null && movedTo === null
        ? againPath(appointment.provider)
        : null,
    canceled:
      canceledAt === null
        ? undefined
        : {
            at: canceledAt,
            by:
              canceledBy !== (isProvider ? 'provider' : 'consumer')
                ? otherPerson(appointment, isProvider)
                : ('by' in appointment && appointment.by) || (book ?? null),
            isWithdrawn: bookerName === null,
            isMoved: movedTo !== null,
          },
  };
}

/** Names the other person of the appointment, as words within a sentence. */
const otherPerson = (appointment: ListedAppointment | OwnLine, isProvider: boolean): Words =>
  'providerName' in appointment && !isProvider
    ? providerWords(appointment.providerName)
    : (appointment.bookerName ?? msg`somebody`);

const serviceInWords = ({ service, places = null }: ListedAppointment | OwnLine): Pick<LineOf, 'service'> => {
  if (!places) return { service };
  const { taken, seats } = places;
  return { service: msg`${taken} of ${plural({ seats }, { one: '# place', other: '# places' })} taken` };
};

type Line = {
  appointment: LineOf;
  to: (id: string) => string;
};

export function AppointmentLine({ appointment, to }: Line) {
  const words = useWords();
  const { id, date, who, service, notes, mark, canceled, again } = appointment;
  return (
    <li className="relative">
      <Leaf date={date} />
      <div>
        <h3>
          <a href={to(id)}>{words(who)}</a>
        </h3>
        <p>
          <SpanTimes {...appointment} />
          {service && <span className="block">{words(service)}</span>}
          {mark && <span className="block">{words(mark)}</span>}
          {canceled && <Cancellation {...canceled} />}
          {notes && <span className="line-clamp-2">{notes}</span>}
        </p>
      </div>
      {again && (
        <p className="again">
          <TextLink to={again}>
            <Trans>Book another time</Trans>
          </TextLink>
        </p>
      )}
    </li>
  );
}

type CancellationProps = {
  at: Instant;
  by: Words | null;
  isWithdrawn?: boolean;
  isMoved?: boolean;
  reason?: string | null;
};

export const Cancellation = ({ at, by, isWithdrawn, isMoved, reason }: CancellationProps) => (
  <span className="block text-accent">
    {isWithdrawn ? (
      // A free time does not keep who of a shop removed it.
      <Removed at={at} />
    ) : by === null ? (
      <EndedByYou at={at} how={isMoved ? 'moved' : 'canceled'} />
    ) : (
      <EndedBy at={at} by={by} how={isMoved ? 'moved' : 'canceled'} />
    )}
    {reason && (
      <>
        : <bdi>{reason}</bdi>
      </>
    )}
  </span>
);

function Removed({ at }: { at: Instant }) {
  const moment = <Moment at={at} />;
  return <Trans>Removed, {moment}</Trans>;
}

type Ended = { at: Instant; how: 'moved' | 'canceled' };

function EndedByYou({ at, how }: Ended) {
  const moment = <Moment at={at} />;
  return how === 'moved' ? <Trans>Moved by you, {moment}</Trans> : <Trans>Canceled by you, {moment}</Trans>;
}

function EndedBy({ at, by, how }: Ended & { by: Words }) {
  const words = useWords();
  const who = <bdi>{words(by)}</bdi>;
  const moment = <Moment at={at} />;
  return how === 'moved' ? (
    <Trans>
      Moved by {who}, {moment}
    </Trans>
  ) : (
    <Trans>
      Canceled by {who}, {moment}
    </Trans>
  );
}

export function Lines({ children }: { children: ReactNode }) {
  return <ul className="lines">{children}</ul>;
}
