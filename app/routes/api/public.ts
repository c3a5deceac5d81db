import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { booked, cancellation, move, moveIds, openSlotFilter, readMove } from '../../domain/bookings/appointments';
import { cancelAppointment } from '../../domain/bookings/book.server';
import { getByKey } from '../../domain/bookings/link-owners.server';
import { moveAppointment } from '../../domain/bookings/move.server';
import { clientAddress } from '../../domain/guests/guests';
import { flag, phone, requiredText } from '../../domain/input/fields';
import { fold } from '../../domain/input/fold';
import { notFound } from '../../domain/not-found';
import { listOffered } from '../../domain/services/services.server';
import { listOpenDates } from '../../domain/slots/open-dates.server';
import { listOpenSlots, listSlotsWithFull } from '../../domain/slots/open-slots.server';
import { findPublicProvider } from '../../domain/slots/providers.server';
import {
  findPublicShop,
  listHouseServices,
  listShopDates,
  listShopTimes,
  type PublicShop,
  type ShopPerson,
} from '../../domain/slots/shop-times.server';
import { listTimes } from '../../domain/slots/times.server';
import { answerList } from '../../domain/templates/answers';
import { wireDate } from '../../domain/time/clock';
import { passOffer, takeOffer } from '../../domain/waitlist/take.server';
import { removeWishByKey } from '../../domain/waitlist/wish.server';
import { call, callHandlers, paged } from '../../http/api.server';
import { publicProviderJson, publicProviderShape, publicShopShape } from './account-shapes';
import { dateJson } from './shape-parts';
import { appointmentJson, appointmentShape, serviceJson, serviceShape } from './shapes';
import { wishJson, wishShape } from './wish-shapes';

const provider = requiredText(msg`Provider`);
const bookingKey = z.object({ key: requiredText(msg`Key`) });
const { dates, page } = openSlotFilter.shape;

const colleague = z.optional(z.string()).check(z.meta({ description: 'The username of a colleague in a shop.' }));

/** Whom to ask in a shop: all who take appointments, or the one named. @throws DomainError not_found */
function peopleIn({ people }: PublicShop, colleague: string | undefined): ShopPerson[] {
  if (!colleague) return people;
  const named = people.filter(({ username }) => fold(username) === fold(colleague.trim()));
  if (named.length === 0) throw notFound('provider');
  return named;
}

const offeredJson = z.extend(serviceJson, {
  minutesTo: z.optional(z.number()),
  prices: z.optional(z.array(z.string())),
  who: z.optional(z.array(z.string())),
});

/** A time of anyone in a shop is no slot of one provider. */
const timeJson = z.extend(appointmentJson, {
  id: z.nullable(z.string()),
  slotId: z.nullable(z.string()),
  who: z.optional(z.array(z.string())),
});
const ofShop = { id: null, slotId: null };

