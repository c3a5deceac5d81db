import { beforeAll, describe, expect, test } from 'vitest';
import { dayAhead, type Person, peopleAt, type Row } from '../../support/factories';
import { words as text } from '../../support/forms';
import {
  type Draft,
  deleteTemplate,
  editTemplate,
  idOf,
  intake,
  openEnded,
  type Template,
  templatesOf,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Fields, type Page, tripsOf, typedIn } from '../../support/visit';

/** The questions that are listed on the page of a template being written, each with its type and choices. */
const listed = (page: Page) =>
  page.$$('main ol > li').map((line) => line.querySelectorAll('p').map((words) => text(words.text)));

/** The fields of the dialog in which a question is written. */
const fieldsOf = ({ questionText, questionType, options, required }: Draft): Fields => ({
  'question-text': questionText ?? '',
  'question-type': String(questionType ?? openEnded),
  ...(options && { 'question-choice': options }),
  'question-required': required ?? false,
});

/** Writes a question through the dialog of a page, with as many choices as it has. */
async function addQuestion(page: Page, draft: Draft): Promise<Page> {
  let writing = await page.submit('Add new question');
  for (let choices = 2; choices < (draft.options?.length ?? 0); choices++) {
    writing = await writing.submit('Add a choice', fieldsOf(draft));
  }
  return writing.submit('Add question', fieldsOf(draft));
}

/** Templates without their ids and the like. */
const kept = (templates: Template[]) =>
  templates.map(({ template, questions }) => ({
    name: template.displayName,
    questions: questions.map(({ questionText, questionType, options, required }) => ({
      questionText,
      questionType,
      options,
      required,
    })),
  }));

/* Templates as they are written, edited, deleted and attached by forms alone. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const namesOf = async (provider: Person) => (await templatesOf(provider)).map(({ template }) => template.displayName);
const textsOn = (page: Page) => listed(page).map(([words]) => words);

/** The dialog in which a question is written, as it is filled in. */
function dialogOf(page: Page) {
  const field = page.$('[name=question-text]');
  if (!field) return null;
  return {
    text: field.getAttribute('value') ?? '',
    type: Number(page.$('[name=question-type][checked]')?.getAttribute('value')),
    required: page.$('[name=question-required]')?.hasAttribute('checked'),
    choices: page.$$('[name=question-choice]').map((choice) => choice.getAttribute('value') ?? ''),
  };
}

/** The page on which a template is written, with these questions in the list. */
async function writing(provider: Person, name: string, questions: Draft[]): Promise<Page> {
  let page = await provider.browser.visit('/create-template');
  page = await page.submit('Add new question', { templateName: name });
  page = await page.submit('Close');
  for (const draft of questions) page = await addQuestion(page, draft);
  return page;
}

describe('a template is written by forms alone', () => {
  test('from the empty list to six questions of all types', async () => {
    const provider = await newProvider();
    const blank = await (await provider.browser.visit('/view-templates')).click('Write questions');
    let page = await blank.submit('Add new question', { templateName: 'Before we "begin" | قبل' });
    expect(dialogOf(page)).toEqual({ text: '', type: openEnded, required: false, choices: ['', ''] });
    page = await page.submit('Close');
    for (const draft of intake) page = await addQuestion(page, draft);
    expect([typedIn(page, 'templateName'), dialogOf(page)]).toEqual(['Before we "begin" | قبل', null]);
    expect(listed(page)).toEqual([
      ['What brings you here? *(required)', 'Short Response'],
      ['Which side hurts? *(required)', 'Single Choice: Left, Right, Both sides'],
      ['What have you tried?', 'Multiple Choice: Rest, Ice & heat, Physio "at home"'],
      ['Is it urgent?', 'Single Choice: Yes, No'],
      ['متى يؤلمك؟ Wann tut’s weh? 🦴 *(required)', 'Multiple Choice: ÜBER NACHT, ΣΤΗΝ ΟΔΟΣ, مساءً, 走路时'],
      ['Anything else?', 'Short Response'],
    ]);

    const list = await page.submit('Submit');
    expect(list.path).toMatch(/^\/view-templates/);
    expect(list.words).toMatch(/The questions are saved\..*6 questions/s);
    expect(kept(await templatesOf(provider))).toEqual([{ name: 'Before we "begin" | قبل', questions: intake }]);
  });

  test('by Enter in the dialog and in the title, and sent twice, it is one; without a title an Untitled Template', async () => {
    const provider = await newProvider();
    const page = await (await writing(provider, '  ', [])).submit('Add new question');
    const added = await page.submit('main form', { 'question-text': 'Why?' });
    expect(listed(added)).toEqual([['Why?', 'Short Response']]);
    await Promise.all([added.submit('main form'), added.submit('main form')]);
    expect((await added.submit('main form')).words).toContain('Untitled Template');
    expect(await namesOf(provider)).toEqual(['Untitled Template']);
  });
});

