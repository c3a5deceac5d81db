import { describe, expect, test } from 'vitest';
import { cancel, peopleAt, publish, publishOne, type Row } from '../../support/factories';
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

type Calendar = NonNullable<ReturnType<typeof calendarIn>>;
const answers = [
  { question: 'Which wine?', answer: 'RED wine' },
  { question: 'With what?', answer: 'cheese|OLIVES' },
];

test('who books as a guest is told who and when, and the entry is that of the file: booked, moved and canceled', async () => {
  const sousa = await confirmAddress(
    daybook.d1,
    await newProvider({ displayName: 'Atelier Sousa', timeZone: 'Europe/Lisbon' }),
  );
  const template = await writeTemplate(sousa, [
    { questionText: 'Which wine?', questionType: singleChoice, options: ['Red Wine', 'White Wine'] },
    { questionText: 'With what?', questionType: multipleChoice, options: ['Cheese', 'Olives'] },
  ]);
  const details = { end: '10:00', notes: 'Ring twice; "please",\nand wait.' };
  const [slot, to] = (await publish(sousa, details, `templateId=${idOf(template)}`)) as [Row, Row];
  const [name, email] = ['Person, "0"; Ärztin', newAddress()];
  const guest = await newGuest(daybook, { displayName: name, email });
  // Whoever reads mail there has shown it: else it has no answers.
  await daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE email = ?').bind(email).run();
  const row = (await bookWith(guest, slot, answers)).json as Row;
  const link = row.link ?? '';
  const atLink = () => entryAt(daybook.visitor(), link);
  const told = async (subject: RegExp) => {
    const { method, attendee, entry } = calendarIn(await mailServer.got(email, subject)) as Calendar;
    expect([attendee, entry]).toEqual([email, await atLink()]);
    return { method, ...entry };
  };

  const { mail } = await mailServer.got(email, bookedSubject);
  expect(mail.subject).toMatch(
    new RegExp(`^Atelier Sousa: \\w{3} \\d{1,2} \\w{3}, ${row.startTime}( \\(Lisbon time\\))?$`),
  );
  expect(mail.replyTo?.text).toBe(`"Atelier Sousa" <${sousa.email}>`);
  const times = `${row.startTime} to ${row.endTime}, Lisbon time`;
  for (const words of [`Hello ${name},`, 'with Atelier Sousa', times, 'Ring twice; "please",', `${daybook.url}${link}`])
    expect(mail.text).toContain(words);
  const booked = await told(bookedSubject);
  expect(booked).toMatchObject({ method: 'REQUEST', alarms: [1440, 60], status: 'CONFIRMED' });
  expect(booked.description).toContain(daybook.url + link);
  const own = await entryAt(sousa.browser, `/appointments/${row.id}`);
  expect(own.summary).toBe(name);
  const toProvider = calendarIn(await mailServer.got(sousa.email, /^Booked: Person, "0"/));
  expect(toProvider).toMatchObject({ method: 'REQUEST', attendee: sousa.email, entry: own });
  // As its questions spell the answers, not as they are stored.
  const pages = [`/details-provider/${row.id}`, `/view-provider/${row.id}`, `/day?date=${row.date}`];
  const shown = await Promise.all(pages.map(async (page) => (await sousa.browser.get(page)).words));
  for (const words of [...shown, booked.description]) expect(words).toMatch(/Red Wine.*Cheese, Olives/s);

  await sousa.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${to.id}`);
  const moved = await told(/^Moved: Atelier Sousa, /);
  expect(moved).toMatchObject({ method: 'REQUEST', uid: booked.uid });
  await cancel(sousa, to, 'Flooded.');
  const canceled = await told(/^Canceled: Atelier Sousa, /);
  expect(canceled).toMatchObject({ method: 'CANCEL', uid: booked.uid, status: 'CANCELLED' });
  expect([moved.sequence > booked.sequence, canceled.sequence > moved.sequence]).toEqual([true, true]);
  expect((await mailServer.got(email, /^Canceled: /)).mail.text).toContain('Flooded.');
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
