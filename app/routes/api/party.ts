import * as z from 'zod/mini';
import { cancellation } from '../../domain/bookings/appointments';
import { rsvpPath } from '../../domain/links.server';
import { createParty, deleteParty, editParty } from '../../domain/parties/hosting.server';
import { listHostedOrRsvped, listHostedWithInvitations } from '../../domain/parties/parties.server';
import {
  noContact,
  partyChange,
  partyId,
  partyInput,
  partyRsvp,
  rsvpBody,
  wrongDates,
} from '../../domain/parties/party-input';
import { rsvpToParty, wrongGuests } from '../../domain/parties/rsvps.server';
import { call, callHandlers } from '../../http/api.server';
import { hostedShape, invitationShape, ownInvitationJson, partiesShape, partyJson } from './shapes';

export const loader = callHandlers('Party', {
  CreateParty: call({
    method: 'POST',
    who: 'Provider',
    says: 'Creates a party with a link to share.',
    body: partyInput,
    alsoWrong: ({ actor, now }, body) => wrongDates(actor, body, now),
    response: partyJson,
    refuses: ['not_found'],
    status: 201,
    run: async ({ db, actor, now }, { body, key }) => hostedShape(await createParty(db, actor, body, { now, key })),
  }),

  EditParty: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes what is given of a party of yours; null clears.',
    isPath: true,
    query: partyId,
    body: partyChange,
    response: partyJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query: { id }, body }) =>
      hostedShape(await editParty(db, actor, 'party', { id, change: body }, now)),
  }),

  DeleteParty: call({
    method: 'DELETE',
    who: 'Provider',
    says: 'Deletes a party of yours with its answers; its guests are told, with the reason.',
    query: partyId,
    body: cancellation,
    isBodyOptional: true,
    refuses: ['not_found'],
    status: 204,
    run: ({ db, actor, now }, { query: { id }, body, key }) =>
      deleteParty(db, actor, 'party', { id, reason: body?.reason ?? null }, { now, key }),
  }),

  BookRsvp: call({
    method: 'PUT',
    who: 'member',
    says: 'Answers a party, with the answers to its questions, and an e-mail address and phone number where it asks for them.',
    query: partyRsvp,
    body: rsvpBody,
    isBodyOptional: true,
    isLarge: true,
    response: ownInvitationJson,
    refuses: ['forbidden', 'not_found', 'conflict'],
    async run({ db, actor, now, links }, { query, body }) {
      if (Number.isNaN(query.guests)) throw await wrongGuests(db, query.id);
      const own = await rsvpToParty(
        db,
        actor,
        { ...query, contact: body ?? noContact },
        () => body?.formData ?? [],
        now,
        links.make(),
      );
      return { ...invitationShape(own), ...(actor.isGuest && { link: rsvpPath(links, own.id) }) };
    },
  }),

  GetMy: call({
    method: 'GET',
    who: 'Provider',
    says: 'The parties you host.',
    response: z.array(partyJson),
    run: async ({ db, actor }) => partiesShape(await listHostedWithInvitations(db, actor, 'party'), actor.accountId),
  }),

  GetAll: call({
    method: 'GET',
    who: 'member',
    says: 'The parties you host or have answered.',
    response: z.array(partyJson),
    run: async ({ db, actor }) => partiesShape(await listHostedOrRsvped(db, actor), actor.accountId),
  }),
});
export const action = loader;
