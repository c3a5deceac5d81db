import { type SQL, sql } from 'drizzle-orm';

type Given = { kind: SQL; phone: SQL; address: SQL };

/** SQL: a booking has the number or the address that it needs there. @see lackedAt */
export const hasWhatItNeeds = ({ kind, phone, address }: Given) =>
  sql`((${kind} IS NOT 'phone' OR ${phone} IS NOT NULL) AND ${hasAddressNeeded({ kind, address })})`;

/** SQL: the same where a provider books for somebody, and knows how to call them. */
export const hasAddressNeeded = ({ kind, address }: Omit<Given, 'phone'>) =>
  sql`(${kind} IS NOT 'theirs' OR ${address} IS NOT NULL)`;
