import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import {
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
  several,
} from '../../support/factories';
import {
  attach,
  bookWith,
  createTemplate,
  type Draft,
  deleteTemplate,
  editTemplate,
  getTemplate,
  idOf,
  intake,
  intakeAnswers,
  intakeKept,
  multipleChoice,
  one,
  openEnded,
  publishAsking,
  singleChoice,
  submitForm,
  type Template,
  templateIn,
  templatesOf,
  writeTemplate,
} from '../../support/template-factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
let rui: Person;
let maya: Person;
let june: Person;
beforeAll(async () => {
  [ana, rui, maya, june] = await Promise.all([newProvider(), newProvider(), newConsumer(), newConsumer()]);
});
const namesOf = (templates: Template[]) => templates.map(({ template }) => template.displayName);
const choice = (options: string[], details: Draft = {}): Draft[] =>
  one({ questionType: singleChoice, options, ...details });

describe('a template', () => {
  test('has these keys, at each call that gives it', async () => {
    const provider = await newProvider();
    const answer = await createTemplate(provider, intake, 'Before we begin');
    expect(answer.status).toBe(201);
    const id = expect.stringMatching(/^[\w-]{20,}$/);
    const written = templateIn(answer);
    expect(written).toStrictEqual({
      template: { id, displayName: 'Before we begin' },
      questions: intake.map((asked, order) => ({
        ...asked,
        id,
        templateId: idOf(written),
        order,
        provider: provider.username,
      })),
    });
    expect(new Set(written.questions.map((question) => question.id)).size).toBe(intake.length);
    expect(await templatesOf(provider)).toStrictEqual([written]);
    for (const who of [provider, ana, maya]) {
      expect(await getTemplate(who, idOf(written))).toMatchObject({ status: 200, json: written });
    }
  });

  test('that leaves everything out gets the usual values', async () => {
    const usual = { questionText: 'Default Question', questionType: 2, options: null, required: false, order: 0 };
    const nulls = { questionText: null, questionType: null, options: null, required: null };
    for (const draft of [{}, nulls, { questionText: '' }, { questionText: ' \t ' }, { options: [] }]) {
      const answer = await createTemplate(ana, [draft]);
      expect(answer).toMatchObject({ status: 201, json: { questions: [usual] } });
    }
  });

  test.each([
    ['', 'Untitled Template'],
    ['?templateName=', 'Untitled Template'],
    ['?templateName=%20%09', 'Untitled Template'],
    ['?templateName=Caf%65%CC%81%20', 'Café'],
    ['?templateName=%D9%82%D8%A8%D9%84%20%22%7C%22%20%F0%9F%A6%B7', 'قبل "|" 🦷'],
  ])('asked for with %j is called %s', async (query, name) => {
    const answer = await ana.api('POST', `/api/Checkin/CreateTemplate${query}`, one());
    expect(answer).toMatchObject({ status: 201, json: { template: { displayName: name } } });
  });

  test('may ask nothing', async () => {
    expect(await createTemplate(ana, [])).toMatchObject({ status: 201, json: { questions: [] } });
  });

  test('keeps its words composed, trimmed and in their order', async () => {
    const questions = [
      {
        questionText: '  Cafe\u0301?  ',
        questionType: multipleChoice,
        options: [' z ', 'E\u0301', 'a', '"|"'.replace('|', '/')],
      },
      { questionText: 'أين؟ <b>', questionType: singleChoice, options: ['👍🏽', '👍'], required: true },
    ];
    const { json } = await createTemplate(ana, questions);
    expect(json).toMatchObject({
      questions: [
        { questionText: 'Café?', options: ['z', 'É', 'a', '"/"'], order: 0 },
        { questionText: 'أين؟ <b>', options: ['👍🏽', '👍'], order: 1, required: true },
      ],
    });
  });

  test('that a short response has options for leaves them out', async () => {
    const { json } = await createTemplate(ana, one({ questionType: openEnded, options: ['Yes', 'No'] }));
    expect(json).toMatchObject({ questions: [{ questionType: 2, options: null }] });
  });

  test('may have more in it than is known, and none of that counts', async () => {
    const more = { id: 'mine', templateId: 'mine', order: 7, provider: maya.username, more: [1] };
    const { json } = await createTemplate(ana, [
      { ...intake[0], ...more },
      { ...intake[1], ...more },
    ]);
    for (const [order, question] of (json as Template).questions.entries()) {
      expect(question).toMatchObject({ order, provider: ana.username, templateId: idOf(json as Template) });
      expect(question.id).not.toBe('mine');
    }
  });
});

