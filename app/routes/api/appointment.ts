import * as z from 'zod/mini';
import { walkIn } from '../../domain/accounts/guests';
import { listCities, listProviders } from '../../domain/accounts/providers.server';
import { listAgenda } from '../../domain/appointments/agenda.server';
import {
  agendaFilter,
  appointmentId,
  cancellation,
  mark,
  move,
  moveIds,
  openSlotFilter,
  readMove,
} from '../../domain/appointments/appointments';
import { markAttendance } from '../../domain/appointments/attendance.server';
import { bookAppointment, cancelAppointment } from '../../domain/appointments/bookings.server';
import { change, changed } from '../../domain/appointments/changing';
import { changeOpenSlots } from '../../domain/appointments/changing.server';
import { moveAppointment } from '../../domain/appointments/moving.server';
import { listOpenDates } from '../../domain/appointments/open-dates.server';
import { listOpenSlots } from '../../domain/appointments/open-slots.server';
import { pastDays, publicationBody, publicationQuery } from '../../domain/appointments/publication';
import { publishSlots } from '../../domain/appointments/publishing.server';
import { getAppointment } from '../../domain/appointments/reading.server';
import { status } from '../../domain/appointments/status';
import { bookFor, replaceBookingLink, setNote, walkInOf } from '../../domain/appointments/walk-ins.server';
import { hoursInput } from '../../domain/hours/hours';
import { findHours, previewHours, setHours } from '../../domain/hours/hours.server';
import { flag, given, page } from '../../domain/input/fields';
import { answerList } from '../../domain/templates/answers';
import { wireDate } from '../../domain/time/clock';
import { answerJson, call, paged } from '../../http/api.server';
import { originOf } from '../../http/login.server';
import { providerJson, providerShape } from './account-shapes';
import { count, dateJson } from './shape-parts';
import { appointmentJson, appointmentShape, hoursJson, hoursShape } from './shapes';

