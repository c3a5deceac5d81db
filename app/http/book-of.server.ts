import { type BookPaths, bookPaths } from '../book-paths';
import { actorFor } from '../domain/login/acting.server';
import type { Access, Authorized } from './guards.server';

type InBook<Who extends Access> = Authorized<Who> & { desk: BookPaths };

/**
 * The caller in the book of the colleague whom the address names in `of`; without it in their own.
 * @param isShopToo true if `of` may name their shop
 * @throws DomainError not_found (they may not act for them)
 */
export async function inBookOf<Who extends Access>(
  authorized: Authorized<Who>,
  { searchParams }: URL,
  isShopToo?: boolean,
): Promise<Authorized<Who>> {
  const username = searchParams.get('of');
  if (!username || !authorized.actor) return authorized;
  const { actor, book } = await actorFor(authorized.db, authorized.actor, { username, isShopToo });
  // The shell says it too, and that is made of the request's own context.
  if (book) authorized.book = book;
  return { ...authorized, actor };
}

type Visit = { url: URL };

/** Lets a loader or an action work in the book of a colleague, too. `desk` leads to the pages of the same book. */
export const inBook =
  <Who extends Access, Before extends unknown[], Result, Of extends Visit>(
    work: (authorized: InBook<Who>, ...rest: [...Before, Of]) => Promise<Result>,
    { isShopToo }: { isShopToo?: true } = {},
  ) =>
  async (authorized: Authorized<Who>, ...rest: [...Before, Of]): Promise<Result> => {
    const { url } = rest.at(-1) as Visit;
    const inIt = await inBookOf(authorized, url, isShopToo);
    return work({ ...inIt, desk: bookPaths(authorized.book?.username) }, ...rest);
  };
