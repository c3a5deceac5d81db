import { redirect } from '@remix-run/cloudflare';
import { type LinkedThing, moveLinkedToAccount } from '../domain/people/join.server';
import * as paths from '../paths';
import type { Context } from './context';

/** Moves what a letter shows to the reader's account. Others go to the login, which leads back to the letter. */
export async function moveToReader(
  { db, actor, now }: Pick<Context, 'db' | 'actor' | 'now'>,
  thing: LinkedThing,
  letter: string,
) {
  if (!actor || actor.isGuest) throw redirect(paths.login({ to: letter }), 303);
  await moveLinkedToAccount(db, actor, thing, now);
}
