import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { registerConsumer, registerProvider } from '../support/factories';
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
import {
  arrive,
  browsersAt,
  choose,
  descriptionOf,
  follow,
  press,
  see,
  seen,
  takenOver,
  title,
  vanished,
} from './browser';
import { chooseDays, dayOf, fullName, isFocused } from './calendar';
import { addQuestion, choiceField, choicesOf, fillQuestion, line, listed } from './questions';
import { scriptsFirst, waysOfAJob } from './ways';

const served = useServer();
const { host } = useWorld(served, { host: {} });
const { open, keepOpen } = browsersAt(served);

const day = dayOf(1, 10);
const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left', 'Right'], required: true };
const why = { questionText: 'Why?', questionType: openEnded, required: true };
const tried = {
  questionText: 'Tried?',
  questionType: multipleChoice,
  options: ['Rest', 'Ice & heat', 'Physio "at home"'],
};

describe.each(waysOfAJob)('with scripts %s at %i px', (_, __, setting) => {
  test('a template is written, attached, booked against, answered wrongly and rightly, and read', async () => {
    const [provider, consumer] = await Promise.all([registerProvider(served), registerConsumer(served)]);
    // What is written or answered wrongly on the way.
    expectConsoleError(/status of 400/);
    const desk = await open({ ...setting, as: provider });
    await desk.goto('/');
    await choose(desk, 'Templates: View');
    await follow(desk, 'Write questions');
    await title(desk, 'Create Template');
    await desk.getByLabel('Title').fill('Before we begin');
    await addQuestion(desk, why);
    await fillQuestion(desk, { ...side, options: ['Left'] });
    await press(desk, 'Add question');
    const dialog = desk.getByRole('dialog', { name: 'Invalid Form Question' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await choicesOf(desk)).toEqual(['Left', '']);
    const fault = 'Choice questions must have at least 2 options.';
    expect(await descriptionOf(desk.getByRole('group', { name: 'Choices' }))).toBe(fault);
    await choiceField(desk, 2).fill('Right');
    await press(desk, 'Add question');
    await seen(line(desk, 'Side?'));
    await addQuestion(desk, tried);
    await press(desk, 'Submit');
    await see(desk, 'The questions are saved.');
    const [written] = await templatesOf(provider);
    expect(written).toMatchObject({ template: { displayName: 'Before we begin' }, questions: [why, side, tried] });
    await choose(desk, 'Appointments: Create');
    await chooseDays(desk, day);
    await desk.getByLabel('Questions').selectOption('Before we begin');
    await press(desk, 'Create appointments');
    await arrive(desk, '/');

    const chair = await open({ ...setting, as: consumer });
    await chair.goto(`/view?provider=${provider.username}`);
    await chooseDays(chair, day);
    await press(chair, 'Show times');
    await chair.getByRole('link', { name: `${fullName(day)}, 09:00 to 09:30` }).click();
    await follow(chair, 'Continue to the questions');
    await chair.getByRole('checkbox', { name: 'Rest' }).check();
    await chair.getByRole('checkbox', { name: 'Physio "at home"' }).check();
    const whyField = chair.getByRole('textbox', { name: 'Why? (required)' });
    await whyField.fill('   ');
    await press(chair, 'Book');
    await seen(chair.getByRole('link', { name: '“Why?” needs an answer.' }));
    expect(await descriptionOf(whyField)).toContain('“Why?” needs an answer.');
    const sides = chair.getByRole('group', { name: 'Side? (required)' });
    expect(await descriptionOf(sides)).toContain('“Side?” needs an answer.');
    expect(await chair.getByRole('checkbox', { checked: true }).count()).toBe(2);
    await whyField.fill('A fall');
    await sides.getByRole('radio', { name: 'Left' }).check();
    await press(chair, 'Book');
    await see(chair, `Booked: ${provider.displayName}, ${fullName(day)}, 09:00`);

    await choose(desk, 'Appointments: Booked');
    await follow(desk, consumer.displayName);
    await seen(desk.getByRole('row').filter({ hasText: 'Tried?' }).getByText('Rest, Physio "at home"'));
  }, 120_000);
});

/** Opens the page on which a template is written, or one with these questions is edited. */
async function writing(setting: { script: boolean }, questions: Draft[] = []): Promise<Page> {
  const page = await keepOpen({ ...setting, as: host });
  const isNew = questions.length === 0;
  await page.goto(isNew ? '/create-template' : `/edit-template/${idOf(await writeTemplate(host, questions))}`);
  if (setting.script) await takenOver(page);
  return page;
}

describe.each(scriptsFirst)('the dialog of a question, with scripts %s', (_, script) => {
  test('takes away the choice whose Remove is pressed, and leads the keyboard next to it or to a new one', async () => {
    const page = await writing({ script });
    await fillQuestion(page, { ...tried, options: ['A', 'B', 'C'] });
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await press(page, 'Remove choice 2');
    await vanished(choiceField(page, 3));
    expect(await choicesOf(page)).toEqual(['A', 'C']);
    await expect.poll(focused).toBe('Choice 2');
    await press(page, 'Add a choice');
    await expect.poll(focused).toBe('Choice 3');
    await page.keyboard.type('D');
    await press(page, 'Remove choice 1');
    await expect.poll(() => choicesOf(page)).toEqual(['C', 'D']);
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
  await expect.poll(() => listed(page)).toEqual([expect.stringMatching(/^Why/), expect.stringMatching(/^Side/)]);
  expect([await typed(), await choicesOf(page)]).toEqual([before, choices]);
  expect(await isFocused(choiceField(page, 3))).toBe(true);
});
