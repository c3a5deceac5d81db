import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import PO from 'pofile';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyProduct } from '../../support/copy';
import { endGroup, runOn } from '../../support/nodes';
import { addressOf, type Running } from '../../support/process';
import { useSharedProcesses } from '../../support/use-processes';
import { visitor } from '../../support/visit';

/* A language that nobody here speaks yet, added to a copy of the product by the steps of docs/translating.md. */

const { within } = useSharedProcesses();
const inCopy = (path: string) => within(`copy/${path}`);

const runInCopy = (...words: [string, ...string[]]): Running =>
  runOn(
    dirname(process.execPath),
    inCopy(''),
    { QUICK: 'on', PORT: '0', DATA_DIR: within('data'), SEED: 'off' },
    ...words,
  );

/** Runs a command to its end. @returns what it printed @throws Error with that if it fails */
async function ran(...words: [string, ...string[]]): Promise<string> {
  const { code, stdout, stderr } = await runInCopy(...words).ended;
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

async function replace(path: string, text: string, by: string): Promise<void> {
  const before = await readFile(inCopy(path), 'utf8');
  if (before.split(text).length !== 2) throw new Error(`${path} has not one ${text}.`);
  await writeFile(inCopy(path), before.replace(text, by));
}

const mark = 'שלום';

/** Lends Hebrew the texts of Arabic, which have all its forms of a plural, each behind a word of its own. */
async function translate(): Promise<void> {
  const read = async (language: string) => PO.parse(await readFile(inCopy(`app/words/${language}.po`), 'utf8'));
  const keyOf = ({ msgid, msgctxt }: { msgid: string; msgctxt?: string }) => `${msgctxt}: ${msgid}`;
  const [arabic, hebrew] = [await read('ar'), await read('he')];
  const textOf = new Map(arabic.items.map((item) => [keyOf(item), item.msgstr[0]]));
  for (const item of hebrew.items) item.msgstr = [`${mark} ${textOf.get(keyOf(item))}`];
  await writeFile(inCopy('app/words/he.po'), hebrew.toString());
}

let served: Running | undefined;
let address = '';
beforeAll(async () => {
  await copyProduct(inCopy(''), 'test', 'vitest.config.ts');
  await replace('app/domain/words/languages.ts', "ar: 'العربية',", "ar: 'العربية', he: 'עברית',");
  await replace('app/words/lingui.config.ts', "'ar']", "'ar', 'he']");
  await ran('npm', 'run', 'words');
  await replace('app/domain/words/languages.ts', "language === 'ar'", "['ar', 'he'].includes(language)");
  await translate();
  served = runInCopy('npm', 'start');
  address = await addressOf(served);
}, 600_000);
afterAll(async () => {
  if (served) endGroup(served, 'SIGTERM');
  await served?.ended;
});

test('a page is in the new language for whoever asks for it', async () => {
  const page = await visitor(address).get('/login', { 'accept-language': 'he-IL' });

  expect(page.headers.get('content-language')).toBe('he-IL');
  expect(page.text).toContain('<html lang="he-IL" dir="rtl">');
  expect(page.$$('h1').map(({ text }) => text)).toEqual([expect.stringContaining(mark)]);
});

test('each page leads to the new language by its own name', async () => {
  const page = await visitor(address).get('/login');

  expect(page.$$('nav a[lang=he]').map(({ text }) => text)).toEqual(['עברית']);
});

test('the new language is held to the rules of the others', { timeout: 120_000 }, async () => {
  const report = await ran('npx', 'vitest', 'run', '--project=house', '--reporter=json', 'test/words.test.ts');

  expect(report).toContain('in he each plural has the forms that the language needs');
});
