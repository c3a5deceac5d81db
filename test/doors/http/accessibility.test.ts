import { expect, test } from 'vitest';
import { useServer } from '../../support/use-server';

const daybook = useServer();

test('whoever comes reads what was tried for them, and what was not', async () => {
  const landing = await daybook.visitor().get('/');
  const page = await landing.click('Accessibility');
  expect([page.status, page.path]).toEqual([200, '/accessibility']);
  const lists = page
    .$$('main section')
    .map((card) => [card.querySelector('h2')?.text, card.querySelectorAll('li').length]);
  expect(lists).toEqual([
    ['What you can expect', 5],
    ['What we have tried', 3],
    ['What we have not tried', 4],
  ]);
  for (const words of [
    'A test walks every screen by keyboard, forwards and back',
    'No screen reader was used by a person who depends on one.',
  ]) {
    expect(page.text).toContain(words);
  }
});
