import { gzipSync } from 'node:zlib';
import { parse } from 'node-html-parser';
import { beforeAll, describe, expect, test } from 'vitest';
import { languageCodes } from '../../../app/domain/words/languages';
import { isFile, makeRouteWorld, more, type RouteWorld, readers, screens } from '../../support/every-route';
import { useServer, useWorld } from '../../support/use-server';

/* In which language a page is, and that nobody is shown another reader's. */

const daybook = useServer();
const { ana } = useWorld(daybook, { ana: {} });

const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${daybook.url}${path}`, { headers, redirect: 'manual' });
  return { response, html: await response.text() };
};
const german = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' };

describe('a page', () => {
  test('is in the language of the browser', async () => {
    const { html } = await read('/login', german);

    expect(html).toContain('<html lang="de-AT">');
    expect(html).toContain('Anmelden');
  });

  test('says its language in its head', async () => {
    const { response } = await read('/login', german);

    expect(response.headers.get('Content-Language')).toBe('de-AT');
  });

  test('is in the language that its address asks for, before that of the browser', async () => {
    const { html } = await read('/login?lang=fr', german);

    expect(html).toContain('<html lang="fr"');
  });

  test('remembers the language of its address', async () => {
    const { response } = await read('/login?lang=es');
    const cookie = response.headers.get('Set-Cookie')?.split(';')[0] ?? '';

    expect((await read('/login', { Cookie: cookie })).html).toContain('<html lang="es"');
  });

  test('passes over a language that nobody here speaks', async () => {
    const { html, response } = await read('/login?lang=zh');

    expect(html).toContain('<html lang="en"');
    expect(response.headers.get('Set-Cookie') ?? '').not.toContain('lang=');
  });

  test('in Arabic runs from right to left', async () => {
    expect((await read('/login?lang=ar')).html).toContain('<html lang="ar" dir="rtl">');
  });

  const fieldNamed = (html: string, name: string) =>
    parse(html).querySelector(`input[name=${name}]`)?.getAttribute('dir');

  test.each(['username', 'password'])('in Arabic takes a %s from left to right', async (name) => {
    expect(fieldNamed((await read('/login?lang=ar')).html, name)).toBe('ltr');
  });

  test('in Arabic takes a name from right to left', async () => {
    expect(fieldNamed((await read('/register?lang=ar')).html, 'displayName')).toBeUndefined();
  });

  test('in English brings no translations', async () => {
    expect((await read('/login')).html).not.toContain('name="messages"');
  });

  test('in German brings the translations of what its scripts say', async () => {
    const { html } = await read('/login', german);

    expect(html).toMatch(/<meta name="messages" content="[^"]*\n8Zsa=Passwort\n/);
  });
});

describe('the translations that a page brings', () => {
  const withTranslations = /<meta name="messages" content="[^"]*"\/>/;
  let world: RouteWorld;
  beforeAll(async () => {
    world = await makeRouteWorld(daybook);
  });

  /** How many bytes of gzip each screen weighs more by them, the heaviest first. */
  async function weightsIn(language: string): Promise<[screen: string, bytes: number][]> {
    const weights: [string, number][] = [];
    for (const [path, statuses, pathIn] of [...screens, ...more].filter(([path]) => !isFile(path))) {
      const who = readers.find((_, place) => statuses[place] === 200 && place > 0 && place < 3);
      if (!who || who === 'stranger') continue;
      const cookie = world[who].browser.cookies.header('/') ?? '';
      const { html } = await read(`${pathIn(world)}?lang=${language}`, { Cookie: cookie });
      const sizeOf = (page: string) => gzipSync(page).length;
      if (withTranslations.test(html)) weights.push([path, sizeOf(html) - sizeOf(html.replace(withTranslations, ''))]);
    }
    return weights.sort(([, one], [, other]) => other - one);
  }

  test.each(languageCodes.filter((code) => code !== 'en'))(
    'in %s are at most 6 KiB on each screen',
    async (language) => {
      const weights = await weightsIn(language);

      expect(weights.length).toBeGreaterThan(40);
      expect(weights.filter(([, bytes]) => bytes > 6 * 1024)).toEqual([]);
    },
  );
});

describe('a browser that asks for', () => {
  test.each([
    ['fr-CA', 'fr-CA'],
    ['pt', 'pt'],
    ['ar-EG', 'ar-EG'],
    ['es-419,es;q=0.9', 'es-419'],
    ['en-US,en;q=0.9', 'en-US'],
    ['zh', 'en'],
    ['zh-CN,zh;q=0.9,pt-PT;q=0.4', 'pt-PT'],
    ['*', 'en'],
  ])('%s gets %s', async (accepted, tag) => {
    const { response, html } = await read('/login', { 'Accept-Language': accepted });

    expect(response.headers.get('Content-Language')).toBe(tag);
    expect(html).toContain(`<html lang="${tag}"`);
  });
});

describe('an address that asks for', () => {
  test.each([
    ['xx', 'en'],
    ['zh', 'en'],
    ['', 'en'],
    ['../de', 'en'],
    ['fr-CA', 'fr-CA'],
    ['pt_BR', 'pt-BR'],
    ['ar', 'ar'],
  ])('%j gets %s', async (lang, tag) => {
    const { response } = await read(`/login?lang=${encodeURIComponent(lang)}`);

    expect(response.headers.get('Content-Language')).toBe(tag);
  });
});

describe('a provider’s page that the edge keeps', () => {
  const page = () => `/with/${ana.username}`;
  const languageOf = async (accepted: string) => {
    const { response, html } = await read(page(), { 'Accept-Language': accepted });
    expect(html).toContain(`<html lang="${response.headers.get('Content-Language')}"`);
    return response.headers.get('Content-Language');
  };

  test('is each reader’s own', async () => {
    await read(page());

    expect((await read(page(), german)).html).toContain('<html lang="de"');
    expect((await read(page())).html).toContain('<html lang="en"');
  });

  test('is that of the cookie, too', async () => {
    await read(page());

    expect((await read(page(), { Cookie: 'lang=pt' })).html).toContain('<html lang="pt"');
  });

  test('is one for all who write alike', async () => {
    const fresh = await read(page(), { 'Accept-Language': 'de-DE' });

    expect((await read(page(), { 'Accept-Language': 'de-AT' })).html).toBe(fresh.html);
  });

  test('shows nobody another’s language when readers of several ask at once', async () => {
    const wanted = ['de-DE', 'ar', 'fr-FR', 'en', 'es-ES', 'pt-BR'];
    const readers = Array.from({ length: 5 }, () => wanted).flat();

    const seen = await Promise.all(readers.map(languageOf));

    expect(seen).toEqual(readers.map((tag) => tag.slice(0, 2)));
  });
});

test('a call answers in English', async () => {
  const { html } = await read('/api/Public/Provider?username=nobody-here', german);

  expect(html).toBe('"There is no such provider."');
});
