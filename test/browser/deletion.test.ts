import { expect, test } from 'vitest';
import { registerProvider } from '../support/factories';
import { createMeetup, createParty } from '../support/party-factories';
import { useServer } from '../support/use-server';
import { browsersAt, button, seen } from './browser';

const served = useServer();
const { open } = browsersAt(served);

test.each([
  ['off', false],
  ['on', true],
])('with scripts %s, the question before a deletion has the focus, and Escape gives it back', async (_, script) => {
  const host = await registerProvider(served);
  const [party, meetup] = await Promise.all([createParty(host), createMeetup(host)]);
  const page = await open({ script, as: host });
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  for (const path of [`/view-party/${party.id}`, `/manage-meetup/${meetup.id}`]) {
    await page.goto(path);
    expect(await focused()).not.toBe('Close');
    await button(page, 'Delete').focus();
    await page.keyboard.press('Enter');
    await seen(page.getByRole('dialog'));
    expect(await focused()).toBe('Close');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Delete');
  }
});
