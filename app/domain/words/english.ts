import type { I18n } from '@lingui/core';
import { i18nOf } from './i18n';
import { worded } from './worded';
import type { Words } from './words';

export const english: I18n = i18nOf({ language: 'en', tag: 'en' });

/** What the API, logs and files for programs say. */
export const inEnglish = (words: Words): string => worded(english, words);
