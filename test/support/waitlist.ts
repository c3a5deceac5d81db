import type * as z from 'zod/mini';
import type { wishJson } from '../../app/routes/api/wish-shapes';
import { book, dayAhead, type Person, type peopleAt, publish, type Row } from './factories';
import type { Visitor } from './visit';

export type Wish = z.output<typeof wishJson>;

export const keyOf = (link: string | null | undefined) => link?.split('/').at(-1) ?? '';

/** Waits for a time of the provider's. */
export const add = (who: Person, provider: Person, wish: object = {}) =>
  who.api('POST', '/api/Waitlist/Add', { provider: provider.username, ...wish });

/** A stranger who leaves a name and an address waits. */
export const addGuest = (visitor: Visitor, { username }: Person, wish: object = {}) => {
  const guest = { displayName: 'Gus', email: `${username}@mail.test` };
  return visitor.api('POST', '/api/Waitlist/Add', { provider: username, ...guest, ...wish });
};

export const wishesOf = async (who: Person) => (await who.api('GET', '/api/Waitlist/GetMy')).json as Wish[];

/** @throws Error unless they wait for one thing */
export async function only(who: Person): Promise<Wish> {
  const [wish, ...others] = await wishesOf(who);
  if (!wish || others.length > 0) throw new Error(`There is another number of wishes than one: ${others.length + 1}`);
  return wish;
}

const offerCall = (call: string) => (visitor: Visitor, offer: Wish['offer'], body?: unknown) =>
  visitor.api('PUT', `/api/Public/${call}?key=${keyOf(offer?.link)}`, body);
export const takeOffer = offerCall('TakeOffer');
export const passOffer = offerCall('PassOffer');

/** A provider with one time in two days at noon, which somebody has booked. */
export async function fullyBooked(
  { newProvider, newConsumer }: ReturnType<typeof peopleAt>,
  details: object = {},
): Promise<{ host: Person; booked: Row; booker: Person }> {
  const [host, booker] = await Promise.all([newProvider(), newConsumer()]);
  const [slot] = await publish(host, { start: '12:00', end: '12:30', dates: [dayAhead(2)], ...details });
  const response = await book(booker, slot as Row);
  return { host, booker, booked: response.json as Row };
}
