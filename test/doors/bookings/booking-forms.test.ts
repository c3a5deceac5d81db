import { beforeAll, describe, expect, test } from 'vitest';
import { started, taken } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import { words as text } from '../../support/forms';
import {
  type Answer,
  bookWith,
  formOf,
  idOf,
  intake,
  intakeAnswers,
  intakeKept,
  publishAsking,
  type Template,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Fields, type Page, titleOf, tripsOf } from '../../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

/** A question as a person meets it: what is asked, what is filled in, and what is said to be wrong with it. */
function questionsOf(page: Page) {
  const blocks = page.$$('main form fieldset, main form textarea');
  return blocks.flatMap((block) => {
    const isText = block.localName === 'textarea';
    const inputs = isText ? [block] : block.querySelectorAll('input');
    const name = inputs[0]?.getAttribute('name') ?? '';
    if (!name.startsWith('answer-')) return [];
    const label = isText ? page.$(`label[for="${block.getAttribute('id')}"]`) : block.querySelector('legend');
    const chosen = inputs.filter((input) => input.hasAttribute('checked')).map((input) => input.getAttribute('value'));
    const described = block.getAttribute('aria-describedby');
    return {
      name,
      question: text(label?.text).replace(' *(required)', ''),
      isText,
      filled: isText ? block.text.replace(/\r\n?/g, '\n').replace(/^\n/, '') : chosen.join('|'),
      fault: described ? text(page.root.getElementById(described)?.text) : null,
    };
  });
}

/** The fields of a page filled in with these answers; several choices are joined by '|'. */
const filled = (page: Page, answers: Answer[]): Fields =>
  Object.fromEntries(
    answers.map(({ question, answer }) => {
      const asked = questionsOf(page).find((one) => one.question === question);
      if (!asked) throw new Error(`The page does not ask "${question}".`);
      return [asked.name, asked.isText ? answer : answer.split('|')];
    }),
  );

describe('whoever books', () => {
  let provider: Person;
  let asked: Template;
  beforeAll(async () => {
    provider = await newProvider();
    asked = await writeTemplate(provider);
  });
  let day = 0;
  const newSlot = () => publishAsking(provider, idOf(asked), { dates: [dayAhead(++day)] });
  const questionsAt = async (slot: { id: string }) =>
    (await maya.browser.visit(`/details/${slot.id}`)).click('Continue to the questions');

  test('and answers wrongly reads each fault beside its question and finds all that was typed', async () => {
    const slot = await newSlot();
    const page = await questionsAt(slot);
    const answers = [
      { question: 'What brings you here?', answer: '' },
      { question: 'What have you tried?', answer: 'Rest|Physio "at home"' },
      { question: 'Is it urgent?', answer: 'No' },
      { question: 'Anything else?', answer: `“|” & <b>\n${'x'.repeat(2000)}` },
    ];
    const refused = await page.submit('Book', filled(page, answers));
    expect(refused.status).toBe(400);
    const wrong = ['What brings you here?', 'Which side hurts?', 'متى يؤلمك؟ Wann tut’s weh? 🦴', 'Anything else?'];
    expect(questionsOf(refused)).toEqual(
      intake.map(({ questionText: question }) => ({
        name: expect.any(String),
        question,
        isText: expect.any(Boolean),
        filled: answers.find((said) => said.question === question)?.answer ?? '',
        fault: wrong.includes(question) ? expect.stringContaining(question) : null,
      })),
    );
    expect((await look(maya, slot)).json).toMatchObject({ status: 0 });

    const mended = intakeAnswers.filter(({ question }) => wrong.includes(question));
    const arrived = await refused.submit('Book', filled(refused, mended));
    expect(arrived.path).toBe(`/view?booked=${slot.id}`);
    expect(await formOf(maya, slot)).toEqual(intakeKept);
  });

  test('books and answers in one step, once, however often it is sent, and not without the questions', async () => {
    const slot = await newSlot();
    expect((await maya.browser.post(`/details/${slot.id}`)).status).toBe(400);
    expect((await look(maya, slot)).json).toMatchObject({ status: 0 });
    const page = await questionsAt(slot);
    const pages = await Promise.all([1, 2].map(() => page.submit('Book', filled(page, intakeAnswers))));
    for (const { path } of pages) expect(path).toBe(`/view?booked=${slot.id}`);
    expect((await look(provider, slot)).json).toMatchObject({ username: maya.username, formData: intakeKept });
  });

  test('reads the answers afterwards and changes them, until the appointment starts', async () => {
    const slot = await newSlot();
    await bookWith(maya, slot, intakeAnswers);
    const path = `/details-cancel/${slot.id}`;
    const page = await maya.browser.visit(path);
    expect(questionsOf(page).map(({ filled }) => filled.toLowerCase())).toEqual(
      intakeKept.map(({ answer }) => answer.toLowerCase()),
    );
    const first = 'What brings you here?';
    const refused = await page.submit('Save answers', filled(page, [{ question: first, answer: ' ' }]));
    expect(refused.status).toBe(400);
    expect(questionsOf(refused).map(({ fault }) => fault !== null)).toEqual([true, ...Array(5).fill(false)]);
    const change = filled(refused, [{ question: first, answer: 'Something else' }]);
    const saved = await refused.submit('Save answers', change);
    expect(saved.words).toContain('Your answers are saved.');
    expect(await formOf(provider, slot)).toEqual([
      { question: first, answer: 'Something else' },
      ...intakeKept.slice(1),
    ]);

    const begun = await writeSlot(daybook.d1, provider, { template: idOf(asked), startsIn: -1, booker: maya });
    expect(questionsOf(await maya.browser.visit(`/details-cancel/${begun.id}`))).toEqual([]);
    await cancel(provider, slot);
    const canceled = await maya.browser.visit(path);
    expect([questionsOf(canceled), canceled.words]).toEqual([[], expect.stringContaining('Something else')]);
  });
});

