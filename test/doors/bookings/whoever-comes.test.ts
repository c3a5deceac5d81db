import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { mark } from '../../support/appointment-calls';
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
import { publishQuestions } from '../../support/party-factories';
import { createService } from '../../support/services';
import { bookWith, singleChoice } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What a provider does for whoever comes, walks in or calls: marks, the sheet of a day, classes, bookings, slips of paper, notes. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, rival, maya, june } = useWorld(daybook, {
  ana: {},
  rival: {},
  maya: { displayName: 'Maya Ek' },
  june: { displayName: 'Tomas' },
});

const attendanceOf = async (who: Person, slot: { id: string }) => ((await look(who, slot)).json as Row).attendance;

describe('marking who came', () => {
  test('is for the provider to change, from the start on, and for nobody else to see', async () => {
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });
    expect(await attendanceOf(ana, slot)).toBe('unknown');
    for (const as of ['seen', 'excused', 'missed', 'unknown', 'seen']) {
      expect(await mark(ana, slot, as)).toMatchObject({ status: 200, json: { attendance: as } });
      expect([await attendanceOf(ana, slot), await attendanceOf(maya, slot)]).toEqual([as, null]);
    }
    const [coming, canceled, open] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    for (const one of [coming, canceled]) await book(maya, one);
    await cancel(ana, canceled);
    for (const one of [coming, canceled, open]) {
      expect([(await mark(ana, one, 'seen')).status, await attendanceOf(ana, one)]).toEqual([409, null]);
    }
  });

  test('twice, or twice at once, counts once', async () => {
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -120, booker: june });
    await Promise.all([mark(ana, slot, 'missed'), mark(ana, slot, 'missed')]);
    await mark(ana, slot, 'missed');
    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  });
});

describe('the day sheet', () => {
  test('has times, names, answers as they were offered, notes, and lines for whoever walks in', async () => {
    const provider = await newProvider();
    const consumer = await newConsumer({ displayName: 'Zoë Hall' });
    const side = { questionText: 'Side?', questionType: singleChoice, options: ['Left Knee', 'RIGHT'] };
    const id = await publishQuestions(provider, [side]);
    const [first, second] = (await publish(provider, { end: '10:00' }, `templateId=${id}`)) as [Row, Row];
    await bookWith(consumer, first, [{ question: 'Side?', answer: 'LEFT knee' }]);
    await book(consumer, second);
    await provider.api('PUT', `/api/Appointment/SetNote?id=${first.id}`, { note: 'Brings a dog' });
    const page = await provider.browser.get(`/day?date=${dayAhead(1)}`);
    const rows = page.$$('.sheet tbody tr:not(.walk-in)').map(({ structuredText }) => structuredText);
    expect(rows).toHaveLength(2);
    expect(rows[0]).toMatch(/09:00 to 09:30[\s\S]*Zoë Hall[\s\S]*Note[\s\S]*Brings a dog[\s\S]*Side\?[\s\S]*Left Knee/);
    expect(rows[1]).toContain('Answers are owed.');
    expect(page.$$('.walk-in').length).toBeGreaterThan(2);
  });

  test('marks all at once by one form, again and again', async () => {
    const provider = await newProvider();
    const late = await writeSlot(daybook.d1, provider, { startsIn: -35, booker: maya });
    await writeSlot(daybook.d1, provider, { startsIn: -70, booker: maya });
    const { date } = (await look(provider, late)).json as Row;
    let page = await provider.browser.get(`/day?date=${date}`);
    // Both, unless a midnight lies between them.
    const ids = page.$$('fieldset input[value=seen]').map((box) => box.getAttribute('name') ?? '');
    for (const [as, words] of [
      ['seen', /marks? (has|have) changed/],
      ['missed', /marks? (has|have) changed/],
      ['missed', /Nothing had to change/],
    ] as const) {
      page = await page.submit('Save all marks', Object.fromEntries(ids.map((name) => [name, as])));
      expect(page.words).toMatch(words);
      expect(page.$$(`fieldset input[value=${as}][checked]`)).toHaveLength(ids.length);
    }
  });
});

/** A yoga teacher with one class of eight, two days ahead, and whoever has a place. */
async function aClass() {
  const asha = await newProvider({ displayName: 'Asha Rao' });
  const { id: serviceId } = await createService(asha, { name: 'Morning yoga', minutes: 60, seats: 8 });
  const slot = await publishOne(asha, { start: '07:00', end: '08:00', dates: [dayAhead(2)], serviceId });
  return { asha, slot, page: () => asha.browser.get(`/details-provider/${slot.id}`) };
}

const join = async (who: Person, { id }: Row, people = 1) =>
  (await who.api('PUT', `/api/Appointment/Book?id=${id}&people=${people}`)).json as Row;

describe('a class', () => {
  test('is one thing in the week, and one heading above its people on the day sheet', async () => {
    const { asha, slot } = await aClass();
    await join(maya, slot, 2);
    await join(june, slot);
    const week = (await asha.browser.get(`/week?from=${dayAhead(1)}`)).$$('.week-item');
    const labels = week.map((one) => one.getAttribute('aria-label'));
    expect(labels).toEqual(['07:00 Morning yoga, 3 people, to 08:00, Booked']);
    const sheet = await asha.browser.get(`/day?date=${dayAhead(2)}`);
    const [heading, ...rows] = sheet.$$('.sheet tbody tr').map(({ text }) => text);
    expect(heading).toBe('07:00 to 08:00, Morning yoga, 3 people');
    expect(rows.slice(0, 2).join(' ')).toMatch(/Maya Ek and 1 more.*Tomas|Tomas.*Maya Ek and 1 more/s);
  });

  test('is canceled for all who come, with a reason, and tells whom to call', async () => {
    const { slot, page: open } = await aClass();
    const mayas = await join(maya, slot);
    const form = await open();
    const made = await form.submit('Book for them', { displayName: 'Wanda', people: '3' });
    expect(made.words).toContain('Wanda');
    const page = await open();
    expect(page.words).toMatch(/One of them is told .* Please call Wanda.*4 of 8 places/);
    await page.submit('Cancel the class', { reason: 'The heating is broken' });
    expect((await look(maya, mayas)).json).toMatchObject({ status: 2, cancelReason: 'The heating is broken' });
    expect((await maya.browser.get('/news')).words).toContain('The heating is broken');
  });
});

