import type { Person } from './factories';

/** A provider's card of somebody, as the API gives it. */
export type Card = {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  note: string | null;
  booked: number;
  came: number;
  missed: number;
  next: string | null;
  last: string | null;
};

/** The cards that a search finds, by name. */
export const cardsOf = async (provider: Person, q = '') =>
  (await provider.api('GET', `/api/People/GetPage?q=${encodeURIComponent(q)}`)).json as Card[];

export const cardOf = async (provider: Person, name: string) => (await cardsOf(provider, name))[0] as Card;

export const createCard = async (provider: Person, card: object) =>
  (await provider.api('POST', '/api/People/Create', card)).json as Card;

export const editCard = (provider: Person, { id }: { id: string }, change: object) =>
  provider.api('PUT', `/api/People/Edit?id=${id}`, change);

export const mergeCards = (provider: Person, from: { id: string }, into: { id: string }) =>
  provider.api('PUT', `/api/People/Merge?id=${from.id}&into=${into.id}`);
