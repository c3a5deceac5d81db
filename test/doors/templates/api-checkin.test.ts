import { describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import { cancel, look, type Person, peopleAt, publish, type Row, rowsOf, several } from '../../support/factories';
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

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana, maya, june } = useWorld(daybook, { ana: {}, maya: {}, june: {} });

const namesOf = (templates: Template[]) => templates.map(({ template }) => template.displayName);
const wrong = [...one({ questionText: 'x'.repeat(501) }), ...one({ questionType: singleChoice, options: ['a|b', ''] })];

test('a template has these keys, at each call that gives it, whatever more is sent', async () => {
  const provider = await newProvider();
  const more = { id: 'mine', templateId: 'mine', order: 7, provider: maya.username, more: [1] };
  const sent = intake.map((asked) => ({ ...asked, ...more }));
  const answer = await createTemplate(provider, sent, 'Before we begin');
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

test('a template that breaks a rule is neither created nor the edit of another', async () => {
  const provider = await newProvider();
  const { template } = await writeTemplate(provider);
  expect(complaints(await createTemplate(provider, wrong, 'x'.repeat(501)))).toHaveLength(4);
  expect(complaints(await editTemplate(provider, template.id, wrong, 'x'.repeat(501)))).toHaveLength(4);
  expect((await templatesOf(provider)).map(idOf)).toEqual([template.id]);
});

describe('CreateTemplate', () => {
  const create = (who: Person, name: string, key = 'pressed twice') =>
    who.api('POST', `/api/Checkin/CreateTemplate?templateName=${name}`, intake, { 'idempotency-key': key });

  test('with one Idempotency-Key answers the same, again and many times at once, for this caller alone', async () => {
    const [first, other] = [await newProvider(), await newProvider()];
    const answers = await several(5, () => create(first, 'One'));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    const [{ template }] = answers.map(templateIn) as [Template];
    for (const answer of [...answers, await create(first, 'Changed')]) {
      expect(templateIn(answer).template).toEqual(template);
    }
    expect(idOf(templateIn(await create(other, 'Two')))).not.toBe(template.id);
    await create(first, 'Three', 'another');
    expect(namesOf(await templatesOf(first))).toEqual(['One', 'Three']);
  });
});

describe('EditTemplate', () => {
  test('makes a new template in the place of the old one, again and again; each can still be read', async () => {
    const provider = await newProvider();
    const first = await writeTemplate(provider, one(), 'First');
    const second = await writeTemplate(provider, intake, 'Second');
    const third = await writeTemplate(provider, one(), 'Third');
    const answer = await editTemplate(provider, idOf(second), one({ required: true }), 'Second, anew');
    expect(answer).toMatchObject({
      status: 200,
      json: {
        template: { displayName: 'Second, anew' },
        questions: [{ questionText: 'How are you?', questionType: 2, options: null, required: true, order: 0 }],
      },
    });
    const anew = templateIn(answer);
    expect([first, second, third].map(idOf)).not.toContain(idOf(anew));
    expect(anew.questions[0]).toMatchObject({ templateId: idOf(anew), provider: provider.username });
    expect(await templatesOf(provider)).toStrictEqual([first, anew, third]);
    for (const who of [provider, maya]) {
      for (const version of [second, anew]) {
        expect((await getTemplate(who, idOf(version))).json).toStrictEqual(version);
      }
    }
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

  test('of another’s, of an earlier version, of a deleted one and of nothing is a 404 that changes nothing', async () => {
    const provider = await newProvider();
    const [kept, edited, deleted] = [
      await writeTemplate(provider, one(), 'A'),
      await writeTemplate(provider, one(), 'B'),
      await writeTemplate(provider, one(), 'C'),
    ];
    await editTemplate(provider, idOf(edited), one(), 'B2');
    await deleteTemplate(provider, idOf(deleted));
    for (const [who, id] of [
      [ana, idOf(kept)],
      [provider, idOf(edited)],
      [provider, idOf(deleted)],
      [provider, 'none'],
    ] as const) {
      expect(await editTemplate(who, id, one(), 'Mine')).toMatchObject(nothing);
    }
    expect(namesOf(await templatesOf(provider))).toEqual(['A', 'B2']);
  });
});

describe('a template that is attached', () => {
  test('is not another’s, and not one that there is not; nothing is published then', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(await newProvider());
    for (const id of [template.id, 'none']) expect(await attach(provider, id)).toMatchObject(nothing);
    expect(rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`))).toEqual([]);
  });

  test('is on the slots, and kept there, without the answers, when the booker cancels', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    const slot = await publishAsking(provider, template.id);
    expect(slot).toMatchObject({ template: template.id, formData: [], status: 0 });
    expect((await look(maya, slot)).json).toEqual(slot);
    await bookWith(maya, slot, intakeAnswers);
    expect((await cancel(maya, slot)).json).toMatchObject({ status: 2, formData: intakeKept });
    const [again] = rowsOf(await june.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`));
    expect(again).toStrictEqual({ ...slot, id: expect.any(String), slotId: (again as Row).id });
  });

  test.each(['edited', 'deleted'])('and %s is asked as it was by its slots, and on no new one', async (what) => {
    const provider = await newProvider();
    const old = await writeTemplate(provider);
    const [open, booked] = (await publish(provider, { end: '10:00' }, `templateId=${idOf(old)}`)) as [Row, Row];
    await bookWith(maya, booked, intakeAnswers);
    await (what === 'edited' ? editTemplate(provider, idOf(old), one()) : deleteTemplate(provider, idOf(old)));
    expect(await attach(provider, idOf(old), { start: '12:00', end: '13:00' })).toMatchObject(nothing);
    expect((await look(maya, open)).json).toMatchObject({ template: idOf(old) });
    for (const who of [provider, maya]) {
      expect((await look(who, booked)).json).toMatchObject({ template: idOf(old), formData: intakeKept });
    }
    const well = [{ question: 'How are you?', answer: 'Well' }];
    expect(complaints(await bookWith(june, open, well)).length).toBeGreaterThan(0);
    expect((await bookWith(june, open, intakeAnswers)).json).toMatchObject({ formData: intakeKept });
  });
});
