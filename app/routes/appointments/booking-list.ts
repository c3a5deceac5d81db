import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { dayRange, monthAround, partsOfRange } from '../../domain/bookings/range';
import { type ListedBooking, listBookings } from '../../domain/bookings/range.server';
import { parse } from '../../domain/input/fields';
import { whereWords } from '../../domain/services/where';
import { mapParts, partsBy } from '../../domain/streamed-list';
import { todayIn } from '../../domain/time/zones';
import { worded } from '../../domain/words/worded';
import { inBook } from '../../http/book-of.server';
import { csvFile, csvInParts, instantWords } from '../../http/csv.server';
import { withWireDates } from '../../http/form.server';
import { fileLoader } from '../../http/page.server';

const head = [
  msg`Date`,
  msg`Start`,
  msg`End`,
  msg`Time zone`,
  msg`Client`,
  msg`Username`,
  msg`E-mail`,
  msg`Phone`,
  msg`Service`,
  msg({ message: 'People', context: 'number' }),
  msg`State`,
  msg`Canceled by`,
  msg`Reason`,
  msg({ message: 'Came', context: 'whether they came' }),
  msg`Answers`,
  msg`Your note`,
  msg`Notes`,
  msg`Booked at`,
  msg`Deposit`,
  msg`Reference`,
  msg({ message: 'Paid', context: 'a deposit' }),
  msg`Where`,
  msg`Place`,
];

const attendanceMarks = { seen: msg`Came`, excused: msg`Excused`, missed: msg`Missed` };
const byWords = { provider: msg`You`, consumer: msg`Client` };
const [yes, no] = [msg`Yes`, msg`No`];
const moved = msg({ message: 'Moved', context: 'state' });
const canceled = msg({ message: 'Canceled', context: 'state' });
const booked = msg({ message: 'Booked', context: 'state' });

/** Makes a row of the table. @param zone the provider's zone, in which the times are */
const rowOf = (i18n: I18n, zone: string) => (booking: ListedBooking) => [
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
  worded(i18n, booking.isCanceled ? (booking.movedTo ? moved : canceled) : booked),
  booking.isCanceled && booking.canceledBy ? worded(i18n, byWords[booking.canceledBy]) : '',
  booking.reason ?? '',
  booking.attendance ? worded(i18n, attendanceMarks[booking.attendance]) : '',
  booking.answers.map(({ question, answer }) => `${question}: ${answer}`).join('\n'),
  booking.privateNote ?? '',
  booking.notes ?? '',
  instantWords(booking.bookedAt),
  booking.deposit ?? '',
  booking.reference ?? '',
  booking.deposit ? worded(i18n, booking.paid ? yes : no) : '',
  worded(i18n, whereWords(booking.where, true) ?? ''),
  booking.place ?? '',
];

export const loader = fileLoader(
  'Provider',
  inBook(async ({ db, actor, now, i18n, id }, { url }) => {
    const isChosen = url.searchParams.has('from') || url.searchParams.has('to');
    const chosen = () => parse(dayRange, withWireDates(Object.fromEntries(url.searchParams), 'from', 'to'));
    const range = isChosen ? chosen() : monthAround(todayIn(actor.timeZone, now));
    const [first, ...others] = partsOfRange(range);
    const titles = head.map((title) => worded(i18n, title));
    const row = rowOf(i18n, actor.timeZone);
    if (first && others.length === 0) {
      return csvFile('bookings', [titles, ...(await listBookings(db, actor, first)).map(row)]);
    }
    const parts = partsBy(partsOfRange(range), (part) => listBookings(db, actor, part));
    return csvInParts(
      'bookings',
      titles,
      mapParts(parts, (some) => some.map(row)),
      id,
      i18n,
    );
  }),
);
