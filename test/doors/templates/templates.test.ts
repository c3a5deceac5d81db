import { describe, expect, test } from 'vitest';
import { openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing } from '../../support/complaints';
import { cancel, look, type Person, peopleAt, publish, type Row, several } from '../../support/factories';
import {
  attach,
  bookWith,
  createTemplate,
  deleteTemplate,
  editTemplate,
  getTemplate,
  idOf,
  intake,
  intakeAnswers,
  intakeKept,
  one,
  publishAsking,
  singleChoice,
  type Template,
  templateIn,
  templatesOf,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Page, typedIn } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

const namesOf = async (provider: Person) => (await templatesOf(provider)).map(({ template }) => template.displayName);

test('a template has these keys, at each call that gives it, whatever more is sent', async () => {
  const provider = await newProvider();
  const more = { id: 'mine', templateId: 'mine', order: 7, provider: maya.username, more: [1] };
  const sent = intake.map((asked) => ({ ...asked, ...more }));
  const written = templateIn(await createTemplate(provider, sent, 'Before we begin'));
  const id = expect.stringMatching(/^[\w-]{20,}$/);
  const own = { id, templateId: idOf(written), provider: provider.username };
  expect(written).toStrictEqual({
    template: { id, displayName: 'Before we begin' },
    questions: intake.map((asked, order) => ({ ...asked, ...own, order })),
  });
  expect(new Set(written.questions.map((question) => question.id)).size).toBe(intake.length);
  expect(await templatesOf(provider)).toStrictEqual([written]);
  for (const who of [provider, maya]) expect((await getTemplate(who, idOf(written))).json).toStrictEqual(written);
});

test('a template that breaks a rule is neither created nor the edit of another', async () => {
  const provider = await newProvider();
  const id = idOf(await writeTemplate(provider));
  const choice = { questionType: singleChoice, options: ['a|b', ''] };
  const wrong = [...one({ questionText: 'x'.repeat(501) }), ...one(choice)];
  expect(complaints(await createTemplate(provider, wrong, 'x'.repeat(501)))).toHaveLength(4);
  expect(complaints(await editTemplate(provider, id, wrong, 'x'.repeat(501)))).toHaveLength(4);
  expect((await templatesOf(provider)).map(idOf)).toEqual([id]);
});

test('one Idempotency-Key makes one template, again and many times at once, for each caller', async () => {
  const [first, other] = [await newProvider(), await newProvider()];
  const create = (who: Person, name: string, key = 'pressed twice') =>
    who.api('POST', `/api/Checkin/CreateTemplate?templateName=${name}`, intake, { 'idempotency-key': key });
  const answers = [...(await several(5, () => create(first, 'One'))), await create(first, 'Changed')];
  for (const { status, json } of answers) {
    expect([status, json]).toMatchObject([201, { template: { displayName: 'One' } }]);
  }
  await create(other, 'Two');
  await create(first, 'Three', 'another');
  expect([await namesOf(first), await namesOf(other)]).toEqual([['One', 'Three'], ['Two']]);
});

describe('an edit', () => {
  test('makes a new template in the place of the old one; each version can be read, and only the last edited', async () => {
    const provider = await newProvider();
    const [first, second, third, deleted] = [
      await writeTemplate(provider, one(), 'First'),
      await writeTemplate(provider, intake, 'Second'),
      await writeTemplate(provider, one(), 'Third'),
      await writeTemplate(provider, one(), 'Deleted'),
    ];
    await deleteTemplate(provider, idOf(deleted));
    const anew = templateIn(await editTemplate(provider, idOf(second), one({ required: true }), 'Second, anew'));
    const asked = { questionText: 'How are you?', questionType: 2, options: null, required: true, order: 0 };
    const provided = { templateId: idOf(anew), provider: provider.username };
    expect(anew).toMatchObject({ template: { displayName: 'Second, anew' }, questions: [{ ...asked, ...provided }] });
    for (const id of [idOf(second), idOf(deleted), 'none']) {
      expect(await editTemplate(provider, id, one(), 'Mine')).toMatchObject(nothing);
    }
    expect(await templatesOf(provider)).toStrictEqual([first, anew, third]);
    for (const version of [second, anew]) {
      expect((await getTemplate(maya, idOf(version))).json).toStrictEqual(version);
    }
  });

  test('many times at once leaves one template, and whoever is answered 200 has made it', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const answers = await several(5, (at) => editTemplate(provider, template.id, one(), `Version ${at}`));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const done = answers.filter(({ status }) => status === 200);
    expect(await templatesOf(provider)).toStrictEqual(done.map(({ json }) => json));
  });
});

