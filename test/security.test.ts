import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMostUsed } from '../app/domain/login/weak-passwords';
import { requirements } from './support/asvs';
import { asked, fileOf, fitting } from './support/most-used';

/* What the sources promise to keep attackers out, and that SECURITY.md says of it what is so. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const textOf = (path: string) => readFileSync(path, 'utf8');
/** What runs in the Worker or the browser. */
const sources = tracked.filter((path) => /^(app|db)\/.*\.tsx?$/.test(path) && !/^(app\/local|db\/seed)/.test(path));
const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(textOf(path)));

describe('the code', () => {
  const making = /new RegExp\(|\beval\(|new Function\(|dangerouslySetInnerHTML|innerHTML|document\.write/;
  // The mailbox of the worker is the local server's; prefetch.ts runs in the browser, and asks us.
  const mail = ['app/mail/json-api.ts', 'app/mail/outbox.ts'];
  const asking = [...mail, 'app/routes/booking/prefetch.ts', 'app/serve/calendars.server.ts', 'app/serve/outside.ts'];
  test.each<[title: string, pattern: RegExp, files: string[]]>([
    ['makes no expression, no code and no HTML of a text', making, []],
    ['sends each statement from one place, with its values beside it', /\.prepare\(/, ['db/client.ts']],
    ['asks nobody but the mail service and calendars for anything', /\bfetch\(/, [...asking, 'app/worker.ts']],
    [
      'opens a connection for mail alone',
      /from 'node:(net|tls|http|https|dgram)'|cloudflare:sockets/,
      ['app/mail/smtp.ts'],
    ],
    // Of a pause, and of which object hashes.
    ["draws what nobody may guess from the system's random numbers", /Math\.random/, ['app/worker.ts', 'db/client.ts']],
    ['believes no header of a proxy', /X-Forwarded|X-Real-IP|'Forwarded'|True-Client-IP/i, []],
    ['reads the address of a client in one place', /CF-Connecting-IP/, ['app/http/client.server.ts']],
    ['deploys no account: only the local server has the demo', /db\/seed|\.\/seed/, []],
  ])('%s', (_, pattern, files) => {
    expect(filesWith(pattern)).toEqual(files);
  });

  test.each([
    ['db/client.ts', '.bind(...fillPlaceholders(ready.params, values))'],
    ['db/columns.ts', 'crypto.getRandomValues'],
    ['app/mail/json-api.ts', "redirect: 'manual'"],
    ['app/serve/outside.ts', "redirect: 'manual'"],
  ])('in %s has %s', (file, text) => {
    expect(textOf(file)).toContain(text);
  });

  test('hashes by SHA-256 and scrypt alone', () => {
    const ours = sources.filter((path) => !path.endsWith('login/codes.server.ts'));
    const named = ours.flatMap((path) => [
      ...textOf(path).matchAll(/(?:create(?:Hash|Hmac)|subtle\.(?!digest)\w+|digest)\('([^']+)'/g),
    ]);
    expect(named.length).toBeGreaterThan(3);
    const algorithms = named.map(([, name = '']) => name).filter((name) => !/^(hex|base64|base64url)$/.test(name));
    expect([...new Set(algorithms)]).toEqual(['sha256']);
    // The codes of apps are SHA-1 by their standard, and good for half a minute; a list of passwords has any letters.
    const others = filesWith(/pbkdf2|md5|sha-?1\b|createCipher\b/i);
    expect(others.filter((path) => !/login\/(codes\.server|(most|also)-used-passwords)\.ts$/.test(path))).toEqual([]);
  });

  test('encrypts by AES-256 in GCM alone', () => {
    expect(filesWith(/create(De)?cipheriv/i)).toEqual(['app/domain/seals.server.ts']);
    const named = [...textOf('app/domain/seals.server.ts').matchAll(/create(?:De)?[Cc]ipheriv\('([^']+)'/g)];
    expect(named.map(([, name]) => name)).toEqual(['aes-256-gcm', 'aes-256-gcm']);
  });

  test('names no download after what somebody typed', () => {
    const named = sources.flatMap((path) =>
      [...textOf(path).matchAll(/filename="([^"]*)"|csvFile\(([^,:]+),/g)].map(([, file, csv]) => file ?? csv ?? ''),
    );
    // What stands for another name is a name of a table of calls, or of a list.
    const fixed = named.filter((name) => !/^\$\{((one|definition)\.filename\}|name\}\.csv)$/.test(name));
    expect(fixed.sort()).toEqual(["'attendees'", "'bookings'", "'guests'", 'daybook.ics', 'daybook.json']);
  });
});

describe('the most used passwords', () => {
  test('are the first 3,000 of a kept list that satisfy the rules', async () => {
    expect([asked, fitting.length >= asked]).toEqual([3_000, true]);
    await expect(fileOf(fitting.slice(0, asked))).toMatchFileSnapshot('../app/domain/login/most-used-passwords.ts');
  });

  test('are refused with a capital letter anywhere, and no less used one with them', () => {
    const spelt = fitting.map((word) => word.replace(/[a-z](?!.*[a-z])/, (letter) => letter.toUpperCase()));
    expect(spelt.slice(0, asked).filter((word) => !isMostUsed(word))).toEqual([]);
    expect(spelt.slice(asked).filter((word) => !isMostUsed(word)).length).toBeGreaterThan(2_000);
  });
});

describe('what is deployed', () => {
  test('is built files alone', () => {
    expect(/^directory = "(.*)"/m.exec(textOf('wrangler.toml'))?.[1]).toBe('build/client');
    const served = readdirSync('build/client', { recursive: true, encoding: 'utf8' });
    expect(served.length).toBeGreaterThan(20);
    expect(served.filter((path) => /(^|\/)\.|\.(map|tsx?|sql|toml|md|env)$/.test(path))).toEqual([]);
  });

  test('is made of packages that are known by their hash', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { integrity?: string; inBundle?: boolean }>;
    };
    const loose = Object.entries(packages).filter(
      ([path, { integrity = '', inBundle }]) => path !== '' && !inBundle && !integrity.startsWith('sha512-'),
    );
    expect(loose).toEqual([]);
  });

  test('leaves the unmended parts of the framework out', () => {
    const settings = textOf('vite.config.ts');
    expect(settings).toContain('v3_singleFetch: false,');
    expect(settings).toContain('v3_lazyRouteDiscovery: false,');
    expect(sources.filter((path) => /turbo-stream|RSC|createMemorySession|unstable_/.test(textOf(path)))).toEqual([]);
    const { overrides } = JSON.parse(textOf('package.json')) as { overrides: Record<string, string> };
    expect([overrides['@remix-run/router'], overrides['react-router']]).toEqual(['1.23.4', '6.30.6']);
    const { version } = JSON.parse(textOf('node_modules/@remix-run/server-runtime/package.json')) as {
      version: string;
    };
    expect(version).toBe('2.17.5');
  });
});

describe('SECURITY.md', () => {
  const document = textOf('SECURITY.md');
  /** The rows of the table: which requirements, what they ask, how they stand, and what shows it. */
  const rows = [
    ...document.matchAll(/^\| (\d+\.[\d., *–]+) \| ([^|]+) \| (met|open|not applicable) \| ([^|]*) \|$/gm),
  ].map(([, of = '', asks = '', state = '', why = '']) => ({ of, asks, state, why: why.trim() }));
  const isRow = /^\| \d+\./gm;

  /** The requirements that a cell names: one, several, from one to another, or all of a chapter or section. */
  const named = (cell: string) =>
    cell.split(', ').flatMap((part) => {
      if (part.endsWith('*')) return requirements.filter((id) => id.startsWith(part.slice(0, -1)));
      const [from = '', to = from] = part.split('–');
      return requirements.slice(requirements.indexOf(from), requirements.indexOf(to) + 1);
    });

  test('names each requirement of levels 1 and 2 once', () => {
    expect(rows.length).toBe(document.match(isRow)?.length);
    expect(rows.flatMap(({ of }) => named(of)).sort()).toEqual([...requirements].sort());
  });

  /** The tests that a text names, as `file` “name”, and the parts of documents, as [words](FILE.md#part). */
  const testsIn = (text: string) => [...text.matchAll(/`(test\/[\w/.-]+)` “([^”]+)”/g)];
  const partsIn = (text: string) => [...text.matchAll(/\]\(([\w/.-]+\.md)#([\w-]+)\)/g)];

  test('shows by a test, or by a text, what is met, and gives the reason where it is not', () => {
    const isBare = ({ state, why }: (typeof rows)[number]) =>
      state === 'met' ? testsIn(why).length + partsIn(why).length === 0 : why.length < 3;
    expect(rows.filter(isBare)).toEqual([]);
  });

  test('names tests and parts of documents that there are', () => {
    expect([testsIn(document).length > 80, partsIn(document).length > 10]).toEqual([true, true]);
    const isThere = (file: string, name: string) => existsSync(file) && textOf(file).includes(name);
    expect(testsIn(document).filter(([, file = '', name = '']) => !isThere(file, name))).toEqual([]);
    const slugOf = (heading: string) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .trim()
        .replaceAll(' ', '-');
    const slugsIn = (file: string) =>
      [...textOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => slugOf(heading));
    const isPart = (file: string, part: string) => existsSync(file) && slugsIn(file).includes(part);
    expect(partsIn(document).filter(([, file = '', part = '']) => !isPart(file, part))).toEqual([]);
  });
});
