import type { Sender } from '../domain/people/texts.server';
import type { Context } from './context';

/** Who writes the texts that a page begins. It reads nothing of its own, so it may be awaited beside the page's reads. */
export async function senderOf(
  { i18n, links, viewer, wordsIn }: Pick<Context, 'i18n' | 'links' | 'viewer' | 'wordsIn'>,
  { origin }: URL,
): Promise<Sender> {
  const reader = await viewer();
  return { name: reader?.displayName ?? '', username: reader?.username ?? null, origin, i18n, links, wordsIn };
}
