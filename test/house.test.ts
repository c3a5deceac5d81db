import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as paths from '../app/paths';
import { testedNodes } from './support/nodes';
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

/** Which of these files import what they must not. */
const wrongIn = (paths: string[], never: (imported: string) => boolean) =>
  paths.flatMap((path) =>
    imports(path)
      .filter(never)
      .map((imported) => `${path} imports ${imported}`),
  );

describe('the house', () => {
  test.each([
    ['db knows nothing of the app', /^db\//, /^app\//],
    [
      'domain rules run anywhere',
      /^app\/domain\/(?!.*\.server)/,
      /^(db|app\/(http|mail|serve|components|routes))\/|remix|react|drizzle|\.server$/,
    ],
    [
      'domain queries know no requests',
      /^app\/domain\/.*\.server/,
      /^app\/(http|mail|serve|components|routes)\/|remix|react/,
    ],
    [
      // The outbox is told what to deliver: it has the type of that function alone.
      'mail knows what a mail is, and not whom the book has',
      /^app\/mail\//,
      /^(db|app\/(http|serve(?!\/deliver\.server)|components|routes))\/|remix|react|drizzle|^app\/domain\/.*\.server/,
    ],
    [
      'requests, mails and calendars are served without screens and tables',
      /^app\/serve\//,
      /^app\/(components|routes)\/|^db\/schema|drizzle/,
    ],
    [
      'http knows no screens and no tables',
      /^app\/http\//,
      /^app\/(mail|serve|components|routes)\/|^db\/schema|drizzle/,
    ],
    ['components take data and give markup', /^app\/components\//, /^(db|app\/(http|mail|serve|routes))\/|\.server$/],
    [
      'screens and calls read and write through the domain',
      /^app\/routes\//,
      /^app\/(mail|serve)\/|^db\/(schema|statement)|drizzle/,
    ],
    ['addresses need nothing', /^app\/paths\.ts$/, /./],
  ])('%s', (_, files, never) => {
    const layer = sources.filter((path) => files.test(path));
    expect(layer.length).toBeGreaterThan(0);
    expect(wrongIn(layer, (imported) => never.test(imported))).toEqual([]);
  });

  test('does not need the local server in the Worker, nor the tests in the product', () => {
    const needless = wrongIn(sources, (name) => /^(app\/local|test)\//.test(name));
    expect([...needless, ...wrongIn(local, (name) => name.startsWith('test/'))]).toEqual([]);
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const ofTests = Object.keys(scripts).filter((name) => /\btest\//.test(scripts[name] as string));
    expect(ofTests).toEqual(['bench', 'fuzz', 'kill', 'races', 'mutations', 'waitlist']);
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

  test('exports nothing that no other file names', () => {
    // The framework calls these by their names.
    const calledByName =
      /^(action|clientAction|clientLoader|handleDataRequest|handleError|headers|links|loader|meta|shouldRevalidate|ErrorBoundary|Layout)$/;
    const declared = /^export (?:abstract |async )*(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm;
    const readers = tracked.filter((path) => /^(app|db|test)\/.*\.m?tsx?$|^wrangler\.toml$/.test(path));
    const namesIn = new Map(readers.map((path) => [path, new Set(textOf(path).match(/\w+/g))]));
    const isNamed = (name: string, own: string) => readers.some((path) => path !== own && namesIn.get(path)?.has(name));

    // A table is declared whether or not something asks for it.
    const exporting = [...sources, ...local].filter((path) => !path.startsWith('db/schema/'));

    const unused = exporting.flatMap((path) =>
      [...textOf(path).matchAll(declared)]
        .map(([, name = '']) => name)
        .filter((name) => !calledByName.test(name) && !isNamed(name, path))
        .map((name) => `${path} exports ${name}`),
    );

    expect(unused).toEqual([]);
  });

  test('keeps each file of app/ in a folder, but for the entries, stylesheets in one, and tests in that of their noun', () => {
    const entries = ['entry.client.tsx', 'entry.server.tsx', 'paths.ts', 'root.tsx', 'routes.ts', 'worker.ts'];
    expect(tracked.filter((path) => /^app\/[^/]+$/.test(path))).toEqual(entries.map((name) => `app/${name}`));
    expect(tracked.filter((path) => /^(?!app\/styles\/).*\.css$/.test(path))).toEqual([]);
    const nouns = readdirSync('app/domain', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const known = [...nouns.map(({ name }) => name), 'http', 'db', 'local'].join('|');
    const astray = new RegExp(`^test/(doors|domain)/(?!(${known})/[^/]+$)`);
    expect(tracked.filter((path) => astray.test(path))).toEqual([]);
  });

  test('lets no route import another', () => {
    const files = textOf('app/routes.ts').matchAll(/'(routes\/[^']+)'/g);
    const routes = new Set([...files].map(([, file = '']) => `app/${file}`.replace(/\.tsx?$/, '')));
    // The OpenAPI document is made from all tables of calls.
    const others = sources.filter((path) => path.startsWith('app/routes/') && path !== 'app/routes/api/openapi.ts');
    expect(wrongIn(others, (imported) => routes.has(imported))).toEqual([]);
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

  // The outbox has no request; the proxy of D1 times its trips; what was fetched ahead grows old in the browser.
  const clocks = ['app/mail/outbox.ts', 'app/routes/booking/prefetch.ts', 'app/serve/calendars-object.ts'];
  // Time.tsx prints none alone; a form's fields stand beside the zone they are in, a call's row has it as a property.
  const times = ['forms/EventFields', 'forms/ZoneSelect', 'times/Time'].map((name) => `app/components/${name}.tsx`);
  test.each<[title: string, files: RegExp, pattern: RegExp, wanted: string[]]>([
    [
      'asks the clock in one place',
      /./,
      /Date\.now\(\)|new Date\(\)/,
      [...clocks, 'app/serve/serve.server.ts', 'db/client.ts'],
    ],
    [
      'prints no time of day without its zone',
      /^app\/(routes|components)\//,
      /\blocalTimeOf\b|\bIntl\.DateTime/,
      [...times, 'app/routes/api/series-shapes.ts', 'app/routes/api/shapes.ts'],
    ],
    [
      'inserts rows by the names of their columns',
      /./,
      /\.insert\(\w+\)\s*\.select\(|INSERT INTO \S+ (VALUES|SELECT)/i,
      ['db/insert.ts'],
    ],
  ])('%s', (_, files, pattern, wanted) => {
    expect(sources.filter((path) => files.test(path) && pattern.test(textOf(path)))).toEqual(wanted);
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

  test('has the triggers and views of db/behaviour in its newest migration', () => {
    const files = tracked.filter((path) => path.startsWith('db/behaviour/')).sort();
    const written = textOf(migrations.at(-1) as string);

    expect(files.length).toBeGreaterThan(0);
    for (const path of files) expect(written, 'npm run structure').toContain(`-- ${path}\n\n${textOf(path)}`);
    expect(written.match(/^-- db\/behaviour\/.*/gm), 'npm run structure').toEqual(files.map((path) => `-- ${path}`));
  });

  test('never changes a migration without saying so', () => {
    const frozen = textOf('db/structure.sql').match(/^-- \w{64} .*$/gm);
    const hashOf = (path: string) => createHash('sha256').update(textOf(path)).digest('hex');
    expect(frozen, 'npm run structure').toEqual(migrations.map((path) => `-- ${hashOf(path)} ${path}`));
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
    const events = [...textOf('db/structure.sql').matchAll(shape)].map(([, , ...event]) => event.join(' '));
    expect(events.length).toBeGreaterThan(40);
    expect(events.filter((event, place) => events.indexOf(event) < place)).toEqual([]);
  });

  test('keeps what only the server needs out of the browser', () => {
    const assets = readdirSync('build/client/assets').filter((name) => name.endsWith('.js'));
    expect(assets.length).toBeGreaterThan(0);
    // Of zod, Temporal and the calendar writer: strings that survive minification.
    const heavy = /ZodError|ZonedDateTime|VCALENDAR/;
    expect(assets.filter((name) => heavy.test(textOf(`build/client/assets/${name}`)))).toEqual([]);
  });

  test('holds no secret', () => {
    const names = /(^|\/)(\.env|\.dev\.vars|secrets\.json|id_[a-z0-9]+|.*\.(pem|key|p12|sqlite))$/;
    expect(tracked.filter((path) => names.test(path))).toEqual([]);
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

  test('recommends a Node that is tested, and says which are', () => {
    const majors = testedNodes.map((version) => version.split('.')[0]);
    const readme = textOf('README.md');
    const [, best = ''] = /best Node (\d+)\./.exec(readme) ?? [];
    const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };

    expect(majors).toContain(best);
    expect(textOf('Dockerfile')).toContain(`FROM node:${best}-`);
    expect(readme).toContain(`a share of the tests on ${majors.join(' and ')} too`);
    expect(readme).toContain(`Node ${engines.node.replace('>=', '')} or newer`);
  });

  test('leaves nothing for later', () => {
    const later = /\b(TOD[O]|FIXM[E]|XX[X])\b/;
    const texts = tracked.filter((path) => /\.(tsx?|css|sql|md)$/.test(path));
    expect(texts.filter((path) => later.test(textOf(path)))).toEqual([]);
  });
});
