import { beforeAll, describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { book, cancel, type Person, peopleAt, publish, publishOne, type Row, writeSlot } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, newAddress } from '../../support/mails';
import { createParty } from '../../support/party-factories';
import { bookWeeks, publishWeeks } from '../../support/series';
import { createService } from '../../support/services';
import { useMail } from '../../support/use-mail';
import { add, fullyBooked } from '../../support/waitlist';

/* What a reader finds in each mail, and what would only be in their way. */

const { mailServer, daybook } = useMail();
const people = peopleAt(daybook);
const { newProvider, newConsumer } = people;

const newHost = async (details: object = {}) =>
  confirmAddress(daybook.d1, await newProvider({ displayName: 'Karla', timeZone: 'Europe/Lisbon', ...details }));
const newReader = async () => confirmAddress(daybook.d1, await newConsumer());

describe('a reader whose zone nobody knows reads the provider’s time alone', () => {
  const saysNoOther = /On your clock|UTC/;

  test('in the mail about a booking', async () => {
    const [host, email] = [await newHost(), newAddress()];
    const slot = await publishOne(host);

    const form = await daybook.visitor().get(`/with/${host.username}/${slot.id}`);
    await form.submit('Book', { displayName: 'Zoë', email });

    const { subject, text } = (await mailServer.got(email, bookedSubject)).mail;
    expect(text).toContain('Lisbon time');
    expect(`${subject} ${text}`).not.toMatch(saysNoOther);
  });

  test('on the page of their booking', async () => {
    const host = await newHost();
    const slot = await publishOne(host);

    const form = await daybook.visitor().get(`/with/${host.username}/${slot.id}`);
    const page = await form.submit('Book', { displayName: 'Zoë' });

    expect(page.words).toContain('Lisbon time');
    expect(page.words).not.toContain('for you');
  });

  test('in the mail about an RSVP', async () => {
    const [host, email] = [await newHost(), newAddress()];
    const party = await createParty(host, { title: 'Lanterns', openTo: 'anyone' });

    await (await daybook.visitor().get(`/party/${party.id}`)).submit('RSVP', { displayName: 'Ada', email });

    const { subject, text } = (await mailServer.got(email, /^Your answer/)).mail;
    expect(text).toContain('Lisbon time');
    expect(`${subject} ${text}`).not.toMatch(saysNoOther);
  });

  test('in the mail about a time that is held', async () => {
    const { booked, booker, ...taken } = await fullyBooked({ ...people, newProvider: newHost });
    const reader = await newReader();
    await add(reader, taken.host);

    await cancel(booker, booked);

    const { text } = (await mailServer.got(reader.email, /^Free for you/)).mail;
    expect(text).toMatch(/held for you until .*, Lisbon time\./);
    expect(text).not.toMatch(saysNoOther);
  });
});

test('a time that is held is held until an hour of the reader’s own clock', async () => {
  const { host, booked, booker } = await fullyBooked({ ...people, newProvider: newHost });
  const reader = await confirmAddress(daybook.d1, await newConsumer({ timeZone: 'Asia/Kolkata' }));
  await add(reader, host);

  await cancel(booker, booked);

  const { text } = (await mailServer.got(reader.email, /^Free for you/)).mail;
  expect(text).toMatch(/held for you until .*, Kolkata time\./);
});

describe('the mail about a place in line', () => {
  let text: string;
  let subject: string | undefined;
  beforeAll(async () => {
    const [host, reader] = [await newHost(), await newReader()];
    const { id } = await createService(host, { name: 'Colour' });
    await add(reader, host, { service: id, after: '17:00' });
    ({ text = '', subject } = (await mailServer.got(reader.email, /^You are on the waitlist/)).mail);
  });

  test('says for what in its subject', () => {
    expect(subject).toBe('You are on the waitlist: Karla, Colour');
  });

  test('says for which times', () => {
    expect(text).toContain('You wait for a time of Karla: Colour, any time, from 17:00 on, Lisbon time.');
  });
});

