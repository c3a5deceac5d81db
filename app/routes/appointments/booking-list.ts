import { dayRange, monthAround, partsOfRange } from '../../domain/bookings/range';
import { type ListedBooking, listBookings } from '../../domain/bookings/range.server';
import { parse } from '../../domain/input/fields';
import { mapParts, partsBy } from '../../domain/streamed-list';
import { todayIn } from '../../domain/time/zones';
import { csvFile, csvInParts, instantWords } from '../../http/csv.server';
import { withWireDates } from '../../http/form.server';
import { fileLoader } from '../../http/page.server';

const head = [
  'Date',
  'Start',
  'End',
  'Time zone',
  'Client',
  'Username',
  'E-mail',
  'Phone',
  'Service',
  'People',
  'State',
  'Canceled by',
  'Reason',
  'Came',
  'Answers',
  'Your note',
  'Notes',
  'Booked at',
];

const attendanceSummary = { seen: 'Came', excused: 'Excused', missed: 'Missed' };
const byWords = { provider: 'You', consumer: 'Client' };

/** Makes a row of the table. @param zone the provider's zone, in which the times are */
const rowOf = (zone: string) => (booking: ListedBooking) => [
  booking.date,
  booking.start,
  booking.end,
  zone,
  booking.name,
  booking.username ?? '',
  booking.email ?? '',
  booking.phone ?? '',
  booking.service ?? '',
  booking.people,
  booking.isCanceled ? (booking.movedTo ? 'Moved' : 'Canceled') : 'Booked',
  booking.isCanceled && booking.canceledBy ? byWords[booking.canceledBy] : '',
  booking.reason ?? '',
  booking.attendance ? attendanceSummary[booking.attendance] : '',
  booking.answers.map(({ question, answer }) => `${question}: ${answer}`).join('\n'),
  booking.privateNote ?? '',
  booking.notes ?? '',
  instantWords(booking.bookedAt),
];

export const loader = fileLoader('Provider', async ({ db, actor, now, id }, { url }) => {
  const isChosen = url.searchParams.has('from') || url.searchParams.has('to');
  const chosen = () => parse(dayRange, withWireDates(Object.fromEntries(url.searchParams), 'from', 'to'));
  const range = isChosen ? chosen() : monthAround(todayIn(actor.timeZone, now));
  const [first, ...others] = partsOfRange(range);
  const row = rowOf(actor.timeZone);
  if (first && others.length === 0) {
    return csvFile('bookings', [head, ...(await listBookings(db, actor, first)).map(row)]);
  }
  const parts = partsBy(partsOfRange(range), (part) => listBookings(db, actor, part));
  return csvInParts(
    'bookings',
    head,
    mapParts(parts, (some) => some.map(row)),
    id,
  );
});
