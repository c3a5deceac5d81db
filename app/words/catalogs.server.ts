import type { I18n, Messages } from '@lingui/core';
import { addMessages, hasMessages, i18nOf } from '../domain/words/i18n';
import type { Language, Locale } from '../domain/words/languages';

// Each is read when somebody first asks for its language.
const catalogs: Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>> = {
  de: () => import('./de.po'),
  fr: () => import('./fr.po'),
  pt: () => import('./pt.po'),
  es: () => import('./es.po'),
  ar: () => import('./ar.po'),
};

/** What words things in this language, with all its translations. */
export async function i18nFor(locale: Locale): Promise<I18n> {
  const { language } = locale;
  if (language !== 'en' && !hasMessages(language)) addMessages(language, (await catalogs[language]()).messages);
  return i18nOf(locale);
}

/** The same for somebody of whom only the language is known. */
export const wordsIn = (language: Language): Promise<I18n> => i18nFor({ language, tag: language });
