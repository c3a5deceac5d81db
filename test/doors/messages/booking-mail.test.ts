import { beforeAll, describe, expect, test } from 'vitest';
import { cancel, type Person, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject, calendarIn, confirmAddress, entryAt, pathIn } from '../../support/mails';
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

/** Notes that whoever has this account reads mail there. */
const confirm = async (email: string, displayName: string) => {
  await daybook.d1
    .prepare('UPDATE accounts SET email = ?1, email_confirmed_at = 1 WHERE display_name = ?2')
    .bind(email, displayName)
    .run();
};

const answers = [
  { question: 'Which wine?', answer: 'RED wine' },
  { question: 'With what?', answer: 'cheese|OLIVES' },
];
let sousa: Person;
let slots: Row[];
beforeAll(async () => {
  sousa = await newProvider({ displayName: 'Atelier Sousa', timeZone: 'Europe/Lisbon' });
  await confirm('sousa@mail.test', 'Atelier Sousa');
  const template = await writeTemplate(sousa, [
    { questionText: 'Which wine?', questionType: singleChoice, options: ['Red Wine', 'White Wine'] },
    { questionText: 'With what?', questionType: multipleChoice, options: ['Cheese', 'Olives'] },
  ]);
  slots = await publish(
    sousa,
    { end: '14:00', notes: 'Ring twice; "please",\nand wait.' },
    `templateId=${idOf(template)}`,
  );
});

const slotAt = (place: number) => slots[place] as Row;

/** Each way to have an appointment: with an account, as a guest, and booked by the provider. */
const ways: Record<string, (displayName: string, email: string, slot: Row) => Promise<Row>> = {
  async account(displayName, email, slot) {
    const maya = await newConsumer({ displayName });
    await confirm(email, displayName);
    return (await bookWith(maya, slot, answers)).json as Row;
  },
  async guest(displayName, email, slot) {
    const gus = await newGuest(daybook, { displayName });
    await confirm(email, displayName);
    return (await bookWith(gus, slot, answers)).json as Row;
  },
  async 'walk-in'(displayName, email, slot) {
    const row = await sousa.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName, email });
    await confirm(email, displayName);
    return row.json as Row;
  },
};

