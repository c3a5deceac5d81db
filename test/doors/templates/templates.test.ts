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
  intakeStored,
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

describe('a template', () => {
  test('has these keys, whatever more is sent', async () => {
    const provider = await newProvider();
    const more = { id: 'mine', templateId: 'mine', order: 7, provider: maya.username, more: [1] };

    const written = templateIn(
      await createTemplate(
        provider,
        intake.map((asked) => ({ ...asked, ...more })),
      ),
    );

    const id = expect.stringMatching(/^[\w-]{20,}$/);
    const own = { id, templateId: idOf(written), provider: provider.username };
    expect(written).toStrictEqual({
      template: { id, displayName: 'Before we begin' },
      questions: intake.map((asked, order) => ({ ...asked, ...own, order })),
    });
    expect(new Set(written.questions.map((question) => question.id)).size).toBe(intake.length);
  });

  test('has the same keys at each call that gives it', async () => {
    const provider = await newProvider();
    const written = await writeTemplate(provider);

    expect(await templatesOf(provider)).toStrictEqual([written]);
    for (const reader of [provider, maya]) {
      expect((await getTemplate(reader, idOf(written))).json).toStrictEqual(written);
    }
  });
});

describe('a template that breaks four rules', () => {
  const longText = 'x'.repeat(501);
  const wrong = [...one({ questionText: longText }), ...one({ questionType: singleChoice, options: ['a|b', ''] })];

  test('is not created, and all four are said', async () => {
    const provider = await newProvider();

    expect(complaints(await createTemplate(provider, wrong, longText))).toHaveLength(4);
    expect(await templatesOf(provider)).toEqual([]);
  });

  test('is not the edit of another, and all four are said', async () => {
    const provider = await newProvider();
    const written = await writeTemplate(provider);

    expect(complaints(await editTemplate(provider, idOf(written), wrong, longText))).toHaveLength(4);
    expect(await templatesOf(provider)).toEqual([written]);
  });
});

describe('an Idempotency-Key', () => {
  const create = (who: Person, name: string, key = 'pressed twice') =>
    who.api('POST', `/api/Checkin/CreateTemplate?templateName=${name}`, intake, { 'idempotency-key': key });

  test('makes one template, again and many times at once', async () => {
    const provider = await newProvider();

    const responses = [...(await several(5, () => create(provider, 'One'))), await create(provider, 'Changed')];

    for (const { status, json } of responses) {
      expect(status).toBe(201);
      expect(json).toMatchObject({ template: { displayName: 'One' } });
    }
    expect(await namesOf(provider)).toEqual(['One']);
  });

  test('makes one for each caller', async () => {
    const [first, other] = [await newProvider(), await newProvider()];

    await create(first, 'One');
    await create(other, 'Two');

    expect(await namesOf(other)).toEqual(['Two']);
  });

  test('makes another than the key before', async () => {
    const provider = await newProvider();

    await create(provider, 'One');
    await create(provider, 'Three', 'another');

    expect(await namesOf(provider)).toEqual(['One', 'Three']);
  });
});

describe('an edit', () => {
  test('makes a new template with an id of its own', async () => {
    const provider = await newProvider();
    const before = await writeTemplate(provider, intake, 'Before');

    const anew = templateIn(await editTemplate(provider, idOf(before), one({ required: true }), 'Anew'));

    expect(idOf(anew)).not.toBe(idOf(before));
    const asked = { questionText: 'How are you?', questionType: 2, options: null, required: true, order: 0 };
    const owned = { templateId: idOf(anew), provider: provider.username };
    expect(anew).toMatchObject({ template: { displayName: 'Anew' }, questions: [{ ...asked, ...owned }] });
  });

  test('stands in the place of the old one in the list', async () => {
    const provider = await newProvider();
    const first = await writeTemplate(provider, one(), 'First');
    const second = await writeTemplate(provider, intake, 'Second');
    const third = await writeTemplate(provider, one(), 'Third');

    const anew = templateIn(await editTemplate(provider, idOf(second), one(), 'Second, anew'));

    expect(await templatesOf(provider)).toStrictEqual([first, anew, third]);
  });

  test('leaves each version to be read', async () => {
    const provider = await newProvider();
    const before = await writeTemplate(provider);

    const anew = templateIn(await editTemplate(provider, idOf(before), one()));

    for (const version of [before, anew]) {
      expect((await getTemplate(maya, idOf(version))).json).toStrictEqual(version);
    }
  });

  test('of an earlier version is refused', async () => {
    const provider = await newProvider();
    const before = await writeTemplate(provider);
    await editTemplate(provider, idOf(before), one());

    expect(await editTemplate(provider, idOf(before), one(), 'Mine')).toMatchObject(nothing);
  });

  test('of what is deleted or was never there is refused', async () => {
    const provider = await newProvider();
    const deleted = await writeTemplate(provider);
    await deleteTemplate(provider, idOf(deleted));

    for (const id of [idOf(deleted), 'none']) {
      expect(await editTemplate(provider, id, one(), 'Mine')).toMatchObject(nothing);
    }
    expect(await templatesOf(provider)).toEqual([]);
  });

  test('many times at once leaves the one template whose maker is told so', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);

    const responses = await several(5, (at) => editTemplate(provider, template.id, one(), `Version ${at}`));

    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
    const done = responses.filter(({ status }) => status === 200);
    expect(await templatesOf(provider)).toStrictEqual(done.map(({ json }) => json));
  });
});

