import { meetupDraft, type Party, partiesOf } from './party-factories';
import type { Sent, Visitor } from './visit';

/* Calls of /api/meetup. They assert nothing. */

type Caller = Pick<Visitor, 'api'>;
type Thing = { id: string };

export const create = (who: Caller, details: object = {}, sent?: Sent) =>
  who.api('POST', '/api/meetup/CreateMeetup', meetupDraft(details), sent);
export const edit = (who: Caller, { id }: Thing, change: unknown) =>
  who.api('PUT', `/api/meetup/EditMeetup/${id}`, change);
export const remove = (who: Caller, { id }: Thing, body?: { reason: string }) =>
  who.api('DELETE', `/api/meetup/DeleteMeetup?id=${id}`, body);
export const addNames = (who: Caller, { id }: Thing, names: unknown, sent?: Sent) =>
  who.api('POST', `/api/meetup/AddAttendees?id=${id}`, names, sent);
export const removeName = (who: Caller, { id }: Thing) => who.api('DELETE', `/api/meetup/RemoveAttendee?id=${id}`);
export const replaceLink = (who: Caller, { id }: Thing) => who.api('PUT', `/api/meetup/ReplaceLink?id=${id}`);
export const attendee = (who: Caller, { id }: Thing) => who.api('GET', `/api/meetup/GetAttendee/${id}`);
export const hosted = async (who: Caller) => partiesOf(await who.api('GET', '/api/meetup/GetMyMeetups'));

/** The answer about a missing invitation. */
export const unfound = { status: 404, json: "Sorry, we couldn't find your invitation." };

export const namesIn = ({ attendees }: Party) => attendees.map(({ username }) => username).sort();
/** So many different names. */
export const crowd = (many: number) => Array.from({ length: many }, (_, index) => `Guest ${index + 1}`);
