import { beforeAll, describe, expect, test } from 'vitest';
import { tripsOf } from '../support/asked';
import { dayAhead, type Person, type Row, registerConsumer, registerProvider } from '../support/factories';
import { words as text } from '../support/forms';
import {
  type Draft,
  deleteTemplate,
  editTemplate,
  idOf,
  intake,
  multipleChoice,
  openEnded,
  singleChoice,
  type Template,
  templatesOf,
  writeTemplate,
} from '../support/template-factories';
import { useServer } from '../support/use-server';
import { type Fields, type Page, titleOf } from '../support/visit';

const daybook = useServer({ vars: { TIMING: 'on' } });

let maya: Person;
beforeAll(async () => {
  maya = await registerConsumer(daybook);
});
const newProvider = () => registerProvider(daybook);

const typedIn = (page: Page, name: string) => page.$(`[name=${name}]`)?.getAttribute('value') ?? '';
const buttonsOf = (page: Page) => page.$$('main button').map((button) => text(button.text));

/** The questions that are listed on the page of a template being written, each with its type and choices. */
const listed = (page: Page) =>
  page.$$('main ol > li').map((line) => line.querySelectorAll('p').map((words) => text(words.text)));

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

/** The dialog that says what is wrong with a question: its title, its messages, and its button. */
function refusalOf(page: Page) {
  const dialog = page.$('dialog[open]');
  const title = page.$(`#${dialog?.getAttribute('aria-labelledby')}`);
  return {
    status: page.status,
    title: text(title?.text),
    messages: dialog?.querySelectorAll('li').map((message) => text(message.text)),
    button: text(dialog?.querySelector('form[method=dialog] button')?.text),
  };
}
const refusedFor = (...messages: string[]) => ({
  status: 400,
  title: 'Invalid Form Question',
  messages,
  button: 'Close',
});

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

/** The page on which a template is written, with these questions in the list. */
async function writing(provider: Person, name: string, questions: Draft[]): Promise<Page> {
  let page = await provider.browser.visit('/create-template');
  page = await page.submit('Add new question', { templateName: name });
  page = await page.submit('Close');
  for (const draft of questions) page = await addQuestion(page, draft);
  return page;
}

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

describe('a template is written by forms alone', () => {
  test('from the empty list to six questions of all types', async () => {
    const provider = await newProvider();
    const empty = await provider.browser.visit('/view-templates');
    expect(empty.words).toContain('You have no templates.');
    const blank = await empty.click('Create a template');
    expect([blank.path, titleOf(blank)]).toEqual(['/create-template', 'Create Template']);
    expect(blank.$('[name=templateName]')?.getAttribute('placeholder')).toBe('Untitled Template');

    let page = await blank.submit('Add new question', { templateName: 'Before we "begin" | قبل' });
    expect(dialogOf(page)).toEqual({ text: '', type: openEnded, required: false, choices: ['', ''] });
    page = await page.submit('Close');
    for (const draft of intake) page = await addQuestion(page, draft);
    expect(typedIn(page, 'templateName')).toBe('Before we "begin" | قبل');
    expect(dialogOf(page)).toBeNull();
    expect(listed(page)).toEqual([
      ['What brings you here? *(required)', 'Short Response'],
      ['Which side hurts? *(required)', 'Single Choice: Left, Right, Both sides'],
      ['What have you tried?', 'Multiple Choice: Rest, Ice & heat, Physio "at home"'],
      ['Is it urgent?', 'Single Choice: Yes, No'],
      ['متى يؤلمك؟ Wann tut’s weh? 🦴 *(required)', 'Multiple Choice: ÜBER NACHT, ΣΤΗΝ ΟΔΟΣ, مساءً, 走路时'],
      ['Anything else?', 'Short Response'],
    ]);

    const list = await page.submit('Submit');
    expect(new URL(list.url).pathname).toBe('/view-templates');
    expect(list.words).toContain('The template is saved.');
    expect(list.words).toContain('6 questions');
    expect(kept(await templatesOf(provider))).toEqual([{ name: 'Before we "begin" | قبل', questions: intake }]);
  });

  test('without a title it is an Untitled Template; without questions it is one all the same', async () => {
    const provider = await newProvider();
    const blank = await provider.browser.visit('/create-template');
    expect((await blank.submit('Submit', { templateName: '  ' })).words).toContain('Untitled Template');
    expect(kept(await templatesOf(provider))).toEqual([{ name: 'Untitled Template', questions: [] }]);
  });

  test('Enter in the title submits it, Enter in the dialog adds the question', async () => {
    const provider = await newProvider();
    const page = await writing(provider, 'By Enter', []);
    const added = await (await page.submit('Add new question')).submit('main form', { 'question-text': 'Why?' });
    expect(listed(added)).toEqual([['Why?', 'Short Response']]);
    expect((await added.submit('main form')).path).toContain('/view-templates');
    expect(await templatesOf(provider)).toHaveLength(1);
  });

  test('sent twice it is one template', async () => {
    const provider = await newProvider();
    const page = await writing(provider, 'Once', [{ questionText: 'Why?' }]);
    await Promise.all([page.submit('Submit'), page.submit('Submit')]);
    await page.submit('Submit');
    expect(kept(await templatesOf(provider))).toMatchObject([{ name: 'Once' }]);
  });

  test('a question that is written but not added yet is not lost on Submit', async () => {
    const provider = await newProvider();
    const page = await (await writing(provider, 'Hasty', [{ questionText: 'Why?' }])).submit('Add new question');
    const refused = await page.submit('Submit', {
      'question-text': 'Which?',
      'question-type': String(singleChoice),
      'question-choice': ['One', ''],
      'question-required': true,
    });
    expect(refusalOf(refused)).toEqual(refusedFor('Choice questions must have at least 2 options.'));
    expect(await templatesOf(provider)).toEqual([]);
    await refused.submit('Submit', { 'question-choice': ['One', 'Two'] });
    expect(kept(await templatesOf(provider))).toEqual([
      {
        name: 'Hasty',
        questions: [
          { questionText: 'Why?', questionType: openEnded, options: null, required: false },
          { questionText: 'Which?', questionType: singleChoice, options: ['One', 'Two'], required: true },
        ],
      },
    ]);
  });
});

