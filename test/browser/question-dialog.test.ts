import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { testFirst } from '../support/matrix';
import {
  type Draft,
  idOf,
  multipleChoice,
  openEnded,
  singleChoice,
  templatesOf,
  writeTemplate,
} from '../support/template-factories';
import { useServer, useWorld } from '../support/use-server';
import { arrive, browsersAt, button, press, see, seen, takenOver, vanished } from './browser';
import { addQuestion, choiceField, choicesOf, fillQuestion, line, listed } from './questions';
import { scriptsFirst } from './ways';

const served = useServer();
const { host } = useWorld(served, { host: {} });
const { keepOpen } = browsersAt(served);

const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left', 'Right'] };
const why = { questionText: 'Why?', questionType: openEnded };

/** Opens the page on which a template is written, or one with these questions is edited. */
async function writing(setting: { script: boolean }, questions: Draft[] = []): Promise<Page> {
  const page = await keepOpen({ ...setting, as: host });
  const isNew = questions.length === 0;
  await page.goto(isNew ? '/create-template' : `/edit-template/${idOf(await writeTemplate(host, questions))}`);
  if (setting.script) await takenOver(page);
  return page;
}

describe.each(scriptsFirst)('the dialog of a question, with scripts %s', (_, script) => {
  test('shows choices for a choice question alone, and keeps them while the type is tried out', async () => {
    const page = await writing({ script });
    await press(page, 'Add new question');
    expect(await choiceField(page, 1).isVisible()).toBe(false);
    await page.getByRole('radio', { name: 'Multiple Choice' }).check();
    await choiceField(page, 1).fill('Left');
    await page.getByRole('radio', { name: 'Short Response' }).check();
    await choiceField(page, 1).waitFor({ state: 'hidden' });
    await page.getByRole('radio', { name: 'Single Choice' }).check();
    expect(await choicesOf(page)).toEqual(['Left', '']);
  });

  test('takes away the choice whose Remove is pressed, and leads the keyboard next to it or to a new one', async () => {
    const page = await writing({ script });
    await fillQuestion(page, { questionText: 'Side?', questionType: multipleChoice, options: ['A', 'B', 'C', 'D'] });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await press(page, 'Remove choice 2');
    await vanished(choiceField(page, 4));
    expect(await choicesOf(page)).toEqual(['A', 'C', 'D']);
    await expect.poll(focused).toBe('Choice 2');
    await choiceField(page, 3).fill('E');
    await press(page, 'Remove choice 1');
    await vanished(choiceField(page, 3));
    expect(await choicesOf(page)).toEqual(['C', 'E']);
    await press(page, 'Add a choice');
    await expect.poll(focused).toBe('Choice 3');
    await page.keyboard.type('F');
    await press(page, 'Remove choice 2');
    await expect.poll(focused).toBe('Choice 2');
    expect(await choicesOf(page)).toEqual(['C', 'F']);
    // Two stay to be filled in.
    await press(page, 'Remove choice 2');
    await expect.poll(() => choicesOf(page)).toEqual(['C', '']);
    await expect.poll(focused).toBe(script ? 'Choice 1' : 'Choice 2');
    expect(await page.getByLabel('Field name').inputValue()).toBe('Side?');
  });

  test('shows the question that is to be changed, and loses none that is half written', async () => {
    const page = await writing({ script }, [why, side]);
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
    const page = await writing({ script });
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
    const page = await writing({ script });
    const before = (await templatesOf(host)).length;
    await page.getByLabel('Title').fill('Twice');
    await addQuestion(page, why);
    await button(page, 'Submit').dblclick();
    await see(page, 'The questions are saved.');
    await arrive(page, '/view-templates');
    expect(await templatesOf(host)).toHaveLength(before + 1);
  });
});

testFirst('with scripts on, nothing that is typed while the form is under way disappears', async () => {
  const page = await writing({ script: true }, [side, why]);
  await page.getByLabel('Title').fill('');
  await fillQuestion(page, { questionText: 'Where', questionType: singleChoice, options: ['Here', 'There', 'Else'] });
  let answerNow = () => {};
  const answering = new Promise<void>((resolve) => {
    answerNow = resolve;
  });
  await page.route('**/edit-template/**', async (route) => {
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
