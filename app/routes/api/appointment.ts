import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { listAgenda } from '../../domain/bookings/agenda.server';
import {
  agendaFilter,
  anyoneBooked,
  appointmentId,
  booked,
  canceledId,
  cancellation,
  mark,
  move,
  moveIds,
  openSlotFilter,
  paidMark,
  readMove,
} from '../../domain/bookings/appointments';
import { markAttendance } from '../../domain/bookings/attendance.server';
import { bookAppointment, cancelAppointment } from '../../domain/bookings/book.server';
import { bookAt } from '../../domain/bookings/book-at.server';
import { bookForPerson } from '../../domain/bookings/book-for.server';
import { moveAppointment } from '../../domain/bookings/move.server';
import { markPaid } from '../../domain/bookings/paid.server';
import { getAppointment } from '../../domain/bookings/read.server';
import { status } from '../../domain/bookings/status';
import { shopTimeOfWalkIn, timeOfWalkIn, walkInBooking, walkInQuery } from '../../domain/bookings/walk-ins';
import { bookFor, replaceBookingLink, setNote, walkInOf } from '../../domain/bookings/walk-ins.server';
import { clientAddress, walkIn } from '../../domain/guests/guests';
import { hoursInput } from '../../domain/hours/hours';
import { findHours, previewHours, setHours } from '../../domain/hours/hours.server';
import { flag, page, phone, requiredText } from '../../domain/input/fields';
import { fold } from '../../domain/input/fold';
import { shopActor } from '../../domain/login/acting.server';
import { findWithheldBookingMail } from '../../domain/messages/withheld-booking-mail.server';
import { bookSeries } from '../../domain/series/book-series.server';
import { previewSeries } from '../../domain/series/preview.server';
import { firstOfPlan, seriesPlanOfAny, seriesRequestOfAny, timesOfSeries } from '../../domain/series/series';
import { bookSeriesWithAnyone, previewWithAnyone } from '../../domain/series/with-anyone.server';
import { change, changed } from '../../domain/slots/change';
import { changeOpenSlots } from '../../domain/slots/change.server';
import { listOpenDates } from '../../domain/slots/open-dates.server';
import { listOpenSlots } from '../../domain/slots/open-slots.server';
import { listCities, listProviders } from '../../domain/slots/providers.server';
import { pastDays, publicationBody, publicationQuery } from '../../domain/slots/publication';
import { publishSlots } from '../../domain/slots/publish.server';
import { answerList } from '../../domain/templates/answers';
import { machineText, wireDate } from '../../domain/time/clock';
import { call, callHandlers, paged } from '../../http/api.server';
import { originOf } from '../../http/login.server';
import { providerJson, providerShape } from './account-shapes';
import { previewDateJson, previewShape } from './series-shapes';
import { count, dateJson } from './shape-parts';
import { appointmentJson, appointmentShape, hoursJson, hoursShape, mailHeldShape } from './shapes';

