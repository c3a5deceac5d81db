import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { messageIdOf } from '../../app/local/message-id';
import { root } from '../../app/local/root';
import { catalogPath } from '../../app/words/catalogs.server';
import { madeUp } from './made-up';

/** The language in whose place the made-up one stands. */
export const place = 'fr';

/** The text of a module before the built Worker, which then reads the made-up language in place of another one. */
export function madeUpWorker(): string {
  const { items } = PO.parse(readFileSync(join(root, `app/words/${place}.po`), 'utf8'));
  const texts = items.map(({ msgid, msgctxt }) => [messageIdOf(msgid, msgctxt), madeUp(compileMessage(msgid))]);
  return `import worker from './worker.js';
    export * from './worker.js';
    const texts = ${JSON.stringify(Object.fromEntries(texts))};
    const filesWith = (files) => ({
      fetch: async (address) =>
        new URL(address).pathname === '${catalogPath(place)}' ? Response.json(texts) : files.fetch(address),
    });
    export default {
      ...worker,
      fetch: (request, env, context) => worker.fetch(request, { ...env, ASSETS: filesWith(env.ASSETS) }, context),
    };`;
}