export const loader = callHandlers('Public', {
  Provider: call({
    method: 'GET',
    who: 'anyone',
    says: 'A provider as their page has them, and when they are free next; of a shop also its people.',
    query: z.object({ username: requiredText(msg`Username`) }),
    response: publicProviderJson,
    refuses: ['not_found'],
    async run({ db, now }, { query }) {
      const [provider, shop] = await Promise.all([
        findPublicProvider(db, query.username, now),
        findPublicShop(db, query.username, now),
      ]);
      if (shop) return publicShopShape(shop);
      if (!provider) throw notFound('provider');
      return publicProviderShape(provider);
    },
  }),

  Dates: call({
    method: 'GET',
    who: 'anyone',
    says: 'The days on which a provider, or anyone in a shop, has an open slot, or time for one service; in a shop `with` one colleague.',
    query: z.object({ provider, service: booked.shape.service, with: colleague }),
    response: z.array(dateJson),
    async run({ db, now }, { query }) {
      const [shop, dates] = await Promise.all([
        findPublicShop(db, query.provider, now),
        listOpenDates(db, query.provider, now, query.service),
      ]);
      const ofShop = shop && (await listShopDates(db, peopleIn(shop, query.with), query.service ?? '', now));
      return (ofShop ?? dates).map(wireDate);
    },
  }),

  Services: call({
    method: 'GET',
    who: 'anyone',
    says: 'The services that a provider offers, in their order; those of the house that somebody in a shop does, with who does it, and the longest and each price where they differ.',
    query: z.object({ provider }),
    response: z.array(offeredJson),
    async run({ db }, { query }) {
      const [house, own] = await Promise.all([listHouseServices(db, query.provider), listOffered(db, query.provider)]);
      return house.length > 0
        ? house.map(({ minutesTo, prices, who, ...service }) => ({
            ...serviceShape(service),
            ...(minutesTo > service.minutes && { minutesTo }),
            ...(prices.length > 1 && { prices }),
            who,
          }))
        : own.map(serviceShape);
    },
  }),

  Slots: call({
    method: 'GET',
    who: 'anyone',
    says: "A provider's open slots to come, by start; on some days only, where they are named; with the full classes, where that is asked for.",
    query: z.object({ provider, dates, page, full: flag(msg`Full`) }),
    response: appointmentJson,
    isPaged: true,
    run: async ({ db, now, links }, { query: { full, ...filter } }) =>
      paged(await (full ? listSlotsWithFull : listOpenSlots)(db, filter, now), appointmentShape(links)),
  }),

  Times: call({
    method: 'GET',
    who: 'anyone',
    says: 'The times at which a service of a provider can begin, by start; on some days only, where they are named. Of a shop each start once, with those who are free then, or `with` one colleague their times.',
    query: z.object({ provider, service: requiredText(msg`Service`), with: colleague, dates, page }),
    response: timeJson,
    isPaged: true,
    async run({ db, now, links }, { query: { with: colleague, ...query } }) {
      const shape = appointmentShape(links);
      const [shop, times] = await Promise.all([findPublicShop(db, query.provider, now), listTimes(db, query, now)]);
      if (!shop) return paged(times, shape);
      const people = peopleIn(shop, colleague);
      if (colleague) return paged(await listTimes(db, { ...query, provider: colleague }, now), shape);
      return paged(await listShopTimes(db, people, query, now), ({ time, who }) => ({
        ...shape(time),
        ...ofShop,
        provider: shop.username,
        providerName: shop.displayName,
        who,
      }));
    },
  }),

  Booking: call({
    method: 'GET',
    who: 'anyone',
    says: 'The booking that a personal link opens.',
    query: bookingKey,
    response: appointmentJson,
    refuses: ['not_found'],
    run: async ({ db, links }, { query }) =>
      appointmentShape(links)((await getByKey(db, links, query.key)).appointment),
  }),

  CancelBooking: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Cancels the booking that a personal link opens.',
    query: bookingKey,
    body: cancellation,
    isBodyOptional: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, now, links }, { query, body }) {
      const { appointment, owner } = await getByKey(db, links, query.key);
      const cancellation = { id: appointment.id, reason: body?.reason ?? null };
      return appointmentShape(links)(await cancelAppointment(db, owner, cancellation, now));
    },
  }),

  MoveBooking: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Moves the booking that a personal link opens to another open slot; the link goes along.',
    query: z.object({ ...bookingKey.shape, to: moveIds.shape.to }),
    body: move,
    isBodyOptional: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict', 'forbidden'],
    async run({ db, now, links }, { query: { key, to }, body }) {
      const { answers, reason } = readMove(body);
      const { appointment, owner } = await getByKey(db, links, key);
      // The booking is there already, so the answers have moved with it.
      if (appointment.slotId === to) return appointmentShape(links)(appointment);
      const move = { id: appointment.id, to, submitted: answers && (() => answers), reason };
      return appointmentShape(links)(await moveAppointment(db, owner, move, now));
    },
  }),

  RemoveWish: call({
    method: 'DELETE',
    who: 'anyone',
    says: 'Stops waiting: ends the wish that a personal link opens.',
    query: bookingKey,
    refuses: ['not_found'],
    status: 204,
    run: ({ db, now, links }, { query: { key } }) => removeWishByKey(db, links, key, now),
  }),

  TakeOffer: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Books a time that is held for somebody who waits, with the answers to its questions if the body has them, the number of whoever is called, and the address for what takes place at the client’s; an appointment for which an earlier time was wanted is moved there.',
    query: z.object({ ...bookingKey.shape, phone, address: clientAddress }),
    body: answerList,
    isBodyOptional: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, now, links }, { query, body }) =>
      appointmentShape(links)(await takeOffer(db, links, { ...query, submitted: body ? () => body : null }, now)),
  }),

  PassOffer: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Passes a held time on to whoever waits next.',
    query: bookingKey,
    response: wishJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, now, links }, { query: { key } }) => wishShape(links)(await passOffer(db, links, key, now)),
  }),
});
export const action = loader;
