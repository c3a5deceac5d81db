import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
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

  test('in English brings no translations', async () => {
    expect((await read('/login')).html).not.toContain('name="messages"');
  });

  test('in German brings at most 6 KB of translations', async () => {
    const [, messages = ''] = /name="messages" content="([^"]+)"/.exec((await read('/login', german)).html) ?? [];

    expect(
      Object.keys(JSON.parse(messages.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')))
        .length,
    ).toBeGreaterThan(10);
    expect(gzipSync(messages).length).toBeLessThan(6_000);
  });
});

describe('a provider’s page that the edge keeps', () => {
  const page = () => `/with/${ana.username}`;

  test('is each reader’s own', async () => {
    await read(page());

    expect((await read(page(), german)).html).toContain('<html lang="de-AT"');
    expect((await read(page())).html).toContain('<html lang="en"');
  });

  test('is that of the cookie, too', async () => {
    await read(page());

    expect((await read(page(), { Cookie: 'lang=pt' })).html).toContain('<html lang="pt"');
  });
});

test('a call answers in English', async () => {
  const { html } = await read('/api/Public/Provider?username=nobody-here', german);

  expect(html).toBe('"There is no such provider."');
});