test.each(Object.entries(ways).map(([way, book], index) => ({ way, book, place: index * 3 })))(
  'an appointment by $way is told by mail with who and when, and its entry is that of the file, booked, moved and canceled',
  async ({ way, book, place }) => {
    const [name, email] = [`Person, "${place}"; Ärztin`, `booker.${place}@mail.test`];
    const row = await book(name, email, slotAt(place));
    const link = row.link ?? '';
    const atLink = () => entryAt(daybook.visitor(), link);
    const booked = await mailServer.got(email, bookedSubject);
    expect(booked.mail.subject).toMatch(
      new RegExp(`^Atelier Sousa: \\w{3} \\d{1,2} \\w{3}, ${row.startTime}( \\(Lisbon time\\))?$`),
    );
    expect(booked.mail.replyTo?.text).toBe('"Atelier Sousa" <sousa@mail.test>');
    const times = `${row.startTime} to ${row.endTime}, Lisbon time`;
    for (const words of [`Hello ${name},`, 'with Atelier Sousa', times, 'Ring twice; "please",', 'Change or cancel: '])
      expect(booked.mail.text).toContain(words);
    expect(pathIn(booked, '/booking/')).toBe(link);
    const calendar = calendarIn(booked);
    expect(calendar).toEqual({ method: 'REQUEST', attendee: email, entry: await atLink() });
    expect(calendar?.entry).toMatchObject({ alarms: [1440, 60], status: 'CONFIRMED' });
    expect(calendar?.entry.description).toContain(daybook.url + link);
    if (way !== 'walk-in') {
      const told = calendarIn(await mailServer.got('sousa@mail.test', new RegExp(`^Booked: Person, "${place}"`)));
      const own = await entryAt(sousa.browser, `/appointments/${row.id}`);
      expect(told).toMatchObject({ method: 'REQUEST', attendee: 'sousa@mail.test', entry: own });
      expect(own.summary).toBe(name);
    }

    const to = slotAt(place + 1);
    await sousa.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${to.id}`);
    const moved = calendarIn(await mailServer.got(email, /^Moved: Atelier Sousa, /));
    expect([moved?.method, moved?.entry]).toEqual(['REQUEST', await atLink()]);
    expect(moved?.entry.uid).toBe(calendar?.entry.uid);
    expect(moved?.entry.sequence).toBeGreaterThan(calendar?.entry.sequence ?? 0);

    await cancel(sousa, to, 'Flooded.');
    const canceled = await mailServer.got(email, /^Canceled: Atelier Sousa, /);
    expect(canceled.mail.text).toContain('Flooded.');
    const gone = calendarIn(canceled);
    expect([gone?.method, gone?.entry]).toEqual(['CANCEL', await atLink()]);
    expect(gone?.entry).toMatchObject({ uid: calendar?.entry.uid, status: 'CANCELLED' });
    expect(gone?.entry.sequence).toBeGreaterThan(moved?.entry.sequence ?? 0);
  },
);

test('answers are spelt as their questions offer them: in mails, files and on every page of both', async () => {
  const row = (await ways.guest?.('Gus', 'gus@mail.test', slotAt(9))) as Row;
  const link = row.link ?? '';
  const stored = (await sousa.api('GET', `/api/Appointment/Get?id=${row.id}`)).json as Row;
  expect(stored.formData.map(({ answer }) => answer)).toEqual(['red wine', 'cheese|olives']);
  const pages = [`/details-provider/${row.id}`, `/view-provider/${row.id}`, `/day?date=${row.date}`];
  const shown = await Promise.all(pages.map(async (page) => (await sousa.browser.get(page)).words));
  shown.push(calendarIn(await mailServer.got('gus@mail.test', bookedSubject))?.entry.description ?? '');
  shown.push((await entryAt(daybook.visitor(), link)).description ?? '');
  await cancel(sousa, row);
  shown.push((await daybook.visitor().get(link)).words);
  for (const words of shown) {
    expect(words).toContain('Red Wine');
    expect(words).toContain('Cheese, Olives');
  }
});

test('a provider without a confirmed address gets no answers by mail, and their notes go to confirmed readers', async () => {
  const slot = await publishOne(await newProvider({ displayName: 'Salon Brandt' }), { notes: 'Come hungry.' });
  const kim = await confirmAddress(daybook.d1, await newConsumer());
  await bookWith(kim, slot, []);
  const { mail } = await mailServer.got(kim.email, /^Salon Brandt: /);
  expect([mail.replyTo, mail.text]).toEqual([undefined, expect.stringContaining('Come hungry.')]);
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

  test('and neither name nor answers advertise anything there, nor to the provider', async () => {
    const karla = await confirmAddress(daybook.d1, await newProvider({ displayName: 'Salon Karla' }));
    const template = await writeTemplate(karla, [{ questionText: 'Anything else?', questionType: openEnded }]);
    const slot = await publishAsking(karla, idOf(template));
    const guest = await newGuest(daybook, { displayName: advert, email: 'victim@mail.test' });
    const said = [{ question: 'Anything else?', answer: advert }];
    expect((await bookWith(guest, slot, said)).status).toBe(200);
    const booked = await mailServer.got('victim@mail.test', /^Salon Karla: /);
    expect(booked.mail.text).toContain('Hello Win at or call,');
    expect(wordsOf(booked)).toContain('SUMMARY:Salon Karla');
    const told = await mailServer.got(karla.email, /^Booked: Win at or call, /);
    expect([told.mail.subject, told.mail.text, told.mail.html].join()).not.toMatch(evil);
    expect((await cancel(guest, slot)).status).toBe(200);
    for (const mail of [booked, await mailServer.got('victim@mail.test', /^Canceled: /)])
      expect(wordsOf(mail)).not.toMatch(evil);
  });

  test('and no name, city, address or number of a provider without a confirmed address advertises there', async () => {
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
