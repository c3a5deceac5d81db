import { useMatches } from '@remix-run/react';
import { createContext, useEffect } from 'react';
import type { Shell } from '../../domain/profile/accounts';
import { addMessages } from '../../domain/words/i18n';
import { unpackMessages } from '../../domain/words/packed-messages';

/** The translations that the scripts of this page need, packed; null in English and on pages without script. */
export const MessagesOfPage = createContext<string | null>(null);

export const messagesName = 'messages';

/** In a browser: what the page brought along. */
export const broughtMessages = (): string | null =>
  document.querySelector<HTMLMetaElement>(`meta[name=${messagesName}]`)?.content ?? null;

/**
 * Takes the translations that a screen's data bring along, before anything of it is shown. A screen in another language, which a
 * form or another window has chosen, is a new document.
 */
export function useMessagesOfScreen(shell: Shell | undefined): void {
  const data = useMatches().at(-1)?.data as { messages?: string } | null | undefined;
  if (shell && data?.messages) addMessages(shell.locale.language, unpackMessages(data.messages));
  const tag = shell?.locale.tag;
  useEffect(() => {
    if (tag !== undefined && document.documentElement.lang !== tag) location.reload();
  }, [tag]);
}
