import { visitor } from '../../support/visit';
import type { OpenForm } from '../against';

/* Daybook, as a stranger with scripts off books there: the page of a provider who asks for nothing but a name. */

/** A form that is sent in under three seconds is taken for a machine's. */
export const readsFor = 3_500;

export async function open(page: string, time?: string): Promise<OpenForm> {
  const browser = visitor(new URL(page).origin);
  const shown = await browser.visit(page);
  const hrefOf = (links: string, of = shown) => of.$(links)?.getAttribute('href');
  const service = hrefOf('.offers a');
  const first = time ?? hrefOf('.slots a', service === undefined ? shown : await browser.visit(service));
  if (first === undefined) throw new Error(`${page} shows no free time.`);
  const form = await browser.visit(first);
  if (!form.$('main form [name=displayName]')) throw new Error(`${first} shows no form.`);
  return {
    time: first,
    async send(name) {
      const { status, path, words } = await form.submit('main form', { displayName: name });
      if (status === 200 && path.startsWith('/booking/')) return 'booked';
      return words.includes('has just been booked by someone else')
        ? 'gone'
        : { unclear: `${status} ${words.slice(0, 200)}` };
    },
  };
}
