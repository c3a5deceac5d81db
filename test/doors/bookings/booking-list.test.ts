import { beforeAll, describe, expect, test } from 'vitest';
import { readCsv } from '../../support/csv';
import { book, cancel, dayAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* The bookings of a range of days as a table file, for their provider. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { karla, maya } = useWorld(daybook, { karla: {}, maya: { displayName: '=Maya' } });
let slots: Row[];
beforeAll(async () => {
  slots = await publish(karla, { dates: [dayAhead(3), dayAhead(60)], end: '10:00', notes: 'Ring twice.' });
});

const fileOf = (who: Person, from: string, to: string) =>
  who.browser.get(`/view-booked/bookings.csv?from=${from}&to=${to}`);
const rowsOf = async (from: string, to: string) => readCsv((await fileOf(karla, from, to)).text).slice(1);

describe('the table of bookings', () => {
  test('has those of the days, canceled or not, and makes no formula', async () => {
    const [first, second] = slots as [Row, Row];
    const far = slots.at(-1) as Row;
    for (const slot of [first, second, far]) await book(maya, slot);
    await cancel(karla, second);
    const file = await fileOf(karla, dayAhead(3), dayAhead(3));
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="bookings.csv"');
    const [head, one, two, ...others] = readCsv(file.text);
    expect(head?.slice(0, 6)).toEqual(['Date', 'Start', 'End', 'Time zone', 'Client', 'Username']);
    expect(one?.slice(1, 10)).toEqual(['09:00', '09:30', 'UTC', "'=Maya", maya.username, '', '', '', '1']);
    expect(two?.slice(10, 12)).toEqual(['Canceled', 'You']);
    expect(one).toContain('Ring twice.');
    expect(others).toEqual([]);
    // More than a month is read in parts.
    expect((await rowsOf(dayAhead(1), dayAhead(100))).map((row) => row[10])).toEqual(['Booked', 'Canceled', 'Booked']);
  });

  test('has the address and the number of a guest', async () => {
    await karla.api('PUT', '/api/Account/SetRules', { askPhone: 'optional' });
    const [slot] = await publish(karla, { dates: [dayAhead(5)], end: '09:30' });
    const form = await daybook.visitor().get(`/with/${karla.username}/${slot?.id}`);
    await form.submit('Book', { displayName: 'Zoë', email: 'zoe@mail.test', phone: '(0)20 5' });
    expect((await rowsOf(dayAhead(5), dayAhead(5)))[0]?.slice(4, 8)).toEqual(['Zoë', '', 'zoe@mail.test', '(0)20 5']);
  });

  test('is found from the list, takes no wrong range, and nobody else has it', async () => {
    const page = await karla.browser.get('/view-booked');
    const form = page.$('form[action="/view-booked/bookings.csv"]');
    expect(form?.querySelectorAll('input[type=date]').map((field) => field.getAttribute('value'))).toHaveLength(2);
    expect((await maya.browser.get('/view-booked')).$('form[action="/view-booked/bookings.csv"]')).toBeNull();
    expect((await fileOf(karla, dayAhead(3), dayAhead(2))).status).toBe(400);
    expect((await fileOf(karla, dayAhead(0), dayAhead(366))).status).toBe(400);
    expect((await fileOf(karla, 'yesterday', '')).status).toBe(400);
    expect((await fileOf(maya, dayAhead(3), dayAhead(3))).status).toBe(403);
    const other = await newProvider();
    expect(readCsv((await fileOf(other, dayAhead(3), dayAhead(3))).text)).toHaveLength(1);
  });
});