describe('the mail about a cancellation', () => {
  let host: Person;
  let text: string;
  beforeAll(async () => {
    host = await newHost();
    const { id } = await createService(host, { name: 'Colour' });
    const [slot] = (await publish(host, { notes: 'Ring twice' })) as [Row];
    const reader = await newReader();
    await reader.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${id}`);
    await cancel(host, slot, 'ill');
    text = (await mailServer.got(reader.email, /^Canceled/)).mail.text ?? '';
  });

  test('has no notes for who comes', () => {
    expect(text).not.toContain('Ring twice');
  });

  test('leads to other times of the same service', () => {
    expect(text).toMatch(new RegExp(`Book another time: ${daybook.url}/with/${host.username}\\?service=`));
  });

  test('offers its provider no other time', async () => {
    const [own, guest] = [await newHost(), await newGuest(daybook)];
    const slot = await publishOne(own);
    await book(guest, slot);

    await cancel(guest, slot);

    expect((await mailServer.got(own.email, /^Canceled/)).mail.text).not.toContain('Book another time');
  });
});

describe('a service is named to an address that nobody has confirmed', () => {
  /** A provider without an address, whose service a stranger books. */
  async function bookAsStranger(name: string) {
    const [host, email] = [await newProvider({ displayName: 'Karla' }), newAddress()];
    const { id } = await createService(host, { name });
    const slot = await publishOne(host);
    const form = await daybook.visitor().get(`/with/${host.username}/${slot.id}?service=${id}`);
    const letter = await form.submit('Book', { displayName: 'Zoë', email });
    return { host, slot, letter, email, booked: (await mailServer.got(email, bookedSubject)).mail };
  }

  test('where it is booked', async () => {
    const { booked } = await bookAsStranger('Colour');

    expect(booked.subject).toMatch(/^Karla, Colour: /);
    expect(booked.text).toContain('Your appointment for Colour with Karla is on ');
  });

  test('where it is canceled', async () => {
    const { host, slot, email } = await bookAsStranger('Colour');

    await cancel(host, slot);

    const { subject, text } = (await mailServer.got(email, /^Canceled/)).mail;
    expect(subject).toMatch(/^Canceled: Karla, Colour, /);
    expect(text).toContain('canceled the appointment for Colour on ');
  });

  test('but for what could be an advert', async () => {
    const { booked } = await bookAsStranger('Colour at www.evil.example, call 555 010 1234');

    expect(booked.subject).toMatch(/^Karla, Colour at call: /);
    expect(booked.text).not.toMatch(/evil|010/);
  });
});

test('the mail about a time that came free says for what', async () => {
  const [host, booker, reader] = [await newHost(), await newReader(), await newReader()];
  const { id } = await createService(host, { name: 'Colour' });
  const slot = await publishOne(host);
  await booker.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${id}`);
  await add(reader, host, { service: id });

  await cancel(booker, slot);

  const { subject, text } = (await mailServer.got(reader.email, /^Free for you/)).mail;
  expect(subject).toMatch(/^Free for you: Karla, Colour, /);
  expect(text).toContain('A time of Karla has come free: Colour on ');
});

describe('the subject of a mail about a series says how many', () => {
  async function bookFour() {
    const [host, reader] = [await newHost(), await newReader()];
    const [slot] = (await publishWeeks(host, 4)) as [Row];
    const rows = await bookWeeks(reader, slot, 4);
    return { host, reader, rows };
  }

  test('to who comes and to the provider', async () => {
    const { host, reader } = await bookFour();

    const [booked, told] = [
      await mailServer.got(reader.email, bookedSubject),
      await mailServer.got(host.email, /^Booked/),
    ];

    expect(booked.mail.subject).toMatch(/^Karla: 4 appointments from \w{3} \d+ \w{3}, 09:00$/);
    expect(told.mail.subject).toMatch(/^Booked: .*, 4 appointments from \w{3} \d+ \w{3}, 09:00$/);
  });

  test('where all are canceled', async () => {
    const { host, reader, rows } = await bookFour();

    await host.api('PUT', `/api/Appointment/Cancel?id=${rows[0]?.id}&following=true`);

    const { subject } = (await mailServer.got(reader.email, /^Canceled/)).mail;
    expect(subject).toMatch(/^Canceled: Karla, 4 appointments from \w{3} \d+ \w{3}, 09:00$/);
  });
});

test('the button of a mail promises no change after the deadline', async () => {
  const [host, reader] = [await newHost(), await newReader()];
  await setRules(host, { cancelUntil: 1440 });
  const slot = await writeSlot(daybook.d1, host, { startsIn: 600 });

  await book(reader, slot);

  const { text } = (await mailServer.got(reader.email, bookedSubject)).mail;
  expect(text).toContain('See the appointment: ');
  expect(text).not.toContain('Change or cancel');
});
