import { type Person, publication, type Row, rowsOf } from './factories';
import type { ApiResponse, Sent } from './visit';

/* Calls of /api/Appointment, and what their rows say. They assert nothing. */

type Caller = Pick<Person, 'api'>;
type Thing = { id: string };

export const ask = (who: Caller, call: string, query: Record<string, string> = {}) =>
  who.api('GET', `/api/Appointment/${call}?${new URLSearchParams(query)}`);
/** What somebody has booked, or has been booked of theirs, and has not ended. */
export const agenda = async (who: Caller) => rowsOf(await ask(who, 'GetBooked'));
/** What a reader is offered of a provider, a page of it. */
export const openSlotsOf = async (reader: Caller, { username }: Person, query: Record<string, string> = {}) =>
  rowsOf(await ask(reader, 'GetPage', { provider: username, ...query }));

export const create = (who: Person, details: object = {}, query = '', sent?: Sent) =>
  who.api('POST', `/api/Appointment/CreateAppointment?${query}`, publication(details), sent);
/** Books for somebody who has no account, or no time to do it. */
export const bookFor = (provider: Caller, { id }: Thing, body: object, sent?: Sent) =>
  provider.api('POST', `/api/Appointment/BookFor?id=${id}`, body, sent);
export const mark = (provider: Caller, { id }: Thing, as: string) =>
  provider.api('PUT', `/api/Appointment/Mark?id=${id}&as=${as}`);

export const idsOf = (rows: Thing[]) => rows.map(({ id }) => id);
export const startsOf = (rows: Row[]) => rows.map(({ startTime }) => startTime);
export const hasMore = ({ headers }: ApiResponse) => headers.get('x-has-more');
