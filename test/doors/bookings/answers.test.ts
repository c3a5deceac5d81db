import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { bookFor } from '../../support/appointment-calls';
import { complaints, nothing, personalLink, started } from '../../support/complaints';
import {
  book,
  cancel,
  look,
  type Person,
  peopleAt,
  publish,
  publishOne,
  type Row,
  writeSlot,
} from '../../support/factories';
import {
  bookWith,
  formOf,
  idOf,
  intakeAnswers,
  intakeStored,
  one,
  publishAsking,
  submitForm,
  writeTemplate,
} from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { add, only, takeOffer } from '../../support/waitlist';

/* Answers: given with a booking or after it, read by its two sides alone, and deleted after so many days. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { rival, maya, june } = useWorld(daybook, { rival: {}, maya: {}, june: {} });

const wrong = [
  { question: 'Which side hurts?', answer: 'up' },
  { question: 'Shoe size?', answer: '42' },
];

/** A provider's time that asks the intake. */
async function askingSlot() {
  const provider = await newProvider();
  const template = idOf(await writeTemplate(provider));
  return { provider, template, slot: await publishAsking(provider, template) };
}

async function answeredBooking() {
  const { provider, template, slot } = await askingSlot();
  const booked = await bookWith(maya, slot, intakeAnswers);
  return { provider, template, slot, booked };
}

describe('Book with answers', () => {
  const bookedBy = ({ username, displayName: bookerName }: Person, slot: Row) => {
    return { ...slot, status: 1, username, bookerName, formData: intakeStored, people: 1, free: 0 };
  };

  test('says what is wrong with each of them', async () => {
    const { slot } = await askingSlot();

    const faults = complaints(await bookWith(maya, slot, wrong));

    const about = ['Shoe size?', 'What brings you here?', 'Which side hurts?', 'متى'];
    expect(faults.sort()).toEqual(about.map((words) => expect.stringContaining(words)));
  });

  test('leaves the time open where one is wrong', async () => {
    const { slot } = await askingSlot();

    await bookWith(maya, slot, wrong);

    expect((await look(june, slot)).json).toStrictEqual(slot);
  });

  test('keeps them in the same step', async () => {
    const { slot, booked } = await answeredBooking();

    expect(booked.status).toBe(200);
    expect(booked.json).toStrictEqual({ ...bookedBy(maya, slot), link: personalLink });
  });

  test.each([
    ['the same', intakeAnswers],
    ['no', []],
    ['other', [{ question: 'Nonsense', answer: 'x' }]],
  ])('again, with %s answers, answers the same', async (_, answers) => {
    const { slot, booked } = await answeredBooking();

    const again = await bookWith(maya, slot, answers);

    expect(again.status).toBe(200);
    expect(again.json).toStrictEqual(booked.json);
  });

  test('shows them to the provider, without the personal link', async () => {
    const { provider, slot } = await answeredBooking();

    expect((await look(provider, slot)).json).toStrictEqual(bookedBy(maya, slot));
  });
});

describe('wrong answers are told only if the time can be had:', () => {
  /** A provider's time that June has booked, and one that Maya has. */
  async function takenTime() {
    const provider = await newProvider();
    const slots = await publish(provider, { end: '10:00' }, `templateId=${idOf(await writeTemplate(provider))}`);
    const [taken, own] = slots as [Row, Row];
    await book(june, taken);
    await book(maya, own);
    return { provider, taken, own };
  }

  test('Book says that it is taken', async () => {
    const { taken } = await takenTime();

    expect((await bookWith(maya, taken, wrong)).status).toBe(409);
  });

  test('BookFor says that it is taken', async () => {
    const { provider, taken } = await takenTime();

    const response = await bookFor(provider, taken, { displayName: 'Wanda', formData: wrong });

    expect(response.status).toBe(409);
  });

  test('Move says that it is taken', async () => {
    const { taken, own } = await takenTime();

    const response = await maya.api('PUT', `/api/Appointment/Move?id=${own.id}&to=${taken.id}`, wrong);

    expect(response.status).toBe(409);
  });

  /** A time that is held for a client who has another one of its provider, and takes it with wrong answers. */
  async function heldTime() {
    const provider = await newProvider();
    const slots = await publish(provider, { end: '10:00' }, `templateId=${idOf(await writeTemplate(provider))}`);
    const [slot, other] = slots as [Row, Row];
    const waiting = await newConsumer();
    await book(waiting, other);
    await book(maya, slot);
    await add(waiting, provider, { slotId: slot.id });
    await cancel(maya, slot);
    const { offer } = await only(waiting);
    return { provider, waiting, takeIt: () => takeOffer(waiting.browser, offer, wrong) };
  }

  test('TakeOffer says which rule forbids it', async () => {
    const { provider, takeIt } = await heldTime();
    await setRules(provider, { perPerson: 1 });

    expect((await takeIt()).status).toBe(409);
  });

  test('TakeOffer says what is wrong where no rule forbids it', async () => {
    const { takeIt } = await heldTime();

    expect(complaints(await takeIt())).toHaveLength(4);
  });

  test('TakeOffer keeps the offer', async () => {
    const { provider, waiting, takeIt } = await heldTime();
    await setRules(provider, { perPerson: 1 });
    await takeIt();
    await setRules(provider, { perPerson: null });
    await takeIt();

    expect((await only(waiting)).offer).not.toBeNull();
  });
});

