import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, nothing } from '../support/complaints';
import {
  cancel,
  dayAhead,
  look,
  type Person,
  publish,
  publishOne,
  type Row,
  registerConsumer,
  registerProvider,
  rowsOf,
  several,
} from '../support/factories';
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
} from '../support/template-factories';
import { useServer } from '../support/use-server';

const daybook = useServer();

let ana: Person;
let rui: Person;
let maya: Person;
let june: Person;
beforeAll(async () => {
  [ana, rui, maya, june] = await Promise.all([
    registerProvider(daybook),
    registerProvider(daybook),
    registerConsumer(daybook),
    registerConsumer(daybook),
  ]);
});
const newProvider = () => registerProvider(daybook);

const textsOf = ({ questions }: Template) => questions.map(({ questionText }) => questionText);
const namesOf = (templates: Template[]) => templates.map(({ template }) => template.displayName);
const choice = (options: string[], details: Draft = {}): Draft[] =>
  one({ questionType: singleChoice, options, ...details });

const tooFew = 'Choice questions must have at least 2 options.';

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

/** A template of this many characters in all, in fifty questions. */
function ofSize(total: number, sign: string): Draft[] {
  const text = (place: number) => `${place + 10}${sign.repeat(498)}`;
  const questions = Array.from({ length: 50 }, (_, place) => ({
    questionText: text(place),
    questionType: singleChoice,
    options: [0, 1, 2].map(text),
  }));
  const over = total - 100_000;
  return questions.map((asked, place) =>
    place === 0 && over > 0 ? { ...asked, options: [...asked.options, sign.repeat(over)] } : asked,
  );
}

