import type { Profile } from '../../domain/accounts';
import type { Appointment } from '../../domain/appointments';
import { localTimeOf, machineText, wireDate } from '../../domain/clock';
import { type Invited, mapLink, type Party } from '../../domain/parties';
import type { ProviderRow } from '../../domain/providers.server';
import type { Template } from '../../domain/questions';

/* What each noun looks like to a caller of the API, field by field. */

export const profileShape = ({ displayName, username, role, location, description, timeZone }: Profile) => ({
  displayName,
  username,
  role,
  location,
  description,
  timeZone,
});

export const providerShape = ({ username, displayName, location, description }: ProviderRow) => ({
  username,
  displayName,
  location,
  description,
});

export const appointmentShape = (row: Appointment) => ({
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
});

/** A template and its questions, as `CreateTemplate`, `Get` and each entry of `GetTemplates` have them. */
export const templateShape = ({ id, displayName, provider, questions }: Template) => ({
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

export const invitationShape = ({ id, partyId, username, accepted }: Invited) => ({
  id,
  meetupId: partyId,
  username,
  accepted,
});

const attendeeShape = ({ id, username, accepted }: Invited) => ({ id, username, accepted });

/** A party or meetup. Who is invited and what they answered is the host's to see; for others the lists are empty. */
export const partyShape = (party: Party, invitations: Invited[], isHost: boolean) => ({
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
  formData: invitations.filter(({ answers }) => answers.length > 0).map(({ answers }) => answers),
  address: party.address,
  locationUrl: mapLink(party),
  attendees: party.kind === 'meetup' ? invitations.map(attendeeShape) : [],
  meetupId: party.kind === 'meetup' ? party.id : null,
  going: party.hideGoing && !isHost ? null : party.going,
});

export const hostedShape = ({ invitations, ...party }: Party & { invitations: Invited[] }) =>
  partyShape(party, invitations, true);