const offers = (page: Page) => page.$$('main li form').map((form) => form.getAttribute('action'));

test('where the slot is taken meanwhile, the answers are kept, and one tap books a near time that asks the same', async () => {
  const provider = await newProvider();
  const template = idOf(await writeTemplate(provider));
  await publishOne(provider, { start: '08:00', end: '08:30' });
  const slots = await publish(provider, { end: '10:30' }, `templateId=${template}`);
  const [first, wanted, last] = slots.filter((slot) => slot.template === template) as [Row, Row, Row];
  const page = await maya.browser.visit(`/details/${wanted.id}?step=questions`);
  await bookWith(june, wanted, intakeAnswers);
  const late = await page.submit('Book', filled(page, intakeAnswers));
  expect([late.status, titleOf(late), tripsOf(late) <= 2]).toEqual([409, 'Just gone', true]);
  expect(offers(late)).toEqual([first, last].map(({ id }) => `/details/${id}`));
  const arrived = await late.submit(`form[action="/details/${last.id}"]`);
  expect(arrived.path).toBe(`/view?booked=${last.id}`);
  expect((await look(provider, last)).json).toMatchObject({ username: maya.username, formData: intakeKept });
  expect((await look(provider, wanted)).json).toMatchObject({ username: june.username, formData: intakeKept });
});

test('whoever follows a link that is late reads why, with the nearest free times, or where to look further', async () => {
  const messageOf = (page: Page) => text(page.$('main [role=status] h2')?.text);
  const [first, wanted, last] = (await publish(await newProvider(), { end: '10:30' })) as [Row, Row, Row];
  await book(june, wanted);
  const page = await maya.browser.get(`/details/${wanted.id}`);
  expect([page.status, titleOf(page), messageOf(page)]).toEqual([409, 'Just gone', taken.json]);
  expect(offers(page)).toEqual([first, last].map(({ id }) => `/details/${id}`));

  const lonely = await newProvider();
  const begun = await writeSlot(daybook.d1, lonely, { startsIn: -1 });
  const withdrawn = await publishOne(lonely, { dates: [dayAhead(3)] });
  await cancel(lonely, withdrawn);
  const pages = await Promise.all([begun, withdrawn].map(({ id }) => maya.browser.get(`/details/${id}`)));
  expect(pages.map(messageOf)).toEqual([started.json, taken.json]);
  for (const late of pages)
    expect((await late.click('Look for another time')).path).toBe(`/view?provider=${lonely.username}`);
});

describe('whoever has another appointment then', () => {
  const already = 'You already have something at that time';

  /** A client with an appointment from nine to ten at Karla's. */
  async function busyClient() {
    const [client, karla, provider] = await Promise.all([
      newConsumer(),
      newProvider({ displayName: 'Karla' }),
      newProvider(),
    ]);
    const [appointment] = (await publish(karla, { end: '10:00' }, 'len=60')) as [Row];
    await book(client, appointment);
    return { client, karla, provider, appointment };
  }

  test('reads whose it is, and from when to when', async () => {
    const { client, provider, appointment } = await busyClient();
    const slot = await publishOne(provider, { start: '09:30', end: '10:00' });

    const page = await client.browser.get(`/details/${slot.id}`);

    expect(page.words).toContain(already);
    expect(page.words).toMatch(/Karla, 09:00 to 10:00/);
    expect((await page.click('Karla')).path).toBe(`/details-cancel/${appointment.id}`);
  });

  test('books this one all the same', async () => {
    const { client, provider } = await busyClient();
    const slot = await publishOne(provider, { start: '09:30', end: '10:00' });

    const page = await client.browser.get(`/details/${slot.id}`);
    await page.submit('Book this appointment');

    expect((await look(client, slot)).json).toMatchObject({ status: 1 });
  });

  test.each([
    ['ends when this one begins', { start: '10:00', end: '10:30' }],
    ['begins when this one ends', { start: '08:30', end: '09:00' }],
  ])('reads nothing of one that %s', async (_, times) => {
    const { client, provider } = await busyClient();
    const slot = await publishOne(provider, times);

    const page = await client.browser.get(`/details/${slot.id}`);

    expect(page.status).toBe(200);
    expect(page.words).not.toContain(already);
  });

  test('reads nothing of one that is canceled', async () => {
    const { client, provider, appointment } = await busyClient();
    const slot = await publishOne(provider);
    await cancel(client, appointment);

    const page = await client.browser.get(`/details/${slot.id}`);

    expect(page.status).toBe(200);
    expect(page.words).not.toContain(already);
  });

  test('is the only one who reads of it', async () => {
    const { provider } = await busyClient();
    const other = await newConsumer();
    const slot = await publishOne(provider);

    const page = await other.browser.get(`/details/${slot.id}`);

    expect(page.status).toBe(200);
    expect(page.words).not.toContain(already);
  });
});
