import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { describe, expect, test } from 'vitest';
import { unreadTranslations } from '../app/components/unread-translations';
import { inEnglish } from '../app/domain/words/english';
import { languageCodes } from '../app/domain/words/languages';
import { idsIn, translationsIn } from '../app/local/macros';
import { messageIdOf } from '../app/local/message-id';
import { root } from '../app/local/root';
import lingui from '../app/words/lingui.config';

/* The texts of each language: whole, and with the placeholders and plural forms that they need. */

const languages = languageCodes.filter((code) => code !== 'en');

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');
const itemsOf = (language: string) => PO.parse(textOf(`app/words/${language}.po`)).items;
type Item = ReturnType<typeof itemsOf>[number];

const idOf = ({ msgid, msgctxt }: Item) => messageIdOf(msgid, msgctxt);
const translationOf = ({ msgstr }: Item) => msgstr[0] ?? '';

/** The placeholders of a message, with what they are (`count:plural`), and its tags. */
function partsOf(message: string): string[] {
  const parts = new Set([...message.matchAll(/<\/?\d+\/?>/g)].map(([tag]) => tag));
  const visit = (tokens: unknown) => {
    for (const token of Array.isArray(tokens) ? tokens : []) {
      if (!Array.isArray(token)) continue;
      const [name, kind, choices] = token as [string, string?, unknown?];
      parts.add(kind ? `${name}:${kind}` : name);
      if (typeof choices === 'object' && choices !== null) for (const choice of Object.values(choices)) visit(choice);
    }
  };
  visit(compileMessage(message));
  return [...parts].sort();
}

/** The forms that a plural of the message lacks in this language. */
function missingForms(message: string, language: string): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  const lacking: string[] = [];
  const visit = (tokens: unknown) => {
    for (const token of Array.isArray(tokens) ? tokens : []) {
      if (!Array.isArray(token)) continue;
      const [, kind, choices] = token as [string, string?, Record<string, unknown>?];
      if (typeof choices !== 'object') continue;
      if (kind === 'plural') lacking.push(...forms.filter((form) => !(form in choices)));
      for (const choice of Object.values(choices)) visit(choice);
    }
  };
  visit(compileMessage(message));
  return lacking;
}

const worker = textOf('build/server/index.js');
const idsOfScripts: Record<string, string[]> = JSON.parse(textOf('build/messages-of-chunks.json'));
/** The ids of all texts that the product can show, as the build has them. */
const shown = new Set([...idsIn(worker), ...Object.values(idsOfScripts).flat()]);

/** A text in the built Worker, as far as it tells which one it is. */
function excerpt(id: string): string {
  const from = worker.indexOf(`id: "${id}"`);
  return worker.slice(from, from + 200).replaceAll(/\s+/g, ' ');
}

test('the build names the texts of the Worker, and of the scripts of browsers', () => {
  expect(shown.size).toBeGreaterThan(2500);
  expect(Object.keys(idsOfScripts).length).toBeGreaterThan(30);
});

describe.each(languages)('in %s', (language) => {
  const items = itemsOf(language);

  test('every text of the product has a translation', () => {
    const translated = new Set(items.filter(translationOf).map(idOf));

    expect([...shown].filter((id) => !translated.has(id)).map(excerpt)).toEqual([]);
  });

  test('no text is one that the product does not show', () => {
    expect(items.filter((item) => !shown.has(idOf(item))).map(({ msgid }) => msgid)).toEqual([]);
  });

  test('the build writes each translation for the Worker to read', () => {
    const written = JSON.parse(readFileSync(join(root, `build/client/words/${language}.json`), 'utf8'));
    const compiled = items.map((item) => [idOf(item), compileMessage(translationOf(item))]);

    expect(written).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(compiled))));
  });

  test('no translation is blank', () => {
    expect(items.length).toBeGreaterThan(2000);
    expect(items.filter((item) => translationOf(item).trim() === '').map(({ msgid }) => msgid)).toEqual([]);
  });

  test('each translation has the placeholders and tags of the English', () => {
    const others = items.filter((item) => partsOf(item.msgid).join() !== partsOf(translationOf(item)).join());

    expect(others.map(({ msgid }) => msgid)).toEqual([]);
  });

  test('each plural has the forms that the language needs', () => {
    const lacking = items.filter((item) => missingForms(translationOf(item), language).length > 0);

    expect(lacking.map(({ msgid }) => msgid)).toEqual([]);
  });
});

test('the build leaves out a text that nobody has translated yet, so that it is shown in English', () => {
  const po = 'msgid "Morning"\nmsgstr ""\n\nmsgid "Evening"\nmsgstr "Abend"\n';

  expect(translationsIn(po)).toEqual({ [messageIdOf('Evening')]: ['Abend'] });
});

test('the languages whose files say that no native speaker has read them are those of which we tell people so', () => {
  const heads = languages.filter((code) =>
    /^#.*\bNot yet read by a native speaker\./m.test(textOf(`app/words/${code}.po`)),
  );
  const said = inEnglish(unreadTranslations);
  const names = new Intl.DisplayNames('en', { type: 'language' });

  expect(heads.length).toBeGreaterThan(0);
  expect(languages.filter((code) => said.includes(names.of(code) as string))).toEqual(heads);
});

test('French has no word before a name that it would lose a letter to', () => {
  const names = 'name|host|other|client|person|who|replacer|sender|title|service|place|reason|provider\\w*|\\w+Name';
  const elided = new RegExp(`\\b(de|que) (<\\d+>)*\\{(${names})\\}`, 'i');

  expect(
    itemsOf('fr')
      .map(translationOf)
      .filter((text) => elided.test(text)),
  ).toEqual([]);
});

test('each language stands in the two places that docs/translating.md names, and has its file', () => {
  const files = readdirSync(join(root, 'app/words')).filter((name) => name.endsWith('.po') && name !== 'en.po');

  expect(lingui.locales).toEqual(languageCodes);
  expect(files.sort()).toEqual(languages.map((code) => `${code}.po`).sort());
});

test('all languages have the same texts', () => {
  const [first, ...others] = languages.map((language) => itemsOf(language).map(idOf).sort());

  for (const other of others) expect(other).toEqual(first);
});