describe('the limits of a template', () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ questionText: `Question ${at}` }));
  const options = (count: number) => choice(Array.from({ length: count }, (_, at) => `Option ${at}`));
  const letters = 'x'.repeat(500);
  const emoji = '🦷'.repeat(500);
  const accents = 'e\u0301'.repeat(500);

  const kept: [string, Draft[]][] = [
    ['fifty questions', many(50)],
    ['fifty options', options(50)],
    ['two options', options(2)],
    ['a question of 500 letters', one({ questionText: letters })],
    ['a question of 500 emoji', one({ questionText: emoji })],
    ['a question of 500 letters with accents', one({ questionText: ` ${accents} ` })],
    ['an option of 500 emoji', choice([emoji, letters])],
    ['100,000 letters in all', ofSize(100_000, 'x')],
    ['100,000 emoji in all', ofSize(100_000, '🦷')],
  ];
  const refused: [string, unknown[], number][] = [
    ['fifty-one questions', many(51), 1],
    ['fifty-one options', options(51), 1],
    ['a question of 501 letters', one({ questionText: `${letters}x` }), 1],
    ['a question of 501 emoji', one({ questionText: `${emoji}🦷` }), 1],
    ['an option of 501 letters', choice([`${letters}x`, 'a']), 1],
    ['100,001 letters in all', ofSize(100_001, 'x'), 1],
    ['100,001 emoji in all', ofSize(100_001, '🦷'), 1],
    ['an option with a |', choice(['a|b', 'c']), 1],
    ['an option that is a |', choice(['|', 'c']), 1],
    ['a blank option', choice(['a', ' ', 'b']), 1],
    ['two blank options', choice(['a', '', 'b', '\t']), 2],
    ['options that differ by case alone', choice(['Yes', 'YES']), 1],
    ['options that differ by the case of É alone', choice(['É', 'e\u0301']), 1],
    ['options that differ by the case of ΟΔΟΣ alone', choice(['ΟΔΟΣ', 'οδος']), 1],
    ['options that differ by the case of Straße alone', choice(['Straße', 'STRASSE']), 1],
    ['options that differ by spaces around alone', choice(['Yes', ' Yes ']), 1],
    ['questions that differ by case alone', [...one({ questionText: 'ÉTÉ?' }), ...one({ questionText: 'été?' })], 1],
    ['two questions without a text', [{}, {}], 1],
    ['a single choice without options', one({ questionType: singleChoice }), 1],
    ['a multiple choice with one option', one({ questionType: multipleChoice, options: ['a'] }), 1],
    ['a question of two lines', one({ questionText: 'one\ntwo' }), 1],
    ['a control sign', one({ questionText: 'be\u0000fore' }), 1],
    ['a type that there is not', one({ questionType: 3 }), 1],
    ['a negative type', one({ questionType: -1 }), 1],
    ['a type in words', [{ questionText: 'a', questionType: '2' }], 1],
    ['a text that is a number', [{ questionText: 7 }], 1],
    ['required that is a word', [{ questionText: 'a', required: 'yes' }], 1],
    ['options that are no list', [{ questionText: 'a', questionType: 0, options: 'a,b' }], 1],
    ['options that are numbers', [{ questionText: 'a', questionType: 0, options: [1, 2, 'c'] }], 2],
    ['a question that is a text', ['a'], 1],
    ['a question that is null', [null], 1],
    ['several faults', [...one({ questionText: `${letters}x` }), ...choice(['a|b', '']), { questionType: 9 }], 4],
  ];

  test.each(kept)('allow %s', async (_, questions) => {
    const provider = await newProvider();
    const created = await createTemplate(provider, questions);
    expect(created.status).toBe(201);
    const texts = questions.map(({ questionText }) => questionText?.normalize('NFC').trim());
    expect(textsOf(templateIn(created))).toEqual(texts);
    expect((await editTemplate(provider, idOf(templateIn(created)), questions, 'Anew')).status).toBe(200);
    expect((await templatesOf(provider)).map(textsOf)).toEqual([texts]);
  });

  test.each(refused)('refuse %s', async (_, questions, faults) => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    expect(complaints(await createTemplate(provider, questions))).toHaveLength(faults);
    expect(complaints(await editTemplate(provider, template.id, questions))).toHaveLength(faults);
    expect((await templatesOf(provider)).map(idOf)).toEqual([template.id]);
  });

  test('say so in the words of the product', async () => {
    for (const list of [[], ['One'], undefined, null]) {
      for (const questionType of [multipleChoice, singleChoice]) {
        expect(complaints(await createTemplate(ana, one({ questionType, options: list })))).toEqual([tooFew]);
      }
    }
  });

  test.each<[string, unknown[], (string | RegExp)[]]>([
    ['a blank option that is the only one', choice(['']), [/missing/, tooFew]],
    ['an option with a | that is the only one', choice(['a|b']), [/\|/, tooFew]],
    ['one that is no text', [{ questionType: multipleChoice, options: [7] }], [/missing/, tooFew]],
    [
      'one option, and required that is a word',
      [{ questionType: 0, options: ['a'], required: 'no' }],
      [/true/, tooFew],
    ],
    ['options that are the same, one with a |', choice(['a|b', 'c', 'C']), [/\|/, /The options of "How are you\?"/]],
    ['a question asked twice, once with one option', [...one(), ...choice(['a'])], [tooFew, /questions.* must differ/]],
    ['a question asked twice, once with a blank option', [...one(), ...choice(['a', ''])], [/missing/, /must differ/]],
    [
      'fifty-one questions, one of a type that there is not',
      [...many(50), { questionType: 9 }],
      [/type/, /at most 50/],
    ],
  ])('say all that is wrong at once: %s', async (_, questions, messages) => {
    const said = messages.map((message) => expect.stringMatching(message));
    expect(complaints(await createTemplate(ana, questions))).toEqual(said);
  });

  test.each([{}, null, 'questions', 7])('want a list, not %j', async (body) => {
    expect(complaints(await createTemplate(ana, body))).toHaveLength(1);
    const { template } = await writeTemplate(ana);
    expect(complaints(await editTemplate(ana, template.id, body))).toHaveLength(1);
  });

  test('allow a name of 500 characters and not of 501', async () => {
    const { template } = await writeTemplate(ana);
    for (const name of [letters, emoji]) {
      expect((await createTemplate(ana, [], name)).json).toMatchObject({ template: { displayName: name } });
      expect(complaints(await createTemplate(ana, [], `${name}x`))).toHaveLength(1);
      expect(complaints(await editTemplate(ana, template.id, [], `${name}x`))).toHaveLength(1);
    }
  });

  test('allow a body of up to 512 KiB, and Book one of up to 64', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider, one());
    const slot = await publishAsking(provider, template.id);
    const padded = (kibibytes: number) => [
      { question: 'How are you?', answer: 'Well', more: 'x'.repeat(kibibytes * 1024) },
    ];
    const most = 511;
    expect((await bookWith(maya, slot, padded(64))).status).toBe(413);
    expect((await bookWith(maya, slot, padded(63))).status).toBe(200);
    expect((await submitForm(maya, slot, padded(512))).status).toBe(413);
    expect((await submitForm(maya, slot, padded(most))).status).toBe(200);
    expect((await createTemplate(provider, padded(512))).status).toBe(413);
    expect((await createTemplate(provider, padded(most))).status).toBe(201);
    expect((await editTemplate(provider, template.id, padded(most))).status).toBe(200);
  });

  test('want JSON', async () => {
    const { template } = await writeTemplate(ana);
    for (const [method, path] of [
      ['POST', '/api/Checkin/CreateTemplate'],
      ['PUT', `/api/Checkin/EditTemplate?id=${template.id}`],
      ['PUT', '/api/Checkin/SubmitForm?id=none'],
      ['PUT', '/api/Appointment/Book?id=none'],
    ] as const) {
      const answer = await ana.api(method, path, [], { 'content-type': 'text/plain' });
      expect(answer, path).toMatchObject({ status: 415, json: expect.any(String) });
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
    expect(again).toStrictEqual({ ...slot, id: expect.any(String) });
    expect((await bookWith(june, again as Row, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
    expect((await look(maya, slot)).json).toMatchObject({ status: 2, formData: intakeKept });
  });
});
