import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import {
  book,
  cancel,
  dayAhead,
  localDate,
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
  multipleChoice,
  openEnded,
  publishAsking,
  singleChoice,
  type Template,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { type Fields, type Page, titleOf, tripsOf } from '../../support/visit';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

/** A text as a browser reads it out of a page. */
const linesOf = (source: string) => source.replace(/\r\n?/g, '\n').replace(/^\n/, '');

/** A question as a person meets it: how it is asked, what is filled in, and what is said to be wrong with it. */
function questionsOf(page: Page) {
  const blocks = page.$$('main form textarea, main form fieldset');
  return blocks.flatMap((block) => {
    const isText = block.localName === 'textarea';
    const inputs = isText ? [block] : block.querySelectorAll('input');
    const name = inputs[0]?.getAttribute('name') ?? '';
    if (!name.startsWith('answer-')) return [];
    const values = (of: typeof inputs) => of.map((input) => input.getAttribute('value'));
    const label = isText ? page.$(`label[for="${block.getAttribute('id')}"]`) : block.querySelector('legend');
    const described = block.getAttribute('aria-describedby');
    return {
      name,
      question: text(label?.text).replace(' *(required)', ''),
      isRequired: text(label?.text).endsWith('(required)'),
      kind: isText ? 'text' : inputs[0]?.getAttribute('type'),
      options: isText ? null : values(inputs),
      filled: isText ? [linesOf(block.text)] : values(inputs.filter((input) => input.hasAttribute('checked'))),
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
      return [asked.name, asked.kind === 'text' ? answer : answer.split('|')];
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
  const newSlot = () => {
    day += 1;
    return publishAsking(provider, idOf(asked), { dates: [dayAhead(day)] });
  };
  const questionsAt = async (slot: { id: string }) =>
    (await maya.browser.visit(`/details/${slot.id}`)).click('Continue to the questions');

  test('is asked each question by its type, in order, the required ones marked for eye and ear', async () => {
    const page = await questionsAt(await newSlot());
    expect(titleOf(page)).toBe('Book an Appointment');
    const kinds = { [openEnded]: 'text', [singleChoice]: 'radio', [multipleChoice]: 'checkbox' };
    expect(questionsOf(page).map(({ name: _, ...asked }) => asked)).toEqual(
      intake.map(({ questionText, questionType, options, required }) => ({
        question: questionText,
        isRequired: required,
        kind: kinds[questionType as keyof typeof kinds],
        options,
        filled: questionType === openEnded ? [''] : [],
        fault: null,
      })),
    );
    const label = page.$$('legend').find((legend) => legend.text.includes('Which side'));
    expect(label?.querySelector('[aria-hidden=true]')?.text).toBe('*');
    const said = page.$('main')?.text ?? '';
    expect(said.indexOf('* has to be answered.')).toBeGreaterThan(-1);
    expect(said.indexOf('* has to be answered.')).toBeLessThan(said.indexOf(intake[0]?.questionText ?? ''));
  });

  test('and answers wrongly reads each fault beside its question and finds all that was typed', async () => {
    const slot = await newSlot();
    const page = await questionsAt(slot);
    const answers = [
      { question: 'What brings you here?', answer: '  ' },
      { question: 'What have you tried?', answer: 'Rest|Physio "at home"' },
      { question: 'Is it urgent?', answer: 'No' },
      { question: 'Anything else?', answer: `“|” & <b>\r\n${'x'.repeat(2000)}` },
    ];
    const refused = await page.submit('Book', filled(page, answers));
    expect(refused.status).toBe(400);
    const wrong = ['What brings you here?', 'Which side hurts?', 'متى يؤلمك؟ Wann tut’s weh? 🦴', 'Anything else?'];
    for (const { question, fault, filled } of questionsOf(refused)) {
      if (wrong.includes(question)) expect(fault).toContain(question);
      else expect(fault).toBeNull();
      const said = answers.find((one) => one.question === question)?.answer.replaceAll('\r\n', '\n');
      if (question === 'Anything else?') expect(filled).toEqual([said]);
      else if (said !== undefined && said.trim() !== '') expect(filled).toEqual(said.split('|'));
    }
    expect((await look(maya, slot)).json).toMatchObject({ status: 0 });

    const mended = intakeAnswers.filter(({ question }) => wrong.includes(question));
    const arrived = await refused.submit('Book', filled(refused, mended));
    expect(arrived.path).toBe(`/view?booked=${slot.id}`);
    expect(arrived.words).toContain('Booked: ');
    expect(await formOf(maya, slot)).toEqual(intakeKept);
  });

  test('books and answers in one step, once, however often it is sent', async () => {
    const slot = await newSlot();
    const page = await questionsAt(slot);
    const pages = await Promise.all([1, 2].map(() => page.submit('Book', filled(page, intakeAnswers))));
    for (const { path } of pages) expect(path).toBe(`/view?booked=${slot.id}`);
    expect((await look(provider, slot)).json).toMatchObject({
      status: 1,
      username: maya.username,
      formData: intakeKept,
    });
  });

  test('cannot book by a form without the questions', async () => {
    const slot = await newSlot();
    const refused = await maya.browser.post(`/details/${slot.id}`);
    expect(refused.status).toBe(400);
    expect(questionsOf(refused)).toHaveLength(6);
    expect((await look(maya, slot)).json).toMatchObject({ status: 0 });
  });

  test('reads the answers afterwards and changes them, until the appointment starts', async () => {
    const slot = await newSlot();
    await bookWith(maya, slot, intakeAnswers);
    const path = `/details-cancel/${slot.id}`;
    const page = await maya.browser.visit(path);
    const before = questionsOf(page);
    expect(before.map(({ filled }) => filled.join('|').toLowerCase())).toEqual(
      intakeKept.map(({ answer }) => answer.toLowerCase()),
    );
    const blank = filled(page, [{ question: 'What brings you here?', answer: ' ' }]);
    const refused = await page.submit('Save answers', blank);
    expect(refused.status).toBe(400);
    expect(questionsOf(refused).map(({ fault }) => fault !== null)).toEqual([true, ...Array(5).fill(false)]);
    expect(questionsOf(refused).slice(1)).toEqual(before.slice(1));
    expect(await formOf(maya, slot)).toEqual(intakeKept);

    const changes = [
      { question: 'What brings you here?', answer: 'Something else' },
      { question: 'Which side hurts?', answer: 'Left' },
      { question: 'What have you tried?', answer: 'Ice & heat' },
    ];
    const saved = await refused.submit('Save answers', filled(refused, changes));
    expect(new URL(saved.url).pathname).toBe(path);
    expect(saved.words).toContain('Your answers are saved.');
    const changed = ['Something else', 'left', 'ice & heat'];
    expect(await formOf(provider, slot)).toEqual(
      intakeKept.map((one, at) => ({ ...one, answer: changed[at] ?? one.answer })),
    );
    expect((await provider.browser.visit(`/details-provider/${slot.id}`)).words).toContain('Ice & heat');

    const begun = await writeSlot(daybook.d1, provider, { template: idOf(asked), startsIn: -1, booker: maya });
    expect(questionsOf(await maya.browser.visit(`/details-cancel/${begun.id}`))).toEqual([]);
    await cancel(provider, slot);
    const canceled = await maya.browser.visit(path);
    expect(questionsOf(canceled)).toEqual([]);
    expect(canceled.words).toContain('Something else');
  });
});

test('whoever has something at that time already reads so, and can book all the same', async () => {
  const [ana, other] = await Promise.all([newProvider(), newProvider()]);
  const [before, same, after] = (await publish(ana, { end: '10:30', dates: [dayAhead(20)] })) as [Row, Row, Row];
  for (const slot of [before, same, after]) await book(june, slot);
  const wanted = await publishOne(other, { start: '09:30', end: '10:00', dates: [dayAhead(20)] });
  const busy = async (who: Person) => {
    const page = await who.browser.visit(`/details/${wanted.id}`);
    expect(page.$$('main button').map(({ text }) => text)).toContain('Book this appointment');
    return page.$$('main a[href^="/details-cancel/"]').map((link) => link.getAttribute('href'));
  };
  expect(await busy(maya)).toEqual([]);
  expect(await busy(june)).toEqual([`/details-cancel/${same.id}`]);
  await cancel(june, same);
  expect(await busy(june)).toEqual([]);
});

describe('when the slot is taken meanwhile', () => {
  type Scene = { provider: Person; wanted: Row; others: [Row, Row]; page: Page };

  /** Maya has the questions of a slot before her; June books it; there are others that ask the same, and some that don't. */
  async function scene(): Promise<Scene> {
    const provider = await newProvider();
    const asked = await writeTemplate(provider);
    await publishOne(provider, { start: '08:00', end: '08:30' });
    const sameWords = idOf(await writeTemplate(provider, intake, 'Same words'));
    await publishAsking(provider, sameWords, { start: '11:00', end: '11:30' });
    const slots = await publish(provider, { end: '10:30' }, `templateId=${idOf(asked)}`);
    const [first, wanted, last] = slots.filter(({ template }) => template === idOf(asked)) as [Row, Row, Row];
    const page = await maya.browser.visit(`/details/${wanted.id}?step=questions`);
    expect((await bookWith(june, wanted, intakeAnswers)).status).toBe(200);
    return { provider, wanted, others: [first, last], page };
  }

  const offers = (page: Page) => page.$$('main li form').map((form) => form.getAttribute('action'));

  test('the answers are kept, and one tap books one of the nearest times, each read out, with them', async () => {
    const { provider, wanted, others, page } = await scene();
    const answers = intakeAnswers.map((said) => ({ ...said, answer: said.answer.replaceAll('\n', '\r\n') }));
    const late = await page.submit('Book', filled(page, answers));
    expect([late.status, titleOf(late)]).toEqual([409, 'Just gone']);
    expect(late.words).toContain('This appointment has just been booked by someone else.');
    expect(late.words).toContain('with the answers you gave');
    expect(offers(late)).toEqual(others.map(({ id }) => `/details/${id}`));
    expect(late.$$('main form textarea, main form [type=radio]')).toEqual([]);
    const described = late.$$('main li button').map((button) => {
      const told = late.root.getElementById(button.getAttribute('aria-describedby') ?? '');
      return [text(button.text), told?.querySelector('[aria-label]')?.getAttribute('aria-label'), text(told?.text)];
    });
    const day = dateWords(localDate(others[0])).full;
    expect(described).toEqual(
      others.map(({ startTime }) => ['Book', day, expect.stringContaining(`${startTime} to `)]),
    );

    const [, last] = others;
    const arrived = await late.submit(`form[action="/details/${last.id}"]`);
    expect(arrived.path).toBe(`/view?booked=${last.id}`);
    expect((await look(provider, last)).json).toMatchObject({ username: maya.username, formData: intakeKept });
    expect((await look(provider, wanted)).json).toMatchObject({ username: june.username, formData: intakeKept });
  });
});

describe('whoever follows a link that is late', () => {
  let provider: Person;
  beforeAll(async () => {
    provider = await newProvider();
  });
  const messageOf = (page: Page) => text(page.$('main [role=status] h2')?.text);
  const taken = 'This appointment has just been booked by someone else.';

  test('reads what whoever sends the form reads, with the nearest free times, in one trip', async () => {
    const [first, wanted, last] = (await publish(provider, { end: '10:30', dates: [dayAhead(1)] })) as [Row, Row, Row];
    const blank = await maya.browser.visit(`/details/${wanted.id}`);
    expect((await book(june, wanted)).status).toBe(200);
    const refused = await blank.submit('Book this appointment');
    const linked = await maya.browser.get(`/details/${wanted.id}`);
    for (const page of [refused, linked]) {
      expect([page.status, titleOf(page), messageOf(page)]).toEqual([409, 'Just gone', taken]);
      const forms = page.$$('main li form').map((form) => form.getAttribute('action'));
      expect(forms).toEqual([first, last].map(({ id }) => `/details/${id}`));
    }
    expect(linked.$('title')?.text).toBe('Just gone · Daybook');
    expect(tripsOf(linked)).toBe(1);
    const arrived = await linked.submit(`form[action="/details/${last.id}"]`);
    expect(arrived.path).toBe(`/view?booked=${last.id}`);
  });

  test('reads that it has started, or is withdrawn, and where to look further when nothing is free', async () => {
    const lonely = await newProvider();
    const begun = await writeSlot(daybook.d1, lonely, { startsIn: -1 });
    const withdrawn = await publishOne(lonely, { dates: [dayAhead(3)] });
    await cancel(lonely, withdrawn);
    const pages = await Promise.all([begun, withdrawn].map(({ id }) => maya.browser.get(`/details/${id}`)));
    expect(pages.map(messageOf)).toEqual(['This appointment has already started.', taken]);
    for (const page of pages) {
      expect([page.status, page.words.includes('No other time is free for this at the moment.')]).toEqual([409, true]);
      expect((await page.click('Look for another time')).path).toBe(`/view?provider=${lonely.username}`);
    }
  });
});

describe('trips to the database', () => {
  test('are two at most for a booking with answers, right, wrong or too late, and for a change of answers', async () => {
    const provider = await newProvider();
    const asked = await writeTemplate(provider);
    const [first, second] = (await publish(provider, { end: '10:00' }, `templateId=${idOf(asked)}`)) as [Row, Row];
    const form = await maya.browser.visit(`/details/${first.id}?step=questions`);
    expect(tripsOf(form)).toBe(1);
    const right = { template: idOf(asked), ...(filled(form, intakeAnswers) as Record<string, string | string[]>) };
    await bookWith(june, second, intakeAnswers);
    const steps: [string, Page, number][] = [
      ['wrong', await maya.browser.post(`/details/${first.id}`, { template: idOf(asked) }), 400],
      ['right', await maya.browser.post(`/details/${first.id}`, right), 303],
      ['too late', await maya.browser.post(`/details/${second.id}`, right), 409],
      ['changed', await maya.browser.post(`/details-cancel/${first.id}`, right), 303],
    ];
    for (const [what, page, status] of steps) {
      expect([what, page.status]).toEqual([what, status]);
      expect(tripsOf(page), what).toBeLessThanOrEqual(2);
    }
  });
});
