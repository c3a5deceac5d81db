import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/* Each name in a document is the name of something that is there. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const textOf = (path: string) => readFileSync(path, 'utf8');
const documents = tracked.filter((path) => path.endsWith('.md'));
const code = tracked
  .filter((path) => !/\.(md|png|webp|ico|woff2)$/.test(path) && path !== 'test/documents.test.ts')
  .map(textOf);

/** A piece of a document, and where it stands. */
interface Piece {
  text: string;
  line: number;
}

/** The lines of a document that are words, and not an example. */
function proseOf(document: string): Piece[] {
  let isExample = false;
  return textOf(document)
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ text }) => {
      const isFence = text.trimStart().startsWith('```');
      if (isFence) isExample = !isExample;
      return !isFence && !isExample;
    });
}

const found = (lines: Piece[], pattern: RegExp) =>
  lines.flatMap(({ text, line }) => [...text.matchAll(pattern)].map(([, piece = '']) => ({ text: piece, line })));
const namesIn = (document: string) => found(proseOf(document), /`([^`]+)`/g);

/** Those that fail, as `docs/model.md:12 name`. */
const astray = (document: string, pieces: Piece[], exists: (text: string) => boolean) =>
  pieces.filter(({ text }) => !exists(text)).map(({ text, line }) => `${document}:${line} ${text}`);

describe('paths', () => {
  const topLevel = new Set(tracked.map((path) => path.split('/')[0]));
  /** What commands make, as .gitignore lists it. */
  const made = textOf('.gitignore')
    .split('\n')
    .filter((line) => line.endsWith('/'));

  /** What the data folder of a server has, and whoever runs it names. */
  const ofItsFolder = new Set(['secrets.json', 'before.sql']);

  /** `app/routes/<noun>/` and `app/domain/*.ts` are each path of that shape. */
  const shapeOf = (path: string) =>
    new RegExp(
      `^${path
        .replaceAll('.', '\\.')
        .replaceAll(/<\w+>/g, '[^/]+')
        .replaceAll('*', '[^/]*')}${path.endsWith('/') ? '' : '(/|$)'}`,
    );
  const isThere = (path: string) => {
    const shape = shapeOf(path);
    return tracked.some((file) => shape.test(file));
  };

  const isPath = (name: string) =>
    /^[\w./<>*-]+$/.test(name) &&
    !/^(\/|DATA_DIR\/)/.test(name) &&
    !ofItsFolder.has(name) &&
    (/\w\.(tsx?|mjs|sql|md|css|json|toml)$|\w\/$/.test(name) ||
      (name.includes('/') && topLevel.has(name.split('/')[0] ?? '')));

  // A file may be named from its document's own folder, one of tests from test/.
  const existsFor = (document: string) => (name: string) =>
    made.some((folder) => `${name}/`.startsWith(folder)) ||
    ['', dirname(document), 'test'].some((folder) => isThere(normalize(join(folder, name))));

  test.each(documents)('%s names only those that there are', (document) => {
    const named = namesIn(document).filter(({ text }) => isPath(text));

    expect(astray(document, named, existsFor(document))).toEqual([]);
  });
});

