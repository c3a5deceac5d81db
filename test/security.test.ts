import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMostUsed } from '../app/domain/login/weak-passwords';
import { requirements } from './support/asvs';
import { fileOf, fitting } from './support/most-used';

/* What the sources promise to keep attackers out, and that docs/asvs.md answers each requirement of OWASP. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(path));
const textOf = (path: string) => readFileSync(path, 'utf8');
/** What runs in the Worker or the browser. */
const sources = tracked.filter((path) => /^(app|db)\/.*\.tsx?$/.test(path) && !/^(app\/local|db\/seed)/.test(path));
const filesWith = (pattern: RegExp) => sources.filter((path) => pattern.test(textOf(path)));

describe('the code', () => {
  const making = /\beval\(|new Function\(|dangerouslySetInnerHTML|innerHTML|document\.write/;
  // The mailbox of the worker is the local server's; prefetch.ts runs in the browser, and asks us; catalogs are our own files.
  const mail = ['app/mail/json-api.ts', 'app/mail/outbox-object.ts'];
  const asking = [...mail, 'app/routes/booking/prefetch.ts', 'app/serve/outside.ts'];
  test.each<[title: string, pattern: RegExp, files: string[]]>([
    ['makes no code and no HTML of a text', making, []],
    // These are put together of constants.
    ['makes no expression of a text', /new RegExp\(/, ['app/domain/people/cells.ts', 'app/domain/people/csv.ts']],
    ['sends each statement from one place, with its values beside it', /\.prepare\(/, ['db/client.ts']],
    [
      'asks nobody but the mail service and calendars for anything',
      /\bfetch\(/,
      [...asking, 'app/words/catalogs.server.ts', 'app/worker.ts'],
    ],
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
    ['db/client.ts', 'this.session.prepare(text).bind(...values)'],
    ['db/columns.ts', 'crypto.getRandomValues'],
    ['app/mail/json-api.ts', "redirect: 'manual'"],
    ['app/serve/outside.ts', "redirect: 'manual'"],
  ])('in %s has %s', (file, text) => {
    expect(textOf(file)).toContain(text);
  });

  test('hashes by SHA-256 and scrypt alone', () => {
    const ours = sources.filter((path) => !path.endsWith('login/codes.server.ts'));

    const named = ours.flatMap((path) =>
      [...textOf(path).matchAll(/(?:create(?:Hash|Hmac)|subtle\.(?!digest)\w+|digest)\('([^']+)'/g)]
        .map(([, algorithm = '']) => algorithm)
        .filter((algorithm) => !/^(hex|base64|base64url)$/.test(algorithm))
        .map((algorithm) => `${path} uses ${algorithm}`),
    );

    expect(named.length).toBeGreaterThan(3);
    expect(named.filter((use) => !use.endsWith(' uses sha256'))).toEqual([]);
  });

  test('names no older hash', () => {
    // The codes of apps are SHA-1 by their standard, and good for half a minute; a list of passwords has any letters.
    const allowed = /login\/(codes\.server|(most|also)-used-passwords)\.ts$/;

    const naming = filesWith(/pbkdf2|md5|sha-?1\b|createCipher\b/i);

    expect(naming.filter((path) => !allowed.test(path))).toEqual([]);
  });

  test('encrypts in one file', () => {
    expect(filesWith(/create(De)?cipheriv/i)).toEqual(['app/domain/seals.server.ts']);
  });

  test('encrypts by AES-256 in GCM alone', () => {
    const named = textOf('app/domain/seals.server.ts').matchAll(/create(?:De)?[Cc]ipheriv\('([^']+)'/g);

    expect([...named].map(([, name]) => name)).toEqual(['aes-256-gcm', 'aes-256-gcm']);
  });

  test('names no download after what somebody typed', () => {
    const named = sources.flatMap((path) =>
      [...textOf(path).matchAll(/filename="([^"]*)"|csvFile\(([^,:]+),/g)].map(
        ([, file, csv]) => `${path}: ${file ?? csv}`,
      ),
    );

    // What stands for another name is a name of a table of calls, or of one of these lists.
    const written = named.filter((name) => !/\$\{(definition\.filename|name)\}/.test(name));
    expect(written.sort()).toEqual([
      'app/http/calendar.server.ts: daybook.ics',
      'app/routes/account/export-file.ts: daybook.json',
      "app/routes/appointments/booking-list.ts: 'bookings'",
      "app/routes/meetups/attendee-list.ts: 'attendees'",
      "app/routes/parties/guest-list.ts: 'guests'",
    ]);
  });
});

describe('the most used passwords', () => {
  const inCapitals = fitting.map((word) => word.replace(/[a-z](?!.*[a-z])/, (letter) => letter.toUpperCase()));

  // As many as OWASP ASVS 5.0, 6.2.4, requires.
  test('are the first 3,000 of a kept list that satisfy the rules', async () => {
    expect(fitting.length).toBeGreaterThanOrEqual(3_000);
    await expect(fileOf(fitting.slice(0, 3_000))).toMatchFileSnapshot('../app/domain/login/most-used-passwords.ts');
  });

  test('are refused with a capital letter anywhere', () => {
    expect(inCapitals.slice(0, 3_000).filter((word) => !isMostUsed(word))).toEqual([]);
  });

  test('are not so many that a less used one is refused with them', () => {
    expect(inCapitals.slice(3_000).filter((word) => !isMostUsed(word)).length).toBeGreaterThan(2_000);
  });
});

describe('what is deployed', () => {
  test('is the folder of built files', () => {
    expect(/^directory = "(.*)"/m.exec(textOf('wrangler.toml'))?.[1]).toBe('build/client');
  });

  test('is built files alone', () => {
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

    expect(loose.map(([path]) => path)).toEqual([]);
  });

  test.each(['v3_singleFetch: false,', 'v3_lazyRouteDiscovery: false,'])(
    'leaves the unmended parts of the framework out: %s',
    (setting) => {
      expect(textOf('vite.config.ts')).toContain(setting);
    },
  );

  test('names no unmended part of the framework', () => {
    expect(filesWith(/turbo-stream|RSC(?!ALE)|createMemorySession|unstable_/)).toEqual([]);
  });

  test.each([
    ['@remix-run/router', '1.23.4'],
    ['react-router', '6.30.6'],
  ])('has %s at the version that is mended', (name, version) => {
    const { overrides } = JSON.parse(textOf('package.json')) as { overrides: Record<string, string> };

    expect(overrides[name]).toBe(version);
  });

  test('has the server runtime at the version of which this is known', () => {
    const { version } = JSON.parse(textOf('node_modules/@remix-run/server-runtime/package.json')) as {
      version: string;
    };

    expect(version).toBe('2.17.5');
  });
});

describe('docs/asvs.md', () => {
  const document = textOf('docs/asvs.md');
  /** The rows of the table: which requirements, what they ask, how they stand, and what shows it. */
  const rows = [
    ...document.matchAll(/^\| (\d+\.[\d., *–]+) \| ([^|]+) \| (met|open|not applicable) \| ([^|]*) \|$/gm),
  ].map(([, ids = '', asks = '', state = '', why = '']) => ({ ids, asks, state, why: why.trim() }));

  /** The requirements that a cell names: one, several, from one to another, or all of a chapter or section. */
  const idsIn = (cell: string) =>
    cell.split(', ').flatMap((part) => {
      if (part.endsWith('*')) return requirements.filter((id) => id.startsWith(part.slice(0, -1)));
      const [from = '', to = from] = part.split('–');
      return requirements.slice(requirements.indexOf(from), requirements.indexOf(to) + 1);
    });

  test('has no row that cannot be read', () => {
    const readable = rows.map(({ ids }) => `| ${ids} |`);

    expect([...document.matchAll(/^\| \d+\.[^|]* \|/gm)].map(([start]) => start)).toEqual(readable);
  });

  test('names each requirement of levels 1 and 2 once', () => {
    expect(rows.flatMap(({ ids }) => idsIn(ids)).sort()).toEqual([...requirements].sort());
  });

  /** The tests that a text names, as `file` “name”, and the parts of documents, as [words](file.md#part). documents.test.ts looks for each. */
  const testsIn = (text: string) => [...text.matchAll(/`(test\/[\w/.-]+)` “([^”]+)”/g)];
  const partsIn = (text: string) => [...text.matchAll(/\]\(([\w/.-]+\.md)#([\w-]+)\)/g)];

  const rowsOf = (isOfState: (state: string) => boolean) => rows.filter(({ state }) => isOfState(state));

  test('shows by a test or by a text what is met', () => {
    const met = rowsOf((state) => state === 'met');

    expect(met.filter(({ why }) => testsIn(why).length + partsIn(why).length === 0)).toEqual([]);
  });

  test('gives the reason for what is not met', () => {
    const unmet = rowsOf((state) => state !== 'met');

    expect(unmet.filter(({ why }) => why.length < 3)).toEqual([]);
  });
});
