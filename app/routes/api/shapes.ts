import * as z from 'zod/mini';
import type { Appointment } from '../../domain/bookings/appointments';
import { referenceOf } from '../../domain/bookings/deposits';
import type { PastAppointment } from '../../domain/bookings/past-in-shop.server';
import { status } from '../../domain/bookings/status';
import type { Hours, HoursRange } from '../../domain/hours/hours';
import { bookingPath, type Links } from '../../domain/links.server';
import { reasonsToWithhold, type WithheldMail } from '../../domain/mail/withheld-mail';
import type { PartyWithGuests } from '../../domain/parties/large.server';
import { type Invited, mapLink, type Party } from '../../domain/parties/parties';
import type { HostedSummary } from '../../domain/parties/parties.server';
import { attendances } from '../../domain/people/attendance-words';
import type { WholeCard } from '../../domain/people/people';
import type { Payee } from '../../domain/profile/iban';
import { askEmail, openTo } from '../../domain/profile/rules';
import type { HouseService, OwnService, Service } from '../../domain/services/services';
import { wheres } from '../../domain/services/where';
import { isInParts, type MaybeInParts, mapParts, type Parts } from '../../domain/streamed-list';
import { questionType, type Template } from '../../domain/templates/questions';
import { type Instant, localTimeOf, machineText, minute, wireDate } from '../../domain/time/clock';
import { inEnglish } from '../../domain/words/english';
import { answers, count, dateJson, instant, named, textOrNone, time, when } from './shape-parts';

/* Appointments, hours, templates, parties and meetups. */

/** Why mail about it is withheld; left out if it is sent. */
export const mailHeld = {
  mailHeld: z
    .optional(z.enum(reasonsToWithhold))
    .check(z.meta({ description: 'Which limit holds the mail about it back; left out where none does.' })),
};
export const mailHeldShape = (
  withheldMail: WithheldMail | null | undefined,
): z.output<z.ZodMiniObject<typeof mailHeld>> => (withheldMail ? { mailHeld: withheldMail.why } : {});

/** How deposits are paid: by a link or by a transfer; both are null if the provider gave none, and for whoever does not pay. */
export const payeeJson = {
  payLink: textOrNone,
  payTo: z.nullable(z.object({ iban: z.string(), name: z.string() })),
};
export const payeeShape = (payee: Payee | null): z.output<z.ZodMiniObject<typeof payeeJson>> => ({
  payLink: payee && 'link' in payee ? payee.link : null,
  payTo: payee && 'iban' in payee ? { iban: payee.iban, name: payee.name } : null,
});

export const appointmentJson = named(
  'Appointment',
  z.object({
    ...when,
    id: z.string(),
    provider: z.string(),
    providerName: z.string(),
    shop: z
      .nullable(z.object({ username: z.string(), displayName: z.string() }))
      .check(z.meta({ description: 'The shop under whose name it was booked; null without one, or if it is closed.' })),
    status: z.literal(Object.values(status)).check(z.meta({ description: '0 open, 1 booked, 2 canceled.' })),
    notes: textOrNone,
    username: textOrNone,
    bookerName: textOrNone,
    template: textOrNone,
    formData: answers,
    seats: count.check(z.meta({ description: 'How many people the slot is for.' })),
    free: count.check(z.meta({ description: 'How many seats are left.' })),
    slotId: z.string().check(z.meta({ description: 'The slot that a booking is in.' })),
    people: z.nullable(count).check(z.meta({ description: 'How many seats the booking has; null for a slot.' })),
    service: z.nullable(
      z.object({ id: z.string(), name: z.string(), minutes: count, price: textOrNone, deposit: textOrNone }),
    ),
    where: z.enum(wheres).check(z.meta({ description: 'At the provider’s, by phone, by video, or at the client’s.' })),
    place: textOrNone.check(
      z.meta({
        description: 'The provider’s address; a video link or the client’s address, for the two whose booking it is.',
      }),
    ),
    link: textOrNone.check(
      z.meta({
        description: 'The path of the personal link, for whoever booked. A key that only reads is not shown it.',
      }),
    ),
    bookerEmail: textOrNone.check(z.meta({ description: "A guest's address, for the provider." })),
    bookerPhone: textOrNone.check(z.meta({ description: 'The number given with the booking, for the provider.' })),
    privateNote: textOrNone.check(z.meta({ description: "The provider's own note, for nobody else." })),
    cancelReason: textOrNone,
    canceledBy: z.nullable(z.enum(['provider', 'consumer'])),
    movedFrom: textOrNone.check(z.meta({ description: 'The appointment that was moved here.' })),
    seriesId: textOrNone.check(z.meta({ description: 'What the appointments of one series have in common.' })),
    reference: textOrNone.check(
      z.meta({ description: 'What a payment of the deposit is to say, for the booker and the provider.' }),
    ),
    paid: z.boolean().check(z.meta({ description: 'Whether the provider has noted that the deposit has come.' })),
    ...payeeJson,
    by: z.nullable(z.object({ username: z.string(), displayName: z.string() })).check(
      z.meta({
        description: 'Who of the shop booked, moved or canceled it last for the provider, for the provider’s side.',
      }),
    ),
    asked: z
      .optional(z.literal('anyone'))
      .check(z.meta({ description: 'That the booker asked for anyone in a shop; left out elsewhere.' })),
    why: z.optional(z.string()).check(z.meta({ description: 'Why this provider has it, where anyone was asked for.' })),
    attendance: z
      .nullable(z.enum(attendances))
      .check(z.meta({ description: 'Whether the booker came, for the provider.' })),
    ...mailHeld,
  }),
);

