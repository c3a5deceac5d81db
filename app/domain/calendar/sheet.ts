import type { Attendance } from '../bookings/appointments';
import type { AttendanceCounts } from '../people/attendance-words';
import type { Instant } from '../time/clock';

export type SheetLine = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  /** By the provider's clock. */
  times: string;
  name: string;
  username: string | null;
  service: string | null;
  /** It was booked for a standing time. */
  isStanding: boolean;
  price: string | null;
  personId: string;
  people: number;
  /** The class of a booking; null if it stands alone. */
  classId: string | null;
  phone: string | null;
  answers: { question: string; answer: string }[];
  isOwed: boolean;
  privateNote: string | null;
  attendance: Attendance;
  hasBegun: boolean;
  came: AttendanceCounts;
};
