import { beforeAll, describe, expect, test } from 'vitest';
import type { CalendarEvent } from '../../support/calendars';
import { cancel, type Person, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject, calendarIn, confirmAddress, entryAt, newAddress } from '../../support/mails';
import {
  bookWith,
  idOf,
  intakeAnswers,
  multipleChoice,
  openEnded,
  publishAsking,
  singleChoice,
  writeTemplate,
} from '../../support/template-factories';
import { useMail } from '../../support/use-mail';

/* What mails about a booking say, to each who may have one, and the calendar entry in them. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

const answers = [
  { question: 'Which wine?', answer: 'RED wine' },
  { question: 'With what?', answer: 'cheese|OLIVES' },
];
/** As its questions spell them, not as they are stored. */
const answersInWords = /Red Wine.*Cheese, Olives/s;

const calendarOf = (arrived: Arrived) => {
  const calendar = calendarIn(arrived);
  if (!calendar) throw new Error(`There is no calendar in ${arrived.mail.subject}.`);
  return calendar;
};

describe('what a guest is mailed of an appointment that is booked, moved and canceled', () => {
  /** A mail, and the entry of the file at the guest's link when it came. */
  type Mailed = { arrived: Arrived; file: CalendarEvent };
  const name = 'Person, "0"; Ärztin';
  const email = newAddress();
  let sousa: Person & { email: string };
  let row: Row;
  let ownFile: CalendarEvent;
  /** What the provider reads of the booking, on each page that shows it. */
  let pages: string[];
  let booked: Mailed;
  let moved: Mailed;
  let canceled: Mailed;

  const mailed = async (subject: RegExp): Promise<Mailed> => ({
    arrived: await mailServer.got(email, subject),
    file: await entryAt(daybook.visitor(), row.link ?? ''),
  });
  beforeAll(async () => {
    sousa = await confirmAddress(
      daybook.d1,
      await newProvider({ displayName: 'Atelier Sousa', timeZone: 'Europe/Lisbon' }),
    );
    const template = await writeTemplate(sousa, [
      { questionText: 'Which wine?', questionType: singleChoice, options: ['Red Wine', 'White Wine'] },
      { questionText: 'With what?', questionType: multipleChoice, options: ['Cheese', 'Olives'] },
    ]);
    const details = { end: '10:00', notes: 'Ring twice; "please",\nand wait.' };
    const [slot, to] = (await publish(sousa, details, `templateId=${idOf(template)}`)) as [Row, Row];
    const guest = await newGuest(daybook, { displayName: name, email });
    // Whoever reads mail there has shown it: else it has no answers.
    await daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE email = ?').bind(email).run();
    row = (await bookWith(guest, slot, answers)).json as Row;
    booked = await mailed(bookedSubject);
    ownFile = await entryAt(sousa.browser, `/appointments/${row.id}`);
    pages = await Promise.all(
      [`/details-provider/${row.id}`, `/view-provider/${row.id}`, `/day?date=${row.date}`].map(
        async (page) => (await sousa.browser.get(page)).words,
      ),
    );
    await sousa.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${to.id}`);
    moved = await mailed(/^Moved: Atelier Sousa, /);
    await cancel(sousa, to, 'Flooded.');
    canceled = await mailed(/^Canceled: Atelier Sousa, /);
  });
  test('the subject is whom they see, and when', () => {
    expect(booked.arrived.mail.subject).toMatch(
      new RegExp(`^Atelier Sousa: \\w{3} \\d{1,2} \\w{3}, ${row.startTime}( \\(Lisbon time\\))?$`),
    );
  });

  test('an answer to the mail goes to the provider', () => {
    expect(booked.arrived.mail.replyTo?.text).toBe(`"Atelier Sousa" <${sousa.email}>`);
  });

  test('the text says with whom, when, the notes, and the link of the booking', () => {
    const { text } = booked.arrived.mail;

    expect(text).toContain(`Hello ${name},`);
    expect(text).toContain('with Atelier Sousa');
    expect(text).toContain(`${row.startTime} to ${row.endTime}, Lisbon time`);
    expect(text).toContain('Ring twice; "please",');
    expect(text).toContain(`${daybook.url}${row.link}`);
  });

  test.each([
    ['booked', () => booked],
    ['moved', () => moved],
    ['canceled', () => canceled],
  ])('the entry in the mail is that of the file at the link: %s', (_, mailOf) => {
    const { arrived, file } = mailOf();

    expect(calendarOf(arrived).entry).toEqual(file);
    expect(calendarOf(arrived).attendee).toBe(email);
  });

  test('the entry is for the calendar of whoever comes, with two alarms', () => {
    const { method, entry } = calendarOf(booked.arrived);

    expect(method).toBe('REQUEST');
    expect(entry.status).toBe('CONFIRMED');
    expect(entry.alarms).toEqual([1440, 60]);
  });

  test('the entry says the link and the answers', () => {
    const { description } = calendarOf(booked.arrived).entry;

    expect(description).toContain(`${daybook.url}${row.link}`);
    expect(description).toMatch(answersInWords);
  });

  test('a move changes the same entry', () => {
    const { method, entry } = calendarOf(moved.arrived);
    const before = calendarOf(booked.arrived).entry;

    expect(method).toBe('REQUEST');
    expect(entry.uid).toBe(before.uid);
    expect(entry.sequence).toBeGreaterThan(before.sequence);
  });

  test('a cancellation takes the same entry out', () => {
    const { method, entry } = calendarOf(canceled.arrived);
    const before = calendarOf(moved.arrived).entry;

    expect(method).toBe('CANCEL');
    expect(entry.uid).toBe(before.uid);
    expect(entry.status).toBe('CANCELLED');
    expect(entry.sequence).toBeGreaterThan(before.sequence);
  });

  test('a cancellation says the reason', () => {
    expect(canceled.arrived.mail.text).toContain('Flooded.');
  });

  test('the provider is mailed the entry of their own file, named after the client', async () => {
    const { method, attendee, entry } = calendarOf(await mailServer.got(sousa.email, /^Booked: Person, "0"/));

    expect(method).toBe('REQUEST');
    expect(attendee).toBe(sousa.email);
    expect(entry).toEqual(ownFile);
    expect(entry.summary).toBe(name);
  });

  test('the provider reads the answers on each page of the booking', () => {
    expect(pages).toHaveLength(3);
    for (const words of pages) expect(words).toMatch(answersInWords);
  });
});

describe('of a provider without a confirmed address, a client', () => {
  const bookAtBrandt = async () => {
    const slot = await publishOne(await newProvider({ displayName: 'Salon Brandt' }), { notes: 'Come hungry.' });
    const kim = await confirmAddress(daybook.d1, await newConsumer());
    await bookWith(kim, slot, []);
    return (await mailServer.got(kim.email, /^Salon Brandt: /)).mail;
  };

  test('can answer no mail', async () => {
    expect((await bookAtBrandt()).replyTo).toBeUndefined();
  });

  test('reads the notes at a confirmed address', async () => {
    expect((await bookAtBrandt()).text).toContain('Come hungry.');
  });
});

describe('whoever books as a guest may type somebody else’s address', () => {
  const advert = 'Win www.evil.example at http://evil.example or call 555 010 1234';
  // The random ids of links may hold www or 555, but neither a stop nor a blank.
  const evil = /evil|www\.|555 /;
  /** All that somebody reads of a mail. */
  const wordsOf = ({ mail }: Arrived) =>
    // Calendars break long lines with a space.
    [mail.subject, mail.text, mail.html, ...mail.attachments.map(({ content }) => String(content))]
      .join()
      .replaceAll('\r\n ', '');

  /** A guest whose name and answer are an advert books at a provider with a confirmed address. */
  async function bookWithAdvert() {
    const email = newAddress();
    const karla = await confirmAddress(daybook.d1, await newProvider({ displayName: 'Salon Karla' }));
    const template = await writeTemplate(karla, [{ questionText: 'Anything else?', questionType: openEnded }]);
    const slot = await publishAsking(karla, idOf(template));
    const guest = await newGuest(daybook, { displayName: advert, email });
    const booking = await bookWith(guest, slot, [{ question: 'Anything else?', answer: advert }]);
    expect(booking.status).toBe(200);
    return { karla, guest, slot, email };
  }

  test('the mail of the booking has neither an advert of a name nor of an answer', async () => {
    const { email } = await bookWithAdvert();

    const booked = await mailServer.got(email, /^Salon Karla: /);

    expect(booked.mail.text).toContain('Hello Win at or call,');
    expect(wordsOf(booked)).toContain('SUMMARY:Salon Karla');
    expect(wordsOf(booked)).not.toMatch(evil);
  });

  test('the mail that it is canceled has no advert', async () => {
    const { guest, slot, email } = await bookWithAdvert();

    expect((await cancel(guest, slot)).status).toBe(200);

    expect(wordsOf(await mailServer.got(email, /^Canceled: /))).not.toMatch(evil);
  });

  test('the mail to the provider has no advert of a name', async () => {
    const { karla } = await bookWithAdvert();

    const { mail } = await mailServer.got(karla.email, /^Booked: Win at or call, /);

    expect([mail.subject, mail.text, mail.html].join()).not.toMatch(evil);
  });

  test('no name, city, address or number of a provider without a confirmed address advertises there', async () => {
    const rui = await newProvider({ displayName: advert, location: 'evil.example' });
    await rui.api('PUT', '/api/Account/SetProfile', { address: 'Win at evil.example', phone: '+39 555 010 1234' });
    const slot = await publishAsking(rui, idOf(await writeTemplate(rui)));
    const guest = await newGuest(daybook, { displayName: 'evil.example', email: 'other@mail.test' });

    expect((await bookWith(guest, slot, intakeAnswers)).status).toBe(200);

    const booked = await mailServer.got('other@mail.test', /^Win at or call: /);
    expect(booked.mail.text).toContain('Hello,\n');
    expect(wordsOf(booked)).not.toMatch(evil);
  });
});
