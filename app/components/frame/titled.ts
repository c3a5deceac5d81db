import type { MetaFunction } from '@remix-run/react';
import type { Shell } from '../../domain/profile/accounts';

const isRefused = (data: unknown) => (data as { shell?: Shell } | null | undefined)?.shell?.isRefused === true;

export const refusedTitle = 'Error: ';

// A screen reader reads the tab's title first, so the title of a refused form begins with that.
export const tabTitle = (title: string, data: unknown) => `${isRefused(data) ? refusedTitle : ''}${title} · Daybook`;

export const titled =
  (title: string, content?: string): MetaFunction =>
  ({ data }) => [{ title: tabTitle(title, data) }, ...(content ? [{ name: 'description', content }] : [])];
