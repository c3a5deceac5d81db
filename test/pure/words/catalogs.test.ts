import { msg, plural } from '@lingui/core/macro';
import { beforeEach, expect, test, vi } from 'vitest';
import { worded } from '../../../app/domain/words/worded';

let i18nFor: typeof import('../../../app/words/catalogs.server').i18nFor;
// A new Worker, which has read no file yet.
beforeEach(async () => {
  vi.resetModules();
  ({ i18nFor } = await import('../../../app/words/catalogs.server'));
});

/** The files that are deployed with a Worker, and which of them it has read. */
function filesWith(files: Record<string, unknown>) {
  const read: string[] = [];
  return {
    read,
    fetch: async (address: string) => {
      const { pathname } = new URL(address);
      read.push(pathname);
      return Response.json(files[pathname] ?? null, { status: pathname in files ? 200 : 404 });
    },
  };
}

test('English reads no file', async () => {
  const files = filesWith({});

  await i18nFor({ language: 'en', tag: 'en' }, files);

  expect(files.read).toEqual([]);
});

test('a language is read once, whatever the region', async () => {
  const files = filesWith({ '/words/fr.json': { abcdef: ['Bonjour'] } });

  const french = await i18nFor({ language: 'fr', tag: 'fr' }, files);
  const canadian = await i18nFor({ language: 'fr', tag: 'fr-CA' }, files);

  expect(french._('abcdef')).toBe('Bonjour');
  expect(canadian._('abcdef')).toBe('Bonjour');
  expect(files.read).toEqual(['/words/fr.json']);
});

test('a language whose file is missing is no English in disguise, and is read again', async () => {
  await expect(i18nFor({ language: 'es', tag: 'es' }, filesWith({}))).rejects.toThrow("'es' were answered 404");

  const found = await i18nFor({ language: 'es', tag: 'es' }, filesWith({ '/words/es.json': { abcdef: ['Hola'] } }));

  expect(found._('abcdef')).toBe('Hola');
});

test('a text that a language lacks is in English, with the dates and the plural of its values', async () => {
  const words = msg`${plural({ count: 2 }, { one: '# place', other: '# places' })} on ${{ day: { date: '2026-12-02', as: 'full' } }}`;

  const german = await i18nFor({ language: 'de', tag: 'de' }, filesWith({ '/words/de.json': {} }));

  expect(worded(german, words)).toBe('2 places on Mittwoch, 2. Dezember 2026');
});