export const loader = callHandlers('Appointment', {
  CreateAppointment: call({
    method: 'POST',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Cuts one or more time ranges on each of some days into open slots.',
    query: publicationQuery,
    body: publicationBody,
    alsoWrong: ({ actor, now }, body) => pastDays(actor, body, now),
    response: z.object({ created: count, skipped: count }),
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
    hasOf: 'colleague',
    says: 'Open slots to come, by start.',
    query: openSlotFilter,
    response: appointmentJson,
    isPaged: true,
    run: async ({ db, now, links }, { query }) => paged(await listOpenSlots(db, query, now), appointmentShape(links)),
  }),

  Get: call({
    method: 'GET',
    who: 'member',
    hasOf: 'colleague',
    says: 'One appointment: an open one, or one of your own.',
    query: appointmentId,
    response: appointmentJson,
    refuses: ['not_found'],
    run: async ({ db, actor, links }, { query }) => appointmentShape(links)(await getAppointment(db, actor, query.id)),
  }),

  Book: call({
    method: 'PUT',
    who: 'Consumer',
    says: 'Books an open slot, or a service that begins with it, with the answers to its questions if the body has them, and a phone number for a provider who asks for one or calls, and the address for what takes place at the client’s.',
    query: z.object({ ...booked.shape, phone, address: clientAddress }),
    body: answerList,
    isBodyOptional: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run(context, { query, body }) {
      const { db, actor, now, links } = context;
      const request = { ...query, submitted: body ? () => body : null };
      return appointmentShape(links)(await bookAppointment(db, actor, request, now, await originOf(context)));
    },
  }),

  BookAnyone: call({
    method: 'PUT',
    who: 'Consumer',
    says: 'Books a time with whoever is free in a shop then, as `Book` does with one provider: whoever has the smallest share of that day taken, then by the order of the page.',
    query: z.extend(anyoneBooked, { address: clientAddress }),
    body: answerList,
    isBodyOptional: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run(context, { query: { shop, startsAt, ...query }, body }) {
      const { db, actor, now, links } = context;
      const shopTime = { shop: fold(shop.trim()), start: startsAt };
      const request = { ...query, shopTime, submitted: body ? () => body : null };
      return appointmentShape(links)(await bookAppointment(db, actor, request, now, await originOf(context)));
    },
  }),

  Cancel: call({
    method: 'PUT',
    who: 'member',
    hasOf: 'colleague',
    says: 'Cancels an appointment, with `following` the later ones of its series too, or withdraws an open slot of your own.',
    query: canceledId,
    body: cancellation,
    isBodyOptional: true,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, links }, { query, body }) =>
      appointmentShape(links)(await cancelAppointment(db, actor, { ...query, reason: body?.reason ?? null }, now)),
  }),

  PreviewSeries: call({
    method: 'GET',
    who: 'member',
    hasOf: 'colleague',
    says: 'The same time again, each week or each few weeks: for each date the slot that is free, or why none is, and up to three near it. With a shop and a start it is the series of whoever there can keep most of the dates; `provider` says who.',
    query: seriesPlanOfAny,
    response: z.array(previewDateJson),
    refuses: ['not_found', 'conflict'],
    async run({ db, actor, now }, { query }) {
      const first = firstOfPlan(query);
      const { every, until, service, people } = query;
      const plan = { every, until, service, people };
      const preview =
        'id' in first
          ? await previewSeries(db, actor, { ...first, ...plan }, now)
          : await previewWithAnyone(db, actor, first.shopTime, plan, now);
      return previewShape(preview);
    },
  }),

  BookSeries: call({
    method: 'POST',
    who: 'member',
    hasOf: 'colleague',
    says: 'Books exactly these slots of one provider, or none; as a provider for one of your people. With a shop and starts in place of ids, it books them with one there who is free at all of them.',
    body: seriesRequestOfAny,
    response: z.array(appointmentJson),
    refuses: ['not_found', 'conflict', 'forbidden'],
    status: 201,
    async run(context, { body, key }) {
      const { db, actor, now, links } = context;
      const writing = { links, key, now, origin: await originOf(context) };
      const times = timesOfSeries(body);
      const booked =
        'ids' in times
          ? await bookSeries(db, actor, { ...body, ...times }, writing)
          : await bookSeriesWithAnyone(db, actor, { ...body, ...times }, writing);
      return booked.map(appointmentShape(links));
    },
  }),

  ChangeOpen: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Changes the notes and questions of an open slot of your own, of its day, or of all published with it.',
    query: changed,
    body: change,
    response: z.object({ changed: count }),
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query: { id, for: scope = 'slot' }, body }) => ({
      changed: await changeOpenSlots(db, actor, { id, scope, ...body }, now),
    }),
  }),

  Move: call({
    method: 'PUT',
    who: 'member',
    hasOf: 'colleague',
    says: 'Moves a booked appointment to another open slot of the same provider.',
    query: moveIds,
    body: move,
    isBodyOptional: true,
    response: appointmentJson,
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
    hasOf: 'colleague',
    says: 'Books a time of your own for somebody who walks in or calls: one of your people, or a name. It takes the id of an open slot, or in its place a date, a start and minutes, published or not: open slots there are taken. Outside of your hours, over busy time or over an event of yours it is refused with a 409 that says so, unless over is true. With a shop and a start, its desk books for a name with whoever is free there then.',
    query: walkInQuery,
    body: walkInBooking,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    status: 201,
    async run({ db, actor, now, links, hasMail }, { query, body, key }) {
      const shopTime = shopTimeOfWalkIn(query, body);
      const asked = shopTime ? { shopTime } : timeOfWalkIn(query, body);
      const { formData, personId, displayName = '', email, phone, address, note } = body;
      const submitted = formData ? () => formData : null;
      const { service, people } = query;
      const details = { note, phone, address, submitted, key };
      const book = async () => {
        if ('shopTime' in asked) {
          const shop = await shopActor(db, actor, asked.shopTime.shop);
          const client = { ...details, id: machineText(asked.shopTime.start), displayName, email };
          return bookFor(db, shop, { ...asked, service, people }, walkInOf(links, shop, client), now);
        }
        if ('time' in asked) {
          const who = personId ? { personId } : { displayName, email };
          const isOver = query.over || body.over === true;
          return bookAt(db, links, actor, { ...details, time: asked.time, who, service, people, isOver }, now);
        }
        const slot = { id: asked.id, service, people };
        if (personId) return bookForPerson(db, links, actor, { ...details, ...slot, personId }, now);
        const client = { ...details, id: asked.id, displayName, email };
        return bookFor(db, actor, slot, walkInOf(links, actor, client), now);
      };
      const booked = await book();
      const withheldMail = (email || personId) && hasMail ? await findWithheldBookingMail(db, actor, booked.id) : null;
      return { ...appointmentShape(links)(booked), ...mailHeldShape(withheldMail) };
    },
  }),

  SetNote: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Sets your private note on a booking.',
    query: appointmentId,
    body: z.object({ note: walkIn.shape.note }),
    response: appointmentJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now, links }, { query: { id }, body: { note } }) =>
      appointmentShape(links)(await setNote(db, actor, { id, note }, now)),
  }),

  NewLink: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: "Replaces a booking's personal link; the old one is dead.",
    query: appointmentId,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    async run({ db, actor, now, links }, { query: { id } }) {
      return appointmentShape(links)(await replaceBookingLink(db, links, actor, id, now));
    },
  }),

  Mark: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Says whether the booker of an appointment of your own came, once it has begun.',
    query: mark,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, links }, { query }) =>
      appointmentShape(links)(await markAttendance(db, actor, query, now)),
  }),

  Paid: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Notes whether the deposit of an appointment of your own has come.',
    query: appointmentId,
    body: paidMark,
    response: appointmentJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, links }, { query: { id }, body: { paid } }) =>
      appointmentShape(links)(await markPaid(db, actor, { id, paid }, now)),
  }),

  GetBooked: call({
    method: 'GET',
    who: 'member',
    hasOf: 'colleague',
    says: 'Your booked appointments.',
    query: agendaFilter,
    response: appointmentJson,
    isPaged: true,
    run: async ({ db, actor, now, links }, { query }) =>
      paged(await listAgenda(db, actor, { ...query, states: [status.booked] }, now), appointmentShape(links)),
  }),

  GetDash: call({
    method: 'GET',
    who: 'member',
    hasOf: 'colleague',
    says: 'Your booked and canceled appointments.',
    query: agendaFilter,
    response: appointmentJson,
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
    hasOf: 'colleague',
    says: 'Sets the hours of your week: slots are published and withdrawn until the book is what they say.',
    query: z.object({ preview: flag(msg`Preview`) }),
    body: hoursInput,
    response: z.object({ created: count, withdrawn: count }),
    refuses: ['not_found'],
    async run({ db, actor, now }, { query, body }) {
      const { created, withdrawn } = await (query.preview ? previewHours : setHours)(db, actor, body, now);
      return { created, withdrawn };
    },
  }),

  GetHours: call({
    method: 'GET',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Your hours; null where you never set any.',
    response: z.nullable(hoursJson),
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
    response: providerJson,
    isPaged: true,
    run: async ({ db, now }, { query }) => paged(await listProviders(db, query, now), providerShape),
  }),

  GetDates: call({
    method: 'GET',
    who: 'member',
    says: 'The days on which a provider has an open slot, or time for one service.',
    query: z.object({ provider: requiredText(msg`Provider`), service: booked.shape.service }),
    response: z.array(dateJson),
    run: async ({ db, now }, { query }) => (await listOpenDates(db, query.provider, now, query.service)).map(wireDate),
  }),

  GetLocations: call({
    method: 'GET',
    who: 'member',
    says: 'Cities that have a provider.',
    response: z.array(z.string()),
    run: ({ db }) => listCities(db),
  }),
});
export const action = loader;