describe('a template that is attached', () => {
  test('is on the slots', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);

    const slot = await publishAsking(provider, template.id);

    expect(slot).toMatchObject({ template: template.id, formData: [], status: 0 });
  });

  test('stays on the slot, without the answers, when the booker cancels', async () => {
    const provider = await newProvider();
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
    await bookWith(maya, slot, intakeAnswers);

    const canceled = await cancel(maya, slot);

    expect(canceled.json).toMatchObject({ status: 2, formData: intakeStored });
    const [again] = await openSlotsOf(june, provider);
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: again?.id });
  });
});

const changes = {
  edited: (who: Person, template: Template) => editTemplate(who, idOf(template), one(), 'Elsewhere'),
  deleted: (who: Person, template: Template) => deleteTemplate(who, idOf(template)),
};

describe.each(['edited', 'deleted'] as const)('a template that is attached, then %s', (change) => {
  /** A free time and a booked one that ask it. */
  async function changedTemplate() {
    const provider = await newProvider();
    const old = await writeTemplate(provider);
    const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${idOf(old)}`)) as [Row, Row];
    await bookWith(maya, booked, intakeAnswers);
    await changes[change](provider, old);
    return { provider, old, open, booked };
  }

  test('is on no new slot', async () => {
    const { provider, old } = await changedTemplate();

    expect(await attach(provider, idOf(old), { start: '12:00', end: '13:00' })).toMatchObject(nothing);
  });

  test('stays with the answers that were given', async () => {
    const { provider, old, booked } = await changedTemplate();

    for (const reader of [provider, maya]) {
      expect((await look(reader, booked)).json).toMatchObject({ template: idOf(old), formData: intakeStored });
    }
  });

  test('is asked as it was', async () => {
    const { open } = await changedTemplate();

    expect((await bookWith(june, open, [{ question: 'How are you?', answer: 'Well' }])).status).toBe(400);
    expect((await bookWith(june, open, intakeAnswers)).json).toMatchObject({ formData: intakeStored });
  });
});

describe('by forms alone', () => {
  const questionsOn = (page: Page) => page.$$('main ol > li').map((line) => line.querySelector('p')?.text.trim());
  const addQuestion = async (page: Page, text: string) =>
    (await page.submit('Add new question')).submit('main form', { 'question-text': text });
  const newForm = async (provider: Person) => addQuestion(await provider.browser.visit('/create-template'), 'Why?');

  test('a template is written by Enter, and is one if it is sent three times', async () => {
    const provider = await newProvider();
    const form = await newForm(provider);

    await Promise.all([form.submit('main form'), form.submit('main form')]);
    await form.submit('main form');

    expect(await namesOf(provider)).toEqual(['Untitled Template']);
  });

  test('a template is edited from what it is, and is one if it is sent twice', async () => {
    const provider = await newProvider();
    const old = await (await (await newForm(provider)).submit('main form')).click('main a[href^="/details-template/"]');
    const form = await (await old.click('Edit')).submit('Remove: Why?');
    const send = () => form.submit('Submit', { templateName: 'Anew' });

    const [page, again] = await Promise.all([send(), send()]);

    expect(page.path).not.toBe(old.path);
    expect(again.path).toBe(page.path);
    expect(await namesOf(provider)).toEqual(['Anew']);
  });

  test('an earlier version can still be seen, and says that it is one', async () => {
    const provider = await newProvider();
    const old = await writeTemplate(provider, one({ questionText: 'Why?' }), 'Old');
    await editTemplate(provider, idOf(old), one());

    const page = await provider.browser.visit(`/details-template/${idOf(old)}`);

    expect(page.words).toMatch(/Old.*This is an earlier version\./s);
    expect(questionsOn(page)).toEqual(['Why?']);
  });

  test.each(['edited', 'deleted'] as const)(
    'what was %s elsewhere meanwhile can’t be saved, but nothing typed is lost',
    async (change) => {
      const provider = await newProvider();
      const old = await writeTemplate(provider, one({ questionText: 'Why?' }), 'Old');
      const form = await addQuestion(await provider.browser.visit(`/edit-template/${idOf(old)}`), 'New?');

      await changes[change](provider, old);

      const refused = await form.submit('Submit', { templateName: 'Typed with care' });
      expect(refused.status).toBe(404);
      expect(typedIn(refused, 'templateName')).toBe('Typed with care');
      expect(questionsOn(refused)).toEqual(['Why?', 'New?']);
    },
  );
});
