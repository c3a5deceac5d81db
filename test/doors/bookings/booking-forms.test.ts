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
  intakeStored,
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

  describe('and answers wrongly', () => {
    const answers = [
      { question: 'What brings you here?', answer: '' },
      { question: 'What have you tried?', answer: 'Rest|Physio "at home"' },
      { question: 'Is it urgent?', answer: 'No' },
      { question: 'Anything else?', answer: `“|” & <b>\n${'x'.repeat(2000)}` },
    ];
    const wrong = ['What brings you here?', 'Which side hurts?', 'متى يؤلمك؟ Wann tut’s weh? 🦴', 'Anything else?'];

    async function refusedForm() {
      const slot = await newSlot();
      const page = await questionsAt(slot);
      return { slot, refused: await page.submit('Book', filled(page, answers)) };
    }

    test('reads each fault beside its question', async () => {
      const { refused } = await refusedForm();

      expect(refused.status).toBe(400);
      expect(questionsOf(refused).map(({ question, fault }) => ({ question, fault }))).toEqual(
        intake.map(({ questionText: question }) => ({
          question,
          fault: wrong.includes(question) ? expect.stringContaining(question) : null,
        })),
      );
    });

    test('finds all that was typed', async () => {
      const { refused } = await refusedForm();

      expect(questionsOf(refused).map(({ question, filled }) => ({ question, filled }))).toEqual(
        intake.map(({ questionText: question }) => ({
          question,
          filled: answers.find((typed) => typed.question === question)?.answer ?? '',
        })),
      );
    });

    test('has not booked', async () => {
      const { slot } = await refusedForm();

      expect((await look(maya, slot)).json).toMatchObject({ status: 0 });
    });

    test('mends what is wrong and books', async () => {
      const { slot, refused } = await refusedForm();
      const mended = intakeAnswers.filter(({ question }) => wrong.includes(question));

      const arrived = await refused.submit('Book', filled(refused, mended));

      expect(arrived.path).toBe(`/view?booked=${slot.id}`);
      expect(await formOf(maya, slot)).toEqual(intakeStored);
    });
  });

  test('does not get past the questions', async () => {
    const slot = await newSlot();

    expect((await maya.browser.post(`/details/${slot.id}`)).status).toBe(400);
    expect((await look(maya, slot)).json).toMatchObject({ status: 0 });
  });

  test('books with the answers in one step', async () => {
    const slot = await newSlot();
    const page = await questionsAt(slot);

    const booked = await page.submit('Book', filled(page, intakeAnswers));

    expect(booked.path).toBe(`/view?booked=${slot.id}`);
    expect((await look(provider, slot)).json).toMatchObject({ username: maya.username, formData: intakeStored });
  });

  test('books once by a form that is sent twice at once', async () => {
    const slot = await newSlot();
    const page = await questionsAt(slot);

    const send = () => page.submit('Book', filled(page, intakeAnswers));
    const [booked, again] = await Promise.all([send(), send()]);

    expect(booked.path).toBe(`/view?booked=${slot.id}`);
    expect(again.path).toBe(`/view?booked=${slot.id}`);
    expect((await look(provider, slot)).json).toMatchObject({ username: maya.username, formData: intakeStored });
  });
});

describe('the answers of a booking', () => {
  const first = 'What brings you here?';

  async function answeredBooking() {
    const provider = await newProvider();
    const template = idOf(await writeTemplate(provider));
    const slot = await publishAsking(provider, template);
    await bookWith(maya, slot, intakeAnswers);
    return { provider, template, slot, screen: () => maya.browser.visit(`/details-cancel/${slot.id}`) };
  }

  test('are filled in on its screen', async () => {
    const { screen } = await answeredBooking();

    const given = questionsOf(await screen()).map(({ filled }) => filled.toLowerCase());

    expect(given).toEqual(intakeStored.map(({ answer }) => answer.toLowerCase()));
  });

  test('are changed there', async () => {
    const { provider, slot, screen } = await answeredBooking();
    const page = await screen();

    const saved = await page.submit('Save answers', filled(page, [{ question: first, answer: 'Something else' }]));

    expect(saved.words).toContain('Your answers are saved.');
    const [, ...others] = intakeStored;
    expect(await formOf(provider, slot)).toEqual([{ question: first, answer: 'Something else' }, ...others]);
  });

  test('are refused beside the one that is wrong', async () => {
    const { screen } = await answeredBooking();
    const page = await screen();

    const refused = await page.submit('Save answers', filled(page, [{ question: first, answer: ' ' }]));

    expect(refused.status).toBe(400);
    const faulty = questionsOf(refused).filter(({ fault }) => fault !== null);
    expect(faulty.map(({ question }) => question)).toEqual([first]);
  });

  test('are saved once the wrong one is mended', async () => {
    const { screen } = await answeredBooking();
    const page = await screen();
    const refused = await page.submit('Save answers', filled(page, [{ question: first, answer: ' ' }]));

    const mended = filled(refused, [{ question: first, answer: 'Something else' }]);
    const saved = await refused.submit('Save answers', mended);

    expect(saved.words).toContain('Your answers are saved.');
  });

  test('can’t be changed once the appointment has begun', async () => {
    const provider = await newProvider();
    const template = idOf(await writeTemplate(provider));
    const begun = await writeSlot(daybook.d1, provider, { template, startsIn: -1, booker: maya });

    expect(questionsOf(await maya.browser.visit(`/details-cancel/${begun.id}`))).toEqual([]);
  });

  test('can only be read once the appointment is canceled', async () => {
    const { provider, slot, screen } = await answeredBooking();
    await cancel(provider, slot);

    const canceled = await screen();

    expect(questionsOf(canceled)).toEqual([]);
    expect(canceled.words).toContain('Both sides');
  });
});

