import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Person, registerProvider } from '../support/factories';
import { testFirst } from '../support/matrix';
import { type Draft, multipleChoice, openEnded, singleChoice, templatesOf } from '../support/template-factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, press, see, seen, vanished } from './browser';
import { addQuestion, choiceField, choicesOf, fillQuestion, line, listed } from './questions';
import { scriptsFirst } from './ways';

const served = useServer();
const { open } = browsersAt(served);

/** Opens the page on which a template is written, with these questions in the list. */
async function writing(setting: { script: boolean }, questions: Draft[]): Promise<{ page: Page; provider: Person }> {
  const provider = await registerProvider(served);
  const page = await open({ ...setting, as: provider });
  await page.goto('/create-template');
  // Where scripts run, they have taken the form over: what React manages bears its mark.
  if (setting.script)
    await page.waitForFunction(() =>
      Object.keys(document.forms[0] ?? {})
        .join()
        .includes('__react'),
    );
  for (const draft of questions) await addQuestion(page, draft);
  return { page, provider };
}

describe.each(scriptsFirst)('the dialog of a question, with scripts %s', (_, script) => {
  const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left', 'Right'] };
  const why = { questionText: 'Why?', questionType: openEnded };

  test('shows choices for a choice question alone, and keeps them while the type is tried out', async () => {
    const { page } = await writing({ script }, []);
    await press(page, 'Add new question');
    expect(await choiceField(page, 1).isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Multiple Choice' }).check();
    await choiceField(page, 1).fill('Left');
    await page.getByRole('radio', { name: 'Short Response' }).check();
    await choiceField(page, 1).waitFor({ state: 'hidden' });
    await page.getByRole('radio', { name: 'Single Choice' }).check();
    expect(await choicesOf(page)).toEqual(['Left', '']);
  });

  test('takes away the choice whose Remove is pressed, and leaves the others as they are typed', async () => {
    const { page } = await writing({ script }, []);
    await fillQuestion(page, { questionType: multipleChoice, options: ['A', 'B', 'C', 'D'] });
    await press(page, 'Remove choice 2');
    await vanished(choiceField(page, 4));
    expect(await choicesOf(page)).toEqual(['A', 'C', 'D']);
    await choiceField(page, 3).fill('E');
    await press(page, 'Remove choice 1');
    await vanished(choiceField(page, 3));
    expect(await choicesOf(page)).toEqual(['C', 'E']);
  });

  test('takes away a choice that has just been typed, where two stay to be filled in', async () => {
    const { page } = await writing({ script }, []);
    await fillQuestion(page, { questionType: multipleChoice, options: ['A', 'B'] });
    await press(page, 'Remove choice 2');
    await expect.poll(() => choicesOf(page)).toEqual(['A', '']);
  });

  test('leads the keyboard to the choice that is new, or next to the one that went', async () => {
    const { page } = await writing({ script }, []);
    await fillQuestion(page, { questionText: 'Side?', questionType: multipleChoice, options: ['A', 'B'] });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await press(page, 'Add a choice');
    await expect.poll(focused).toBe('Choice 3');
    await page.keyboard.type('C');
    await press(page, 'Remove choice 2');
    await expect.poll(focused).toBe('Choice 2');
    expect(await choicesOf(page)).toEqual(['A', 'C']);
    await press(page, 'Remove choice 2');
    await expect.poll(() => choicesOf(page)).toEqual(['A', '']);
    await expect.poll(focused).toBe(script ? 'Choice 1' : 'Choice 2');
    expect(await page.getByLabel('Field name').inputValue()).toBe('Side?');
  });

  test('shows the question that is to be changed, and loses none that is half written', async () => {
    const { page } = await writing({ script }, [why, side]);
    await fillQuestion(page, { questionText: 'Half wri' });
    await line(page, 'Side?')
      .getByRole('button', { name: /^Change/ })
      .click();
    await see(page, 'Change the question');
    expect(await page.getByLabel('Field name').inputValue()).toBe('Side?');
    expect(await choicesOf(page)).toEqual(['Left', 'Right']);
    expect(await listed(page)).toEqual(expect.arrayContaining(['Half wri']));
  });

  test('is opened, filled in and kept by the keyboard alone', async () => {
    const { page } = await writing({ script }, []);
    await button(page, 'Add new question').press('Enter');
    await seen(page.getByLabel('Field name'));
    await page.getByLabel('Field name').focus();
    await page.keyboard.type('Why?');
    await page.keyboard.press('Enter');
    await seen(line(page, 'Why?'));
    await vanished(page.getByLabel('Field name'));
    await page.getByLabel('Title').press('Enter');
    await arrive(page, '/view-templates');
  });

  test('a double click on Submit makes one template', async () => {
    const { page, provider } = await writing({ script }, [why]);
    await button(page, 'Submit').dblclick();
    await see(page, 'The questions are saved.');
    await arrive(page, '/view-templates');
    expect(await templatesOf(provider)).toHaveLength(1);
  });
});

testFirst('with scripts on, nothing that is typed while the form is under way disappears', async () => {
  const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left', 'Right'] };
  const { page } = await writing({ script: true }, [side, { questionText: 'Why?' }]);
  await fillQuestion(page, { questionText: 'Where', questionType: singleChoice, options: ['Here', 'There', 'Else'] });
  let answerNow = () => {};
  const answering = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  await page.route('**/create-template*', async (route) => {
    await answering;
    await route.continue();
  });
  await line(page, 'Why?').getByRole('button', { name: /^Up/ }).click();
  for (const field of [page.getByLabel('Title'), page.getByLabel('Field name'), choiceField(page, 3)]) {
    await field.focus();
    await page.keyboard.type('more');
  }
  const typed = () => Promise.all([page.getByLabel('Title').inputValue(), page.getByLabel('Field name').inputValue()]);
  const [before, choices] = [await typed(), await choicesOf(page)];
  expect(before[0]).toBe('more');
  answerNow();
  await expect.poll(() => listed(page)).toEqual(['Why?', 'Side?']);
  expect([await typed(), await choicesOf(page)]).toEqual([before, choices]);
  expect(await choiceField(page, 3).evaluate((field) => field === document.activeElement)).toBe(true);
});