describe('CreateTemplate', () => {
  test('again with the same Idempotency-Key answers the same, for this caller alone', async () => {
    const [first, other] = [await newProvider(), await newProvider()];
    const create = (who: Person, name: string, key = 'pressed twice') =>
      who.api('POST', `/api/Checkin/CreateTemplate?templateName=${name}`, intake, { 'idempotency-key': key });
    const answer = await create(first, 'One');
    expect(await create(first, 'One')).toMatchObject({ status: 201, json: answer.json });
    expect(templateIn(await create(first, 'Changed')).template).toEqual(templateIn(answer).template);
    expect(templateIn(await create(other, 'Two')).template.id).not.toBe(idOf(templateIn(answer)));
    await create(first, 'Three', 'another');
    expect(namesOf(await templatesOf(first))).toEqual(['One', 'Three']);
    expect(namesOf(await templatesOf(other))).toEqual(['Two']);
    expect(complaints(await create(first, 'Four', 'x'.repeat(201)))).toHaveLength(1);
  });

  test('with one Idempotency-Key many times at once happens once', async () => {
    const provider = await newProvider();
    const sent = { 'idempotency-key': 'pressed five times' };
    const answers = await several(5, () => provider.api('POST', '/api/Checkin/CreateTemplate', intake, sent));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await templatesOf(provider)).toHaveLength(1);
  });

  test('without a key makes another one, in the order of making', async () => {
    const provider = await newProvider();
    for (const name of ['Zoo', 'Ape', 'Zoo']) await writeTemplate(provider, one(), name);
    expect(namesOf(await templatesOf(provider))).toEqual(['Zoo', 'Ape', 'Zoo']);
  });
});

describe('GetTemplates', () => {
  test('has one’s own alone', async () => {
    const [first, second] = [await newProvider(), await newProvider()];
    await writeTemplate(first);
    expect((await first.api('GET', '/api/Checkin/GetTemplates')).json).toHaveLength(1);
    expect(await second.api('GET', '/api/Checkin/GetTemplates')).toMatchObject({ status: 200, json: [] });
  });
});

describe('Get', () => {
  test('without an id is a 400, of nothing a 404', async () => {
    expect(complaints(await maya.api('GET', '/api/Checkin/Get'))).toHaveLength(1);
    expect(complaints(await maya.api('GET', '/api/Checkin/Get?id='))).toHaveLength(1);
    expect(await getTemplate(maya, 'none')).toMatchObject(nothing);
    const slot = await publishOne(await newProvider());
    expect(await getTemplate(maya, slot.id)).toMatchObject(nothing);
  });
});

