import type { I18n } from '@lingui/core';
import type { Shell } from '../../domain/profile/accounts';
import { english } from '../../domain/words/english';
import { i18nOf } from '../../domain/words/i18n';
import { shellOnShow } from './shell';

/** What words the page with this data, for code outside of components such as `meta`. */
export function i18nOfPage(data: unknown): I18n {
  const shell = (data as { shell?: Shell } | null | undefined)?.shell ?? shellOnShow();
  return shell ? i18nOf(shell.locale) : english;
}
