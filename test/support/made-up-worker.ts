import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import PO from 'pofile';
import { root } from '../../app/local/root';
import { madeUp } from './made-up';

/** The language in whose place the made-up one stands. */
export const place = 'fr';

type Catalog = Record<string, unknown>;

const itemsOf = (language: string) => PO.parse(readFileSync(join(root, `app/words/${language}.po`), 'utf8')).items;
type Item = ReturnType<typeof itemsOf>[number];

const idOf = ({ msgid, msgctxt }: Item) => generateMessageId(msgid, msgctxt);

/** The built Worker, which speaks the made-up language in place of another one. No other build is made for that. */
export function madeUpWorker(): string {
  const items = itemsOf(place);
  const [first] = items;
  if (!first) throw new Error(`There are no texts in ${place}.`);
  const [firstId, firstText] = [idOf(first), JSON.stringify(compileMessage(first.msgstr[0] ?? ''))];
  const madeUpTexts = items.map((item) => [idOf(item), madeUp(compileMessage(item.msgid))]);
  const catalog = JSON.stringify(JSON.stringify(Object.fromEntries(madeUpTexts)));
  let replaced = 0;
  const worker = readFileSync(join(root, 'dist/worker.js'), 'utf8').replaceAll(
    /JSON\.parse\(('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")\)/g,
    (call, literal: string) => {
      if (!/^.\{"[\w+/]{6}":/.test(literal)) return call;
      const texts = JSON.parse(runInNewContext(literal) as string) as Catalog;
      if (JSON.stringify(texts[firstId]) !== firstText) return call;
      replaced += 1;
      return `JSON.parse(${catalog})`;
    },
  );
  if (replaced !== 1) throw new Error(`The Worker has ${replaced} catalogues of ${place}, not one.`);
  return worker;
}
