import idsOfChunks from 'virtual:messages-of-chunks';
import manifest from 'virtual:remix/server-manifest';
import type { I18n } from '@lingui/core';
import { packMessages } from '../domain/words/packed-messages';

type Scripts = { module: string; imports?: string[] };

const idsOfScripts = (scripts: Scripts[]) =>
  scripts.flatMap(({ module, imports = [] }) => [module, ...imports]).flatMap((script) => idsOfChunks[script] ?? []);

const routesBy = (ids: string[]): Scripts[] => ids.flatMap((id) => manifest.routes[id] ?? []);

/** The messages that a loader or an action describes. @param data its JSON */
const idsIn = (data: string) => [...data.matchAll(/"id":"([\w+/]+)"/g)].map(([, id]) => id as string);

const packed = ({ messages }: I18n, ids: string[]): string =>
  packMessages(
    Object.fromEntries(
      [...new Set(ids)].flatMap((id) => {
        const text = Object.hasOwn(messages, id) && messages[id];
        return text ? [[id, text]] : [];
      }),
    ),
  );

/** The translations of what a page with these routes says, packed; null in English, which it has itself. */
export const messagesOfPage = (i18n: I18n, routeIds: string[], data: () => string): string | null =>
  i18n.locale === 'en'
    ? null
    : packed(i18n, [...idsOfScripts([manifest.entry, ...routesBy(routeIds)]), ...idsIn(data())]);

/** The same for a screen to which a page's script goes on. */
export const messagesOfScreen = (i18n: I18n, routeId: string, data: string): string | null =>
  i18n.locale === 'en' ? null : packed(i18n, [...idsOfScripts(routesBy([routeId])), ...idsIn(data)]);
