import { msg } from '@lingui/core/macro';
import type { MetaFunction } from '@remix-run/react';
import type { Shell } from '../../domain/profile/accounts';
import { worded } from '../../domain/words/worded';
import type { Words } from '../../domain/words/words';
import { i18nOfPage } from './page-language';

const isRefused = (data: unknown) => (data as { shell?: Shell } | null | undefined)?.shell?.isRefused === true;

/** Begins the title of a refused form's page, with a blank after it. */
export const refusedTitle = msg`Error:`;

// A screen reader reads the tab's title first, so the title of a refused form begins with that.
export function tabTitle(title: Words, data: unknown): string {
  const i18n = i18nOfPage(data);
  return `${isRefused(data) ? `${worded(i18n, refusedTitle)} ` : ''}${worded(i18n, title)} · Daybook`;
}

export const titled =
  (title: Words, description?: Words): MetaFunction =>
  ({ data }) => [
    { title: tabTitle(title, data) },
    ...(description ? [{ name: 'description', content: worded(i18nOfPage(data), description) }] : []),
  ];

/** For letters. Nothing tells a search engine or a preview of the link what it opens. */
export const letterTitled =
  (title: Words, description: Words): MetaFunction =>
  ({ data }) => [
    { title: tabTitle(title, data) },
    { name: 'description', content: worded(i18nOfPage(data), description) },
    { name: 'robots', content: 'noindex, nofollow' },
  ];
