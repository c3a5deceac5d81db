import { msg, plural } from '@lingui/core/macro';
import type { Words } from '../words/words';

export const attendances = ['seen', 'excused', 'missed', 'unknown'] as const;
export type Attendance = (typeof attendances)[number];

export type AttendanceCounts = { seen: number; excused: number; missed: number };

const times = (count: number): Words =>
  msg({ message: plural({ count }, { 1: 'once', 2: 'twice', other: '# times' }) });

/** 'Came 3 times, excused once, missed twice'; null if the provider marked nothing. */
export function attendanceSummary(counts: AttendanceCounts): Words | null {
  const { seen, excused, missed } = counts;
  const [came, wasExcused, wasMissed] = [times(seen), times(excused), times(missed)];
  if (seen > 0 && excused > 0 && missed > 0) return msg`Came ${came}, excused ${wasExcused}, missed ${wasMissed}`;
  if (seen > 0 && excused > 0) return msg`Came ${came}, excused ${wasExcused}`;
  if (seen > 0 && missed > 0) return msg`Came ${came}, missed ${wasMissed}`;
  if (excused > 0 && missed > 0) return msg`Excused ${wasExcused}, missed ${wasMissed}`;
  if (seen > 0) return msg`Came ${came}`;
  if (excused > 0) return msg`Excused ${wasExcused}`;
  return missed > 0 ? msg`Missed ${wasMissed}` : null;
}

export const visitsWords = (counts: AttendanceCounts): Words => attendanceSummary(counts) ?? msg`None yet`;

export const attendanceWords: Record<Attendance, Words> = {
  seen: msg`Came`,
  excused: msg`Excused`,
  missed: msg`Missed`,
  unknown: msg`Not marked`,
};
