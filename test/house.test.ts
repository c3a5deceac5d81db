import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';
import { withRules } from '../app/domain/shared-rules.server';
import * as paths from '../app/paths';
import { released } from '../db/released';
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
      /^(db|app\/(http|serve(?!\/mails\.server)|components|routes))\/|remix|react|drizzle|^app\/domain\/.*\.server/,
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

  test('does not need the local server in the Worker', () => {
    expect(wrongIn(sources, (name) => name.startsWith('app/local/'))).toEqual([]);
  });

  test('does not need the tests in the product', () => {
    expect(wrongIn([...sources, ...local], (name) => name.startsWith('test/'))).toEqual([]);
  });

  test('runs the tests by few commands', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };

    const ofTests = Object.keys(scripts).filter((name) => /\btest\//.test(scripts[name] as string));

    expect(ofTests).toEqual(['bench', 'fuzz', 'kill', 'races', 'mutations', 'pictures', 'history']);
  });

  describe('the domain', () => {
    // From the bottom up: a folder, or a file beside the folders, imports what stands in its own line or above it here.
    const layers = [
      [
        'errors',
        'memo',
        'not-found',
        'time',
        'words',
        'input',
        'links',
        'one-time-keys',
        'seals',
        'signatures',
        'streamed-list',
        'qr-code',
      ],
      ['mail'],
      ['login', 'profile'],
      ['guests'],
      ['templates'],
      ['services'],
      ['shop'],
      ['people'],
      ['slots', 'bookings', 'series'],
      ['messages'],
      ['busy'],
      ['webhooks'],
      ['hours'],
      ['standing'],
      ['waitlist'],
      ['parties'],
      ['calendar'],
      ['hand-over'],
      ['leaving'],
      ['health', 'housekeeping', 'shared-rules'],
    ];
    const nounOf = (path: string) => /^app\/domain\/([\w-]+)/.exec(path)?.[1] ?? '';
    const layerOf = (path: string) => layers.findIndex((layer) => layer.includes(nounOf(path)));
    const files = sources.filter((path) => path.startsWith('app/domain/'));

    test('has a layer for each folder', () => {
      expect(files.length).toBeGreaterThan(0);
      expect([...new Set(files.map(nounOf))].sort()).toEqual(layers.flat().sort());
    });

    test('imports downwards, or from its own layer', () => {
      const upwards = files.flatMap((path) =>
        wrongIn([path], (imported) => imported.startsWith('app/domain/') && layerOf(imported) > layerOf(path)),
      );

      expect(upwards).toEqual([]);
    });
  });

  test('ends overdue holds before it books, frees or offers time', () => {
    const books =
      /\b(bookStanding|offerOpened|insertMoved|claim|ended|endBrokenHolds)\(|insertFrom\(\s*bookings\b|status = \$\{literal\(bookingStatus\.ended/;
    const runs = sources.filter((path) => books.test(textOf(path)) && /\bdb\.run\(|runAfterHolds\(/.test(textOf(path)));

    expect(runs.length).toBeGreaterThan(0);
    expect(runs.filter((path) => !/\b(runAfterHolds|endHolds)\(/.test(textOf(path)))).toEqual([]);
  });

  test('calls each state by its name', () => {
    const statements = tracked.filter((path) => /^db\/behaviour\/|^app\/.*\.server\.ts$/.test(path));

    expect(statements.length).toBeGreaterThan(0);
    expect(statements.filter((path) => /\b(status|state)\s*(=|<>|<|>)\s*\d\b/.test(textOf(path)))).toEqual([]);
  });

  // What leaves with an account is asked by its id alone.
  test('asks whose something is by one name', () => {
    const asker = String.raw`(?:(?:actor|asker|host|reader|view|values)\??\.)?(?:me|reader|accountId|actorId)\b(?!\.)`;
    const given = String.raw`\$\{(?:${asker}|ofRequest\('actorId'\))`;
    const compared = new RegExp(
      [
        String.raw`provider(?:_id|Id)\}? (?:=|<>|IS|IS NOT) ${given}`,
        String.raw`${given}\} (?:=|<>|IS|IS NOT) (?:\$\{)?[\w.]*provider(?:_id|Id)\b`,
        String.raw`ofRequest\('provider'\)\} = ${given}`,
        String.raw`\b(?:eq|ne)\([\w.]*providerId, (?:sql\`\$\{)?${asker}`,
        `providerId [!=]== ${asker}`,
        String.raw`\b${asker} [!=]== [\w.?]*providerId\b`,
      ].join('|'),
    );
    const files = sources.filter((path) => /^app\/domain\/(?!leaving\/)/.test(path));

    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((path) => compared.test(textOf(path)))).toEqual(['app/domain/profile/accounts.ts']);
  });

  test('has no imports in a circle', () => {
    const files = new Set([...sources, ...local]);
    const fileOf = (name: string) => [`${name}.ts`, `${name}.tsx`, `${name}/index.ts`].find((path) => files.has(path));
    const done = new Set<string>();
    const circles: string[] = [];
    const follow = (path: string, trail: string[]) => {
      if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
      if (trail.includes(path) || done.has(path)) return;
      for (const name of imports(path)) {
        const imported = fileOf(name);
        if (imported) follow(imported, [...trail, path]);
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
    const readers = tracked.filter((path) =>
      /^(app|db|test)\/.*\.m?tsx?$|^vite(st)?\.config\.ts$|^wrangler\.toml$/.test(path),
    );
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

  test('keeps each file of app/ in a folder, but for the entries', () => {
    const entries = [
      'book-paths.ts',
      'entry.client.tsx',
      'entry.server.tsx',
      'paths.ts',
      'root.tsx',
      'routes.ts',
      'worker.ts',
    ];

    expect(tracked.filter((path) => /^app\/[^/]+$/.test(path))).toEqual(entries.map((name) => `app/${name}`));
  });

  test('keeps all stylesheets in one folder', () => {
    expect(tracked.filter((path) => /^(?!app\/styles\/).*\.css$/.test(path))).toEqual([]);
  });

  test('keeps each test of a door or a rule in the folder of its noun', () => {
    const nouns = readdirSync('app/domain', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const folders = [...nouns.map(({ name }) => name), 'http', 'db', 'local', 'triggers'].join('|');
    const astray = new RegExp(`^test/(doors|domain)/(?!(${folders})/[^/]+$)`);

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
    // A page of Outlook's; the keys of cached pages, which are no addresses.
    expect(wrong).toEqual(['app/domain/calendar/web-calendars.ts', 'app/http/cached-pages.server.ts']);
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

  test.each<[title: string, files: RegExp, pattern: RegExp, allowed: string[]]>([
    [
      // The objects have no request; the proxy of D1 times its trips; what was fetched ahead grows old in the browser.
      'asks the clock in one place',
      /./,
      /Date\.now\(\)|new Date\(\)/,
      [
        'app/mail/outbox-object.ts',
        'app/routes/booking/prefetch.ts',
        'app/serve/calendars-object.ts',
        'app/serve/serve.server.ts',
        'app/serve/webhooks-object.ts',
        'db/client.ts',
      ],
    ],
    [
      // Time.tsx prints none alone; a form's fields stand beside the zone they are in, a call's row has it as a property.
      'prints no time of day without its zone',
      /^app\/(routes|components)\//,
      /\blocalTimeOf\b|\bIntl\.DateTime/,
      [
        'app/components/forms/EventFields.tsx',
        'app/components/forms/ZoneSelect.tsx',
        'app/components/times/Time.tsx',
        'app/routes/api/series-shapes.ts',
        'app/routes/api/shapes.ts',
      ],
    ],
    [
      // The macro words only what it sees beside the hook: of a `t` that was handed over nothing is shown.
      'words each text where its hook stands',
      /./,
      /typeof useLingui\b/,
      [],
    ],
    [
      'inserts rows by the names of their columns',
      /./,
      /\.insert\(\w+\)\s*\.select\(|INSERT INTO \S+ (VALUES|SELECT)/i,
      ['db/insert.ts'],
    ],
  ])('%s', (_, files, pattern, allowed) => {
    expect(sources.filter((path) => files.test(path) && pattern.test(textOf(path)))).toEqual(allowed);
  });

  /** The files of the components and routes that make letters. */
  const shownByLetters = () => {
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

    const letters = tracked.filter((path) => /^app\/routes\/(letters|with)\/.*\.tsx$/.test(path));
    for (const path of letters) follow(path);
    // The menu, its button, a stranger's ways in and the pages of a colleague's book are on no letter.
    shown.delete('app/components/frame/Sidebar.tsx');
    shown.delete('app/components/frame/WaysIn.tsx');
    shown.delete('app/components/frame/PagesOfBook.tsx');
    return [...new Set([...letters, ...shown])];
  };

  test('looks for the classes of letters in each component that letters show', () => {
    const [, listed = ''] = /@source "..\/components\/\{(.*)\}.tsx"/.exec(textOf('app/styles/letter.css')) ?? [];
    const hasClasses = (path: string) => /className|class=/.test(textOf(path));
    const styled = shownByLetters().filter((path) => path.startsWith('app/components/') && hasClasses(path));

    expect(listed.split(',').sort()).toEqual(styled.map((path) => path.slice(15, -4)).sort());
  });

  test('resets the look of each element that letters show', () => {
    const withoutReset =
      /<(h[4-6]|hr|abbr|code|kbd|samp|pre|sub|sup|menu|progress|optgroup|video|canvas|audio|iframe|embed|object)\b|type="(file|search)"/;

    expect(shownByLetters().filter((path) => withoutReset.test(textOf(path)))).toEqual([]);
  });

  test('sets nothing to the left or right, which are the other way round in Arabic', () => {
    const sided =
      /(?<![\w-])(?:-?(?:[mp][lr]|left|right|rounded-(?:[lr]|[tb][lr])|border-[lr]|scroll-[mp][lr])-[\w[]|text-(?:left|right)|border-[lr](?![\w-])|float-(?:left|right))/;
    const isClassed = /className|class=/;
    const classes = sources.filter((path) => path.endsWith('.tsx') && isClassed.test(textOf(path)));
    const quoted = (path: string) => [...textOf(path).matchAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g)].map(([text]) => text);
    const ofSide =
      /(?<![\w-])(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)|left|right|border-(?:top|bottom)-(?:left|right)-radius)(?:-\w+)?\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)|(?:margin|padding|inset)\s*:\s*[\w.%-]+ ([\w.%-]+) [\w.%-]+ (?!\1;)[\w.%-]+;/;
    const sheets = tracked.filter((path) => /^app\/styles\/.*\.css$/.test(path));
    const withoutComments = (path: string) => textOf(path).replaceAll(/\/\*.*?\*\//gs, '');

    expect(classes.length).toBeGreaterThan(100);
    expect(classes.filter((path) => quoted(path).some((text) => sided.test(text)))).toEqual([]);
    expect(
      sheets.filter((path) =>
        withoutComments(path)
          .split('\n')
          .some((line) => ofSide.test(line)),
      ),
    ).toEqual([]);
  });

  test('shows each arrow as one that points the other way in Arabic', () => {
    const withArrows = sources.filter((path) => path.endsWith('.tsx') && /[←→↗]/.test(textOf(path)));

    expect(withArrows.length).toBeGreaterThan(3);
    expect(withArrows.filter((path) => !textOf(path).includes('className="arrow"'))).toEqual([]);
  });

  test('no keyframes of ours have the name of the framework’s, which would win', () => {
    const named = (css: string) => [...css.matchAll(/@keyframes ([\w-]+)/g)].map(([, name]) => name);
    const framework = named(textOf('node_modules/tailwindcss/theme.css'));
    const ours = tracked.filter((path) => /^app\/styles\/.*\.css$/.test(path)).flatMap((path) => named(textOf(path)));

    expect(framework).toContain('pulse');
    expect(ours.filter((name) => framework.includes(name))).toEqual([]);
  });

  const migrations = tracked.filter((path) => path.startsWith('migrations/')).sort();
  const statementsOf = (path: string) => textOf(path).replaceAll(/--.*$/gm, '');

  test('has migrations', () => {
    expect(migrations.length).toBeGreaterThan(0);
  });

  test.each(migrations)('never rebuilds a table: %s', (path) => {
    expect(statementsOf(path)).not.toMatch(/drop table|foreign_keys|cascade|set null/i);
  });

  /** The triggers and views that a text makes, without comments. */
  const madeIn = (text: string) =>
    text
      .replaceAll(/--.*$/gm, '')
      .replaceAll(/^\s*\n/gm, '')
      .split(/^(?=CREATE )/m)
      .filter((statement) => /^CREATE (TRIGGER|VIEW) /.test(statement))
      .sort();

  test('has the triggers and views of db/behaviour in its schema, and no others (npm run structure)', () => {
    const behaviours = tracked.filter((path) => path.startsWith('db/behaviour/'));

    expect(behaviours.length).toBeGreaterThan(0);
    expect(madeIn(textOf('db/structure.sql'))).toEqual(
      behaviours.flatMap((path) => madeIn(withRules(textOf(path)))).sort(),
    );
  });

  test('has a test for each trigger, which fails without it', () => {
    const all = tracked.filter((path) => path.startsWith('db/behaviour/')).map(textOf);
    const tests = tracked.filter((path) => path.startsWith('test/domain/triggers/')).map(textOf);
    const namesIn = (texts: string[], pattern: RegExp) =>
      new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)));

    expect([...namesIn(tests, /^keeps\(\s*'(\w+)'/gm)].sort()).toEqual(
      [...namesIn(all, /^CREATE TRIGGER (\w+)/gm)].sort(),
    );
  });

  test.each(Object.entries(released))('keeps %s as it was released', (name, hash) => {
    expect(
      createHash('sha256')
        .update(textOf(`migrations/${name}`))
        .digest('hex'),
    ).toBe(hash);
  });

  test('never changes a migration without saying so', () => {
    const frozen = textOf('db/structure.sql').match(/^-- \w{64} .*$/gm);
    const hashOf = (path: string) => createHash('sha256').update(textOf(path)).digest('hex');
    expect(frozen, 'npm run structure').toEqual(migrations.map((path) => `-- ${hashOf(path)} ${path}`));
  });

  // The remote D1 takes a migration apart by itself: a trigger goes from a BEGIN to the first END, both in capitals, and a
  // line ends in LF. A local D1 takes more than that.
  describe.each(migrations)('%s is one that the remote D1 takes apart as we do:', (path) => {
    const begins = [...statementsOf(path).matchAll(/\bbegin\b/gi)].map(([word]) => word);

    test('each trigger begins with a BEGIN in capitals', () => {
      expect(begins.filter((word) => word !== 'BEGIN')).toEqual([]);
    });

    test('each trigger has one END, which ends it', () => {
      const ends = [...statementsOf(path).matchAll(/\bend\b./gis)].map(([word]) => word);

      expect(ends).toEqual(begins.map(() => 'END;'));
    });

    test('each line ends in LF', () => {
      expect(textOf(path)).not.toContain('\r');
    });
  });

  test('keeps what only the server needs out of the browser', () => {
    const assets = readdirSync('build/client/assets').filter((name) => name.endsWith('.js'));
    expect(assets.length).toBeGreaterThan(0);
    // Of zod, Temporal and the calendar writer: strings that survive minification.
    const heavy = /ZodError|ZonedDateTime|VCALENDAR/;
    expect(assets.filter((name) => heavy.test(textOf(`build/client/assets/${name}`)))).toEqual([]);
  });

  test('holds no file of secrets', () => {
    const names = /(^|\/)(\.env|\.dev\.vars|secrets\.json|id_[a-z0-9]+|.*\.(pem|key|p12|sqlite))$/;

    expect(tracked.filter((path) => names.test(path))).toEqual([]);
  });

  describe('of secrets', () => {
    const shapes: [what: string, shape: RegExp][] = [
      ['private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
      [
        'key of AWS, GitHub, Slack, Stripe, Google, Resend or npm',
        /\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}|xox[bap]-\w{10}|[sr]k_live_\w{16}|AIza[\w-]{35}|re_\w{8}_\w{16}|npm_\w{36})/,
      ],
      [
        'long random text under a telling name, as `npm start` makes them',
        /(SECRETS?|PEPPER|TOKEN|_KEY|PASSWORD)["']?\s*[:=]\s*["']?(?=\S*\d)(?=\S*[A-Z])[\w-]{32,}/,
      ],
    ];

    test.each(shapes)('holds no %s', (_, shape) => {
      const texts = tracked.filter((path) => !/\.(png|ico)$/.test(path));

      expect(texts.filter((path) => shape.test(textOf(path)))).toEqual([]);
    });

    test('would notice one that `npm start` made', () => {
      const made = `PASSWORD_PEPPER=${createHash('sha256').update('a').digest('base64url')}`;

      expect(shapes.some(([, shape]) => shape.test(made))).toBe(true);
    });
  });

  test("knows CLDR's zones of Windows", async () => {
    await expect(windowsZonesFile).toMatchFileSnapshot('../app/domain/busy/windows-zones.ts');
  });

  describe('of the versions of Node', () => {
    const readme = textOf('README.md');
    const testedMajors = testedNodes.map((version) => version.split('.')[0]);
    const [, best = ''] = /best Node (\d+)\./.exec(readme) ?? [];

    test('recommends one that is tested', () => {
      expect(testedMajors).toContain(best);
    });

    test('puts the one it recommends into the image', () => {
      expect(textOf('Dockerfile')).toContain(`FROM node:${best}-`);
    });

    test('says which are tested', () => {
      expect(readme).toContain(`a share of the tests on ${testedMajors.join(' and ')} too`);
    });

    test('says which is the oldest that npm lets in', () => {
      const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };

      expect(readme).toContain(`Node ${engines.node.replace('>=', '')} or newer`);
    });
  });

  test('leaves nothing for later', () => {
    const later = /\b(TOD[O]|FIXM[E]|XX[X])\b/;
    const texts = tracked.filter((path) => /\.(tsx?|css|sql|md)$/.test(path));
    expect(texts.filter((path) => later.test(textOf(path)))).toEqual([]);
  });
});
