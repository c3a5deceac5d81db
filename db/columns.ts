import { customType, integer, text } from 'drizzle-orm/sqlite-core';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const length = 22;

/* nanoid draws random numbers for each id anew in a Worker, which takes two to three times as long. */

// Draw for many ids at once: a draw takes longer than all the rest.
const drawn = new Uint8Array(length * 100);
let used = drawn.length;

/** An opaque identifier of 132 random bits, 22 characters of base64url: safe to use as a key in a link. */
export function newId(): string {
  if (used === drawn.length) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  let id = '';
  for (const end = used + length; used < end; used++) id += alphabet[(drawn[used] as number) % alphabet.length];
  return id;
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

/** The primary key `id`, an opaque text. */
export const id = () => text('id').primaryKey();