/** Makes the JSON of an appointment. The date is MM-DD-YYYY. Date and times are in the slot's zone, instants in UTC. */
export const appointmentShape =
  (links: Links) =>
  (row: Appointment): z.output<typeof appointmentJson> => ({
    id: row.id,
    provider: row.provider,
    providerName: row.providerName,
    shop: row.shop,
    startTime: localTimeOf(row.startsAt, row.timeZone),
    endTime: localTimeOf(row.endsAt, row.timeZone),
    date: wireDate(row.date),
    status: row.status,
    notes: row.notes,
    username: row.username,
    bookerName: row.bookerName,
    template: row.templateId,
    formData: row.answers,
    startsAt: machineText(row.startsAt),
    endsAt: machineText(row.endsAt),
    timeZone: row.timeZone,
    seats: row.seats,
    free: row.free,
    slotId: row.slotId,
    people: row.people,
    service: row.service && {
      id: row.service.id,
      name: row.service.name,
      minutes: (row.endsAt - row.startsAt) / minute,
      price: row.service.price,
      deposit: row.service.deposit,
    },
    where: row.where,
    place: row.place ?? (row.where === 'here' ? row.providerAddress : null),
    link: row.linkSource && bookingPath(links, row.linkSource),
    bookerEmail: row.bookerEmail,
    bookerPhone: row.bookerPhone,
    privateNote: row.privateNote,
    cancelReason: row.cancelReason,
    canceledBy: row.canceledBy,
    movedFrom: row.movedFrom,
    seriesId: row.seriesId,
    reference: referenceOf(row),
    paid: row.paid,
    ...payeeShape(row.payBy),
    attendance: row.attendance,
    by: row.by,
    ...(row.why && { asked: 'anyone' as const, why: inEnglish(row.why) }),
  });

export const pastJson = named(
  'PastAppointment',
  z.object({
    ...when,
    id: z.string(),
    status: appointmentJson.shape.status,
    bookerName: textOrNone,
    attendance: appointmentJson.shape.attendance,
    service: textOrNone,
  }),
);

/** An appointment of somebody who has left a shop, for its desk. */
export const pastShape = ({
  date,
  startsAt,
  endsAt,
  timeZone,
  ...row
}: PastAppointment): z.output<typeof pastJson> => ({
  ...row,
  date: wireDate(date),
  startTime: localTimeOf(startsAt, timeZone),
  endTime: localTimeOf(endsAt, timeZone),
  startsAt: machineText(startsAt),
  endsAt: machineText(endsAt),
  timeZone,
});

export const personJson = named(
  'Person',
  z.object({
    id: z.string(),
    name: z.string(),
    email: textOrNone,
    phone: textOrNone,
    note: textOrNone,
    booked: count,
    came: count,
    missed: count,
    next: z.nullable(instant),
    last: z.nullable(instant),
  }),
);

const instantOrNone = (at: Instant | null) => (at === null ? null : machineText(at));

/** A card of the caller's. `booked` counts the appointments that are not canceled; `next` and `last` are starts. */
export const personShape = (card: WholeCard): z.output<typeof personJson> => ({
  id: card.id,
  name: card.name,
  email: card.email,
  phone: card.phone,
  note: card.note,
  booked: card.booked,
  came: card.seen,
  missed: card.missed,
  next: instantOrNone(card.next),
  last: instantOrNone(card.last),
});

