import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../../../app/local/root';
import { peopleAt, publishOne } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const firstPage = () => daybook.visitor().get('/');

test('a booking page that nobody has yet leads back home', async () => {
  const page = await daybook.visitor().visit('/with');

  expect(page.path).toBe('/');
});

test('the booking page that a stranger is shown has a free time', async () => {
  await newProvider({ displayName: 'Aaron, who has none' });
  const barber = await newProvider({ displayName: 'Bruno' });
  await publishOne(barber);

  const page = await daybook.visitor().visit('/with');

  expect(page.path).toBe(`/with/${barber.username}`);
});

test('the three reasons are open', async () => {
  const { text } = await firstPage();

  const open = [...text.matchAll(/<details open=""><summary>([^<]*)/g)].map(([, title]) => title);
  expect(open).toEqual(['Easy to use', 'Completely free', 'Rapid updates']);
});

test('it appears with twelve kilobytes, and is whole with sixty', async () => {
  const { text } = await firstPage();
  const pictures = [...text.matchAll(/<img src="([^"]*)/g)].map(([, path = '']) => join(root, 'public', path));

  const page = gzipSync(text).byteLength;
  const whole = pictures.reduce((sum, picture) => sum + statSync(picture).size, page);

  expect(text).not.toContain('rel="stylesheet"');
  expect(pictures).toHaveLength(2);
  expect(page).toBeLessThanOrEqual(12_000);
  expect(whole).toBeLessThanOrEqual(60_000);
});