describe('a question that breaks a rule', () => {
  const few = 'Choice questions must have at least 2 options.';

  test.each([
    ['a choice question with one option', { questionType: multipleChoice, options: ['Only', ' '] }, [few]],
    ['a choice question without options', { questionType: singleChoice, options: ['', ''] }, [few]],
    ['a question that is asked already', { questionText: 'WHY?', options: ['a', ''] }, ['"WHY?" is asked already.']],
    [
      'options that are the same',
      { questionType: singleChoice, options: ['É', 'é'] },
      ['The options of "Which?" must differ from one another.'],
    ],
    [
      'an option with a |',
      { questionType: singleChoice, options: ['a|b', 'c'] },
      ["An option can't have the sign | in it."],
    ],
    [
      'one option with a | to a question that is asked already',
      { questionText: 'why?', questionType: singleChoice, options: ['a|b', ''] },
      ["An option can't have the sign | in it.", few, '"why?" is asked already.'],
    ],
  ] as const)('says so in a dialog and keeps all that was typed: %s', async (_, draft, messages) => {
    const page = await writing(await newProvider(), 'Kept "title"', [{ questionText: 'Why?' }, ...intake.slice(0, 2)]);
    const before = listed(page);
    const asked = {
      questionText: 'Which?',
      questionType: openEnded,
      required: true,
      ...draft,
      options: [...draft.options],
    };
    const refused = await (await page.submit('Add new question')).submit('Add question', fieldsOf(asked));
    expect(refusalOf(refused)).toEqual(refusedFor(...messages));
    expect(typedIn(refused, 'templateName')).toBe('Kept "title"');
    expect(listed(refused)).toEqual(before);
    expect(dialogOf(refused)).toEqual({
      text: asked.questionText,
      type: asked.questionType,
      required: true,
      choices: asked.options,
    });
  });

  test('is one that was tampered with: it is left out, and the rest of the template stays', async () => {
    const provider = await newProvider();
    for (const bad of ['{"questionText":', '[]', '{"questionText":"Which?","questionType":7}']) {
      const refused = await provider.browser.post('/create-template', {
        templateName: 'Kept "title"',
        question: [JSON.stringify({ questionText: 'Why?' }), bad],
        dialog: 'open',
        'question-text': 'Half wri',
        press: 'save',
      });
      expect([refused.status, typedIn(refused, 'templateName')]).toEqual([400, 'Kept "title"']);
      expect(listed(refused)).toEqual([['Why?', 'Short Response']]);
      expect(dialogOf(refused)).toMatchObject({ text: 'Half wri', type: openEnded });
    }
    expect(await templatesOf(provider)).toEqual([]);
  });

  test('can be mended there and then', async () => {
    const page = await (await writing(await newProvider(), 'Mended', [])).submit('Add new question');
    const refused = await page.submit('Add question', { 'question-text': 'Which?', 'question-type': '0' });
    const mended = await refused.submit('Add question', { 'question-choice': ['One', 'Two'] });
    expect([mended.status, listed(mended)]).toEqual([200, [['Which?', 'Multiple Choice: One, Two']]]);
  });

  test('is a title that is too long, too', async () => {
    const page = await writing(await newProvider(), 'x'.repeat(501), [{ questionText: 'Why?' }]);
    const refused = await page.submit('Submit');
    expect(refusalOf(refused)).toMatchObject({ status: 400, messages: [expect.stringContaining('500')] });
    expect(typedIn(refused, 'templateName')).toBe('x'.repeat(501));
    expect(listed(refused)).toEqual([['Why?', 'Short Response']]);
  });
});