const dayRange = { start: time, end: time };
const hoursRange = { ...dayRange, serviceId: z.optional(z.string()) };
export const hoursJson = named(
  'Hours',
  z.object({
    hours: z.array(z.object({ day: count, ...hoursRange })),
    except: z.array(z.object({ date: dateJson, to: z.nullable(dateJson), hours: z.array(z.object(hoursRange)) })),
    len: count,
    gap: count,
    ahead: count,
    notes: textOrNone,
    templateId: textOrNone,
    serviceId: z.optional(z.string()),
  }),
);

const ofService = ({ serviceId }: { serviceId?: string }) => (serviceId === undefined ? {} : { serviceId });
const hoursRangeShape = ({ start, end, serviceId }: HoursRange) => ({ start, end, ...ofService({ serviceId }) });

/** A provider's hours. A service is named only if the hours are for one. */
export const hoursShape = ({
  hours,
  except,
  len,
  gap,
  ahead,
  notes,
  templateId,
  serviceId,
}: Hours): z.output<typeof hoursJson> => ({
  hours: hours.map(({ day, ...range }) => ({ day, ...hoursRangeShape(range) })),
  except: except.map(({ date, to, hours }) => ({
    date: wireDate(date),
    to: to ? wireDate(to) : null,
    hours: hours.map(hoursRangeShape),
  })),
  len,
  gap,
  ahead,
  notes,
  templateId,
  ...ofService({ serviceId }),
});

export const serviceJson = named(
  'Service',
  z.object({
    id: z.string(),
    name: z.string(),
    minutes: count,
    gap: count,
    price: textOrNone,
    deposit: textOrNone,
    description: textOrNone,
    seats: count,
    templateId: textOrNone,
    isOffered: z.boolean(),
    where: z.enum(wheres),
  }),
);

export const ownServiceJson = named('OwnService', z.extend(serviceJson, { link: textOrNone }));

export const serviceShape = (service: Service): z.output<typeof serviceJson> => ({
  id: service.id,
  name: service.name,
  minutes: service.minutes,
  gap: service.gap,
  price: service.price,
  deposit: service.deposit,
  description: service.description,
  seats: service.seats,
  templateId: service.templateId,
  isOffered: service.isOffered,
  where: service.where,
});

/** For its provider alone: the link is for whoever has booked. */
export const ownServiceShape = (service: OwnService): z.output<typeof ownServiceJson> => ({
  ...serviceShape(service),
  link: service.link,
});

export const houseServiceJson = named(
  'HouseService',
  z.extend(ownServiceJson, {
    who: z.array(
      named('Offering', z.object({ username: z.string(), displayName: z.string(), minutes: count, price: textOrNone })),
    ),
  }),
);

export const houseServiceShape = ({ who, ...service }: HouseService): z.output<typeof houseServiceJson> => ({
  ...ownServiceShape(service),
  who,
});

export const templateJson = named(
  'Template',
  z.object({
    template: z.object({ id: z.string(), displayName: z.string() }),
    questions: z.array(
      z.object({
        id: z.string(),
        templateId: z.string(),
        questionText: z.string(),
        options: z.nullable(z.array(z.string())),
        required: z.boolean(),
        order: count,
        provider: z.string(),
        questionType: z
          .literal(Object.values(questionType))
          .check(z.meta({ description: '0 multiple choice, 1 single choice, 2 open-ended.' })),
      }),
    ),
  }),
);

/** A template and its questions, in `CreateTemplate`, `Get` and `GetTemplates`. */
export const templateShape = ({ id, displayName, provider, questions }: Template): z.output<typeof templateJson> => ({
  template: { id, displayName },
  questions: questions.map((question, order) => ({
    id: question.id,
    templateId: id,
    questionText: question.questionText,
    options: question.options,
    required: question.required,
    order,
    provider,
    questionType: question.questionType,
  })),
});

const attendee = { id: z.string(), username: z.string(), accepted: z.nullable(z.boolean()) };
const attendeeJson = named('Attendee', z.object({ ...attendee, ...mailHeld }));
export const invitationJson = named('Invitation', z.object({ ...attendee, meetupId: z.string(), ...mailHeld }));
const guestJson = named(
  'Guest',
  z.object({
    ...attendee,
    meetupId: z.string(),
    ...mailHeld,
    email: z.optional(z.string()),
    phone: z.optional(z.string()),
  }),
);

