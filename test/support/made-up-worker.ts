import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import PO from 'pofile';
import { root } from '../../app/local/root';
import { madeUp } from './made-up';

/** The languages in whose places the made-up one stands, once for each direction. */
export const places = { ltr: 'de', rtl: 'ar' } as const;

type Catalog = Record<string, unknown>;

const itemsOf = (language: string) => PO.parse(readFileSync(join(root, `app/words/${language}.po`), 'utf8')).items;
const idOf = ({ msgid, msgctxt }: PO.Item) => generateMessageId(msgid, msgctxt);

/** A text that no other language has, from the catalogue of this one. */
function markOf(language: string): [id: string, compiled: string] {
  const item = itemsOf(language).find(({ msgid }) => msgid === 'Log in');
  if (!item) throw new Error(`No text tells ${language} from the other languages.`);
  return [idOf(item), JSON.stringify(compileMessage(item.msgstr[0] ?? ''))];
}

/** The built Worker, which speaks the made-up language in place of these two. No other build is made for that. */
export function madeUpWorker(): string {
  const marks = Object.values(places).map(markOf);
  const english = itemsOf(places.ltr).map((item) => [idOf(item), madeUp(compileMessage(item.msgid))]);
  const catalog = JSON.stringify(JSON.stringify(Object.fromEntries(english)));
  let found = 0;
  const worker = readFileSync(join(root, 'dist/worker.js'), 'utf8').replaceAll(
    /JSON\.parse\(('(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*")\)/g,
    (call, literal: string) => {
      if (!/^.\{"[\w+/]{6}":/.test(literal)) return call;
      const read = JSON.parse(runInNewContext(literal) as string) as Catalog;
      if (!marks.some(([id, text]) => JSON.stringify(read[id]) === text)) return call;
      found += 1;
      return `JSON.parse(${catalog})`;
    },
  );
  if (found !== 2) throw new Error(`The Worker has ${found} of the catalogues that the made-up language replaces.`);
  return worker;
}
