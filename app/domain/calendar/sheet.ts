import type { Attendance } from '../bookings/appointments';
import type { AttendanceCounts } from '../people/attendance-words';
import type { Instant } from '../time/clock';

/** One appointment of a day sheet. */
export type SheetLine = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  /** By the provider's clock. */
  times: string;
  name: string;
  username: string | null;
  service: string | null;
  price: string | null;
  personId: string;
  /** How many come with this booking. */
  people: number;
  /** The class that it is a place in; null where it is alone. */
  classId: string | null;
  phone: string | null;
  answers: { question: string; answer: string }[];
  isOwed: boolean;
  privateNote: string | null;
  attendance: Attendance;
  hasBegun: boolean;
  came: AttendanceCounts;
};
