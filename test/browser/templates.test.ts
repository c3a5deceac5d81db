import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { fold } from '../../app/domain/input/fold';
import { expectConsoleError } from '../support/console';
import { type Person, registerConsumer, registerProvider } from '../support/factories';
import {
  type Draft,
  intake,
  intakeAnswers,
  intakeKept,
  openEnded,
  singleChoice,
  templatesOf,
} from '../support/template-factories';
import { useServer } from '../support/use-server';
import {
  arrive,
  browsersAt,
  choose,
  descriptionOf,
  follow,
  pathOf,
  press,
  see,
  seen,
  title,
  vanished,
} from './browser';
import { chooseDays, dayOf, fullName } from './calendar';
import { addQuestion, choiceField, choicesOf, fillQuestion, line, listed } from './questions';
import { smallness } from './sight';
import { waysOfAJob } from './ways';

const served = useServer();
const { open } = browsersAt(served);

const day = dayOf(1, 10);

/** One question of each type. doors/ writes all of them. */
const asking = intake.slice(0, 3);
const about = ({ question }: { question: string }) => asking.some(({ questionText }) => questionText === question);
const [given, kept] = [intakeAnswers.filter(about), intakeKept.filter(about)];

/** A question that is asked, by the name it is read out by. */
const nameOf = ({ questionText, required }: Draft) => `${questionText}${required ? ' (required)' : ''}`;
const asked = (question: string) => {
  const draft = asking.find(({ questionText }) => questionText === question);
  if (!draft) throw new Error(`Nobody asks "${question}".`);
  return draft;
};

/** Where a question is answered: a text, or the group of its choices. */
function answering(page: Page, draft: Draft): Locator {
  const role = draft.questionType === openEnded ? 'textbox' : 'group';
  return page.getByRole(role, { name: nameOf(draft), exact: true });
}

async function answer(page: Page, question: string, values: string): Promise<void> {
  const draft = asked(question);
  const field = answering(page, draft);
  if (draft.questionType === openEnded) return field.fill(values);
  if (draft.questionType === singleChoice) return field.getByRole('radio', { name: values, exact: true }).check();
  const chosen = values.split('|');
  for (const option of draft.options ?? []) {
    await field.getByRole('checkbox', { name: option, exact: true }).setChecked(chosen.includes(option));
  }
}

/** What is filled in: the text, or the chosen values joined by '|'. */
async function filled(page: Page, question: string): Promise<string> {
  const draft = asked(question);
  const field = answering(page, draft);
  if (draft.questionType === openEnded) return field.inputValue();
  const chosen = field.locator('input:checked');
  return (await chosen.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))).join('|');
}

/** The table of question and answer, once it is there. */
async function tableOf(page: Page) {
  const rows = page.locator('main table tbody tr');
  await seen(rows.first());
  return rows.evaluateAll((all) =>
    all.map((row) => ({
      question: row.querySelector('th')?.textContent,
      answer: row.querySelector('td')?.textContent,
    })),
  );
}

/** Answers as screens show them: choices as they were offered. */
const shown = (answers: typeof kept) =>
  answers.map(({ question, answer }) => {
    const { options } = asked(question);
    const offered = (value: string) => options?.find((option) => fold(option) === fold(value)) ?? value;
    return { question, answer: options ? answer.split('|').map(offered).join(', ') : answer };
  });

describe.each(waysOfAJob)('with scripts %s at %s', (_, __, setting) => {
  test('a template is written, edited, attached, booked against, answered wrongly and rightly, read, and answered anew', async () => {
    const [provider, consumer] = await Promise.all([registerProvider(served), registerConsumer(served)]);
    // What is written or answered wrongly on the way.
    expectConsoleError(/status of 400/);
    const host = await open({ ...setting, as: provider });
    await write(host);
    await edit(host);
    expect((await templatesOf(provider)).map(({ template }) => template.displayName)).toEqual(['Before we begin']);
    await publishWithQuestions(host, provider);

    const chair = await open({ ...setting, as: consumer });
    await comeToTheQuestions(chair, provider);
    await answerWrongly(chair);
    const id = await answerRightly(chair, provider);

    await choose(host, 'Appointments: Booked');
    await follow(host, consumer.displayName);
    await arrive(host, `/details-provider/${id}`);
    expect(await tableOf(host)).toEqual(shown(kept));

    await changeAnswers(chair, id);
    await host.goto(`/details-provider/${id}`);
    const changed: Record<string, string> = {
      'What brings you here?': 'It is better',
      'What have you tried?': 'ice & heat',
    };
    const anew = kept.map(({ question, answer }) => ({ question, answer: changed[question] ?? answer }));
    expect(await tableOf(host)).toEqual(shown(anew));
  }, 120_000);
});

