import { type I18n, setupI18n } from '@lingui/core';
import { worded } from './worded';
import type { Words } from './words';

export const english: I18n = setupI18n({ locale: 'en', locales: ['en'], messages: { en: {} } });

/** What the API, logs and files for programs say. */
export const inEnglish = (words: Words): string => worded(english, words);
