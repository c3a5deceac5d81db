import { type Person, publication, type Row } from './factories';
import type { ApiResponse, Sent } from './visit';

/* Calls of /api/Appointment, and what their rows say. They assert nothing. */

export const ask = (who: Person, call: string, query: Record<string, string> = {}) =>
  who.api('GET', `/api/Appointment/${call}?${new URLSearchParams(query)}`);

export const create = (who: Person, details: object = {}, query = '', sent?: Sent) =>
  who.api('POST', `/api/Appointment/CreateAppointment?${query}`, publication(details), sent);

export const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);
export const startsOf = (rows: Row[]) => rows.map(({ startTime }) => startTime);
export const hasMore = ({ headers }: ApiResponse) => headers.get('x-has-more');
