import { customType, integer, text } from 'drizzle-orm/sqlite-core';

/** An opaque identifier of 128 random bits, 22 characters of base64url: safe to use as a key in a link. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** An instant, as integer milliseconds since 1970 UTC. */
export const instant = (name: string) => integer(name);

/** A list kept as JSON text in one column. */
export const jsonList = <Item>(name: string) =>
  customType<{ data: Item[]; driverData: string }>({
    dataType: () => 'text',
    toDriver: (list) => JSON.stringify(list),
    fromDriver: (stored) => JSON.parse(stored),
  })(name);

/** Yes or no, as 1 or 0. */
export const yesNo = (name: string) => integer(name, { mode: 'boolean' });

export const id = () => text('id').primaryKey();
