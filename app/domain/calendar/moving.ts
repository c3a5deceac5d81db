import type { Appointment } from '../bookings/appointments';
import type { Ways } from '../messages/ways';
import type { Template } from '../templates/questions';
import type { Instant, LocalDate } from '../time/clock';
import type { Month } from '../time/month';
import type { Words } from '../words/words';

export type OtherTime = {
  id: string;
  provider: string;
  startsAt: Instant;
  endsAt: Instant;
  date: LocalDate;
  timeZone: string;
  templateId: string | null;
  /** What the provider has then, or '' if it has no name; null if they are free. */
  busyWith: string | null;
  /** The class that a new booking is a place of; null if it has the time alone. */
  className: string | null;
};

export type MoveChoice = {
  nearest: OtherTime[];
  days: LocalDate[];
  /** The first and last day with a free time; null if nothing is free. */
  edges: [first: LocalDate, last: LocalDate] | null;
  times: OtherTime[];
  /** The day has no times, because the provider's hours want none. */
  isClosed: boolean;
};

/** What the page of a move shows. */
export type MovePage = {
  appointment: Appointment;
  isBooked: boolean;
  /** The chosen time as the booking will have it, if it is free. */
  other?: Appointment;
  /** The chosen time is the booking's own. */
  isThere: boolean;
  /** The questions of the chosen time, unless the booking has answered the same ones. */
  template?: Template;
  times: OtherTime[];
  /** The day of these times; null if they are the nearest ones. */
  day: LocalDate | null;
  isClosed: boolean;
  days?: Pick<MoveChoice, 'days' | 'edges'> & { month: Month; today: LocalDate };
  /** Why it can't be moved. */
  refusal?: Words;
  isProvider: boolean;
  /** The colleagues who do the same for the same price. */
  colleagues: { username: string; displayName: string }[];
  /** The colleague whose times these are; null for the booking's own provider. */
  withWhom: { username: string; displayName: string } | null;
  /** The provider's hours include the time that becomes free. */
  isTimeWanted: boolean;
  ways: Pick<Ways, 'toBooker' | 'toProvider'>;
  /** The client's number, for the provider. */
  phone: string | null;
  /** What a text to the client begins with; null without a number. */
  text: string | null;
};
