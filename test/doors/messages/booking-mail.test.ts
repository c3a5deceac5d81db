import { beforeAll, describe, expect, test } from 'vitest';
import { type CalendarEvent, readCalendar } from '../../support/calendars';
import { type Person, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { bookedSubject } from '../../support/mails';
import { bookWith, idOf, multipleChoice, singleChoice, writeTemplate } from '../../support/template-factories';
import { useMail } from '../../support/use-mail';

/* What mails about a booking say, to each who may have one, and the calendar entry in them. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

/** Notes that whoever has this account reads mail there. */
const confirm = async (email: string, whose: { name: string }) => {
  await daybook.d1
    .prepare('UPDATE accounts SET email = ?1, email_confirmed_at = ?2 WHERE display_name = ?3')
    .bind(email, Date.now(), whose.name)
    .run();
};

/** The entry of a mail, as another program reads it. */
function entryIn({ mail }: Arrived): CalendarEvent & { method: string } {
  const [file] = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  const { method, events } = readCalendar(String(file?.content));
  const [event, ...others] = [...events.values()];
  if (!event || others.length > 0) throw new Error('A mail has one entry.');
  return { ...event, method };
}
async function entryAt(who: { get: Person['browser']['get'] }, path: string): Promise<CalendarEvent> {
  const [event] = [...readCalendar((await who.get(`${path}/daybook.ics`)).text).events.values()];
  if (!event) throw new Error(`There is no entry at ${path}.`);
  return event;
}

const answers = [
  { question: 'Which wine?', answer: 'RED wine' },
  { question: 'With what?', answer: 'cheese|OLIVES' },
];
let sousa: Person;
let other: Person;
let slots: Row[];
beforeAll(async () => {
  [sousa, other] = await Promise.all([
    newProvider({ displayName: 'Atelier Sousa', timeZone: 'Europe/Lisbon' }),
    newProvider({ displayName: 'Salon Brandt' }),
  ]);
  await confirm('sousa@mail.test', { name: 'Atelier Sousa' });
  const template = await writeTemplate(sousa, [
    { questionText: 'Which wine?', questionType: singleChoice, options: ['Red Wine', 'White Wine'] },
    { questionText: 'With what?', questionType: multipleChoice, options: ['Cheese', 'Olives'] },
  ]);
  slots = await publish(sousa, { end: '14:00', notes: 'Ring twice.' }, `templateId=${idOf(template)}`);
});

const slotAt = (place: number) => slots[place] as Row;
const pathIn = ({ mail }: Arrived) => /https?:\/\/[^/\s]+(\/booking\/\S+)/.exec(mail.text ?? '')?.[1] ?? '';

type Booked = { name: string; email: string; row: Row };
/** Each way to have an appointment: with an account, as a guest, and booked by the provider. */
const ways: Record<string, (place: number) => Promise<Booked>> = {
  async account(place) {
    const maya = await newConsumer({ displayName: `Maya ${place}` });
    await confirm(`maya.${place}@mail.test`, { name: maya.displayName });
    const row = (await bookWith(maya, slotAt(place), answers)).json as Row;
    return { name: maya.displayName, email: `maya.${place}@mail.test`, row };
  },
  async guest(place) {
    const gus = await newGuest(daybook, { displayName: `Gus ${place}` });
    await confirm(`gus.${place}@mail.test`, { name: gus.displayName });
    const row = (await bookWith(gus, slotAt(place), answers)).json as Row;
    return { name: gus.displayName, email: `gus.${place}@mail.test`, row };
  },
  async 'walk-in'(place) {
    const [displayName, email] = [`Wanda ${place}`, `wanda.${place}@mail.test`];
    const path = `/api/Appointment/BookFor?id=${slotAt(place).id}`;
    const row = (await sousa.api('POST', path, { displayName, email })).json as Row;
    await confirm(email, { name: displayName });
    return { name: displayName, email, row };
  },
};

describe.each(Object.entries(ways).map(([way, book], index) => ({ way, book, place: index * 3 })))(
  'an appointment by $way',
  ({ book, place }) => {
    test('is told by mail with who and when, and its entry is that of the file, booked, moved and canceled', async () => {
      const { name, email, row } = await book(place);
      const link = row.link ?? '';
      const booked = await mailServer.got(email, bookedSubject);
      const times = `${row.startTime} to ${row.endTime}, Lisbon time`;
      expect(booked.mail.subject).toMatch(
        new RegExp(`^Atelier Sousa: \\w{3} \\d{1,2} \\w{3}, ${row.startTime}( \\(Lisbon time\\))?$`),
      );
      expect(booked.mail.replyTo?.text).toBe('"Atelier Sousa" <sousa@mail.test>');
      for (const words of [`Hello ${name},`, 'with Atelier Sousa', times, 'Ring twice.', `Change or cancel: `]) {
        expect(booked.mail.text).toContain(words);
      }
      expect(pathIn(booked)).toBe(link);

      const entry = entryIn(booked);
      const { method, ...told } = entry;
      expect(told).toEqual(await entryAt(daybook.visitor(), link));
      expect([method, told.alarms, told.status]).toEqual(['REQUEST', [1440, 60], 'CONFIRMED']);
      expect(told.description).toContain(daybook.url + link);

      const to = slotAt(place + 1);
      await sousa.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${to.id}`);
      const moved = await mailServer.got(email, /^Moved: Atelier Sousa, /);
      const { method: again, ...after } = entryIn(moved);
      expect(after).toEqual(await entryAt(daybook.visitor(), link));
      expect([again, after.uid, after.sequence > entry.sequence]).toEqual(['REQUEST', entry.uid, true]);

      await sousa.api('PUT', `/api/Appointment/Cancel?id=${to.id}`, { reason: 'Flooded.' });
      const canceled = await mailServer.got(email, /^Canceled: Atelier Sousa, /);
      expect(canceled.mail.text).toContain('Flooded.');
      const { method: last, ...gone } = entryIn(canceled);
      expect(gone).toEqual(await entryAt(daybook.visitor(), link));
      expect([last, gone.uid, gone.status]).toEqual(['CANCEL', entry.uid, 'CANCELLED']);
      expect(gone.sequence).toBeGreaterThan(after.sequence);
    });
  },
);

test('answers are spelt as their questions offer them: in mails, files and on every page of both', async () => {
  const { email, row } = await (ways.guest as (typeof ways)[string])(9);
  const link = row.link ?? '';
  const said = ['Red Wine', 'Cheese, Olives'];
  const stored = (await sousa.api('GET', `/api/Appointment/Get?id=${row.id}`)).json as Row;
  expect(stored.formData.map(({ answer }) => answer)).toEqual(['red wine', 'cheese|olives']);
  const { description } = entryIn(await mailServer.got(email, bookedSubject));
  const file = await entryAt(daybook.visitor(), link);
  for (const words of said)
    expect([description, file.description]).toEqual(Array(2).fill(expect.stringContaining(words)));
  const date = row.date;
  for (const page of [`/details-provider/${row.id}`, `/view-provider/${row.id}`, `/day?date=${date}`]) {
    const { words } = await sousa.browser.get(page);
    for (const answer of said) expect([page, words]).toEqual([page, expect.stringContaining(answer)]);
  }
  await sousa.api('PUT', `/api/Appointment/Cancel?id=${row.id}`);
  const { words } = await daybook.visitor().get(link);
  for (const answer of said) expect(words).toContain(answer);
});

test('a provider without a confirmed address gets no answers by mail, and their notes go to confirmed readers', async () => {
  const [slot] = (await publish(other, { notes: 'Come hungry.' })) as [Row];
  const kim = await newConsumer({ displayName: 'Kim' });
  await confirm('kim@mail.test', { name: 'Kim' });
  await kim.api('PUT', `/api/Appointment/Book?id=${slot.id}`);
  const { mail } = await mailServer.got('kim@mail.test', /^Salon Brandt: /);
  expect([mail.replyTo, mail.text]).toEqual([undefined, expect.stringContaining('Come hungry.')]);
});
