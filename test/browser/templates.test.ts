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
  button,
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
import { smallness } from './sight';
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

/** The table of questions and answers, once it is there. */
async function tableOf(page: Page): Promise<string[][]> {
  const rows = page.locator('main table tbody tr');
  await seen(rows.first());
  return rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
}

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  test('a template is written, attached, booked against, answered wrongly and rightly, read, and answered anew', async () => {
    const [provider, consumer] = await Promise.all([registerProvider(served), registerConsumer(served)]);
    // What is written or answered wrongly on the way.
    expectConsoleError(/status of 400/);
    const desk = await open({ ...setting, as: provider });
    await write(desk);
    const [written] = await templatesOf(provider);
    expect(written).toMatchObject({ template: { displayName: 'Before we begin' }, questions: [why, side, tried] });
    await publishWithQuestions(desk);

    const chair = await open({ ...setting, as: consumer });
    await comeToTheQuestions(chair, provider.username);
    await answerWrongly(chair);
    await press(chair, 'Book');
    await arrive(chair, '/view');
    await see(chair, `Booked: ${provider.displayName}, ${fullName(day)}, 09:00`);

    await choose(desk, 'Appointments: Booked');
    await follow(desk, consumer.displayName);
    const answers = [
      ['Why?', 'A fall'],
      ['Side?', 'Left'],
      ['Tried?', 'Rest, Physio "at home"'],
    ];
    expect(await tableOf(desk)).toEqual(answers);
    await changeAnswers(chair);
    await desk.reload();
    expect(await tableOf(desk)).toEqual([
      ['Why?', 'It is better'],
      ['Side?', 'Left'],
      ['Tried?', 'Ice & heat'],
    ]);
  }, 120_000);
});

async function write(page: Page): Promise<void> {
  await page.goto('/');
  await choose(page, 'Templates: View');
  await follow(page, 'Write questions');
  await title(page, 'Create Template');
  await page.getByLabel('Title').fill('Before we begin');
  await addQuestion(page, why);
  await fillQuestion(page, { ...side, options: ['Left'] });
  await press(page, 'Add question');
  const dialog = page.getByRole('dialog', { name: 'Invalid Form Question' });
  await seen(dialog);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Field name').inputValue()).toBe('Side?');
  expect(await page.getByRole('radio', { name: 'Single Choice' }).isChecked()).toBe(true);
  expect(await choicesOf(page)).toEqual(['Left', '']);
  const choices = page.getByRole('group', { name: 'Choices' });
  expect(await descriptionOf(choices)).toBe('Choice questions must have at least 2 options.');
  await choiceField(page, 2).fill('Right');
  await press(page, 'Add question');
  await seen(line(page, 'Side?'));
  await addQuestion(page, tried);
  expect(await smallness(page)).toEqual([]);
  await press(page, 'Submit');
  await arrive(page, '/view-templates');
  await see(page, 'The questions are saved.');
}

async function publishWithQuestions(page: Page): Promise<void> {
  await choose(page, 'Appointments: Create');
  await chooseDays(page, day);
  await page.getByLabel('Range end time').fill('10:00');
  await page.getByLabel('Questions').selectOption('Before we begin');
  await press(page, 'Create appointments');
  await arrive(page, '/');
  await see(page, '2 appointments are open for booking.');
}

async function comeToTheQuestions(page: Page, username: string): Promise<void> {
  await page.goto(`/view?provider=${username}`);
  await chooseDays(page, day);
  await press(page, 'Show times');
  await page.getByRole('link', { name: `${fullName(day)}, 09:00 to 09:30` }).click();
  await follow(page, 'Continue to the questions');
  expect(await smallness(page)).toEqual([]);
}

const whyField = (page: Page) => page.getByRole('textbox', { name: 'Why? (required)' });

/** Says at each question what is wrong with its answer, and keeps the others; then all is answered. */
async function answerWrongly(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: 'Rest' }).check();
  await page.getByRole('checkbox', { name: 'Physio "at home"' }).check();
  await whyField(page).fill('   ');
  await press(page, 'Book');
  await seen(page.getByRole('link', { name: '“Why?” needs an answer.' }));
  expect(await descriptionOf(whyField(page))).toContain('“Why?” needs an answer.');
  const sides = page.getByRole('group', { name: 'Side? (required)' });
  expect(await descriptionOf(sides)).toContain('“Side?” needs an answer.');
  expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  expect(await smallness(page)).toEqual([]);
  await whyField(page).fill('A fall');
  await sides.getByRole('radio', { name: 'Left' }).check();
}

async function changeAnswers(page: Page): Promise<void> {
  await follow(page, 'See it, or cancel it');
  await page.getByText('Change your answers').click();
  expect(await whyField(page).inputValue()).toBe('A fall');
  await page.getByRole('checkbox', { name: 'Rest' }).uncheck();
  await page.getByRole('checkbox', { name: 'Physio "at home"' }).uncheck();
  await page.getByRole('checkbox', { name: 'Ice & heat' }).check();
  await whyField(page).fill(' ');
  await press(page, 'Save answers');
  await see(page, '“Why?” needs an answer.');
  await whyField(page).fill('It is better');
  await press(page, 'Save answers');
  await see(page, 'Your answers are saved.');
}

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
    // Two stay to be filled in.
    await press(page, 'Remove choice 2');
    await expect.poll(() => choicesOf(page)).toEqual(['C', '']);
    expect(await page.getByLabel('Field name').inputValue()).toBe('Tried?');
  });

  test('shows the question that is to be changed, and loses none that is half written', async () => {
    const page = await writing({ script }, [why, side]);
    await fillQuestion(page, { questionText: 'Half wri' });
    await button(page, /^Change\s*: Side/).click();
    await see(page, 'Change the question');
    expect(await page.getByLabel('Field name').inputValue()).toBe('Side?');
    expect(await choicesOf(page)).toEqual(['Left', 'Right']);
    expect(await listed(page)).toEqual(expect.arrayContaining(['Half wri']));
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