async function write(page: Page): Promise<void> {
  await page.goto('/');
  await choose(page, 'Templates: View');
  await see(page, 'You have no templates.');
  await follow(page, 'Write questions');
  await title(page, 'Create Template');
  expect(await page.getByLabel('Title').getAttribute('placeholder')).toBe('Untitled Template');
  await page.getByLabel('Title').fill('Before we begin');

  await fillQuestion(page, {
    questionText: 'Half a choice?',
    questionType: singleChoice,
    options: ['Only one'],
    required: true,
  });
  await press(page, 'Add question');
  const dialog = page.getByRole('dialog', { name: 'Invalid Form Question' });
  await seen(dialog);
  await dialog.hover();
  expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
    'Choice questions must have at least 2 options.',
  ]);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect(await page.getByLabel('Field name').inputValue()).toBe('Half a choice?');
  expect(await page.getByRole('radio', { name: 'Single Choice' }).isChecked()).toBe(true);
  expect(await choicesOf(page)).toEqual(['Only one', '']);
  expect(await page.getByLabel('Must be answered').isChecked()).toBe(true);
  expect(await page.locator('form').getByText('Choice questions must have at least 2 options.').isVisible()).toBe(true);
  await choiceField(page, 2).fill('Another');
  await press(page, 'Add question');
  await seen(line(page, 'Half a choice?'));

  for (const draft of asking)
    await addQuestion(page, { ...draft, questionText: draft.questionText.replace('tried', 'done') });
  expect(await page.getByLabel('Title').inputValue()).toBe('Before we begin');
  expect(await smallness(page)).toEqual([]);
  await press(page, 'Submit');
  await arrive(page, '/view-templates');
  await see(page, 'The questions are saved.');
}

/** Takes the question out that is not to be asked, puts two of the others in each other's place and back, and changes one. */
async function edit(page: Page): Promise<void> {
  await follow(page, /^Before we begin/);
  await page.waitForURL('**/details-template/*');
  const old = pathOf(page);
  await follow(page, 'Edit');
  await title(page, 'Edit Template');
  await line(page, 'Half a choice?')
    .getByRole('button', { name: /^Remove/ })
    .click();
  await vanished(line(page, 'Half a choice?'));
  const names = await listed(page);
  await line(page, 'Which side hurts?').getByRole('button', { name: /^Up/ }).click();
  await seen(page.locator('main ol > li:nth-child(1)').filter({ hasText: 'Which side hurts?' }));
  await line(page, 'Which side hurts?').getByRole('button', { name: /^Down/ }).click();
  await seen(page.locator('main ol > li:nth-child(2)').filter({ hasText: 'Which side hurts?' }));
  expect(await listed(page)).toEqual(names);
  await line(page, 'What have you done?')
    .getByRole('button', { name: /^Change/ })
    .click();
  await page.getByLabel('Field name').fill('What have you tried?');
  await press(page, 'Keep the change');
  await seen(line(page, 'What have you tried?'));
  await press(page, 'Submit');
  await title(page, 'Template');
  await page.waitForURL((url) => url.pathname !== old && url.pathname.startsWith('/details-template/'));
  expect(await page.locator('main ol > li').count()).toBe(asking.length);
}

async function publishWithQuestions(page: Page, provider: Person): Promise<void> {
  await choose(page, 'Appointments: Create');
  await chooseDays(page, day);
  await page.getByLabel('Range end time').fill('10:00');
  await page.getByLabel('Questions').selectOption('Before we begin');
  await press(page, 'Create appointments');
  await arrive(page, '/');
  await see(page, '2 appointments are open for booking.');
  const [current] = await templatesOf(provider);
  const asks = current?.questions.map(({ questionText, questionType, options, required }) => ({
    questionText,
    questionType,
    options,
    required,
  }));
  expect(asks).toEqual(asking);
}

async function comeToTheQuestions(page: Page, { username }: Person): Promise<void> {
  await page.goto(`/view?provider=${username}`);
  await chooseDays(page, day);
  await press(page, 'Show times');
  await page.getByRole('link', { name: `${fullName(day)}, 09:00 to 09:30` }).click();
  await title(page, 'Book an Appointment');
  await follow(page, 'Continue to the questions');
  for (const draft of asking) await seen(answering(page, draft));
  expect(await smallness(page)).toEqual([]);
}

async function answerWrongly(page: Page): Promise<void> {
  const tried = 'Rest|Physio "at home"';
  await answer(page, 'What have you tried?', tried);
  await answer(page, 'What brings you here?', '   ');
  await press(page, 'Book');
  await seen(page.getByRole('link', { name: '“What brings you here?” needs an answer.' }));
  for (const draft of asking) {
    const said = await descriptionOf(answering(page, draft));
    if (draft.required) expect(said).toContain(`“${draft.questionText}” needs an answer.`);
    else expect(said).toBe('');
  }
  expect(await filled(page, 'What have you tried?')).toBe(tried);
  expect(await smallness(page)).toEqual([]);
}

async function answerRightly(page: Page, { displayName }: Person): Promise<string> {
  const id = pathOf(page).replace(/^\/details\/|\?.*$/g, '');
  const still = given.filter(({ question }) => asked(question).required);
  for (const { question, answer: values } of still) await answer(page, question, values);
  await press(page, 'Book');
  await arrive(page, '/view');
  await see(page, `Booked: ${displayName}, ${fullName(day)}, 09:00`);
  return id;
}

async function changeAnswers(page: Page, id: string): Promise<void> {
  await follow(page, 'See it, or cancel it');
  await arrive(page, `/details-cancel/${id}`);
  expect(await tableOf(page)).toEqual(shown(kept));
  await page.getByText('Change your answers').click();
  for (const { question, answer: values } of given) {
    expect((await filled(page, question)).toLowerCase()).toBe(values.toLowerCase());
  }
  await answer(page, 'What brings you here?', ' ');
  await answer(page, 'What have you tried?', 'Ice & heat');
  await press(page, 'Save answers');
  await see(page, '“What brings you here?” needs an answer.');
  expect(await descriptionOf(answering(page, asked('What brings you here?')))).toContain('needs an answer.');
  expect(await filled(page, 'What have you tried?')).toBe('Ice & heat');
  await answer(page, 'What brings you here?', 'It is better');
  await press(page, 'Save answers');
  await see(page, 'Your answers are saved.');
  await seen(page.getByRole('cell', { name: 'It is better' }));
}
