import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { publish } from '../support/factories';
import { testFirst } from '../support/matrix';
import { createParty } from '../support/party-factories';
import { idOf, writeTemplate } from '../support/template-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, button, choose, follow, phone, press, see, seen, takenOver } from './browser';
import { dayOf, wire } from './calendar';
import { scriptsFirst } from './ways';

/* Where the keyboard goes on, and what is heard there. */

const served = useServer();
const { karla, host, maya } = useWorld(served, { karla: { location: 'Focusville' }, host: {}, maya: {} });
const { keepOpen } = browsersAt(served);
const day = dayOf(1, 10);
/** What has the focus, by its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const name = element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
    return `${element?.localName}: ${name.trim()}`;
  });
const expectFocus = (page: Page, what: string) => expect.poll(() => focused(page), { timeout: 5_000 }).toBe(what);

beforeAll(async () => {
  await publish(karla, { dates: [wire(day)], start: '09:00', end: '12:00' }, 'len=5');
});

testFirst('with scripts on, another page, another step and another page of a list begin at their title', async () => {
  const page = await keepOpen({ viewport: phone, as: maya });
  await page.goto('/profile');
  await takenOver(page);
  await choose(page, 'Appointments: Search');
  await arrive(page, '/view');
  await expectFocus(page, 'h1: Choose a city');
  await follow(page, 'Focusville');
  await see(page, 'Who in Focusville?');
  await expectFocus(page, 'h1: Choose a provider');
  await page.goto(`/view?provider=${karla.username}&dates=${wire(day)}`);
  await takenOver(page);
  await follow(page, 'Next page');
  await expectFocus(page, 'h1: Choose a time');
  // What was just done comes before the title.
  await choose(page, 'Account: Profile');
  await arrive(page, '/profile');
  await page.getByText('Edit profile').click();
  await press(page, 'Save profile');
  await expectFocus(page, 'section: Your profile is saved.');
});

describe.each(scriptsFirst)('with scripts %s,', (_, script) => {
  test('the first fault of a long form has the focus and is in view, and the summary leads to the others', async () => {
    const page = await keepOpen({ script, viewport: phone, as: host });
    await page.goto('/create-party');
    await page.getByLabel('Title').fill('Garden party');
    await page.getByLabel('Date', { exact: true }).fill('2030-06-01');
    await page.getByLabel('Capacity').fill('0');
    await page.getByLabel('Plus-ones').fill('99');
    expectConsoleError(/status of 400/);
    await press(page, 'Create party');
    const summary = page.getByRole('alert').filter({ hasText: 'There is a problem' });
    await seen(summary);
    const fault = page.getByText('Capacity must be a whole number from 1 to 100,000.').last();
    const isInView = () =>
      fault.evaluate((said) => {
        const { left, top } = said.getBoundingClientRect();
        return said.contains(document.elementFromPoint(left + 1, top + 1));
      });
    await expect.poll(isInView).toBe(true);
    const field = () => page.evaluate(() => document.activeElement?.getAttribute('name'));
    expect([await field(), await page.title()]).toEqual(['capacity', 'Error: Create Party · Daybook']);
    await summary.getByRole('link').last().click();
    await expect.poll(field).toBe('plusOnes');
  });

  test('the keyboard stays on a question that is moved, and what was done is said', async () => {
    const page = await keepOpen({ script, viewport: phone, as: host });
    const questions = ['One?', 'Two?', 'Three?'].map((questionText) => ({ questionText, questionType: 2 }));
    const template = await writeTemplate(host, questions, 'T');
    await page.goto(`/edit-template/${idOf(template)}`);
    if (script) await takenOver(page);
    const steps: [name: RegExp, focus: string, said: string][] = [
      [/^Up\s*: Two/, 'button: Down: Two?', '“Two?” is question 1 of 3 now.'],
      [/^Down\s*: One/, 'button: Up: One?', '“One?” is question 3 of 3 now.'],
      [/^Remove\s*: Three/, 'button: Remove: One?', '“Three?” is removed.'],
    ];
    for (const [name, focus, said] of steps) {
      await button(page, name).press('Enter');
      await seen(page.getByRole('status').filter({ hasText: said }));
      await expectFocus(page, focus);
    }
  });

  test('the question before a deletion has the focus, and Escape gives it back', async () => {
    const page = await keepOpen({ script, viewport: phone, as: host });
    const party = await createParty(host);
    await page.goto(`/view-party/${party.id}`);
    if (script) await takenOver(page);
    await button(page, 'Delete').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await seen(dialog);
    expect(await focused(page)).toBe('button: Close');
    // Tab does not leave it, and nothing behind it is heard.
    for (const stop of script ? ['textarea: Reason (optional)', 'button: Delete', 'button: Close'] : []) {
      await page.keyboard.press('Tab');
      if ((await focused(page)).startsWith('body')) await page.keyboard.press('Tab');
      await expectFocus(page, stop);
    }
    expect(await dialog.evaluate((box) => box.matches(':modal'))).toBe(script);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await focused(page)).toBe('button: Delete');
  });
});
