import * as z from 'zod/mini';
import { findPublicProvider } from '../../domain/accounts/providers.server';
import { cancellation, move, moveIds, openSlotFilter, readMove } from '../../domain/appointments/appointments';
import { getByKey } from '../../domain/appointments/bookers.server';
import { cancelAppointment } from '../../domain/appointments/bookings.server';
import { moveAppointment } from '../../domain/appointments/moving.server';
import { listOpenDates } from '../../domain/appointments/open-dates.server';
import { listOpenSlots } from '../../domain/appointments/open-slots.server';
import { notFound } from '../../domain/errors';
import { given } from '../../domain/input/fields';
import { wireDate } from '../../domain/time/clock';
import { answerJson, call, paged } from '../../http/api.server';
import { publicProviderJson, publicProviderShape } from './account-shapes';
import { dateJson } from './shape-parts';
import { appointmentJson, appointmentShape } from './shapes';

const provider = given('Provider');
const bookingKey = z.object({ key: given('Key') });
const { dates, page } = openSlotFilter.shape;

export const loader = answerJson('Public', {
  Provider: call({
    method: 'GET',
    who: 'anyone',
    says: 'A provider as their page has them, and when they are free next.',
    query: z.object({ username: given('Username') }),
    answers: publicProviderJson,
    refuses: ['not_found'],
    async run({ db, now }, { query }) {
      const found = await findPublicProvider(db, query.username, now);
      if (!found) throw notFound('provider');
      return publicProviderShape(found);
    },
  }),

  Dates: call({
    method: 'GET',
    who: 'anyone',
    says: 'The days on which a provider has an open slot.',
    query: z.object({ provider }),
    answers: z.array(dateJson),
    run: async ({ db, now }, { query }) => (await listOpenDates(db, query.provider, now)).map(wireDate),
  }),

  Slots: call({
    method: 'GET',
    who: 'anyone',
    says: "A provider's open slots to come, by start; on some days only, where they are named.",
    query: z.object({ provider, dates, page }),
    answers: appointmentJson,
    isPaged: true,
    run: async ({ db, now, links }, { query }) => paged(await listOpenSlots(db, query, now), appointmentShape(links)),
  }),

  Booking: call({
    method: 'GET',
    who: 'anyone',
    says: 'The booking that a personal link opens.',
    query: bookingKey,
    answers: appointmentJson,
    refuses: ['not_found'],
    run: async ({ db, links }, { query }) => appointmentShape(links)((await getByKey(db, query.key)).appointment),
  }),

  CancelBooking: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Cancels the booking that a personal link opens.',
    query: bookingKey,
    body: cancellation,
    isBodyOptional: true,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, now, links }, { query, body }) {
      const { appointment, holder } = await getByKey(db, query.key);
      const sent = { id: appointment.id, reason: body?.reason ?? null };
      return appointmentShape(links)(await cancelAppointment(db, holder, sent, now));
    },
  }),

  MoveBooking: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Moves the booking that a personal link opens to another open slot; the link goes along.',
    query: z.object({ ...bookingKey.shape, to: moveIds.shape.to }),
    body: move,
    isBodyOptional: true,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, now, links }, { query: { key, to }, body }) {
      const { answers, reason } = readMove(body);
      const { appointment, holder } = await getByKey(db, key);
      // The link has gone along already.
      if (appointment.id === to) return appointmentShape(links)(appointment);
      const sent = { id: appointment.id, to, submitted: answers && (() => answers), reason };
      return appointmentShape(links)(await moveAppointment(db, holder, sent, now));
    },
  }),
});
export const action = loader;
