import { beforeAll, describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { type Person, peopleAt } from '../../support/factories';
import {
  bookWith,
  createTemplate,
  type Draft,
  editTemplate,
  idOf,
  multipleChoice,
  one,
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
beforeAll(async () => {
  [ana, rui, maya] = await Promise.all([newProvider(), newProvider(), newConsumer()]);
});

const textsOf = ({ questions }: Template) => questions.map(({ questionText }) => questionText);
const choice = (options: string[], details: Draft = {}): Draft[] =>
  one({ questionType: singleChoice, options, ...details });

const tooFew = 'Choice questions must have at least 2 options.';

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
    expect(complaints(await createTemplate(rui, questions))).toHaveLength(faults);
    expect(await templatesOf(rui)).toEqual([]);
  });

  test('refuse the same where a template is edited, and then nothing changes', async () => {
    const provider = await newProvider();
    const { template } = await writeTemplate(provider);
    for (const [fault, questions, faults] of refused)
      expect(complaints(await editTemplate(provider, template.id, questions)), fault).toHaveLength(faults);
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
      [/type/, /At most 50/],
    ],
  ])('say all that is wrong at once: %s', async (_, questions, messages) => {
    const said = messages.map((message) => expect.stringMatching(message));
    expect(complaints(await createTemplate(ana, questions))).toEqual(said);
  });

  test.each([{}, null, 'questions', 7])('want a list, not %j', async (body) => {
    expect(complaints(await createTemplate(ana, body))).toHaveLength(1);
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
