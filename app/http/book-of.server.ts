import { actorFor } from '../domain/login/acting.server';
import type { Access, Authorized } from './guards.server';

/** The caller as the one whose book the address names in `of`. @throws DomainError not_found (they may not act for them) */
export async function inBookOf<Who extends Access>(
  authorized: Authorized<Who>,
  { searchParams }: URL,
): Promise<Authorized<Who>> {
  const { db, actor } = authorized;
  const of = searchParams.get('of');
  return of && actor ? { ...authorized, actor: await actorFor(db, actor, of) } : authorized;
}