export const loader = answerJson('Appointment', {
  CreateAppointment: call({
    method: 'POST',
    who: 'Provider',
    says: 'Cuts one or more time ranges on each of some days into open slots.',
    query: publicationQuery,
    body: publicationBody,
    alsoWrong: ({ actor, now }, body) => pastDays(actor, body, now),
    answers: z.object({ created: count, skipped: count }),
    refuses: ['not_found'],
    status: 201,
    async run({ db, actor, now }, { query, body, key }) {
      const { created, skipped } = await publishSlots(db, actor, { ...body, ...query }, { now, key });
      return { created, skipped };
    },
  }),

  GetPage: call({
    method: 'GET',
    who: 'member',
    says: 'Open slots to come, by start.',
    query: openSlotFilter,
    answers: appointmentJson,
    isPaged: true,
    run: async ({ db, now, links }, { query }) => paged(await listOpenSlots(db, query, now), appointmentShape(links)),
  }),

  Get: call({
    method: 'GET',
    who: 'member',
    says: 'One appointment: an open one, or one of your own.',
    query: appointmentId,
    answers: appointmentJson,
    refuses: ['not_found'],
    run: async ({ db, actor, links }, { query }) => appointmentShape(links)(await getAppointment(db, actor, query.id)),
  }),

  Book: call({
    method: 'PUT',
    who: 'Consumer',
    says: 'Books an open slot, with the answers to its questions if the body has them.',
    query: appointmentId,
    body: answerList,
    isBodyOptional: true,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run(context, { query: { id }, body }) {
      const { db, actor, now, links } = context;
      const request = { id, submitted: body ? () => body : null, link: links.make() };
      return appointmentShape(links)(await bookAppointment(db, actor, request, now, await originOf(context)));
    },
  }),

  Cancel: call({
    method: 'PUT',
    who: 'member',
    says: 'Cancels an appointment, or withdraws an open slot of your own.',
    query: appointmentId,
    body: cancellation,
    isBodyOptional: true,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, links }, { query: { id }, body }) =>
      appointmentShape(links)(await cancelAppointment(db, actor, { id, reason: body?.reason ?? null }, now)),
  }),

  ChangeOpen: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes the notes and questions of an open slot of your own, of its day, or of all published with it.',
    query: changed,
    body: change,
    answers: z.object({ changed: count }),
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query: { id, for: scope = 'slot' }, body }) => ({
      changed: await changeOpenSlots(db, actor, { id, scope, ...body }, now),
    }),
  }),

  Move: call({
    method: 'PUT',
    who: 'member',
    says: 'Moves a booked appointment to another open slot of the same provider.',
    query: moveIds,
    body: move,
    isBodyOptional: true,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, actor, now, links }, { query, body }) {
      const { answers, reason } = readMove(body);
      const submitted = answers && (() => answers);
      return appointmentShape(links)(await moveAppointment(db, actor, { ...query, submitted, reason }, now));
    },
  }),

  BookFor: call({
    method: 'POST',
    who: 'Provider',
    says: 'Books an open slot of your own for somebody who walks in or calls.',
    query: appointmentId,
    body: walkIn,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    status: 201,
    async run({ db, actor, now, links }, { query: { id }, body, key }) {
      const walkIn = walkInOf(links, actor, { id, ...body, key });
      return appointmentShape(links)(await bookFor(db, actor, id, walkIn, now));
    },
  }),

  SetNote: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sets your private note on a booking.',
    query: appointmentId,
    body: z.object({ note: walkIn.shape.note }),
    answers: appointmentJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now, links }, { query: { id }, body: { note } }) =>
      appointmentShape(links)(await setNote(db, actor, { id, note }, now)),
  }),

  NewLink: call({
    method: 'PUT',
    who: 'Provider',
    says: "Replaces a booking's personal link; the old one is dead.",
    query: appointmentId,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, actor, now, links }, { query: { id } }) {
      const link = links.make();
      const made = { id, link, codeHash: links.codeHashOf(link.seed) };
      return appointmentShape(links)(await replaceBookingLink(db, actor, made, now));
    },
  }),

  Mark: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Says whether the booker of an appointment of your own came, once it has begun.',
    query: mark,
    answers: appointmentJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, links }, { query }) =>
      appointmentShape(links)(await markAttendance(db, actor, query, now)),
  }),

  GetBooked: call({
    method: 'GET',
    who: 'member',
    says: 'Your booked appointments.',
    query: agendaFilter,
    answers: appointmentJson,
    isPaged: true,
    run: async ({ db, actor, now, links }, { query }) =>
      paged(await listAgenda(db, actor, { ...query, states: [status.booked] }, now), appointmentShape(links)),
  }),

  GetDash: call({
    method: 'GET',
    who: 'member',
    says: 'Your booked and canceled appointments.',
    query: agendaFilter,
    answers: appointmentJson,
    isPaged: true,
    run: async ({ db, actor, now, links }, { query }) =>
      paged(
        await listAgenda(db, actor, { ...query, states: [status.booked, status.canceled] }, now),
        appointmentShape(links),
      ),
  }),

  SetHours: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sets the hours of your week: slots are published and withdrawn until the book is what they say.',
    query: z.object({ preview: flag }),
    body: hoursInput,
    answers: z.object({ created: count, withdrawn: count }),
    refuses: ['not_found'],
    async run({ db, actor, now }, { query, body }) {
      const { created, withdrawn } = await (query.preview ? previewHours : setHours)(db, actor, body, now);
      return { created, withdrawn };
    },
  }),

  GetHours: call({
    method: 'GET',
    who: 'Provider',
    says: 'Your hours; null where you never set any.',
    answers: z.nullable(hoursJson),
    async run({ db, actor }) {
      const hours = await findHours(db, actor);
      return hours ? hoursShape(hours) : null;
    },
  }),

  GetProviders: call({
    method: 'GET',
    who: 'member',
    says: 'Providers by name, of one city or all.',
    query: z.object({ page, location: z.optional(z.string()), q: z.optional(z.string()) }),
    answers: providerJson,
    isPaged: true,
    run: async ({ db, now }, { query }) => paged(await listProviders(db, query, now), providerShape),
  }),

  GetDates: call({
    method: 'GET',
    who: 'member',
    says: 'The days on which a provider has an open slot.',
    query: z.object({ provider: given('Provider') }),
    answers: z.array(dateJson),
    run: async ({ db, now }, { query }) => (await listOpenDates(db, query.provider, now)).map(wireDate),
  }),

  GetLocations: call({
    method: 'GET',
    who: 'member',
    says: 'Cities that have a provider.',
    answers: z.array(z.string()),
    run: ({ db }) => listCities(db),
  }),
});
export const action = loader;
