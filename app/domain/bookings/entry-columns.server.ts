import { sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { accounts, bookings, cities, templates } from '../../../db/schema';
import { hasEnded } from '../../../db/states';
import { nameOf } from '../profile/name-of.server';
import type { Where } from '../services/where';
import { joinedShop } from '../shop/in-shop.server';

export const host = alias(accounts, 'host');

/** The facts of a booking in a calendar entry, with its city, its `host`, its `shop` and its template joined. */
export const entryColumns = {
  id: sql<string>`${bookings.id}`.as('the_booking'),
  calendarId: sql<string>`coalesce(${bookings.calendarId}, ${bookings.id})`.as('entry_id'),
  sequence: bookings.sequence,
  isCanceled: hasEnded(bookings).mapWith(Boolean).as('is_canceled'),
  startsAt: bookings.startsAt,
  endsAt: bookings.endsAt,
  notes: bookings.notes,
  service: sql<string | null>`${bookings.serviceName}`.as('booked_service'),
  location: sql<string>`coalesce(host.address, shop.address, ${cities.name})`.as('usual_place'),
  where: sql<Where | null>`${bookings.where}`.as('booked_where'),
  place: sql<string | null>`${bookings.place}`.as('booked_place'),
  address: sql<string | null>`coalesce(host.address, shop.address)`.as('host_address'),
  phone: sql<string | null>`coalesce(host.phone, shop.phone)`.as('host_phone'),
  providerName: nameOf(sql`${bookings.providerId}`).as('provider_name'),
  shop: joinedShop,
  bookerName: bookings.bookerName,
  username: sql<string | null>`(SELECT username FROM accounts WHERE id = ${bookings.bookerId})`.as('booker_username'),
  answers: bookings.answers,
  questions: sql`coalesce(${templates.questions}, '[]')`.mapWith(templates.questions).as('asked'),
};