describe('a template that is attached', () => {
  test('is on the slots, and kept there, without the answers, when the booker cancels', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const slot = await publishAsking(provider, template.id);
    expect(slot).toMatchObject({ template: template.id, formData: [], status: 0 });
    await bookWith(maya, slot, intakeAnswers);
    expect((await cancel(maya, slot)).json).toMatchObject({ status: 2, formData: intakeKept });
    const [again] = await openSlotsOf(june, provider);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
  });

  test.each(['edited', 'deleted'])('and %s is asked as it was by its slots, and on no new one', async (what) => {
    const provider = await newProvider();
    const old = await writeTemplate(provider);
    const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${idOf(old)}`)) as [Row, Row];
    await bookWith(maya, booked, intakeAnswers);
    await (what === 'edited' ? editTemplate(provider, idOf(old), one()) : deleteTemplate(provider, idOf(old)));
    expect(await attach(provider, idOf(old), { start: '12:00', end: '13:00' })).toMatchObject(nothing);
    for (const who of [provider, maya]) {
      expect((await look(who, booked)).json).toMatchObject({ template: idOf(old), formData: intakeKept });
    }
    expect((await bookWith(june, open, [{ question: 'How are you?', answer: 'Well' }])).status).toBe(400);
    expect((await bookWith(june, open, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
  });
});

describe('by forms alone', () => {
  const listed = (page: Page) => page.$$('main ol > li').map((line) => line.querySelector('p')?.text.trim());
  const add = async (page: Page, text: string) =>
    (await page.submit('Add new question')).submit('main form', { 'question-text': text });

  test('a template is written by Enter, and edited from what it is; each is one, if it is sent twice', async () => {
    const provider = await newProvider();
    const added = await add(await provider.browser.visit('/create-template'), 'Why?');
    await Promise.all([added.submit('main form'), added.submit('main form')]);
    const list = await added.submit('main form');
    const old = await list.click('main a[href^="/details-template/"]');
    const form = await (await old.click('Edit')).submit('Remove: Why?');
    const send = () => form.submit('Submit', { templateName: 'Anew' });
    const [page, again] = await Promise.all([send(), send()]);
    expect([page.path === old.path, again.path]).toEqual([false, page.path]);
    expect(await namesOf(provider)).toEqual(['Anew']);
    const earlier = await provider.browser.visit(old.path);
    expect([earlier.words, listed(earlier)]).toEqual([
      expect.stringMatching(/Untitled Template.*This is an earlier version\./s),
      ['Why?'],
    ]);
  });

  test.each<[string, (who: Person, asked: Template) => Promise<unknown>]>([
    ['edited', (who, asked) => editTemplate(who, idOf(asked), one(), 'Elsewhere')],
    ['deleted', (who, asked) => deleteTemplate(who, idOf(asked))],
  ])('what was %s elsewhere meanwhile can not be saved, but nothing typed is lost', async (_, meanwhile) => {
    const provider = await newProvider();
    const asked = await writeTemplate(provider, one({ questionText: 'Why?' }), 'Old');
    const form = await add(await provider.browser.visit(`/edit-template/${idOf(asked)}`), 'New?');
    await meanwhile(provider, asked);
    const refused = await form.submit('Submit', { templateName: 'Typed with care' });
    expect([refused.status, typedIn(refused, 'templateName')]).toEqual([404, 'Typed with care']);
    expect(listed(refused)).toEqual(['Why?', 'New?']);
  });
});
