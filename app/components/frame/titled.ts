import type { MetaFunction } from '@remix-run/react';
import type { Shell } from '../../domain/profile/accounts';

const isRefused = (data: unknown) => (data as { shell?: Shell } | null | undefined)?.shell?.isRefused === true;

export const refusedTitle = 'Error: ';

// A screen reader reads the tab's title first, so the title of a refused form begins with that.
export const tabTitle = (title: string, data: unknown) => `${isRefused(data) ? refusedTitle : ''}${title} · Daybook`;

export const titled =
  (title: string, content?: string): MetaFunction =>
  ({ data }) => [{ title: tabTitle(title, data) }, ...(content ? [{ name: 'description', content }] : [])];

/** For letters. Nothing tells a search engine or a preview of the link what it opens. */
export const letterTitled =
  (title: string, content: string): MetaFunction =>
  ({ data }) => [
    { title: tabTitle(title, data) },
    { name: 'description', content },
    { name: 'robots', content: 'noindex, nofollow' },
  ];
