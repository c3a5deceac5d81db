import { describe, expect, test } from 'vitest';
import { askedOf } from '../../support/asked';
import { dayAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';

/* A class as one thing for its provider, with the people who come to it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

/** A yoga teacher with one class of eight, two days ahead, and whoever has a place. */
async function aClass(seats = 8) {
  const asha = await newProvider({ displayName: 'Asha Rao' });
  const yoga = await createService(asha, { name: 'Morning yoga', minutes: 60, seats });
  const [slot] = (await publish(asha, {
    start: '07:00',
    end: '08:00',
    dates: [dayAhead(2)],
    serviceId: yoga.id,
  })) as [Row];
  return { asha, yoga, slot };
}

const join = async (who: Person, slot: Row, people = 1) => {
  const answer = await who.api('PUT', `/api/Appointment/Book?id=${slot.id}&people=${people}`);
  if (answer.status !== 200) throw new Error(`No place: ${answer.status} ${answer.text}`);
  return answer.json as Row;
};

describe('a class', () => {
  test('is one thing in the week, and one heading above its people on the day sheet', async () => {
    const { asha, slot } = await aClass();
    const [maya, tomas] = [await newConsumer({ displayName: 'Maya Ek' }), await newConsumer({ displayName: 'Tomas' })];
    const labels = async () =>
      (await asha.browser.get(`/week?from=${dayAhead(1)}`))
        .$$('.week-item')
        .map((one) => one.getAttribute('aria-label'));
    expect(await labels()).toEqual(['07:00 Morning yoga, to 08:00, Free']);
    await join(maya, slot, 2);
    await join(tomas, slot);
    const week = await asha.browser.get(`/week?from=${dayAhead(1)}`);
    expect(week.$$('.week-item').map((one) => [one.getAttribute('aria-label'), one.getAttribute('href')])).toEqual([
      ['07:00 Morning yoga, 3 people, to 08:00, Booked', `/details-provider/${slot.id}`],
    ]);
    const sheet = await asha.browser.get(`/day?date=${dayAhead(2)}`);
    const rows = sheet.$$('.sheet tbody tr').map(({ text }) => text);
    expect(rows[0]).toBe('07:00 to 08:00, Morning yoga, 3 people');
    expect(rows.slice(1, 3).join(' ')).toMatch(/Maya Ek and 1 more.*Tomas|Tomas.*Maya Ek and 1 more/s);
    const own = await maya.browser.get(`/week?from=${dayAhead(1)}`);
    expect(own.$$('.week-item').map((one) => one.getAttribute('aria-label'))).toEqual([
      '07:00 Asha Rao, Morning yoga, to 08:00, Booked',
    ]);
  });

  test('is one line of its provider’s lists, with its people behind it', async () => {
    const { asha, slot } = await aClass();
    const [maya, tomas] = [await newConsumer({ displayName: 'Maya Ek' }), await newConsumer({ displayName: 'Tomas' })];
    const mayas = await join(maya, slot, 2);
    await join(tomas, slot);
    for (const path of ['/', '/view-booked', '/view-dash']) {
      const lines = (await asha.browser.get(path)).$$('.lines li');
      expect(lines.map(({ text }) => text).join('; '), path).toMatch(/Morning yoga.*3 of 8 places taken/s);
      expect(lines, path).toHaveLength(1);
    }
    const page = await asha.browser.get(`/details-provider/${slot.id}`);
    expect(page.words).toMatch(/Who comes.*3 of 8 places.*Maya Ek and 1 more.*Tomas/s);
    expect(askedOf(page.headers).trips).toBe(1);
    const hers = await page.click('Maya Ek and 1 more');
    expect(hers.words).toContain('The place is free for others again at once.');
    const after = await hers.submit('Cancel Appointment', { reason: 'Ill' });
    expect(after.words).toMatch(/Canceled: Maya Ek.*Its time is free for others again/s);
    expect((await maya.api('GET', `/api/Appointment/Get?id=${mayas.id}`)).json).toMatchObject({
      status: 2,
      cancelReason: 'Ill',
    });
    expect((await asha.api('GET', `/api/Appointment/Get?id=${slot.id}`)).json).toMatchObject({ status: 0, free: 7 });
  });

  test('is canceled for all who come, with a reason, and tells whom to call', async () => {
    const { asha, slot } = await aClass();
    const maya = await newConsumer({ displayName: 'Maya Ek' });
    const mayas = await join(maya, slot);
    const form = await asha.browser.get(`/details-provider/${slot.id}`);
    expect(form.words).toContain('They are told by mail or in their news');
    const made = await form.submit('Book for them', { displayName: 'Wanda', people: '3' });
    expect(made.words).toContain('Wanda');
    const page = await asha.browser.get(`/details-provider/${slot.id}`);
    expect(page.words).toMatch(/4 of 8 places/);
    expect(page.words).toMatch(/One of them is told .* Please call Wanda: we can't reach them\./);
    const after = await page.submit('Cancel the class', { reason: 'The heating is broken' });
    expect(after.words).toContain('Canceled: Morning yoga');
    expect((await maya.api('GET', `/api/Appointment/Get?id=${mayas.id}`)).json).toMatchObject({
      status: 2,
      cancelReason: 'The heating is broken',
    });
    expect((await maya.browser.get('/news')).words).toContain('The heating is broken');
    expect((await asha.browser.get('/view-booked')).words).toContain('No booked appointments');
  });

  test('takes 500 people, and no more', async () => {
    const { asha, slot } = await aClass(500);
    const ends = [];
    for (let guest = 0; guest < 50; guest++) {
      const path = `/api/Appointment/BookFor?id=${slot.id}&people=10`;
      ends.push((await asha.api('POST', path, { displayName: `Guest ${guest}` })).status);
    }
    expect(ends.every((code) => code === 201)).toBe(true);
    const late = await asha.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName: 'Late' });
    expect([late.status, late.json]).toEqual([409, 'This class is full.']);
    const page = await asha.browser.get(`/details-provider/${slot.id}`);
    expect(page.words).toContain('500 of 500 places');
    await page.submit('Cancel the class');
    const { results } = await daybook.d1
      .prepare('SELECT count(*) AS live FROM bookings WHERE slot_id = ? AND status = 1')
      .bind(slot.id)
      .all();
    expect(results).toEqual([{ live: 0 }]);
  }, 60_000);
});
