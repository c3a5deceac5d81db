import { msg } from '@lingui/core/macro';
import type { MetaFunction } from '@remix-run/react';
import type { Shell } from '../../domain/profile/accounts';
import { worded } from '../../domain/words/worded';
import type { Words } from '../../domain/words/words';
import { i18nOfPage } from './page-language';

const isRefused = (data: unknown) => (data as { shell?: Shell } | null | undefined)?.shell?.isRefused === true;

/** Begins the title of a refused form's page, with a blank after it. */
export const refusedTitle = msg`Error:`;

/** The tab's title where a refused form is not shown again. */
export const plainTitle = (title: Words, data: unknown): string => `${worded(i18nOfPage(data), title)} · Daybook`;

// A screen reader reads the tab's title first, so the title of a refused form begins with that.
export const tabTitle = (title: Words, data: unknown): string =>
  `${isRefused(data) ? `${worded(i18nOfPage(data), refusedTitle)} ` : ''}${plainTitle(title, data)}`;

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