describe('EditTemplate', () => {
  test('makes a new template in the place of the old one, which can still be read', async () => {
    const provider = await newProvider();
    const [first, second, third] = [
      await writeTemplate(provider, intake, 'First'),
      await writeTemplate(provider, intake, 'Second'),
      await writeTemplate(provider, intake, 'Third'),
    ];
    const answer = await editTemplate(provider, second.template.id, one({ required: true }), 'Second, anew');
    expect(answer).toMatchObject({
      status: 200,
      json: {
        template: { displayName: 'Second, anew' },
        questions: [{ questionText: 'How are you?', questionType: 2, options: null, required: true, order: 0 }],
      },
    });
    const anew = templateIn(answer);
    expect([idOf(first), idOf(second), idOf(third)]).not.toContain(idOf(anew));
    expect(anew.questions[0]).toMatchObject({ templateId: idOf(anew), provider: provider.username });
    expect(await templatesOf(provider)).toStrictEqual([first, anew, third]);
    for (const who of [provider, maya]) {
      expect((await getTemplate(who, idOf(second))).json).toStrictEqual(second);
      expect((await getTemplate(who, idOf(anew))).json).toStrictEqual(anew);
    }
  });

  test('of what was edited keeps the place, again and again', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider, one(), 'A');
    await writeTemplate(provider, one(), 'B');
    let id = template.id;
    for (const name of ['A2', 'A3', 'A4']) id = idOf(templateIn(await editTemplate(provider, id, one(), name)));
    expect(namesOf(await templatesOf(provider))).toEqual(['A4', 'B']);
  });

  test('sent again answers the same and makes nothing more', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const answers = [];
    for (const _ of ['once', 'twice']) answers.push(await editTemplate(provider, template.id, one(), 'Anew'));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.json).toStrictEqual(answers[0]?.json);
    expect(await templatesOf(provider)).toStrictEqual([answers[0]?.json]);
  });

  test('many times at once leaves one template, and whoever is answered 200 has made it', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const answers = await several(5, (at) => editTemplate(provider, template.id, one(), `Version ${at}`));
    const done = answers.filter(({ status }) => status === 200);
    expect(await templatesOf(provider)).toStrictEqual(done.map(({ json }) => json));
    expect(done).toHaveLength(1);
    for (const { status } of answers) expect([200, 404]).toContain(status);
  });

  test('leaves the questions out for the name, or the name for the questions', async () => {
    const { template } = await writeTemplate(ana, intake, 'Named');
    const answer = await ana.api('PUT', `/api/Checkin/EditTemplate?id=${template.id}`, []);
    expect(answer).toMatchObject({
      status: 200,
      json: { template: { displayName: 'Untitled Template' }, questions: [] },
    });
  });

  test('of another’s, of an earlier version, of a deleted one and of nothing is a 404 that changes nothing', async () => {
    const provider = await newProvider();
    const [kept, edited, deleted] = await Promise.all(
      ['A', 'B', 'C'].map((name) => writeTemplate(provider, one(), name)),
    );
    if (!kept || !edited || !deleted) throw new Error('Too few templates.');
    const anew = templateIn(await editTemplate(provider, idOf(edited), one(), 'B2'));
    await deleteTemplate(provider, idOf(deleted));
    for (const [who, id] of [
      [ana, idOf(kept)],
      [provider, idOf(edited)],
      [provider, idOf(deleted)],
      [provider, 'none'],
    ] as const) {
      expect(await editTemplate(who, id, one(), 'Mine')).toMatchObject(nothing);
    }
    // Not even in the words of the edit, which its provider may repeat.
    expect(await editTemplate(ana, idOf(edited), one(), 'B2')).toMatchObject(nothing);
    expect(namesOf(await templatesOf(provider)).sort()).toEqual(['A', 'B2']);
    expect((await getTemplate(provider, idOf(anew))).json).toStrictEqual(anew);
  });

  test('without an id is a 400; what is wrong with the body is said with it', async () => {
    expect(complaints(await ana.api('PUT', '/api/Checkin/EditTemplate', one()))).toHaveLength(1);
    expect(complaints(await ana.api('PUT', '/api/Checkin/EditTemplate', choice(['a'])))).toHaveLength(2);
  });

  test('leaves slots and answers the words they were made with', async () => {
    const provider = await newProvider();
    const old = await writeTemplate(provider);
    const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${idOf(old)}`)) as [Row, Row];
    await bookWith(maya, booked, intakeAnswers);
    const anew = templateIn(await editTemplate(provider, idOf(old), one(), 'Anew'));

    expect((await look(maya, open)).json).toMatchObject({ template: idOf(old) });
    expect((await look(provider, booked)).json).toMatchObject({ template: idOf(old), formData: intakeKept });
    expect(
      complaints(await bookWith(june, open, [{ question: 'How are you?', answer: 'Well' }])).length,
    ).toBeGreaterThan(0);
    expect((await bookWith(june, open, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
    expect((await submitForm(maya, booked, intakeAnswers.toReversed())).json).toMatchObject({ formData: intakeKept });

    expect(await attach(provider, idOf(old), { start: '12:00', end: '13:00' })).toMatchObject(nothing);
    const fresh = await publishAsking(provider, idOf(anew), { dates: [dayAhead(2)] });
    expect((await bookWith(maya, fresh, [{ question: 'How are you?', answer: 'Well' }])).status).toBe(200);
  });
});

describe('DeleteTemplate', () => {
  test('takes it out of the lists, once or twice', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider, one(), 'Gone');
    await writeTemplate(provider, one(), 'Kept');
    for (const _ of ['once', 'twice']) {
      const answer = await deleteTemplate(provider, template.id);
      expect([204, 404]).toContain(answer.status);
      if (_ === 'once') expect([answer.status, answer.text]).toEqual([204, '']);
    }
    expect(namesOf(await templatesOf(provider))).toEqual(['Kept']);
    expect((await getTemplate(maya, template.id)).json).toMatchObject({ template: { displayName: 'Gone' } });
  });

  test('keeps it from being attached; slots keep asking, and answers stay', async () => {
    const provider = await newProvider();
    const old = await writeTemplate(provider);
    const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${idOf(old)}`)) as [Row, Row];
    await bookWith(maya, booked, intakeAnswers);
    await deleteTemplate(provider, idOf(old));

    expect(await attach(provider, idOf(old), { start: '12:00', end: '13:00' })).toMatchObject(nothing);
    expect((await look(maya, booked)).json).toMatchObject({ template: idOf(old), formData: intakeKept });
    expect(complaints(await bookWith(june, open, []))).toHaveLength(3);
    expect((await bookWith(june, open, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
    expect((await submitForm(maya, booked, intakeAnswers)).status).toBe(200);
    await cancel(june, open);
    const again = rowsOf(await june.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`));
    expect(again).toMatchObject([{ template: idOf(old), formData: [] }]);
  });

  test('of another’s and of nothing is a 404 that changes nothing', async () => {
    const { template } = await writeTemplate(ana);
    expect(await deleteTemplate(rui, template.id)).toMatchObject(nothing);
    expect(await deleteTemplate(rui, 'none')).toMatchObject(nothing);
    expect((await templatesOf(ana)).map(idOf)).toContain(template.id);
    expect(complaints(await ana.api('DELETE', '/api/Checkin/DeleteTemplate'))).toHaveLength(1);
  });
});

describe('a template that is attached', () => {
  test('is on the slots', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const slot = await publishAsking(provider, template.id);
    expect(slot).toMatchObject({ template: template.id, formData: [], status: 0 });
    expect((await look(maya, slot)).json).toEqual(slot);
  });

  test('is not another’s, and not one that there is not; nothing is published then', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(rui);
    for (const id of [template.id, 'none']) expect(await attach(provider, id)).toMatchObject(nothing);
    expect(rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`))).toEqual([]);
  });

  test('is kept, without the answers, when the booker cancels', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const slot = await publishAsking(provider, template.id);
    await bookWith(maya, slot, intakeAnswers);
    expect((await cancel(maya, slot)).json).toMatchObject({ status: 2, formData: intakeKept });
    const [again] = rowsOf(await june.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`));
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: (again as Row).id });
    expect((await bookWith(june, again as Row, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
    expect((await look(maya, slot)).json).toMatchObject({ status: 2, formData: intakeKept });
  });
});
