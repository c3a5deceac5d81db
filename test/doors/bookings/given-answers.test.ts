import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { nothing } from '../../support/complaints';
import { book, look, type Person, peopleAt, type Row } from '../../support/factories';
import {
  bookWith,
  type Draft,
  idOf,
  intakeAnswers,
  multipleChoice,
  one,
  openEnded,
  publishAsking,
  singleChoice,
  submitForm,
  writeTemplate,
} from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let rui: Person;
let maya: Person;
let june: Person;
beforeAll(async () => {
  [rui, maya, june] = await Promise.all([newProvider(), newConsumer(), newConsumer()]);
});

/** The table of question and answer of a page. */
const tableOf = (page: Page) =>
  page.$$('main table tbody tr').map((row) => ({
    question: row.querySelector('th')?.text ?? '',
    answer: row.querySelector('td')?.text ?? '',
  }));

describe('what was answered', () => {
  const words = [
    'a|b|c',
    '"quotes" & <b>tags</b> &amp; \'such\'',
    'ألم في الركبة\nمنذ "أسبوع"',
    '🧑‍🦽👨‍👩‍👧🇱🇰',
    '\\n {{x}} %s </textarea></td>',
    '🦷'.repeat(2000),
    `x${'\n'.repeat(1998)}x`,
  ];
  const open = ['First?', 'אַחַר? "|"'].map((questionText) => ({ questionText, questionType: openEnded }));
  const some = ['ÉTÉ', 'مساءً', '"A" & <b>', '🦷'];
  const questions: Draft[] = [
    ...open,
    { questionText: 'Which?', questionType: singleChoice, options: some },
    { questionText: 'Which ones?', questionType: multipleChoice, options: some },
  ];
  let provider: Person;
  let slot: Row;
  beforeAll(async () => {
    provider = await newProvider();
    slot = await publishAsking(provider, idOf(await writeTemplate(provider, questions)));
    await book(maya, slot);
  });

  /** What is kept, read back over the API and on the pages of both. */
  async function readBack() {
    const kept = ((await look(maya, slot)).json as Row).formData;
    expect(((await look(provider, slot)).json as Row).formData).toEqual(kept);
    const spelt = (value: string) => some.find((option) => option.toLowerCase() === value) ?? value;
    const shown = kept.map(({ question, answer }) => {
      if (question === 'Which ones?') return { question, answer: answer.split('|').map(spelt).join(', ') };
      return { question, answer: question === 'Which?' ? spelt(answer) : answer };
    });
    const [booker, host] = [
      await maya.browser.get(`/details-cancel/${slot.id}`),
      await provider.browser.get(`/details-provider/${slot.id}`),
    ];
    expect(tableOf(host)).toEqual(shown);
    expect(tableOf(booker)).toEqual(shown);
    expect(tableOf(await provider.browser.get(`/view-provider/${slot.id}`))).toEqual(shown);
    const typed = booker.$$('textarea:not([name=reason])').map((field) => field.text.replace(/^\n/, ''));
    expect(typed).toEqual(
      open.map(({ questionText }) => kept.find(({ question }) => question === questionText)?.answer ?? ''),
    );
    const ticked = booker.$$('input[checked]').map((field) => field.getAttribute('value')?.toLowerCase());
    const chosen = ['Which?', 'Which ones?'].flatMap(
      (text) => kept.find(({ question }) => question === text)?.answer.split('|') ?? [],
    );
    expect(ticked.sort()).toEqual(chosen.sort());
    return kept;
  }

  test.each(words)('reads back the same over the API and on the pages: %j', async (answer) => {
    const sent = open.map(({ questionText }) => ({ question: questionText, answer }));
    expect((await submitForm(maya, slot, sent)).status).toBe(200);
    expect(await readBack()).toEqual(sent);
  });

  test('reads back the same, whatever it is', async () => {
    const anyText = fc
      .array(fc.string({ unit: 'binary', maxLength: 30 }), { minLength: 1, maxLength: 3 })
      .map((lines) =>
        lines
          .map((text) => text.replace(/\p{Cc}/gu, ''))
          .join('\n')
          .normalize('NFC')
          .trim(),
      );
    const choices = fc.subarray(some).map((chosen) => chosen.join('|'));
    const form = fc.tuple(anyText, anyText, fc.constantFrom('', 'ÉTÉ', '"a" & <B>'), choices);
    await fc.assert(
      fc.asyncProperty(form, async (values) => {
        const sent = values.map((answer, at) => ({ question: questions[at]?.questionText ?? '', answer }));
        expect((await submitForm(maya, slot, sent)).status).toBe(200);
        const expected = sent
          .map(({ question, answer }, at) => ({ question, answer: at < 2 ? answer : answer.toLowerCase() }))
          .filter(({ answer }) => answer !== '');
        expect(await readBack()).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  test('is nobody else’s to read', async () => {
    for (const who of [june, rui]) expect(await look(who, slot)).toMatchObject(nothing);
    expect((await june.browser.get(`/details-cancel/${slot.id}`)).status).toBe(404);
    expect((await rui.browser.get(`/details-provider/${slot.id}`)).status).toBe(404);
    for (const path of [`/details-cancel/${slot.id}`, `/details-provider/${slot.id}`]) {
      expect((await daybook.visitor().get(path)).status).toBe(302);
    }
  });
});

describe('what is owed', () => {
  test('is said to the provider, and asked of the booker, until it is answered', async () => {
    const provider = await newProvider();
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
    const host = async () => (await provider.browser.get(`/details-provider/${slot.id}`)).words;
    const booker = async () => (await maya.browser.get(`/details-cancel/${slot.id}`)).words;
    const owed = 'not answered yet';
    expect(await host()).not.toContain(owed);
    await book(maya, slot);
    expect(await host()).toContain(owed);
    expect(await booker()).toContain('Please answer these questions');
    await submitForm(maya, slot, intakeAnswers);
    expect(await host()).not.toContain(owed);
    expect(await booker()).toContain('Change your answers');
  });

  test('is nothing where all that is asked may be left out, and was', async () => {
    const provider = await newProvider();
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider, one({ required: false }))));
    await bookWith(maya, slot, []);
    const page = await provider.browser.get(`/details-provider/${slot.id}`);
    expect([page.status, page.words.includes('not answered yet')]).toEqual([200, false]);
  });
});
