import type * as z from 'zod/mini';
import type { personJson } from '../../app/routes/api/shapes';
import type { Person } from './factories';

/** A provider's card of somebody, as the API gives it. */
export type Card = z.output<typeof personJson>;

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

type Imported = { rows: { row: number; fate: string; why: string | null }[] };
/** Sends bytes of a table, which a visitor can't. */
export async function importTable(who: Person, file: string | Uint8Array, query = 'preview=false') {
  const path = `/api/People/Import?${query}`;
  const headers = { 'Content-Type': 'text/csv', Cookie: who.browser.cookies.header(path) ?? '' };
  const response = await fetch(new URL(path, who.browser.url), { method: 'POST', headers, body: file as BodyInit });
  const json = (await response.json()) as Imported;
  const { rows = [], ...counts } = json;
  return { status: response.status, json, rows, counts, fates: rows.map(({ fate }) => fate) };
}