describe('a template that is there', () => {
  let provider: Person;
  let asked: Template;
  beforeAll(async () => {
    provider = await newProvider();
    await writeTemplate(provider, [], 'Before');
    asked = await writeTemplate(provider, intake, 'Intake');
    await writeTemplate(provider, [{}], 'After');
  });

  test('is edited from what it is, once if sent twice; its place stays, and its earlier version says what it is', async () => {
    const old = `/details-template/${idOf(asked)}`;
    const form = await (await provider.browser.visit(old)).click('Edit');
    expect([typedIn(form, 'templateName'), listed(form).length]).toEqual(['Intake', 6]);
    const shorter = await form.submit('Remove: Is it urgent?');
    const send = () => shorter.submit('Submit', { templateName: 'Intake, shorter' });
    const [page, again] = await Promise.all([send(), send()]);
    expect(page.path).toMatch(/^\/details-template\//);
    expect([page.path === old, again.path]).toEqual([false, page.path]);
    expect(page.words).toContain('Intake, shorter');
    expect(await namesOf(provider)).toEqual(['Before', 'Intake, shorter', 'After']);
    const earlier = await provider.browser.visit(old);
    expect(earlier.words).toContain('This is an earlier version.');
    expect(listed(earlier)).toHaveLength(6);
  });

  test.each([
    ['edited', (who: Person, id: string) => editTemplate(who, id, [{ questionText: 'Elsewhere?' }], 'Elsewhere')],
    ['deleted', deleteTemplate],
  ])('that was %s elsewhere meanwhile can not be saved, but nothing typed is lost', async (_, meanwhile) => {
    const other = await newProvider();
    const { template } = await writeTemplate(other, [{ questionText: 'Why?' }], 'Old');
    const page = await other.browser.visit(`/edit-template/${template.id}`);
    const form = await addQuestion(page, { questionText: 'New?' });
    await meanwhile(other, template.id);
    const refused = await form.submit('Submit', { templateName: 'Typed with care' });
    expect([refused.status, typedIn(refused, 'templateName')]).toEqual([404, 'Typed with care']);
    expect(textsOn(refused)).toEqual(['Why?', 'New?']);
  });
});

test('a template is attached by its name where slots are made, or not at all', async () => {
  const form = { start: '09:00', end: '09:30', dates: [dayAhead(1)] };
  const provider = await newProvider();
  const asked = await writeTemplate(provider, intake, 'Intake');
  const page = await provider.browser.visit('/create');
  const choices = page.$$('[name=templateId] option').map((option) => text(option.text));
  expect(choices).toEqual(['No questions', 'Intake']);
  await provider.browser.post('/create', { ...form, templateId: idOf(asked) });
  await provider.browser.post('/create', { ...form, dates: [dayAhead(2)], templateId: '' });
  const rows = (await maya.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`)).json as Row[];
  expect(rows.map(({ template }) => template)).toEqual([idOf(asked), null]);
});

test('a template takes one trip to the database while it is written, when it is saved, edited and deleted', async () => {
  const { browser } = await newProvider();
  const question = JSON.stringify({ questionText: 'Why?', questionType: openEnded, options: null, required: false });
  const wrong = { press: 'keep', dialog: 'open', 'question-type': '0' };
  const steps: [string, Page, number][] = [
    ['add', await browser.post('/create-template', { press: 'add' }), 200],
    ['keep, wrong', await browser.post('/create-template', wrong), 400],
    ['save', await browser.post('/create-template', { press: 'save', question }), 303],
  ];
  const link = (await browser.visit('/view-templates')).$('main a[href^="/details-template/"]');
  const edit = link?.getAttribute('href')?.replace('details', 'edit') ?? '';
  const edited = await browser.post(edit, { press: 'save', templateName: 'Anew', question });
  steps.push(['edit', edited, 303], ['delete', await browser.post(edited.location ?? ''), 303]);
  for (const [what, page, status] of steps) expect([what, page.status, tripsOf(page)]).toEqual([what, status, 1]);
});
