import * as z from 'zod/mini';
import { openTo } from '../../domain/accounts/rules';
import { type Appointment, attendances } from '../../domain/appointments/appointments';
import { status } from '../../domain/appointments/status';
import type { Hours } from '../../domain/hours/hours';
import { bookingPath, type Links } from '../../domain/links.server';
import type { HostedMaybeInParts } from '../../domain/parties/large.server';
import { type Invited, mapLink, type Party } from '../../domain/parties/parties';
import type { HostedInShort } from '../../domain/parties/parties.server';
import { isInParts, type MaybeInParts, mapParts, type Parts } from '../../domain/parts';
import { questionType, type Template } from '../../domain/templates/questions';
import { localTimeOf, machineText, wireDate } from '../../domain/time/clock';
import { answers, count, dateJson, named, textOrNone, time, when } from './shape-parts';

/* Appointments, hours, templates, parties and meetups. */

export const appointmentJson = named(
  'Appointment',
  z.object({
    ...when,
    id: z.string(),
    provider: z.string(),
    providerName: z.string(),
    status: z.literal(Object.values(status)).check(z.meta({ description: '0 open, 1 booked, 2 canceled.' })),
    notes: textOrNone,
    username: textOrNone,
    bookerName: textOrNone,
    template: textOrNone,
    formData: answers,
    link: textOrNone.check(z.meta({ description: 'The path of the personal link, for whoever booked.' })),
    bookerEmail: textOrNone.check(z.meta({ description: "A guest's address, for the provider." })),
    privateNote: textOrNone.check(z.meta({ description: "The provider's own note, for nobody else." })),
    cancelReason: textOrNone,
    canceledBy: z.nullable(z.enum(['provider', 'consumer'])),
    movedFrom: textOrNone.check(z.meta({ description: 'The appointment that was moved here.' })),
    attendance: z
      .nullable(z.enum(attendances))
      .check(z.meta({ description: 'Whether the booker came, for the provider.' })),
  }),
);

/** Makes the shape of an appointment. The date is MM-DD-YYYY; date and times are in the slot's zone, instants in UTC. */
export const appointmentShape =
  (links: Links) =>
  (row: Appointment): z.output<typeof appointmentJson> => ({
    id: row.id,
    provider: row.provider,
    providerName: row.providerName,
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
    link: row.linkSeed && bookingPath(links, row.linkSeed),
    bookerEmail: row.bookerEmail,
    privateNote: row.privateNote,
    cancelReason: row.cancelReason,
    canceledBy: row.canceledBy,
    movedFrom: row.movedFrom,
    attendance: row.attendance,
  });

const dayRange = { start: time, end: time };
export const hoursJson = named(
  'Hours',
  z.object({
    hours: z.array(z.object({ day: count, ...dayRange })),
    except: z.array(z.object({ date: dateJson, to: z.nullable(dateJson), hours: z.array(z.object(dayRange)) })),
    len: count,
    gap: count,
    ahead: count,
    notes: textOrNone,
    templateId: textOrNone,
  }),
);

/** A provider's hours. */
export const hoursShape = ({
  hours,
  except,
  len,
  gap,
  ahead,
  notes,
  templateId,
}: Hours): z.output<typeof hoursJson> => ({
  hours: hours.map(({ day, start, end }) => ({ day, start, end })),
  except: except.map(({ date, to, hours }) => ({ date: wireDate(date), to: to ? wireDate(to) : null, hours })),
  len,
  gap,
  ahead,
  notes,
  templateId,
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
const attendeeJson = named('Attendee', z.object(attendee));
export const invitationJson = named('Invitation', z.object({ ...attendee, meetupId: z.string() }));

/** What whoever answers a party gets: a guest's has a personal link. */
export const ownInvitationJson = named(
  'OwnInvitation',
  z.object({ ...attendee, meetupId: z.string(), link: z.optional(z.string()) }),
);

/** An RSVP to a party, or a name's personal link. The API calls the id of either event `meetupId`. */
export const invitationShape = ({ id, partyId, username, accepted }: Invited): z.output<typeof invitationJson> => ({
  id,
  meetupId: partyId,
  username,
  accepted,
});

const attendeeShape = ({ id, username, accepted }: Invited): z.output<typeof attendeeJson> => ({
  id,
  username,
  accepted,
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
    invitations: z.array(invitationJson),
    formData: z.array(answers),
    address: textOrNone,
    locationUrl: textOrNone,
    attendees: z.array(attendeeJson),
    meetupId: textOrNone,
    going: z.nullable(count),
    /** Of a party: who may answer. A meetup has a link for each name. */
    openTo: z.optional(z.enum(openTo)),
  }),
);

const answersOf = ({ answers }: Invited) => answers;
const isAny = ({ length }: unknown[]) => length > 0;

/** A party or meetup. Only its host sees who is invited and what they answered; for others those lists are empty. */
export const partyShape = (party: Party, invitations: Invited[], isHost: boolean): z.output<typeof partyJson> => ({
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
  invitations: invitations.map(invitationShape),
  formData: invitations.map(answersOf).filter(isAny),
  address: party.address,
  locationUrl: mapLink(party),
  attendees: party.kind === 'meetup' ? invitations.map(attendeeShape) : [],
  meetupId: party.kind === 'meetup' ? party.id : null,
  going: party.hideGoing && !isHost ? null : party.going,
  ...(party.kind === 'party' && { openTo: party.openTo }),
});

/** The same, its lists in parts where they are many. */
export const largePartyShape = (
  { invitations, ...party }: HostedMaybeInParts,
  isHost: boolean,
): MaybeInParts<z.output<typeof partyJson>> =>
  Array.isArray(invitations)
    ? partyShape(party, invitations, isHost)
    : {
        ...partyShape(party, [], isHost),
        invitations: mapParts(invitations.guests, (some) => some.map(invitationShape)),
        formData: mapParts(invitations.answers, (some) => some.filter(isAny)),
        attendees: party.kind === 'meetup' ? mapParts(invitations.guests, (some) => some.map(attendeeShape)) : [],
      };

/** A party or meetup for its host: with invitations and answers. */
export const hostedShape = ({ invitations, ...party }: HostedInShort) => partyShape(party, invitations, true);

/** Parties that somebody hosts or has answered, in parts where they are many. */
export const partiesShape = (list: HostedInShort[] | Parts<HostedMaybeInParts>, me: string) => {
  const isHost = ({ providerId }: Party) => providerId === me;
  return isInParts(list)
    ? mapParts(list, (some) => some.map((party) => largePartyShape(party, isHost(party))))
    : list.map(({ invitations, ...party }) => partyShape(party, invitations, isHost(party)));
};
