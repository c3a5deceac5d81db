import { describe, expect, test } from 'vitest';
import { type Person, peopleAt } from '../../support/factories';
import { words as text } from '../../support/forms';
import {
  type Draft,
  intake,
  multipleChoice,
  openEnded,
  singleChoice,
  templatesOf,
} from '../../support/template-factories';
import { addQuestion, fieldsOf, kept, listed, typedIn } from '../../support/template-pages';
import { useServer } from '../../support/use-server';
import { type Page, titleOf } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

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
    const empty = await provider.browser.visit('/view-templates');
    expect(empty.words).toContain('You have no templates.');
    const blank = await empty.click('Write questions');
    expect([blank.path, titleOf(blank)]).toEqual(['/create-template', 'Create Template']);
    expect(blank.$('title')?.text).toBe('Create Template · Daybook');
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
    expect(list.words).toContain('The questions are saved.');
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
});
