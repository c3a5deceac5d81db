import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { bookFor } from '../../support/appointment-calls';
import { complaints, nothing, personalLink, started } from '../../support/complaints';
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
import {
  bookWith,
  formOf,
  idOf,
  intakeAnswers,
  intakeKept,
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

describe('Book with answers', () => {
  test('books and keeps them in one step, and again answers the same; what is wrong leaves the slot open', async () => {
    const provider = await newProvider();
    const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
    const faults = complaints(await bookWith(maya, slot, wrong));
    const about = ['Shoe size?', 'What brings you here?', 'Which side hurts?', 'متى'];
    expect(faults.sort()).toEqual(about.map((words) => expect.stringContaining(words)));
    expect((await look(june, slot)).json).toStrictEqual(slot);
    const { username, displayName: bookerName } = maya;
    const booked = { ...slot, status: 1, username, bookerName, formData: intakeKept, people: 1, free: 0 };
    for (const answers of [intakeAnswers, intakeAnswers, [], [{ question: 'Nonsense', answer: 'x' }]]) {
      const { status, json } = await bookWith(maya, slot, answers);
      expect({ status, json }).toStrictEqual({ status: 200, json: { ...booked, link: personalLink } });
    }
    expect((await look(provider, slot)).json).toStrictEqual(booked);
  });
});

describe('wrong answers are told only if the time can be had:', () => {
  test('Book, BookFor and Move say that it is taken', async () => {
    const provider = await newProvider();
    const slots = await publish(provider, { end: '10:00' }, `templateId=${idOf(await writeTemplate(provider))}`);
    const [taken, own] = slots as [Row, Row];
    await book(june, taken);
    await book(maya, own);

    const refusals = [
      await bookWith(maya, taken, wrong),
      await bookFor(provider, taken, { displayName: 'Wanda', formData: wrong }),
      await maya.api('PUT', `/api/Appointment/Move?id=${own.id}&to=${taken.id}`, wrong),
    ];

    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409]);
  });

  test('TakeOffer says which rule forbids it', async () => {
    const provider = await newProvider();
    const slots = await publish(provider, { end: '10:00' }, `templateId=${idOf(await writeTemplate(provider))}`);
    const [slot, other] = slots as [Row, Row];
    const waiting = await newConsumer();
    await book(waiting, other);
    await book(maya, slot);
    await add(waiting, provider, { slotId: slot.id });
    await cancel(maya, slot);
    const { offer } = await only(waiting);

    await setRules(provider, { perPerson: 1 });
    const barred = await takeOffer(waiting.browser, offer, wrong);
    await setRules(provider, { perPerson: null });
    const allowed = await takeOffer(waiting.browser, offer, wrong);

    expect(barred.status).toBe(409);
    expect(complaints(allowed)).toHaveLength(4);
    expect((await only(waiting)).offer).not.toBeNull();
  });
});

test('answers are the booker’s alone to give, and their two sides’ to read, until the appointment is canceled or begins', async () => {
  const provider = await newProvider();
  const template = idOf(await writeTemplate(provider));
  const slot = await publishAsking(provider, template);
  for (const who of [maya, provider]) expect(await submitForm(who, slot, intakeAnswers)).toMatchObject(nothing);
  await bookWith(maya, slot, intakeAnswers);
  for (const who of [june, provider, rival]) expect(await submitForm(who, slot, [])).toMatchObject(nothing);
  expect(complaints(await submitForm(maya, slot, wrong))).toHaveLength(4);
  for (const body of [null, [null], [{ question: 'Is it urgent?' }]]) {
    expect(complaints(await submitForm(maya, slot, body))).toHaveLength(1);
  }
  for (const who of [maya, provider]) expect(await formOf(who, slot)).toStrictEqual(intakeKept);
  for (const who of [june, rival]) expect(await look(who, slot)).toMatchObject(nothing);
  expect((await june.browser.get(`/details-cancel/${slot.id}`)).status).toBe(404);
  expect((await rival.browser.get(`/details-provider/${slot.id}`)).status).toBe(404);

  await cancel(provider, slot);
  const begun = await writeSlot(daybook.d1, provider, { template, startsIn: -1, booker: maya });
  const silent = await publishOne(provider, { dates: [dayAhead(4)] });
  await book(maya, silent);
  for (const late of [slot, silent]) expect((await submitForm(maya, late, [])).status).toBe(409);
  expect(await submitForm(maya, begun, intakeAnswers)).toMatchObject(started);
  expect([await formOf(maya, slot), await formOf(maya, begun)]).toEqual([intakeKept, []]);
});

test('what is owed is said to the provider, and asked of the booker, until it is answered', async () => {
  const provider = await newProvider();
  const slot = await publishAsking(provider, idOf(await writeTemplate(provider)));
  await book(maya, slot);
  const read = async () => [
    (await provider.browser.visit(`/details-provider/${slot.id}`)).words,
    (await maya.browser.get(`/details-cancel/${slot.id}`)).words,
  ];
  const owed = ['not answered yet', 'Please answer these questions'];
  expect(await read()).toEqual(owed.map((words) => expect.stringContaining(words)));
  await submitForm(maya, slot, intakeAnswers);
  expect(await read()).toEqual(owed.map((words) => expect.not.stringContaining(words)));
});

test('answers of the past are kept, unless a provider says how long: then they go at once, or when their time has come', async () => {
  const [provider, booker] = [await newProvider(), await newConsumer()];
  const template = idOf(await writeTemplate(provider, one()));
  const answer = daybook.d1.prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?');
  const past: { id: string }[] = [];
  for (const days of [100, 31, 29, 1]) {
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -days * 24 * 60 - 60, template, booker });
    await answer.bind(JSON.stringify([{ question: 'How are you?', answer: `${days} days ago` }]), slot.id).run();
    past.push(slot);
  }
  const left = async (who: Person) =>
    (await Promise.all(past.map((slot) => formOf(who, slot)))).flat().map(({ answer }) => answer);
  await daybook.scheduled();
  expect(await left(provider)).toEqual(['100 days ago', '31 days ago', '29 days ago', '1 days ago']);
  await provider.api('PUT', '/api/Account/SetRules', { keepAnswersDays: 30 });
  expect(await left(booker)).toEqual(['29 days ago', '1 days ago']);
  const sooner = daybook.d1.prepare('UPDATE accounts SET keep_answers_days = 28 WHERE username = ?');
  await sooner.bind(provider.username).run();
  await daybook.scheduled();
  expect(await left(provider)).toEqual(['1 days ago']);
});
