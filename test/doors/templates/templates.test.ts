import { beforeAll, describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import { dayAhead, type Person, peopleAt, type Row } from '../../support/factories';
import { words as text } from '../../support/forms';
import {
  deleteTemplate,
  editTemplate,
  idOf,
  intake,
  openEnded,
  type Template,
  templatesOf,
  writeTemplate,
} from '../../support/template-factories';
import { addQuestion, kept, listed, typedIn } from '../../support/template-pages';
import { useServer } from '../../support/use-server';
import { type Page, titleOf } from '../../support/visit';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const buttonsOf = (page: Page) => page.$$('main button').map((button) => text(button.text));

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
    expect(list.path).toBe('/view-templates?deleted=yes');
    expect(list.words).toContain('The questions are deleted.');
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
    expect(refused.words).toContain('These questions are not there any more.');
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