let days = 2;
const freshSlot = () => publishOne(ana, { dates: [dayAhead(++days)] });
const open = (slot: Row) => ana.browser.get(`/details-provider/${slot.id}`);
const linkOn = (page: Page) => page.$('input[readonly]')?.getAttribute('value') ?? '';
const pathOn = (page: Page) => new URL(linkOn(page)).pathname;
const wanda = { displayName: 'Wanda', note: 'By telephone' };

/** The code on a page of a link that was just made. */
const codeOn = (page: Page) => page.$('#code')?.text ?? '';
const typeCode = async (code: string) =>
  (await daybook.visitor().get('/claim')).submit('Show my appointment', { code });
/** A slot booked for somebody, as the page after it shows it. */
async function bookedFor(slot?: Row): Promise<Page> {
  return (await open(slot ?? (await freshSlot()))).submit('Book for them', wanda);
}

describe('booking for someone', () => {
  test('is one form on an open slot, and shows the link for them once, by a word of this slot and this provider', async () => {
    const [slot, other] = [await freshSlot(), await freshSlot()];
    const done = await bookedFor(slot);
    expect(linkOn(done)).toMatch(/\/booking\/[\w-]{22,}$/);
    expect((await daybook.visitor().visit(pathOn(done))).words).toContain('Booked for Wanda.');
    expect((await look(ana, slot)).json).toMatchObject({ bookerName: 'Wanda', privateNote: 'By telephone' });
    expect(linkOn(await open(slot))).toBe('');
    const made = new URL(done.url).search;
    await book(maya, other);
    for (const query of [made, '?made=x'])
      expect(linkOn(await ana.browser.get(`/details-provider/${other.id}${query}`))).toBe('');
    expect((await rival.browser.get(`/details-provider/${slot.id}${made}`)).status).toBe(404);
  });

  test('says what is wrong and keeps what was typed; sent twice it books once', async () => {
    const slot = await freshSlot();
    const page = await open(slot);
    const refused = await page.submit('Book for them', { displayName: ' ', email: 'w', note: 'Late' });
    expect([refused.status, refused.$('[name=email]')?.getAttribute('value')]).toEqual([400, 'w']);
    expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
    const [one, other] = await Promise.all([page.submit('Book for them', wanda), page.submit('Book for them', wanda)]);
    expect([one.status, other.status, linkOn(one)]).toEqual([200, 200, linkOn(other)]);
  });
});

describe('the slip of paper', () => {
  test('has the link as text and as a picture, and a code that opens it once, in any spelling', async () => {
    const page = await bookedFor();
    expect(page.$('.slip svg title')?.text).toBe('QR code of the link');
    expect(codeOn(page)).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
    const form = await daybook.visitor().get('/claim');
    const code = ` ${codeOn(page).toLowerCase().replace('-', ' – ')} `;
    // The same form sent twice leads to the same page.
    for (const opened of await Promise.all([1, 2].map(() => form.submit('Show my appointment', { code }))))
      expect([opened.path, opened.words]).toEqual([pathOn(page), expect.stringContaining('Booked for Wanda.')]);
    const spent = await typeCode(codeOn(page));
    expect([spent.status, spent.$('[name=code]')?.getAttribute('value')]).toEqual([400, codeOn(page)]);
    const again = await ana.browser.get(page.path);
    expect([codeOn(again), linkOn(again)]).toEqual(['', linkOn(page)]);
  });

  test('of two who type it at once, one gets in', async () => {
    const code = codeOn(await bookedFor());
    const pages = await Promise.all([1, 2, 3, 4].map(() => typeCode(code)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test('says the same of a wrong code, of one that was canceled, and of one whose link was replaced', async () => {
    const [canceled, replaced] = [await freshSlot(), await freshSlot()];
    const codes = [codeOn(await bookedFor(canceled)), codeOn(await bookedFor(replaced))];
    await cancel(ana, canceled);
    const anew = await (await open(replaced)).submit('New link');
    for (const page of await Promise.all(['22222-22222', 'x', ...codes].map(typeCode)))
      expect([page.status, page.words]).toEqual([400, expect.stringContaining('This code opens nothing.')]);
    expect(codes).not.toContain(codeOn(anew));
    expect((await typeCode(codeOn(anew))).path).toBe(pathOn(anew));
  });
});

test('the note of a booked appointment is its provider’s alone, to change and to take away', async () => {
  const slot = await freshSlot();
  await book(maya, slot);
  const saved = await (await open(slot)).submit('Save note', { note: 'Parks outside' });
  expect((await look(ana, slot)).json).toMatchObject({ privateNote: 'Parks outside' });
  expect((await maya.browser.get(`/details-cancel/${slot.id}`)).words).not.toContain('Parks outside');
  expect((await saved.submit('Save note', { note: 'x'.repeat(1001) })).status).toBe(400);
  await saved.submit('Save note', { note: '' });
  expect((await look(ana, slot)).json).toMatchObject({ privateNote: null });
});
