import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PluginObj, transformAsync, types } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { makeConfig } from '@lingui/conf';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import type { Plugin } from 'vite';
import { languageCodes } from '../domain/words/languages';
import { idLength } from '../domain/words/packed-messages';
import { catalogPath } from '../words/catalogs.server';
import { messageIdOf } from './message-id';
import { root } from './root';

const linguiConfig = makeConfig(
  {
    locales: ['en'],
    sourceLocale: 'en',
    runtimeConfigModule: { Trans: [join(root, 'app/components/Trans.tsx'), 'Trans'] },
  },
  { skipValidation: true },
);

const isNamed = (node: types.Node, name: string): boolean =>
  types.isObjectProperty(node) && !node.computed && types.isIdentifier(node.key, { name });

/** The tokens of a message in ICU, as JSON, which knows no `undefined`. */
const tokensOf = (message: string): unknown => JSON.parse(JSON.stringify(compileMessageOrThrow(message)));

/** Reads the English of a message at build time, so that neither the Worker nor a browser needs a parser of ICU, and cuts its id. */
const compiled: PluginObj = {
  visitor: {
    ObjectExpression({ node: { properties } }) {
      const [id, message] = ['id', 'message'].map((name) => properties.find((property) => isNamed(property, name)));
      if (!types.isObjectProperty(id) || !types.isObjectProperty(message)) return;
      if (types.isStringLiteral(id.value)) id.value = types.stringLiteral(id.value.value.slice(0, idLength));
      if (types.isStringLiteral(message.value)) message.value = types.valueToNode(tokensOf(message.value.value));
    },
  },
};

const shownId = new RegExp(`\\bid: "([\\w+/]{${idLength}})",\\s+message: \\[`, 'g');

/** The ids of the messages in a script. Once types are removed, a message is `id: "…"` before its `message`. */
export const idsIn = (script: string): string[] => [...script.matchAll(shownId)].map(([, id]) => id as string);

const chunksFile = join(root, 'build/messages-of-chunks.json');
export const chunksModule = 'virtual:messages-of-chunks';

/**
 * Lists which messages stand in which of the scripts that a browser loads, so that a page brings along the translations of its
 * own. The server's build reads the list as `virtual:messages-of-chunks`.
 */
export function messagesOfChunks(): Plugin {
  const idsOf = new Map<string, string[]>();
  return {
    name: 'messages-of-chunks',
    resolveId: (id) => (id === chunksModule ? `\0${chunksModule}` : null),
    load: (id) => (id === `\0${chunksModule}` ? `export default ${readFileSync(chunksFile, 'utf8')};` : null),
    transform(code, id) {
      const ids = idsIn(code);
      if (ids.length > 0) idsOf.set(id, ids);
      return null;
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (this.environment.name !== 'client') return;
        const lists = Object.values(bundle).flatMap((chunk) => {
          if (chunk.type !== 'chunk') return [];
          const ids = new Set(Object.keys(chunk.modules).flatMap((module) => idsOf.get(module) ?? []));
          // In the order of the code, in which what is alike stands together, and packs better.
          return ids.size > 0 ? [[`/${chunk.fileName}`, [...ids]]] : [];
        });
        mkdirSync(join(root, 'build'), { recursive: true });
        writeFileSync(chunksFile, JSON.stringify(Object.fromEntries(lists)));
      },
    },
  };
}

/** What a program for translators wrote; a message that nobody has translated yet is left out, and shown in English. */
export function translationsIn(po: string): Record<string, unknown> {
  const { items } = PO.parse(po);
  const translated = items.filter(({ msgstr }) => msgstr[0]);
  const translations: Record<string, unknown> = {};
  for (const { msgid, msgctxt, msgstr } of translated) {
    const id = messageIdOf(msgid, msgctxt);
    if (id in translations) throw new Error(`“${msgid}” has the id of another text: raise idLength.`);
    translations[id] = tokensOf(msgstr[0] as string);
  }
  return translations;
}

/** Writes the translations of each language into a file beside the scripts, where the Worker finds it. */
export const catalogFiles = (): Plugin => ({
  name: 'catalog-files',
  generateBundle() {
    if (this.environment.name !== 'client') return;
    for (const language of languageCodes.filter((code) => code !== 'en')) {
      const source = JSON.stringify(translationsIn(readFileSync(join(root, `app/words/${language}.po`), 'utf8')));
      this.emitFile({ type: 'asset', fileName: catalogPath(language).slice(1), source });
    }
  },
});

/** Turns what `@lingui/core/macro` and `@lingui/react/macro` mark into messages with an id. */
export const messageMacros = (): Plugin => ({
  name: 'message-macros',
  enforce: 'pre',
  async transform(code, id) {
    const [filename = ''] = id.split('?');
    if (!/\.tsx?$/.test(filename) || filename.includes('/node_modules/') || !code.includes('@lingui/')) return null;
    if (!/@lingui\/(core|react)\/macro/.test(code)) return null;
    const result = await transformAsync(code, {
      filename,
      sourceMaps: true,
      configFile: false,
      babelrc: false,
      parserOpts: { plugins: ['typescript', 'jsx'] },
      plugins: [[macros, { linguiConfig, stripMessageField: false }], compiled],
    });
    return result?.code ? { code: result.code, map: result.map } : null;
  },
});
