import type { WeekItem } from '../../domain/calendar/week';

/** What a provider has marked of somebody who had booked. */
export const attendanceWords = { seen: 'Seen', excused: 'Excused', missed: 'Missed', unknown: 'Not marked' };

const words = { open: 'Open', booked: 'Booked', party: 'Party', meetup: 'Meetup' };

/** What stands on an item: who or what, or that it is open. */
export const nameOf = ({ kind, name }: Pick<WeekItem, 'kind' | 'name'>) => name ?? words[kind];

type Line = Pick<WeekItem, 'kind' | 'name'> & { times: string };

/** An item in one line: '10:00 to 10:30, Maya, Booked'. */
export const lineOfItem = ({ kind, name, times }: Line) => [times, name, words[kind]].filter(Boolean).join(', ');

/** The same for a label, which begins as what is seen does: '10:00 Maya, to 10:30, Booked'. */
export const labelOfItem = ({ kind, name, times }: Line) =>
  [`${times.slice(0, 5)} ${name ?? words[kind]}`, times.slice(6), name && words[kind]].filter(Boolean).join(', ');
