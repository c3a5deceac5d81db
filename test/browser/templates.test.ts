import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectConsoleError } from '../support/console';
import { type Person, type Row, registerConsumer, registerProvider, rowsOf } from '../support/factories';
import { describeFirst } from '../support/matrix';
import {
  bookWith,
  type Draft,
  idOf,
  multipleChoice,
  openEnded,
  publishAsking,
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
  takenOver,
  title,
  untilGone,
  untilSeen,
} from './browser';
import { chooseDays, dayOf, fullName, isFocused, wire } from './calendar';
import { journeys, scriptsFirst } from './journeys';
import { addQuestion, choiceField, choicesOf, fillQuestion, line, listed } from './questions';

const served = useServer();
const { host } = useWorld(served, { host: {} });
const { openShared } = browsersAt(served);

const day = dayOf(1, 10);
const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left', 'Right'], required: true };
const why = { questionText: 'Why?', questionType: openEnded, required: true };
const tried = {
  questionText: 'Tried?',
  questionType: multipleChoice,
  options: ['Rest', 'Ice & heat', 'Physio "at home"'],
};

describe.each(journeys)('with scripts %s at %i px', (_, __, setting) => {
  /** A provider who begins a template. */
  async function beginTemplate(): Promise<{ page: Page; provider: Person }> {
    const provider = await registerProvider(served);
    const page = await openShared({ ...setting, as: provider });
    await page.goto('/create-template');
    await page.getByLabel('Title').fill('Before we begin');
    return { page, provider };
  }

  test('a template is begun from the menu', async () => {
    const page = await openShared({ ...setting, as: await registerProvider(served) });
    await page.goto('/');

    await choose(page, 'Templates: View');
    await follow(page, 'Write questions');

    await title(page, 'Create Template');
  });

  test('a template is saved with its questions', async () => {
    const { page, provider } = await beginTemplate();

    for (const question of [why, side, tried]) await addQuestion(page, question);
    await press(page, 'Submit');
    await see(page, 'The questions are saved.');

    const [written] = await templatesOf(provider);
    expect(written).toMatchObject({ template: { displayName: 'Before we begin' }, questions: [why, side, tried] });
  });

  /** A question with one choice, which was refused; the dialog that says so is closed. */
  async function refusedQuestion(): Promise<Page> {
    const { page } = await beginTemplate();
    await addQuestion(page, why);
    await fillQuestion(page, { ...side, options: ['Left'] });
    expectConsoleError(/status of 400/);
    await press(page, 'Add question');
    const dialog = page.getByRole('dialog', { name: 'Invalid Form Question' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'hidden' });
    return page;
  }

  test('a question that is refused keeps its choices', async () => {
    const page = await refusedQuestion();

    expect(await choicesOf(page)).toEqual(['Left', '']);
  });

  test('the choices of a refused question are described by their fault', async () => {
    const page = await refusedQuestion();

    const fault = 'Choice questions must have at least 2 options.';
    expect(await descriptionOf(page.getByRole('group', { name: 'Choices' }))).toBe(fault);
  });

  test('a refused question is added once it has a second choice', async () => {
    const page = await refusedQuestion();

    await choiceField(page, 2).fill('Right');
    await press(page, 'Add question');

    await untilSeen(line(page, 'Side?'));
  });

  test('times are published with questions', async () => {
    const provider = await registerProvider(served);
    const template = await writeTemplate(provider, [why, side, tried]);
    const page = await openShared({ ...setting, as: provider });
    await page.goto('/');

    await choose(page, 'Appointments: Create');
    await chooseDays(page, day);
    await page.getByLabel('Questions').selectOption('Before we begin');
    await press(page, 'Create appointments');
    await arrive(page, '/');

    const days = new URLSearchParams({ provider: provider.username, dates: wire(day) });
    const slots = rowsOf(await provider.api('GET', `/api/Appointment/GetPage?${days}`));
    expect(slots).not.toEqual([]);
    expect(slots.filter((slot) => slot.template !== idOf(template))).toEqual([]);
  });

  /** A provider who asks three questions, at one time. */
  async function askingProvider(): Promise<{ provider: Person; slot: Row }> {
    const provider = await registerProvider(served);
    const template = await writeTemplate(provider, [why, side, tried]);
    return { provider, slot: await publishAsking(provider, idOf(template), { dates: [wire(day)] }) };
  }

  test('whoever takes a time is led to its questions', async () => {
    const { provider } = await askingProvider();
    const page = await openShared({ ...setting, as: await registerConsumer(served) });
    await page.goto(`/view?provider=${provider.username}`);

    await chooseDays(page, day);
    await press(page, 'Show times');
    await page.getByRole('link', { name: `${fullName(day)}, 09:00 to 09:30` }).click();
    await follow(page, 'Continue to the questions');

    await untilSeen(whyIn(page));
  });

  const whyIn = (page: Page) => page.getByRole('textbox', { name: 'Why? (required)' });
  const sidesIn = (page: Page) => page.getByRole('group', { name: 'Side? (required)' });

  /** The questions of a booking that was refused: one answer is blank, one is missing, and two choices are ticked. */
  async function refusedAnswers(): Promise<{ page: Page; provider: Person }> {
    const { provider, slot } = await askingProvider();
    const page = await openShared({ ...setting, as: await registerConsumer(served) });
    await page.goto(`/details/${slot.id}?step=questions`);
    await page.getByRole('checkbox', { name: 'Rest' }).check();
    await page.getByRole('checkbox', { name: 'Physio "at home"' }).check();
    await whyIn(page).fill('   ');
    expectConsoleError(/status of 400/);
    await press(page, 'Book');
    await untilSeen(page.getByRole('link', { name: '“Why?” needs an answer.' }));
    return { page, provider };
  }

  test('a question without an answer is described by its fault', async () => {
    const { page } = await refusedAnswers();

    expect(await descriptionOf(whyIn(page))).toContain('“Why?” needs an answer.');
    expect(await descriptionOf(sidesIn(page))).toContain('“Side?” needs an answer.');
  });

  test('answers that are refused keep the ticked choices', async () => {
    const { page } = await refusedAnswers();

    expect(await page.getByRole('checkbox', { name: 'Rest' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Physio "at home"' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(2);
  });

  test('refused answers book once they are put right', async () => {
    const { page, provider } = await refusedAnswers();

    await whyIn(page).fill('A fall');
    await sidesIn(page).getByRole('radio', { name: 'Left' }).check();
    await press(page, 'Book');

    await see(page, `Booked: ${provider.displayName}, ${fullName(day)}, 09:00`);
  });

  test('a provider reads what a client has answered', async () => {
    const { provider, slot } = await askingProvider();
    const client = await registerConsumer(served);
    const booked = await bookWith(client, slot, [
      { question: 'Why?', answer: 'A fall' },
      { question: 'Side?', answer: 'Left' },
      { question: 'Tried?', answer: 'Rest|Physio "at home"' },
    ]);
    expect(booked.status).toBe(200);
    const page = await openShared({ ...setting, as: provider });
    await page.goto('/');

    await choose(page, 'Appointments: Booked');
    await follow(page, client.displayName);

    await untilSeen(page.getByRole('row').filter({ hasText: 'Tried?' }).getByText('Rest, Physio "at home"'));
  });
});

/** Opens the page on which a template is written, or one with these questions is edited. */
async function writing(setting: { script: boolean }, questions: Draft[] = []): Promise<Page> {
  const page = await openShared({ ...setting, as: host });
  const isNew = questions.length === 0;
  await page.goto(isNew ? '/create-template' : `/edit-template/${idOf(await writeTemplate(host, questions))}`);
  if (setting.script) await takenOver(page);
  return page;
}

describe.each(scriptsFirst)('the dialog of a question, with scripts %s', (_, script) => {
  const focusedField = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  /** A question that is being written, with the choices A, B and C. */
  async function threeChoices(): Promise<Page> {
    const page = await writing({ script });
    await fillQuestion(page, { ...tried, options: ['A', 'B', 'C'] });
    return page;
  }

  test('takes away the choice whose Remove is pressed', async () => {
    const page = await threeChoices();

    await press(page, 'Remove choice 2');

    await untilGone(choiceField(page, 3));
    expect(await choicesOf(page)).toEqual(['A', 'C']);
  });

  test('leads the keyboard to the choice after a removed one', async () => {
    const page = await threeChoices();

    await press(page, 'Remove choice 2');
    await untilGone(choiceField(page, 3));

    await expect.poll(() => focusedField(page)).toBe('Choice 2');
  });

  test('leads the keyboard to a new choice', async () => {
    const page = await threeChoices();

    await press(page, 'Add a choice');

    await expect.poll(() => focusedField(page)).toBe('Choice 4');
  });

  test('keeps what is typed into a new choice when another is removed', async () => {
    const page = await threeChoices();
    await press(page, 'Add a choice');
    await expect.poll(() => focusedField(page)).toBe('Choice 4');
    await page.keyboard.type('D');

    await press(page, 'Remove choice 1');

    await expect.poll(() => choicesOf(page)).toEqual(['B', 'C', 'D']);
  });
});

describeFirst('with scripts on, while a form is pending', () => {
  /**
   * A template whose second question is on its way up while 'more' is typed into the title, the name of a question and its
   * last choice; and what the fields held before the response came.
   */
  async function typedWhilePending() {
    const page = await writing({ script: true }, [side, why]);
    await page.getByLabel('Title').fill('');
    await fillQuestion(page, { questionText: 'Where', questionType: singleChoice, options: ['Here', 'There', 'Else'] });
    let letResponseCome = () => {};
    const response = new Promise<void>((resolve) => {
      letResponseCome = resolve;
    });
    await page.route('**/edit-template/**', async (route) => {
      await response;
      await route.continue();
    });
    await line(page, 'Why?').getByRole('button', { name: /^Up/ }).click();
    for (const field of [page.getByLabel('Title'), page.getByLabel('Field name'), choiceField(page, 3)]) {
      await field.focus();
      await page.keyboard.type('more');
    }
    const before = await typedIn(page);
    letResponseCome();
    await expect.poll(() => listed(page)).toEqual([expect.stringMatching(/^Why/), expect.stringMatching(/^Side/)]);
    return { page, before };
  }

  const typedIn = async (page: Page) => ({
    title: await page.getByLabel('Title').inputValue(),
    name: await page.getByLabel('Field name').inputValue(),
    choices: await choicesOf(page),
  });

  test('nothing that is typed disappears', async () => {
    const { page, before } = await typedWhilePending();

    expect(before.title).toBe('more');
    expect(await typedIn(page)).toEqual(before);
  });

  test('the keyboard stays where it is', async () => {
    const { page } = await typedWhilePending();

    expect(await isFocused(choiceField(page, 3))).toBe(true);
  });
});
