import * as z from 'zod/mini';
import { cancellation } from '../../domain/bookings/appointments';
import { notFound } from '../../domain/not-found';
import {
  addAttendees,
  getInvitation,
  removeAttendee,
  replaceLink,
  rsvpByLink,
  setAttendeeEmail,
} from '../../domain/parties/attendees.server';
import { createMeetup, deleteParty, editParty } from '../../domain/parties/hosting.server';
import { findParty, listGuests, listHostedWithInvitations } from '../../domain/parties/parties.server';
import {
  attendeeEmail,
  contact,
  meetupChange,
  meetupInput,
  meetupRsvp,
  nameList,
  noContact,
  partyId,
  wrongDate,
} from '../../domain/parties/party-input';
import { isOwnedBy } from '../../domain/profile/accounts';
import { call, callHandlers } from '../../http/api.server';
import { languageOfReader } from '../../http/login.server';
import {
  hostedShape,
  invitationJson,
  invitationShape,
  largePartyShape,
  mailHeldShape,
  partiesShape,
  partyJson,
} from './shapes';

export const loader = callHandlers('meetup', {
  GetParty: call({
    method: 'GET',
    who: 'anyone',
    says: 'A party or meetup by its id.',
    isPath: true,
    query: partyId,
    response: partyJson,
    refuses: ['not_found'],
    async run({ db, actor, viewer, now }, { query: { id } }) {
      const [found, invitations, reader] = await Promise.all([
        findParty(db, null, id),
        actor ? listGuests(db, actor, id, now) : [],
        viewer(),
      ]);
      if (!found) throw notFound('party');
      return largePartyShape({ ...found.party, invitations }, isOwnedBy(reader, found.party));
    },
  }),

  GetAttendee: call({
    method: 'GET',
    who: 'anyone',
    says: 'An invitation to a meetup, by the id in its link.',
    isPath: true,
    query: partyId,
    response: invitationJson,
    refuses: ['not_found'],
    run: async ({ db }, { query }) => invitationShape(await getInvitation(db, query.id)),
  }),

  ChangeRsvp: call({
    method: 'PUT',
    who: 'anyone',
    says: 'Answers an invitation to a meetup; the id in the link is the key.',
    query: meetupRsvp,
    body: contact,
    isBodyOptional: true,
    response: invitationJson,
    refuses: ['not_found', 'conflict'],
    async run(context, { query: { id, meetupid, accepted }, body }) {
      const lang = languageOfReader(context);
      const rsvp = { id, meetupId: meetupid, accepted, lang, contact: body ?? noContact };
      return invitationShape(await rsvpByLink(context.db, rsvp, context.now));
    },
  }),

  GetMyMeetups: call({
    method: 'GET',
    who: 'Provider',
    says: 'The meetups you host.',
    response: z.array(partyJson),
    run: async ({ db, actor }) => partiesShape(await listHostedWithInvitations(db, actor, 'meetup'), actor.accountId),
  }),

  CreateMeetup: call({
    method: 'POST',
    who: 'Provider',
    says: 'Creates a meetup with a personal link for every name.',
    body: meetupInput,
    alsoWrong: ({ actor, now }, body) => wrongDate(actor, body, now),
    isLarge: true,
    response: partyJson,
    status: 201,
    run: async ({ db, actor, now }, { body, key }) => hostedShape(await createMeetup(db, actor, body, { now, key })),
  }),

  EditMeetup: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes what is given of a meetup of yours; null clears.',
    isPath: true,
    query: partyId,
    body: meetupChange,
    response: partyJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query: { id }, body }) =>
      hostedShape(await editParty(db, actor, 'meetup', { id, change: body }, now)),
  }),

  DeleteMeetup: call({
    method: 'DELETE',
    who: 'Provider',
    says: 'Deletes a meetup of yours; its links say that it was called off, and why.',
    query: partyId,
    body: cancellation,
    isBodyOptional: true,
    refuses: ['not_found'],
    status: 204,
    run: ({ db, actor, now }, { query: { id }, body, key }) =>
      deleteParty(db, actor, 'meetup', { id, reason: body?.reason ?? null }, { now, key }),
  }),

  AddAttendees: call({
    method: 'POST',
    who: 'Provider',
    says: 'Gives more names a personal link, all or none.',
    query: partyId,
    body: nameList,
    isLarge: true,
    response: partyJson,
    refuses: ['not_found', 'conflict'],
    status: 201,
    run: async ({ db, actor, now }, { query: { id }, body, key }) =>
      hostedShape(await addAttendees(db, actor, { id, invitees: body }, { now, key })),
  }),

  RemoveAttendee: call({
    method: 'DELETE',
    who: 'Provider',
    says: 'Takes a name off the list; its link is dead.',
    query: partyId,
    refuses: ['not_found'],
    status: 204,
    async run({ db, actor, now }, { query, key }) {
      await removeAttendee(db, actor, query.id, { now, key });
    },
  }),

  ReplaceLink: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Gives a name a new link and keeps the answer; the old link is dead.',
    query: partyId,
    response: invitationJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query, key }) =>
      invitationShape(await replaceLink(db, actor, query.id, { now, key })),
  }),

  SetAttendeeEmail: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Sends the invitation of a name to this address from now on; null: nowhere.',
    query: partyId,
    body: attendeeEmail,
    response: invitationJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query: { id }, body: { email } }) =>
      setAttendeeEmail(db, actor, { id, email }, now).then((name) => ({
        ...invitationShape(name),
        ...mailHeldShape(name.withheld),
      })),
  }),
});
export const action = loader;
