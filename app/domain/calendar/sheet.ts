import type { Attendance, AttendanceCounts } from '../people/attendance-words';
import type { Where } from '../services/where';
import type { Instant } from '../time/clock';
import type { Words } from '../words/words';

export type SheetLine = {
  id: string;
  startsAt: Instant;
  endsAt: Instant;
  /** Start and end by the provider's clock. */
  times: Words;
  name: string;
  username: string | null;
  service: string | null;
  isStanding: boolean;
  /** The name of whoever of the shop did it last for the provider. */
  by: string | null;
  price: string | null;
  deposit: string | null;
  paid: boolean;
  personId: string;
  people: number;
  /** The id of the class; null for a single appointment. */
  classId: string | null;
  phone: string | null;
  where: Where | null;
  place: string | null;
  answers: { question: string; answer: string }[];
  lacksAnswers: boolean;
  privateNote: string | null;
  attendance: Attendance;
  hasBegun: boolean;
  attendanceCounts: AttendanceCounts;
};

/** A line with what a text to its client begins with; null without a number. */
export type TextedLine = SheetLine & { text: string | null };
