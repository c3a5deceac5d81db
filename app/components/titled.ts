import type { MetaFunction } from '@remix-run/react';
import type { Shell } from '../domain/profile/accounts';

const isRefused = (data: unknown) => (data as { shell?: Shell } | null | undefined)?.shell?.isRefused === true;

export const refusedTitle = 'Error: ';

// The tab's title is read before all else, so a refused form says so first.
export const tabTitle = (title: string, data: unknown) => `${isRefused(data) ? refusedTitle : ''}${title} · Daybook`;

export const titled =
  (title: string, content?: string): MetaFunction =>
  ({ data }) => [{ title: tabTitle(title, data) }, ...(content ? [{ name: 'description', content }] : [])];