describe('rules in double brackets', () => {
  const shared = textOf('app/domain/shared-rules.server.ts');

  test.each(documents)('%s names only those that triggers share', (document) => {
    const named = found(proseOf(document), /\[\[(\w+)\(/g);

    expect(astray(document, named, (name) => new RegExp(`^  ${name}[:,]`, 'm').test(shared))).toEqual([]);
  });
});

describe('words of the code', () => {
  const known = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []));
  for (const path of tracked) for (const word of path.match(/\w+/g) ?? []) known.add(word);
  /** Names of other programs, as whoever runs the product types or reads them. */
  const ofOthers = new Set(
    'VACUUM backups cat enable journalctl jurisdiction omit opt Proto secure_delete systemctl systemd tail'.split(' '),
  );
  /** Names of another framework, which the product would have after a move. */
  const ofReactRouter = new Set('HydratedRouter ServerRouter buildEnd reactRouter vitePlugin'.split(' '));

  const isKnown = (name: string) =>
    (name.match(/\b[a-z_]\w{2,}/gi) ?? []).every(
      (word) => known.has(word) || ofOthers.has(word) || ofReactRouter.has(word),
    );

  test.each(documents)('%s names only those that there are', (document) => {
    expect(astray(document, namesIn(document), isKnown)).toEqual([]);
  });

  test('are listed as those of others where a document has them', () => {
    const named = new Set(
      documents.flatMap((document) => namesIn(document).flatMap(({ text }) => text.match(/\w+/g) ?? [])),
    );

    expect([...ofOthers, ...ofReactRouter].filter((word) => !named.has(word))).toEqual([]);
  });
});

describe('commands', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const projects = [...textOf('vitest.config.ts').matchAll(/name: '(\w+)'/g)].map(([, name = '']) => name);
  const linesOf = (document: string) =>
    textOf(document)
      .split('\n')
      .map((text, index) => ({ text, line: index + 1 }));

  test.each(documents)('%s names only those that there are', (document) => {
    const commands = found(linesOf(document), /\bnpm run ([\w:]+)/g);
    const ofTests = found(linesOf(document), /--project (\w+)/g);

    expect(astray(document, commands, (name) => name in scripts)).toEqual([]);
    expect(astray(document, ofTests, (name) => projects.includes(name))).toEqual([]);
  });
});

describe('addresses', () => {
  const routes = [...textOf('app/routes.ts').matchAll(/route\('([^']+)'/g)].map(([, path = '']) => path);
  const first = (address: string) => /^\/([\w.-]*)/.exec(address)?.[1] ?? '';
  const ofRoutes = new Set(routes.map((path) => first(`/${path}`)));
  /** Folders of a machine, and those of the built files. */
  const folders = /^\/(etc|opt|var|assets)\//;

  const product = tracked.filter((path) => path.startsWith('app/')).map(textOf);

  const isServed = (address: string) =>
    folders.test(`${address}/`) ||
    ofRoutes.has(first(address)) ||
    product.some((text) => ["'/", '`/', '"/'].some((start) => text.includes(`${start}${first(address)}`)));

  test.each(documents)('%s names only those that are answered', (document) => {
    const named = namesIn(document).filter(({ text }) => /^\/[\w-]/.test(text));

    expect(astray(document, named, isServed)).toEqual([]);
  });
});

describe('tests', () => {
  /** The tests that a line names, as `test/file.test.ts` “name”, “another name”. */
  const testsIn = (lines: Piece[]) =>
    lines.flatMap(({ text, line }) =>
      [...text.matchAll(/`(test\/[\w/.-]+)`((?:,? “[^”]+”)+)/g)].flatMap(([, file = '', names = '']) =>
        [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => ({ file, name, line })),
      ),
    );
  /** A test may say of which case it is after the name. */
  const isThere = (file: string, name: string) =>
    existsSync(file) &&
    [`'${name.replaceAll("'", "\\'")}`, `"${name}`, `\`${name}`].some((start) => textOf(file).includes(start));

  test.each(documents)('%s names only those that there are', (document) => {
    const wrong = testsIn(proseOf(document)).filter(({ file, name }) => !isThere(file, name));

    expect(wrong.map(({ file, name, line }) => `${document}:${line} ${file} “${name}”`)).toEqual([]);
  });

  test('are named where security is shown', () => {
    expect(documents.flatMap((document) => testsIn(proseOf(document))).length).toBeGreaterThan(80);
  });
});

describe('links', () => {
  const slugOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-');
  const slugsIn = (document: string) =>
    proseOf(document)
      .map(({ text }) => /^#+ (.*)$/.exec(text)?.[1])
      .filter((heading) => heading !== undefined)
      .map(slugOf);

  const leadsSomewhere = (document: string) => (target: string) => {
    const [path = '', part] = target.split('#');
    const file = path === '' ? document : normalize(join(dirname(document), path));
    return existsSync(file) && (part === undefined || slugsIn(file).includes(part));
  };

  test.each(documents)('%s has only those that lead somewhere', (document) => {
    const links = found(proseOf(document), /\]\((?!https?:)([^)\s]+)\)/g);

    expect(astray(document, links, leadsSomewhere(document))).toEqual([]);
  });
});