describe('the list of questions', () => {
  const three = ['One?', 'Two?', 'Three?'].map((questionText) => ({ questionText }));
  const names = (page: Page) => listed(page).map(([words]) => words);

  test('is put in order, changed and thinned out by its buttons', async () => {
    const provider = await newProvider();
    let page = await writing(provider, 'Ordered', three);
    page = await page.submit('Up: Three?', { templateName: 'Ordered anew' });
    expect(names(page)).toEqual(['One?', 'Three?', 'Two?']);
    page = await page.submit('Down: One?');
    expect(names(page)).toEqual(['Three?', 'One?', 'Two?']);
    page = await page.submit('Change: One?');
    expect(dialogOf(page)).toMatchObject({ text: 'One?', type: openEnded });
    page = await page.submit('Keep the change', {
      'question-text': 'Which one?',
      'question-type': String(singleChoice),
      'question-choice': ['This', 'That'],
      'question-required': true,
    });
    expect(listed(page)[1]).toEqual(['Which one? *(required)', 'Single Choice: This, That']);
    page = await page.submit('Remove: Three?');
    expect(names(page)).toEqual(['Which one? *(required)', 'Two?']);
    expect(typedIn(page, 'templateName')).toBe('Ordered anew');
    await page.submit('Submit');
    expect(kept(await templatesOf(provider))).toMatchObject([
      { name: 'Ordered anew', questions: [{ questionText: 'Which one?' }, { questionText: 'Two?' }] },
    ]);
  });

  test('offers no way up from the top and none down from the bottom', async () => {
    const page = await writing(await newProvider(), 'Ends', three);
    const disabled = page.$$('main li button[disabled]').map((button) => text(button.text));
    expect(disabled).toEqual(['Up: One?', 'Down: Three?']);
  });

  test('does not lose what is written in the dialog, whatever is pressed', async () => {
    const provider = await newProvider();
    const open = await (await writing(provider, 'Busy', three)).submit('Add new question');
    const half = { 'question-text': 'Half wri', 'question-choice': ['Left', ''] };
    const pressable = open.$$('main li button').filter((button) => !button.hasAttribute('disabled'));
    // Of three questions all can be changed and removed, and two each moved up and down.
    expect(pressable).toHaveLength(10);
    for (const button of pressable.map((one) => text(one.text))) {
      const page = await open.submit(button, half);
      const isThere = dialogOf(page)?.text === 'Half wri' || names(page).includes('Half wri');
      expect([button, isThere]).toEqual([button, true]);
    }
  });

  test('is changed where the dialog was opened, wherever that question has been moved', async () => {
    const changing = await (await writing(await newProvider(), 'Moved', three)).submit('Change: One?');
    const moved = await changing.submit('Down: One?');
    const page = await moved.submit('Keep the change', { 'question-text': 'First?' });
    expect(names(page)).toEqual(['Two?', 'First?', 'Three?']);
  });

  test('gives the dialog more choices and fewer, and keeps the rest', async () => {
    let page = await (await writing(await newProvider(), 'Choices', three)).submit('Add new question');
    page = await page.submit('Add a choice', {
      'question-text': 'Which?',
      'question-type': '0',
      'question-choice': ['A', 'B'],
      'question-required': true,
    });
    expect(dialogOf(page)).toEqual({ text: 'Which?', type: multipleChoice, required: true, choices: ['A', 'B', ''] });
    page = await page.submit('Remove choice 1', { 'question-choice': ['A', 'B', 'C'] });
    expect(dialogOf(page)).toEqual({ text: 'Which?', type: multipleChoice, required: true, choices: ['B', 'C'] });
    page = await page.submit('Remove choice 2');
    expect(dialogOf(page)?.choices).toEqual(['B', '']);
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

  test('is in the list, in the order of making, and opens from it', async () => {
    const list = await provider.browser.visit('/view-templates');
    const links = list
      .$$('main a[href^="/details-template/"]')
      .map((link) => link.querySelectorAll('span').map((words) => text(words.text)));
    expect(links).toEqual([
      ['Before', '0 questions'],
      ['Intake', '6 questions'],
      ['After', '1 question'],
    ]);
    const page = await list.click(`a[href="/details-template/${idOf(asked)}"]`);
    expect(listed(page).map(([words]) => words?.replace(' *(required)', ''))).toEqual(
      intake.map(({ questionText }) => questionText),
    );
    expect(page.words).toContain('Multiple Choice: Rest, Ice & heat, Physio "at home"');
    expect((await page.click('New')).path).toBe('/create-template');
    expect(titleOf(await page.click('Edit'))).toBe('Edit Template');
  });

  test('is edited from what it is; its place stays, and its earlier version says what it is', async () => {
    const old = `/details-template/${idOf(asked)}`;
    const form = await (await provider.browser.visit(old)).click('Edit');
    expect(typedIn(form, 'templateName')).toBe('Intake');
    expect(listed(form)).toHaveLength(6);
    const page = await (await form.submit('Remove: Is it urgent?')).submit('Submit', {
      templateName: 'Intake, shorter',
    });
    expect(page.path).toMatch(/^\/details-template\//);
    expect(page.path).not.toBe(old);
    expect(page.words).toContain('Intake, shorter');
    const names = (await templatesOf(provider)).map(({ template }) => template.displayName);
    expect(names).toEqual(['Before', 'Intake, shorter', 'After']);
    const earlier = await provider.browser.visit(old);
    expect(earlier.words).toContain('This is an earlier version.');
    expect(listed(earlier)).toHaveLength(6);
    expect(buttonsOf(earlier)).not.toContain('Delete');
    expect(earlier.$$('main a').map((link) => text(link.text))).not.toContain('Edit');
  });

  test('sent twice when edited is one template', async () => {
    const { template } = await writeTemplate(provider, [{}], 'Double');
    const form = await provider.browser.visit(`/edit-template/${template.id}`);
    const pages = await Promise.all([1, 2].map(() => form.submit('Submit', { templateName: 'Double, anew' })));
    expect(new Set(pages.map(({ path }) => path)).size).toBe(1);
    const names = (await templatesOf(provider)).map(({ template }) => template.displayName);
    expect(names.filter((name) => name.startsWith('Double'))).toEqual(['Double, anew']);
  });

  test('is deleted, and leaves the list', async () => {
    const other = await newProvider();
    const { template } = await writeTemplate(other, intake, 'Short-lived');
    const list = await (await other.browser.visit(`/details-template/${template.id}`)).submit('Delete');
    expect(list.path).toBe('/view-templates');
    expect(list.words).toContain('You have no templates.');
    const gone = await other.browser.visit(`/details-template/${template.id}`);
    expect(buttonsOf(gone)).not.toContain('Delete');
    expect((await other.browser.visit(`/edit-template/${template.id}`)).status).toBe(404);
    expect((await other.browser.visit('/create')).$$('[name=templateId] option')).toHaveLength(1);
  });

  test.each([
    ['edited', (who: Person, id: string) => editTemplate(who, id, [{ questionText: 'Elsewhere?' }], 'Elsewhere')],
    ['deleted', deleteTemplate],
  ])('that was %s elsewhere meanwhile can not be saved, but nothing typed is lost', async (_, meanwhile) => {
    const other = await newProvider();
    const { template } = await writeTemplate(other, [{ questionText: 'Why?' }], 'Old');
    const form = await addQuestion(await other.browser.visit(`/edit-template/${template.id}`), {
      questionText: 'New?',
    });
    await meanwhile(other, template.id);
    const refused = await form.submit('Submit', { templateName: 'Typed with care' });
    expect(refused.status).toBe(404);
    expect(typedIn(refused, 'templateName')).toBe('Typed with care');
    expect(listed(refused).map(([words]) => words)).toEqual(['Why?', 'New?']);
  });
});

describe('who may not', () => {
  let provider: Person;
  let id: string;
  beforeAll(async () => {
    provider = await newProvider();
    id = idOf(await writeTemplate(provider));
  });
  const screens = () => ['/create-template', '/view-templates', `/details-template/${id}`, `/edit-template/${id}`];

  test('a stranger is sent to log in, and comes back', async () => {
    for (const path of screens()) {
      const page = await daybook.visitor().get(path);
      expect([page.status, page.location]).toEqual([302, `/not-logged-in?to=${encodeURIComponent(path)}`]);
    }
  });

  test('a consumer reads that it is for providers', async () => {
    for (const path of screens()) {
      const pages = [await maya.browser.get(path)];
      if (path !== '/view-templates') pages.push(await maya.browser.post(path, { press: 'save' }));
      for (const page of pages) {
        expect(page.status).toBe(403);
        expect(page.words).toContain('This page is for providers.');
      }
    }
  });

  test('another provider finds nothing there', async () => {
    const other = await newProvider();
    for (const path of [`/details-template/${id}`, `/edit-template/${id}`]) {
      expect((await other.browser.get(path)).status).toBe(404);
      expect((await other.browser.post(path, { press: 'save', templateName: 'Mine' })).status).toBe(404);
    }
    expect(kept(await templatesOf(provider))).toMatchObject([{ name: 'Before we begin' }]);
  });
});

describe('a template is attached where slots are made', () => {
  const form = { start: '09:00', end: '10:00', dates: [dayAhead(1)] };

  test('by its name, or not at all', async () => {
    const provider = await newProvider();
    const asked = await writeTemplate(provider, intake, 'Intake');
    const page = await provider.browser.visit('/create');
    const choices = page.$$('[name=templateId] option').map((option) => text(option.text));
    expect(choices).toEqual(['No questions', 'Intake']);
    await provider.browser.post('/create', { ...form, templateId: idOf(asked) });
    await provider.browser.post('/create', { ...form, dates: [dayAhead(2)], templateId: '' });
    const rows = (await maya.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`)).json as Row[];
    expect(rows.map(({ template }) => template)).toEqual([idOf(asked), idOf(asked), null, null]);
  });

  test('where it was deleted meanwhile, says so beside the choice and keeps what was typed', async () => {
    const provider = await newProvider();
    const asked = await writeTemplate(provider, intake, 'Intake');
    await deleteTemplate(provider, idOf(asked));
    const refused = await provider.browser.post('/create', { ...form, notes: 'Ring twice.', templateId: idOf(asked) });
    expect(refused.status).toBe(404);
    expect(refused.words).toContain('There is no such template any more.');
    expect(refused.$('[name=notes]')?.text).toBe('Ring twice.');
    expect(
      refused.$$('[name=dates][checked], input[type=hidden][name=dates]').map((day) => day.getAttribute('value')),
    ).toEqual(form.dates);
  });
});

describe('trips to the database', () => {
  test('are one while a template is written, when it is saved, edited and deleted', async () => {
    const { browser } = await newProvider();
    const question = JSON.stringify({ questionText: 'Why?', questionType: openEnded, options: null, required: false });
    const steps: [string, Page, number][] = [
      ['add', await browser.post('/create-template', { press: 'add' }), 200],
      [
        'keep, wrong',
        await browser.post('/create-template', { press: 'keep', dialog: 'open', 'question-type': '0' }),
        400,
      ],
      ['save', await browser.post('/create-template', { press: 'save', question }), 303],
    ];
    const [href] = (await browser.visit('/view-templates'))
      .$$('main a[href^="/details-template/"]')
      .map((link) => link.getAttribute('href') ?? '');
    const edit = href?.replace('details', 'edit') ?? '';
    const edited = await browser.post(edit, { press: 'save', templateName: 'Anew', question });
    steps.push(['edit', edited, 303], ['delete', await browser.post(edited.location ?? ''), 303]);
    for (const [what, page, status] of steps) expect([what, page.status, tripsOf(page)]).toEqual([what, status, 1]);
  });
});
