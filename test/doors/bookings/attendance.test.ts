import { describe, expect, test } from 'vitest';
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
import { askedOf, tripsOf } from '../../support/visit';

/* Who came and who comes: the marks of a provider, the sheet of a day, and the people of a class. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { ana, maya, june } = useWorld(daybook, {
  ana: {},
  maya: { displayName: 'Maya Ek' },
  june: { displayName: 'Tomas' },
});

const attendanceOf = async (who: Person, slot: { id: string }) => ((await look(who, slot)).json as Row).attendance;
describe('marking who came', () => {
  test('is for the provider to change, from the start on, and for nobody else to see', async () => {
    const slot = await writeSlot(daybook.d1, ana, { startsIn: -60, booker: maya });
    expect(await attendanceOf(ana, slot)).toBe('unknown');
    for (const as of ['seen', 'excused', 'missed', 'unknown', 'seen']) {
      const answer = await mark(ana, slot, as);
      expect([answer.status, (answer.json as Row).attendance, tripsOf(answer)]).toEqual([200, as, 1]);
      expect([await attendanceOf(ana, slot), await attendanceOf(maya, slot)]).toEqual([as, null]);
    }
  });

  test('waits for the start, and is of what is booked', async () => {
    const [coming, canceled, open] = (await publish(ana, { end: '10:30' })) as [Row, Row, Row];
    for (const slot of [coming, canceled]) await book(maya, slot);
    await cancel(ana, canceled);
    for (const slot of [coming, canceled, open]) {
      expect([(await mark(ana, slot, 'seen')).status, await attendanceOf(ana, slot)]).toEqual([409, null]);
    }
  });

  test('twice, or twice at once, counts once', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const slot = await writeSlot(daybook.d1, provider, { startsIn: -60, booker: consumer });
    const other = await writeSlot(daybook.d1, provider, { startsIn: -120, booker: consumer });
    await Promise.all([mark(provider, slot, 'missed'), mark(provider, slot, 'missed')]);
    await mark(provider, slot, 'missed');
    await mark(provider, other, 'seen');
    const counts = daybook.d1.prepare(
      'SELECT seen, missed FROM people JOIN accounts ON accounts.id = provider_id WHERE accounts.username = ?',
    );
    expect(await counts.bind(provider.username).first()).toEqual({ seen: 1, missed: 1 });
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
    const { trips, read } = askedOf(page.headers);
    // Beside seven for each appointment: the session, the unread messages, and where a range of an index ends.
    expect([trips, read <= 6 + 2 * 7]).toEqual([1, true]);
  });

  test('marks all at once by one form, again and again, and then says how often somebody came', async () => {
    const [provider, consumer] = [await newProvider(), await newConsumer()];
    const slots = [];
    for (const startsIn of [-35, -70, -105])
      slots.push(await writeSlot(daybook.d1, provider, { startsIn, booker: consumer }));
    const { date } = (await look(provider, slots[2] as Row)).json as Row;
    const open = () => provider.browser.get(`/day?date=${date}`);
    // All three, unless a midnight lies between them.
    const ids = (await open()).$$('fieldset input[value=seen]').map((box) => box.getAttribute('name') ?? '');
    for (const [as, count] of [
      ['seen', ids.length],
      ['missed', ids.length],
      ['missed', 0],
    ] as const) {
      const marks = Object.fromEntries(ids.map((name) => [name, as]));
      const page = await (await open()).submit('Save all marks', marks);
      const words = ['Nothing had to change.', 'One mark has changed.'][count] ?? `${count} marks have changed.`;
      expect(page.words).toContain(words);
      expect(page.$$(`fieldset input[value=${as}][checked]`)).toHaveLength(ids.length);
    }
    const times = ['never', 'once', 'twice', '3 times'][ids.length];
    const details = await provider.browser.get(`/details-provider/${slots[0]?.id}`);
    expect(details.words).toContain(`Missed ${times}`);
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
    const rows = sheet.$$('.sheet tbody tr').map(({ text }) => text);
    expect(rows[0]).toBe('07:00 to 08:00, Morning yoga, 3 people');
    expect(rows.slice(1, 3).join(' ')).toMatch(/Maya Ek and 1 more.*Tomas|Tomas.*Maya Ek and 1 more/s);
  });

  test('is canceled for all who come, with a reason, and tells whom to call', async () => {
    const { asha, slot, page: open } = await aClass();
    const mayas = await join(maya, slot);
    const form = await open();
    expect(form.words).toContain('They are told by mail or in their news');
    const made = await form.submit('Book for them', { displayName: 'Wanda', people: '3' });
    expect(made.words).toContain('Wanda');
    const page = await open();
    expect(page.words).toMatch(/4 of 8 places/);
    expect(page.words).toMatch(/One of them is told .* Please call Wanda: we can't reach them\./);
    const after = await page.submit('Cancel the class', { reason: 'The heating is broken' });
    expect(after.words).toContain('Canceled: Morning yoga');
    const canceled = { status: 2, cancelReason: 'The heating is broken' };
    expect((await look(maya, mayas)).json).toMatchObject(canceled);
    expect((await maya.browser.get('/news')).words).toContain('The heating is broken');
    expect((await asha.browser.get('/view-booked')).words).toContain('No booked appointments');
  });
});
