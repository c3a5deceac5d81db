import { partiesOf, partyDraft } from './party-factories';
import type { Sent, Visitor } from './visit';

/* The host's calls of /api/Party. They assert nothing. */

type Caller = Pick<Visitor, 'api'>;
type Thing = { id: string };

export const create = (who: Caller, details: object = {}, sent?: Sent) =>
  who.api('POST', '/api/Party/CreateParty', partyDraft(details), sent);
export const edit = (who: Caller, { id }: Thing, change: unknown) =>
  who.api('PUT', `/api/Party/EditParty/${id}`, change);
export const remove = (who: Caller, { id }: Thing, body?: { reason?: unknown }) =>
  who.api('DELETE', `/api/Party/DeleteParty?id=${id}`, body);
export const hosted = async (who: Caller) => partiesOf(await who.api('GET', '/api/Party/GetMy'));
export const all = async (who: Caller) => partiesOf(await who.api('GET', '/api/Party/GetAll'));
