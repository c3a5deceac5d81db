import type { BookPaths } from '../../app/book-paths';
import type { RouteWorld } from './every-route';

/** Every page of a provider's book, each of things of the world's provider. */
export const bookPages: { [Name in keyof BookPaths]: (world: RouteWorld, paths: BookPaths) => string } = {
  createTimes: (_, paths) => paths.createTimes(),
  freeTimes: (_, paths) => paths.freeTimes(),
  booked: (_, paths) => paths.booked(),
  bookedFile: (_, paths) => paths.bookedFile(),
  bookedAndCanceled: (_, paths) => paths.bookedAndCanceled({ withdrawn: '0' }),
  providerDetails: ({ open }, paths) => paths.providerDetails(open.id),
  providerView: ({ booked }, paths) => paths.providerView(booked.id),
  move: ({ booked }, paths) => paths.move(booked.id),
  moveTo: ({ booked, open }, paths) => paths.moveTo(booked.id, open.id),
  again: ({ booked }, paths) => paths.again(booked.id),
  services: (_, paths) => paths.services(),
  service: ({ service }, paths) => paths.service(service.id),
  hours: (_, paths) => paths.hours(),
  waitlist: (_, paths) => paths.waitlist(),
  people: (_, paths) => paths.people(),
  peopleFile: (_, paths) => paths.peopleFile(),
  importPeople: (_, paths) => paths.importPeople(),
  person: ({ person }, paths) => paths.person(person),
  bookAt: (_, paths) => paths.bookAt(),
  bookForPerson: ({ person }, paths) => paths.bookForPerson(person),
  standingTimes: ({ person }, paths) => paths.standingTimes(person),
  mergePerson: ({ person }, paths) => paths.mergePerson(person, { q: 'a' }),
  week: (_, paths) => paths.week(),
  day: (_, paths) => paths.day(),
};
