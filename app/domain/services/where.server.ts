import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

type Given = { kind: SQL; phone: SQL; address: SQL };

/** SQL: a booking has the number or the address that it needs there. @see lackedAt */
export const hasWhatItNeeds = ({ kind, phone, address }: Given) =>
  sql`((${kind} IS NOT 'phone' OR ${phone} IS NOT NULL) AND ${hasAddressNeeded({ kind, address })})`;

/** SQL: the same where a provider books for somebody: only the address is needed. */
export const hasAddressNeeded = ({ kind, address }: Omit<Given, 'phone'>) =>
  sql`(${kind} IS NOT 'theirs' OR ${address} IS NOT NULL)`;

/** SQL: the number is given if its provider asks for one. @see lackedAt */
export const hasPhoneAskedFor = ({ askPhone, phone }: { askPhone: SQL; phone: SQL }) =>
  sql`(${askPhone} <> 'required' OR ${phone} IS NOT NULL)`;

/** SQL: the number that a booking keeps: one that its provider asks for, or calls the client at. */
export const keptPhone = ({ kind, askPhone, phone }: Pick<Given, 'kind' | 'phone'> & { askPhone: SQL }) =>
  sql`iif(${askPhone} = 'no' AND ${kind} IS NOT 'phone', NULL, ${phone})`;

/** SQL: the place that a booking has of its own: the client's address, or the provider's link. */
export const placeOf = ({ kind, address, link }: Omit<Given, 'phone'> & { link: SQL }) =>
  sql`iif(${kind} = 'theirs', ${address}, iif(${kind} = 'video', ${link}, NULL))`;

/** SQL: the client's address where a provider came to them the last time; NULL if never. */
export const lastAddressOf = (provider: SQLWrapper, booker: SQLWrapper) =>
  sql`(SELECT last.place FROM bookings AS last WHERE last.provider_id = ${provider} AND last.booker_id = ${booker}
    AND last.place_kind = 'theirs' ORDER BY last.starts_at DESC LIMIT 1)`;
