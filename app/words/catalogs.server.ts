import type { I18n, Messages } from '@lingui/core';
import { addMessages, hasMessages, i18nOf, type WordsIn } from '../domain/words/i18n';
import type { Language, Locale } from '../domain/words/languages';

/** Reads files that were deployed with the Worker: the binding `ASSETS`. */
export type Files = { fetch: (address: string) => Promise<{ status: number; json: () => Promise<unknown> }> };

/** Where the build writes the translations of a language. */
export const catalogPath = (language: Language): string => `/words/${language}.json`;

async function readCatalog(language: Language, files: Files): Promise<Messages> {
  // The binding looks at the path alone.
  const response = await files.fetch(`https://files.invalid${catalogPath(language)}`);
  if (response.status !== 200) throw new Error(`The translations into '${language}' were answered ${response.status}.`);
  return (await response.json()) as Messages;
}

/**
 * What words things in this language, with all its translations. They are read when somebody first asks for their language: in
 * the Worker, five languages would be a third of it.
 */
export async function i18nFor(locale: Locale, files: Files): Promise<I18n> {
  const { language } = locale;
  if (language !== 'en' && !hasMessages(language)) addMessages(language, await readCatalog(language, files));
  return i18nOf(locale);
}

/** The same for people of whom only the language is known. */
export const wordsBy =
  (files: Files): WordsIn =>
  (language) =>
    i18nFor({ language, tag: language }, files);