/** An RSVP to a party, for the guest who gave it. A guest without an account gets a personal link. */
export const ownInvitationJson = named(
  'OwnInvitation',
  z.object({ ...attendee, meetupId: z.string(), link: z.optional(z.string()) }),
);

/** An RSVP to a party, or a name's personal link. The API uses `meetupId` for both kinds of event. */
export const invitationShape = ({ id, partyId, username, accepted }: Invited): z.output<typeof invitationJson> => ({
  id,
  meetupId: partyId,
  username,
  accepted,
});

/** A guest for the host, with the contact that the host asked for. */
const guestShape = (guest: Invited): z.output<typeof guestJson> => ({
  ...invitationShape(guest),
  ...(guest.email && guest.isEmailGiven && { email: guest.email }),
  ...(guest.phone && { phone: guest.phone }),
});

const attendeeShape = ({ id, username, accepted, withheld }: Invited): z.output<typeof attendeeJson> => ({
  id,
  username,
  accepted,
  ...mailHeldShape(withheld),
});

export const partyJson = named(
  'Party',
  z.object({
    ...when,
    id: z.string(),
    title: z.string(),
    description: textOrNone,
    provider: z.string(),
    providerName: z.string(),
    template: textOrNone,
    invitations: z.array(guestJson),
    formData: z.array(answers),
    address: textOrNone,
    locationUrl: textOrNone,
    attendees: z.array(attendeeJson),
    meetupId: textOrNone,
    going: z.nullable(count),
    /** Only for a party, because a meetup has a link for each name. */
    openTo: z.optional(z.enum(openTo)),
    /** Whether the host asks guests for them; left out if the host has not chosen. */
    askEmail: z.optional(z.enum(askEmail)),
    askPhone: z.optional(z.enum(askEmail)),
  }),
);

const answersOf = ({ answers }: Invited) => answers;
const isAny = ({ length }: unknown[]) => length > 0;

/** A party or meetup. Only its host sees who is invited and what they answered; for others these lists are empty. */
const partyShape = (party: Party, invitations: Invited[], isHost: boolean): z.output<typeof partyJson> => ({
  id: party.id,
  title: party.title,
  description: party.description,
  provider: party.provider,
  providerName: party.providerName,
  date: wireDate(party.date),
  startTime: localTimeOf(party.startsAt, party.timeZone),
  endTime: localTimeOf(party.endsAt, party.timeZone),
  startsAt: machineText(party.startsAt),
  endsAt: machineText(party.endsAt),
  timeZone: party.timeZone,
  template: party.templateId,
  invitations: invitations.map(guestShape),
  formData: invitations.map(answersOf).filter(isAny),
  address: party.address,
  locationUrl: mapLink(party),
  attendees: party.kind === 'meetup' ? invitations.map(attendeeShape) : [],
  meetupId: party.kind === 'meetup' ? party.id : null,
  going: party.hideGoing && !isHost ? null : party.going,
  ...(party.kind === 'party' && { openTo: party.openTo }),
  ...(party.askEmail !== 'optional' && { askEmail: party.askEmail }),
  ...(party.askPhone !== 'no' && { askPhone: party.askPhone }),
});

/** As partyShape, but long lists come in parts. */
export const largePartyShape = (
  { invitations, ...party }: PartyWithGuests,
  isHost: boolean,
): MaybeInParts<z.output<typeof partyJson>> =>
  Array.isArray(invitations)
    ? partyShape(party, invitations, isHost)
    : {
        ...partyShape(party, [], isHost),
        invitations: mapParts(invitations.guests, (some) => some.map(guestShape)),
        formData: mapParts(invitations.answers, (some) => some.filter(isAny)),
        attendees: party.kind === 'meetup' ? mapParts(invitations.guests, (some) => some.map(attendeeShape)) : [],
      };

/** A party or meetup with invitations and answers, for its host. */
export const hostedShape = ({ invitations, ...party }: HostedSummary) => partyShape(party, invitations, true);

/** Parties that somebody hosts or has answered. A long list comes in parts. */
export const partiesShape = (list: HostedSummary[] | Parts<PartyWithGuests>, me: string) => {
  const isHost = ({ providerId }: Party) => providerId === me;
  return isInParts(list)
    ? mapParts(list, (some) => some.map((party) => largePartyShape(party, isHost(party))))
    : list.map(({ invitations, ...party }) => partyShape(party, invitations, isHost(party)));
};
