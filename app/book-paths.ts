import * as paths from './paths';

/** The pages of a provider's book, which whoever works at the desk of a shop opens for a colleague too. */
const pagesOfBook = {
  createTimes: paths.createTimes,
  freeTimes: paths.freeTimes,
  booked: paths.booked,
  bookedFile: paths.bookedFile,
  bookedAndCanceled: paths.bookedAndCanceled,
  providerDetails: paths.providerDetails,
  providerView: paths.providerView,
  move: paths.move,
  moveTo: paths.moveTo,
  again: paths.again,
  services: paths.services,
  service: paths.service,
  hours: paths.hours,
  waitlist: paths.waitlist,
  people: paths.people,
  peopleFile: paths.peopleFile,
  importPeople: paths.importPeople,
  person: paths.person,
  bookAt: paths.bookAt,
  bookForPerson: paths.bookForPerson,
  standingTimes: paths.standingTimes,
  mergePerson: paths.mergePerson,
  week: paths.week,
  day: paths.day,
};

export type BookPaths = typeof pagesOfBook;

/** The pages of a book. @param of the username of the colleague or the shop whose it is; none for the reader's own */
export function bookPaths(of?: string | null): BookPaths {
  if (!of) return pagesOfBook;
  const add = (path: string) => `${path}${path.includes('?') ? '&' : '?'}of=${encodeURIComponent(of)}`;
  const inBook = Object.entries(pagesOfBook).map(([name, to]) => [
    name,
    (...given: unknown[]) => add((to as (...given: unknown[]) => string)(...given)),
  ]);
  return Object.fromEntries(inBook);
}
