import { type I18n, type Messages, setupI18n } from '@lingui/core';
import { memo } from '../memo';
import { isolated } from './isolated';
import type { Language, Locale } from './languages';

/** The translations that are here: on the server a whole language once somebody reads it, in a browser those of its screens. */
const messagesOf: Partial<Record<Language, Messages>> = { en: {} };

export const hasMessages = (language: Language): boolean => messagesOf[language] !== undefined;

export function addMessages(language: Language, messages: Messages): void {
  messagesOf[language] = Object.assign(messagesOf[language] ?? {}, messages);
}

// Regions that nobody has are cheap to ask for.
const instanceBy = memo<I18n>(100);

/** Words things in this language. It is never activated for another one, because readers share an isolate. */
export const i18nOf = ({ language, tag }: Locale): I18n =>
  instanceBy(tag, () => {
    messagesOf[language] ??= {};
    return isolating(setupI18n({ locale: language, locales: [tag], messages: { [language]: messagesOf[language] } }));
  });

type Values = Record<string, unknown>;
type Described = { id: string; values?: Values };
type Say = (message: string | Described, values?: Values, options?: object) => string;

/** Isolates what stands in the placeholders of each message, so that a name turns no sentence around. */
function isolating(i18n: I18n): I18n {
  const plain = i18n._.bind(i18n) as Say;
  // A loop: a page words hundreds of messages, and to make entries of each one's values took half as long as all else about it.
  const isolate = (values: Values | undefined) => {
    const isolates: Values = {};
    for (const name in values) {
      const value = values[name];
      isolates[name] = typeof value === 'string' ? isolated(value, i18n.locale) : value;
    }
    return isolates;
  };
  const say: Say = (message, values, options) =>
    typeof message === 'string'
      ? plain(message, isolate(values), options)
      : plain({ ...message, values: isolate(message.values) });
  return Object.assign(i18n, { _: say, t: say });
}

/** Words things in a language once its translations are here. */
export type WordsIn = (language: Language) => Promise<I18n>;

/** The tag of the language in which this one words things. */
export const tagOf = ({ locale, locales }: I18n): string => [locales ?? locale].flat()[0] ?? locale;

/** The locale in which this one words things. */
export const localeIn = (i18n: I18n): Locale => ({ language: i18n.locale as Language, tag: tagOf(i18n) });