describe('SubmitForm', () => {
  test.each(['client', 'provider'])('is refused to the %s before somebody has booked', async (side) => {
    const { provider, slot } = await askingSlot();

    expect(await submitForm(side === 'client' ? maya : provider, slot, intakeAnswers)).toMatchObject(nothing);
  });

  test.each(['another client', 'the provider', 'another provider'])('is refused to %s', async (side) => {
    const { provider, slot } = await answeredBooking();
    const who = { 'another client': june, 'the provider': provider, 'another provider': rival }[side] as Person;

    expect(await submitForm(who, slot, [])).toMatchObject(nothing);
    expect(await formOf(maya, slot)).toStrictEqual(intakeStored);
  });

  test('says what is wrong with each answer', async () => {
    const { slot } = await answeredBooking();

    expect(complaints(await submitForm(maya, slot, wrong))).toHaveLength(4);
    expect(await formOf(maya, slot)).toStrictEqual(intakeStored);
  });

  test.each([
    ['nothing', null],
    ['an answer that is nothing', [null]],
    ['an answer without its text', [{ question: 'Is it urgent?' }]],
  ])('is refused with %s', async (_, body) => {
    const { slot } = await answeredBooking();

    expect(complaints(await submitForm(maya, slot, body))).toHaveLength(1);
    expect(await formOf(maya, slot)).toStrictEqual(intakeStored);
  });

  test('is refused once the booking is canceled', async () => {
    const { provider, slot } = await answeredBooking();
    await cancel(provider, slot);

    expect((await submitForm(maya, slot, [])).status).toBe(409);
    expect(await formOf(maya, slot)).toEqual(intakeStored);
  });

  test('is refused where nothing is asked', async () => {
    const silent = await publishOne(await newProvider());
    await book(maya, silent);

    expect((await submitForm(maya, silent, [])).status).toBe(409);
  });

  test('is refused once the appointment has begun', async () => {
    const provider = await newProvider();
    const template = idOf(await writeTemplate(provider));
    const begun = await writeSlot(daybook.d1, provider, { template, startsIn: -1, booker: maya });

    expect(await submitForm(maya, begun, intakeAnswers)).toMatchObject(started);
    expect(await formOf(maya, begun)).toEqual([]);
  });
});

describe('answers are read', () => {
  test.each(['booker', 'provider'])('by the %s', async (side) => {
    const { provider, slot } = await answeredBooking();

    expect(await formOf(side === 'booker' ? maya : provider, slot)).toStrictEqual(intakeStored);
  });

  test.each(['client', 'provider'])('by no other %s, by a call', async (side) => {
    const { slot } = await answeredBooking();

    expect(await look(side === 'client' ? june : rival, slot)).toMatchObject(nothing);
  });

  test('by no other client, on its screen', async () => {
    const { slot } = await answeredBooking();

    expect((await june.browser.get(`/details-cancel/${slot.id}`)).status).toBe(404);
  });

  test('by no other provider, on its screen', async () => {
    const { slot } = await answeredBooking();

    expect((await rival.browser.get(`/details-provider/${slot.id}`)).status).toBe(404);
  });
});

describe('answers that are owed', () => {
  async function owingBooking() {
    const { provider, slot } = await askingSlot();
    await book(maya, slot);
    return {
      slot,
      readByProvider: async () => (await provider.browser.visit(`/details-provider/${slot.id}`)).words,
      readByBooker: async () => (await maya.browser.get(`/details-cancel/${slot.id}`)).words,
    };
  }

  test('are said to the provider', async () => {
    const { readByProvider } = await owingBooking();

    expect(await readByProvider()).toContain('not answered yet');
  });

  test('are asked of the booker', async () => {
    const { readByBooker } = await owingBooking();

    expect(await readByBooker()).toContain('Please answer these questions');
  });

  test('are owed no longer once they are given', async () => {
    const { slot, readByProvider, readByBooker } = await owingBooking();

    await submitForm(maya, slot, intakeAnswers);

    expect(await readByProvider()).not.toContain('not answered yet');
    expect(await readByBooker()).not.toContain('Please answer these questions');
  });
});

describe('answers of the past', () => {
  /** Answered bookings of one provider: of 100, 31, 29 days ago and of yesterday. */
  async function answersOfThePast(rules: object = {}) {
    const [provider, booker] = [await newProvider(), await newConsumer()];
    await setRules(provider, rules);
    const template = idOf(await writeTemplate(provider, one()));
    const answer = daybook.d1.prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?');
    const past: { id: string }[] = [];
    for (const days of [100, 31, 29, 1]) {
      const slot = await writeSlot(daybook.d1, provider, { startsIn: -days * 24 * 60 - 60, template, booker });
      await answer.bind(JSON.stringify([{ question: 'How are you?', answer: `${days} days ago` }]), slot.id).run();
      past.push(slot);
    }
    const answersLeft = async (who: Person) =>
      (await Promise.all(past.map((slot) => formOf(who, slot)))).flat().map(({ answer }) => answer);
    return { provider, booker, answersLeft };
  }

  test('are kept, unless a provider says how long', async () => {
    const { provider, answersLeft } = await answersOfThePast();

    await daybook.scheduled();

    expect(await answersLeft(provider)).toEqual(['100 days ago', '31 days ago', '29 days ago', '1 days ago']);
  });

  test('go at once where the provider says how long', async () => {
    const { provider, booker, answersLeft } = await answersOfThePast();

    await setRules(provider, { keepAnswersDays: 30 });

    expect(await answersLeft(booker)).toEqual(['29 days ago', '1 days ago']);
  });

  test('go by the hourly job when their time has come', async () => {
    // Written as if their time had come since the rule was set.
    const { provider, answersLeft } = await answersOfThePast({ keepAnswersDays: 28 });

    await daybook.scheduled();

    expect(await answersLeft(provider)).toEqual(['100 days ago', '1 days ago']);
  });
});
