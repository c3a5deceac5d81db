import { expect, test } from 'vitest';
import { peopleAt, publishOne } from '../../support/factories';
import { useServer } from '../../support/use-server';

/* A guest has no news, no profile and no login, so no screen leads there. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const places = /^\/(news|profile|login|logout)\b/;

test('no screen of a guest speaks of news or a profile, or leads there', async () => {
  const slot = await publishOne(await newProvider());
  const guest = daybook.visitor();
  await guest.api('POST', '/api/Account/Guest', { displayName: 'Gus' });
  await guest.api('POST', `/api/Appointment/Book?id=${slot.id}`);
  const screens = [
    '/',
    '/view',
    '/view-booked',
    '/view-dash',
    '/week',
    '/invitations',
    '/email',
    '/devices',
    '/your-data',
  ];
  for (const path of [...screens, `/details-cancel/${slot.id}`]) {
    const page = await guest.visit(path);
    expect([path, page.status]).toEqual([path, 200]);
    const links = page.$$('a').map((link) => link.getAttribute('href') ?? '');
    expect([path, links.filter((link) => places.test(link))]).toEqual([path, []]);
    expect([path, /\b(your|the) news\b|confirm the address/.exec(page.words)?.[0]]).toEqual([path, undefined]);
  }
  const { words } = await (await guest.visit('/email')).submit('Save and confirm', { email: 'gus@example.org' });
  expect(words).toContain('Your address is saved.');
  expect(words).toContain('gus@example.org gets mail about what you book and answer.');
});
