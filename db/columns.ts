import { customType, integer, text } from 'drizzle-orm/sqlite-core';

export const idAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const length = 22;

/** Makes an opaque id of 132 random bits: 22 characters of base64url, safe as a key in a link. */
export function newId(): string {
  let id = '';
  for (const byte of crypto.getRandomValues(new Uint8Array(length))) id += idAlphabet[byte % idAlphabet.length];
  return id;
}

/** Integer milliseconds since 1970 UTC. */
export const instant = (name: string) => integer(name);

export const jsonList = <Item>(name: string) =>
  customType<{ data: Item[]; driverData: string }>({
    dataType: () => 'text',
    toDriver: (list) => JSON.stringify(list),
    fromDriver: (stored) => JSON.parse(stored),
  })(name);

/** The words for a name that was deleted with its account. */
export const former = { person: 'Former guest', party: 'Former party', template: 'Former template' };

/** A name that is empty once it was deleted with its account. It is then read as `former`. */
export const named = (name: string, former: string) =>
  customType<{ data: string; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (stored) => stored || former,
  })(name);

export const yesNo = (name: string) => integer(name, { mode: 'boolean' });

export const id = () => text('id').primaryKey();