/** The forms of a page that book a near time. */
const nearTimesOn = (page: Page) => page.$$('main li form').map((form) => form.getAttribute('action'));

describe('a form whose time is taken while it is filled in', () => {
  /** Three times that ask, of which June books the second while Maya answers, and an earlier one that asks nothing. */
  async function lateForm() {
    const provider = await newProvider();
    const template = idOf(await writeTemplate(provider));
    await publishOne(provider, { start: '08:00', end: '08:30' });
    const slots = await publish(provider, { end: '10:30' }, `templateId=${template}`);
    const [first, wanted, last] = slots.filter((slot) => slot.template === template) as [Row, Row, Row];
    const page = await maya.browser.visit(`/details/${wanted.id}?step=questions`);
    await bookWith(june, wanted, intakeAnswers);
    const late = await page.submit('Book', filled(page, intakeAnswers));
    return { provider, first, wanted, last, late };
  }

  test('says that it is gone', async () => {
    const { late } = await lateForm();

    expect(late.status).toBe(409);
    expect(titleOf(late)).toBe('Just gone');
  });

  test('takes at most two round trips', async () => {
    const { late } = await lateForm();

    expect(tripsOf(late)).toBeLessThanOrEqual(2);
  });

  test('offers the near times that ask the same', async () => {
    const { late, first, last } = await lateForm();

    expect(nearTimesOn(late)).toEqual([`/details/${first.id}`, `/details/${last.id}`]);
  });

  test('books a near time with the same answers by one tap', async () => {
    const { provider, late, last } = await lateForm();

    const arrived = await late.submit(`form[action="/details/${last.id}"]`);

    expect(arrived.path).toBe(`/view?booked=${last.id}`);
    expect((await look(provider, last)).json).toMatchObject({ username: maya.username, formData: intakeStored });
  });

  test('leaves the time to whoever was faster', async () => {
    const { provider, late, last, wanted } = await lateForm();
    await late.submit(`form[action="/details/${last.id}"]`);

    expect((await look(provider, wanted)).json).toMatchObject({ username: june.username, formData: intakeStored });
  });
});

describe('a link to a time that nobody can book any longer', () => {
  const messageOf = (page: Page) => text(page.$('main [role=status] h2')?.text);

  /** The second of three times is booked. */
  async function linkToBooked() {
    const [first, wanted, last] = (await publish(await newProvider(), { end: '10:30' })) as [Row, Row, Row];
    await book(june, wanted);
    return { first, last, page: await maya.browser.get(`/details/${wanted.id}`) };
  }

  const lateTimes: [string, string, (lonely: Person) => Promise<{ id: string }>][] = [
    ['has begun', started.json, (lonely) => writeSlot(daybook.d1, lonely, { startsIn: -1 })],
    [
      'is withdrawn',
      taken.json,
      async (lonely) => {
        const slot = await publishOne(lonely, { dates: [dayAhead(3)] });
        await cancel(lonely, slot);
        return slot;
      },
    ],
  ];

  test('says that it is booked', async () => {
    const { page } = await linkToBooked();

    expect(page.status).toBe(409);
    expect(titleOf(page)).toBe('Just gone');
    expect(messageOf(page)).toBe(taken.json);
  });

  test('offers the nearest free times', async () => {
    const { page, first, last } = await linkToBooked();

    expect(nearTimesOn(page)).toEqual([`/details/${first.id}`, `/details/${last.id}`]);
  });

  test.each(lateTimes)('says that it %s', async (_, message, makeLate) => {
    const { id } = await makeLate(await newProvider());

    expect(messageOf(await maya.browser.get(`/details/${id}`))).toBe(message);
  });

  test.each(lateTimes)('leads to where to look further when it %s', async (_, _message, makeLate) => {
    const lonely = await newProvider();
    const { id } = await makeLate(lonely);

    const further = await (await maya.browser.get(`/details/${id}`)).click('Look for another time');

    expect(further.path).toBe(`/view?provider=${lonely.username}`);
  });
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
