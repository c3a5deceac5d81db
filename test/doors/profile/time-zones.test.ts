import { expect, test } from 'vitest';
import { listZones } from '../../../app/domain/time/zones';
import { password, peopleAt } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* The choice of a time zone: a few at first, every one for whoever asks, and never a longer way for a phone. */

const daybook = useServer({ vars: { READER_ZONE: 'Pacific/Chatham' } });
const { newProvider } = peopleAt(daybook);

const offered = (page: Page) =>
  page.$$('select[name=timeZone] option').map((option) => option.getAttribute('value') ?? option.text);
const chosen = (page: Page) =>
  page.$$('select[name=timeZone] option[selected]').map((option) => option.getAttribute('value') ?? option.text);
const typed = { displayName: 'Ana', username: 'ana.z', role: 'Provider', location: 'Waitangi', password };

test('a registration begins with few zones, the one of the network among them', async () => {
  const page = await daybook.visitor().get('/register');
  expect(offered(page).length).toBeLessThan(70);
  expect(offered(page)).toContain('Pacific/Chatham');
  expect(page.text.length).toBeLessThan(16_000);
});

test('whoever asks for other zones gets every one, and keeps what was typed but for the password', async () => {
  const page = await (await daybook.visitor().get('/register')).submit('Other time zones', {
    ...typed,
    timeZone: 'Asia/Tokyo',
  });
  expect(page.status).toBe(200);
  expect(offered(page)).toEqual(expect.arrayContaining(listZones('Asia/Kathmandu')));
  expect(chosen(page)).toEqual(['Asia/Tokyo']);
  expect(page.$('select[name=timeZone]')?.hasAttribute('autofocus')).toBe(true);
  const values = ['displayName', 'username', 'location', 'password'].map((name) =>
    page.$(`input[name=${name}]`)?.getAttribute('value'),
  );
  expect(values).toEqual(['Ana', 'ana.z', 'Waitangi', undefined]);

  const refused = await page.submit('Register', { timeZone: 'Africa/Ouagadougou', password: 'short' });
  expect([refused.status, chosen(refused)]).toEqual([400, ['Africa/Ouagadougou']]);
  const registered = await refused.submit('Register', { password });
  expect(registered.path).toBe('/profile');
  expect(registered.words).toContain('Africa/Ouagadougou');
});

test('a profile has its own zone among few, and every one for whoever asks', async () => {
  const { browser } = await newProvider({ timeZone: 'Antarctica/Troll' });
  const page = await browser.get('/profile');
  expect([offered(page).length < 70, chosen(page)]).toEqual([true, ['Antarctica/Troll']]);
  const all = await page.submit('Other time zones', { displayName: 'Somebody else' });
  expect([all.status, offered(all).length > 400, chosen(all)]).toEqual([200, true, ['Antarctica/Troll']]);
  expect(all.$('input[name=displayName]')?.getAttribute('value')).toBe('Somebody else');
  expect((await browser.get('/profile')).words).not.toContain('Somebody else');
  const saved = await all.submit('Save profile', { timeZone: 'America/Swift_Current' });
  expect(saved.words).toContain('America/Swift_Current');
});
