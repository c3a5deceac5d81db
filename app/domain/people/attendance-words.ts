export const attendances = ['seen', 'excused', 'missed', 'unknown'] as const;
export type Attendance = (typeof attendances)[number];

export type AttendanceCounts = { seen: number; excused: number; missed: number };

const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

/** 'Came 3 times, excused once, missed twice'; null if the provider marked nothing. */
export function attendanceSummary({ seen, excused, missed }: AttendanceCounts): string | null {
  const parts = [
    seen > 0 && `came ${times(seen)}`,
    excused > 0 && `excused ${times(excused)}`,
    missed > 0 && `missed ${times(missed)}`,
  ].filter((words) => words !== false);
  const words = parts.join(', ');
  return words === '' ? null : `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

export const visitsWords = (counts: AttendanceCounts): string => attendanceSummary(counts) ?? 'None yet';

export const attendanceWords = { seen: 'Came', excused: 'Excused', missed: 'Missed', unknown: 'Not marked' };
