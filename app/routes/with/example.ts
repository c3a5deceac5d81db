import { redirect } from '@remix-run/cloudflare';
import { listProviders } from '../../domain/slots/providers.server';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

/** Shows a stranger a living booking page: the first, by name, that has a free time. */
export const loader = pageLoader('anyone', async ({ db, now }) => {
  const { rows } = await listProviders(db, { page: 0 }, now);
  const example = rows.find(({ nextAt }) => nextAt !== null);
  throw redirect(example ? paths.provider(example.username) : paths.home(), 303);
});
