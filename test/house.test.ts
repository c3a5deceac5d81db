import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as paths from '../app/paths';
import { windowsZonesFile } from './support/windows-zones';

/* Who may import whom, and what no file may hold. */

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '');
/** What runs in the Worker. The local server, which runs in Node, is held by its own rule. */
const sources = tracked.filter((path) => /^(app|db)\/.*\.tsx?$/.test(path) && !path.startsWith('app/local/'));
const local = tracked.filter((path) => path.startsWith('app/local/'));
const textOf = (path: string) => readFileSync(path, 'utf8');

/** What a file imports, types too: packages by name, own files by their path from the top. */
function imports(path: string): string[] {
  const found = textOf(path).matchAll(/^(?:import|export) [^;]*?from '([^']+)'|^import '([^']+)'/gms);
  return [...found].map(([, from, bare]) => {
    const name = from ?? bare ?? '';
    return name.startsWith('.') ? normalize(join(dirname(path), name)) : name;
  });
}

const isServer = (path: string) => path.endsWith('.server');

type Layer = { name: string; files: RegExp; never: (imported: string) => boolean };

const layers: Layer[] = [
  {
    name: 'db knows nothing of the app',
    files: /^db\//,
    never: (imported) => imported.startsWith('app/'),
  },
  {
    name: 'domain rules run anywhere',
    files: /^app\/domain\/(?!.*\.server)/,
    never: (imported) =>
      /^(db|app\/(http|mail|serve|components|routes))\//.test(imported) ||
      /remix|react|drizzle/.test(imported) ||
      isServer(imported),
  },
  {
    name: 'domain queries know no requests',
    files: /^app\/domain\/.*\.server/,
    never: (imported) => /^app\/(http|mail|serve|components|routes)\//.test(imported) || /remix|react/.test(imported),
  },
  {
    name: 'mail knows what a mail is, and not whom the book has',
    files: /^app\/mail\//,
    // The outbox is told what to deliver: it has the type of that function alone.
    never: (imported) =>
      (/^(db|app\/(http|serve|components|routes))\//.test(imported) && imported !== 'app/serve/deliver.server') ||
      /remix|react|drizzle/.test(imported) ||
      /^app\/domain\/.*\.server/.test(imported),
  },
  {
    name: 'requests, mails and calendars are served without screens and tables',
    files: /^app\/serve\//,
    never: (imported) => /^app\/(components|routes)\//.test(imported) || /^db\/schema|drizzle/.test(imported),
  },
  {
    name: 'http knows no screens and no tables',
    files: /^app\/http\//,
    never: (imported) =>
      /^app\/(mail|serve|components|routes)\//.test(imported) || /^db\/schema|drizzle/.test(imported),
  },
  {
    name: 'components take data and give markup',
    files: /^app\/components\//,
    never: (imported) => /^(db|app\/(http|mail|serve|routes))\//.test(imported) || isServer(imported),
  },
  {
    name: 'screens and calls read and write through the domain',
    files: /^app\/routes\//,
    never: (imported) => /^app\/(mail|serve)\//.test(imported) || /^db\/(schema|statement)|drizzle/.test(imported),
  },
  {
    name: 'addresses need nothing',
    files: /^app\/paths\.ts$/,
    never: () => true,
  },
];

describe('the house', () => {
  test.each(layers)('$name', ({ files, never }) => {
    const wrong = sources
      .filter((path) => files.test(path))
      .flatMap((path) =>
        imports(path)
          .filter(never)
          .map((imported) => `${path} imports ${imported}`),
      );
    expect(wrong).toEqual([]);
  });

  test('does not need the local server in the Worker, nor the tests in the product', () => {
    const wrong = (paths: string[], never: RegExp) =>
      paths.flatMap((path) => imports(path).flatMap((name) => (never.test(name) ? `${path} imports ${name}` : [])));
    expect([...wrong(sources, /^(app\/local|test)\//), ...wrong(local, /^test\//)]).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const ofTests = Object.keys(scripts).filter((name) => /\btest\//.test(scripts[name] as string));
    expect(ofTests).toEqual(['bench', 'fuzz', 'kill', 'races', 'waitlist']);
  });

  test('has no imports in a circle', () => {
    const files = new Set([...sources, ...local]);
    const fileOf = (name: string) => [`${name}.ts`, `${name}.tsx`, `${name}/index.ts`].find((path) => files.has(path));
    const done = new Set<string>();
    const circles: string[] = [];
    const follow = (path: string, way: string[]) => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' > '));
      if (way.includes(path) || done.has(path)) return;
      for (const name of imports(path)) {
        const imported = fileOf(name);
        if (imported) follow(imported, [...way, path]);
      }
      done.add(path);
    };
    for (const path of files) follow(path, []);
    expect(circles).toEqual([]);
  });

  test('keeps each file of app/ in a folder, but for the entries, and stylesheets in one', () => {
    const entries = ['entry.client.tsx', 'entry.server.tsx', 'paths.ts', 'root.tsx', 'routes.ts', 'worker.ts'];
    expect(tracked.filter((path) => /^app\/[^/]+$/.test(path))).toEqual(entries.map((name) => `app/${name}`));
    const folders = tracked.filter((path) => path.endsWith('.css')).map(dirname);
    expect([...new Set(folders)]).toEqual(['app/styles']);
  });

  test('keeps the tests of a noun in the folder of its code', () => {
    const nouns = readdirSync('app/domain', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const known = new Set([...nouns.map(({ name }) => name), 'http', 'db', 'local']);
    const folders = tracked.flatMap((path) => /^test\/(?:doors|domain)\/(.*\/)?[^/]+$/.exec(path)?.[1] ?? []);
    expect(folders.filter((folder) => !known.has(folder.slice(0, -1)))).toEqual([]);
    expect(tracked.filter((path) => /^test\/(doors|domain)\/[^/]+$/.test(path))).toEqual([]);
  });

  test('lets no route import another', () => {
    const routes = new Set(
      [...textOf('app/routes.ts').matchAll(/'(routes\/[^']+)'/g)].map(([, file]) =>
        `app/${file}`.replace(/\.tsx?$/, ''),
      ),
    );
    const wrong = sources
      // The OpenAPI document is made from all tables of calls.
      .filter((path) => path.startsWith('app/routes/') && path !== 'app/routes/api/openapi.ts')
      .flatMap((path) =>
        imports(path)
          .filter((imported) => routes.has(imported))
          .map((imported) => `${path} imports ${imported}`),
      );
    expect(wrong).toEqual([]);
  });

  const routePaths = [...textOf('app/routes.ts').matchAll(/route\('([^']+)'/g)].map(([, path]) => path ?? '');

  test('writes each address in paths.ts alone', () => {
    const starts = new Set(
      routePaths.map((path) => path.split('/')[0]).filter((start) => !/^(api|\*)$/.test(start ?? '')),
    );
    const literal = new RegExp(
      `['"\`}]/(${[...starts].join('|')})(?=['"\`/?#]|\\$\\{)|\\$\\{(url\\.)?(origin|host)\\}/`,
    );
    const wrong = sources.filter(
      (path) => /^app\/(routes|components|domain|http|mail|serve)\//.test(path) && literal.test(textOf(path)),
    );
    // A page of Outlook's; the keys of kept pages, which are no addresses.
    expect(wrong).toEqual(['app/domain/calendar/web-calendars.ts', 'app/http/kept-pages.server.ts']);
  });

  test('has a route for each address in paths.ts', () => {
    const patterns = ['', ...routePaths].map(
      (path) => new RegExp(`^/${path.replace(/\/:\w+\?$/, '(/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`),
    );
    const astray = Object.entries<(...names: never[]) => string>(paths).filter(([, pathOf]) => {
      const address = pathOf(...(Array(pathOf.length - 1).fill('name') as never[]));
      return !patterns.slice(0, -1).some((pattern) => pattern.test(address));
    });
    expect(astray.map(([name]) => name)).toEqual([]);
  });

  test('asks the clock in one place', () => {
    const asking = sources.filter((path) => /Date\.now\(\)|new Date\(\)/.test(textOf(path)));
    // The outbox has no request; the proxy of D1 times its trips; what was fetched ahead grows old in the browser.
    expect(asking).toEqual([
      'app/mail/outbox.ts',
      'app/routes/booking/prefetch.ts',
      'app/serve/calendars-object.ts',
      'app/serve/serve.server.ts',
      'db/client.ts',
    ]);
  });

  test('prints no time of day without its zone', () => {
    const reading = sources.filter(
      (path) => /^app\/(routes|components)\//.test(path) && /\blocalTimeOf\b|\bIntl\.DateTime/.test(textOf(path)),
    );
    // Time.tsx prints none alone; a form's fields stand beside the zone they are in, a call's row has it as a property.
    expect(reading).toEqual([
      'app/components/forms/EventFields.tsx',
      'app/components/forms/ZoneSelect.tsx',
      'app/components/times/Time.tsx',
      'app/routes/api/series-shapes.ts',
      'app/routes/api/shapes.ts',
    ]);
  });

  test('looks for the classes of letters in each component that letters show', () => {
    const shown = new Set(['app/components/frame/ErrorPage.tsx']);
    const follow = (path: string) => {
      for (const name of imports(path)) {
        const component = `${name}.tsx`;
        if (!/^app\/(components|routes)\//.test(component) || shown.has(component) || !tracked.includes(component))
          continue;
        shown.add(component);
        follow(component);
      }
    };
    for (const path of tracked.filter((path) => /^app\/routes\/(letters|with)\/.*\.tsx$/.test(path))) follow(path);
    // The menu and its button are on no letter.
    shown.delete('app/components/frame/Sidebar.tsx');
    const [, listed = ''] = /@source "..\/components\/\{(.*)\}.tsx"/.exec(textOf('app/styles/letter.css')) ?? [];
    const hasClasses = (path: string) => /className|class=/.test(textOf(path));
    const wanted = [...shown].filter((path) => path.startsWith('app/components/') && hasClasses(path));
    expect(listed.split(',').sort()).toEqual(wanted.map((path) => path.slice(15, -4)).sort());
  });

  const migrations = tracked.filter((path) => path.startsWith('migrations/'));
  const statementsOf = (path: string) => textOf(path).replaceAll(/--.*$/gm, '');

  test('never rebuilds a table', () => {
    expect(migrations.length).toBeGreaterThan(0);
    for (const path of migrations)
      expect(statementsOf(path), path).not.toMatch(/drop table|foreign_keys|cascade|set null/i);
  });

  test('never changes a migration without saying so', () => {
    const frozen = textOf('db/structure.sql').match(/^-- \w{64} .*$/gm);
    const hashOf = (path: string) => createHash('sha256').update(textOf(path)).digest('hex');
    expect(frozen, 'npm run structure').toEqual(migrations.map((path) => `-- ${hashOf(path)} ${path}`));
  });

  test('inserts rows by the names of their columns', () => {
    const byPosition = sources.filter((path) =>
      /\.insert\(\w+\)\s*\.select\(|INSERT INTO \S+ (VALUES|SELECT)/i.test(textOf(path)),
    );
    expect(byPosition).toEqual(['db/insert.ts']);
  });

  test('has no trigger that the remote D1 would cut in two', () => {
    // It takes a migration apart by itself: a trigger goes from a BEGIN to the first END, both in capitals, and a line ends
    // in LF. A local D1 takes more than that.
    for (const path of migrations) {
      const begun = [...statementsOf(path).matchAll(/\bbegin\b/gi)].map(([word]) => word);
      const ended = [...statementsOf(path).matchAll(/\bend\b./gis)].map(([word]) => word);
      expect(begun, path).toEqual(begun.map(() => 'BEGIN'));
      expect(ended, path).toEqual(begun.map(() => 'END;'));
      expect(textOf(path), path).not.toContain('\r');
    }
  });

  test('has one trigger for each table and event', () => {
    const shape =
      /^CREATE TRIGGER (\w+)\s+(BEFORE|AFTER|INSTEAD OF) (INSERT|DELETE|UPDATE(?: OF [\w, \n]+?)?) ON (\w+)/gm;
    const names = new Map<string, string[]>();
    for (const [, name = '', when, event, table] of textOf('db/structure.sql').matchAll(shape)) {
      const key = `${when} ${event} ON ${table}`;
      names.set(key, [...(names.get(key) ?? []), name]);
    }
    expect(names.size).toBeGreaterThan(40);
    expect([...names.values()].filter(({ length }) => length > 1)).toEqual([]);
  });

  test('asks for widths in one unit, which letters that a reader has made larger do not reorder', () => {
    const asked = tracked
      .filter((path) => path.endsWith('.css'))
      .flatMap((path) => textOf(path).match(/@media[^{]*width[^{]*|--breakpoint-\w+:[^;]*/g) ?? []);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((query) => /px/.test(query) || !/rem|initial/.test(query))).toEqual([]);
  });

  test('has no style attributes, because the policy allows none', () => {
    const styled = sources.filter((path) => path.endsWith('.tsx') && /\sstyle=/.test(textOf(path)));
    expect(styled).toEqual([]);
  });

  test('keeps what only the server needs out of the browser', () => {
    const assets = readdirSync('build/client/assets').filter((name) => name.endsWith('.js'));
    expect(assets.length).toBeGreaterThan(0);
    // Of zod, Temporal and the calendar writer: strings that survive minification.
    const heavy = assets.filter((name) =>
      /ZodError|ZonedDateTime|VCALENDAR/.test(textOf(`build/client/assets/${name}`)),
    );
    expect(heavy).toEqual([]);
  });

  test('holds no secret', () => {
    const named = tracked.filter((path) =>
      /(^|\/)(\.env|\.dev\.vars|secrets\.json|id_[a-z0-9]+|.*\.(pem|key|p12|sqlite))$/.test(path),
    );
    expect(named).toEqual([]);
    const shapes = [
      /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
      // Of AWS, GitHub, Slack, Stripe, Google, Resend, npm.
      /\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|xox[bap]-\w{10}|[sr]k_live_\w{16}|AIza[\w-]{35}|re_\w{8}_\w{16}|npm_\w{36})/,
      // A long random text under a telling name, as `npm start` makes them.
      /(SECRETS?|PEPPER|TOKEN|_KEY|PASSWORD)["']?\s*[:=]\s*["']?(?=\S*\d)(?=\S*[A-Z])[\w-]{32,}/,
    ];
    const texts = tracked.filter((path) => !/\.(png|ico)$/.test(path));
    expect(shapes.flatMap((shape) => texts.filter((path) => shape.test(textOf(path))))).toEqual([]);
    const made = `PASSWORD_PEPPER=${createHash('sha256').update('a').digest('base64url')}`;
    expect(shapes.some((shape) => shape.test(made))).toBe(true);
  });

  test("knows CLDR's zones of Windows", async () => {
    await expect(windowsZonesFile).toMatchFileSnapshot('../app/domain/busy/windows-zones.ts');
  });

  test('leaves nothing for later', () => {
    const words = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'];
    const later = tracked
      .filter((path) => /\.(tsx?|css|sql|md)$/.test(path))
      .filter((path) => words.some((word) => new RegExp(`\\b${word}\\b`).test(textOf(path))));
    expect(later).toEqual([]);
  });
});
