import { describe, expect, test } from 'vitest';
import { create, openSlotsOf, startsOf } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import { book, cancel, dayAhead, peopleAt, publish, type Row } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

describe('CreateAppointment', () => {
  test.each([
    ['len=5', '09:00', '10:00', 12],
    ['len=1440', '00:00', '00:00', 1],
    ['len=61', '09:00', '10:00', 0],
  ])('with %s from %s to %s makes %s slots', async (query, start, end, created) => {
    expect((await create(await newProvider(), { start, end }, query)).json).toStrictEqual({ created, skipped: 0 });
  });

  test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])('knows the past by the calendar of %s', async (timeZone) => {
    const ana = await newProvider({ timeZone });
    expect(await create(ana, { dates: [dayAhead(0, timeZone)] })).toMatchObject({ status: 201 });
    expect(complaints(await create(ana, { dates: [dayAhead(-1, timeZone)] }))).toHaveLength(1);
  });

  test('skips what overlaps an open or a booked slot, and only that', async () => {
    const ana = await newProvider();
    const [first, second] = await publish(ana, { end: '10:00' });
    await book(maya, first as Row);
    await cancel(ana, second as Row);
    // 08:50 touches the booked 09:00, 09:10 as well; 09:30 was withdrawn.
    const made = await create(ana, { start: '08:10', end: '10:10' }, 'len=20');
    expect(made.json).toStrictEqual({ created: 4, skipped: 2 });
    expect(startsOf(await openSlotsOf(maya, ana))).toEqual(['08:10', '08:30', '09:30', '09:50']);
  });

  test('again with the same Idempotency-Key answers the same, for this caller alone', async () => {
    const [ana, rui] = await Promise.all([newProvider(), newProvider()]);
    const sent = { 'idempotency-key': 'tuesday' };
    for (const who of [ana, rui, ana]) {
      const answer = await create(who, { end: '10:00' }, '', sent);
      expect(answer).toMatchObject({ status: 201, json: { created: 2, skipped: 0 } });
    }
    expect(await openSlotsOf(maya, ana)).toHaveLength(2);
    // What was withdrawn meanwhile does not come back.
    for (const slot of await openSlotsOf(maya, ana)) await cancel(ana, slot);
    expect((await create(ana, { end: '10:00' }, '', sent)).json).toStrictEqual({ created: 2, skipped: 0 });
    expect(await openSlotsOf(maya, ana)).toEqual([]);
  });

  const backwards = { start: '10:00', end: '09:00', dates: ['01-01-2020'] };
  const days = (many: number) => Array.from({ length: many }, (_, index) => dayAhead(index + 1));

  test.each<[string, object, ...RegExp[]]>([
    ['no start', { start: undefined }, /Start time is missing/],
    ['no dates', { dates: undefined }, /at least one day/],
    ['a date that is not real', { dates: [dayAhead(1), '02-30-2031'] }, /is not a date/],
    ['yesterday among the dates', { dates: [dayAhead(1), dayAhead(-1)] }, /not in the past/],
    ['367 dates', { dates: days(367) }, /at most 366 days/],
    ['more than 5,000 slots', { start: '00:00', end: '00:00', dates: days(105) }, /5,000/],
    ['notes of 1,001', { notes: 'x'.repeat(1001) }, /1,?000/],
    ['a range that overlaps the first', { ranges: [{ start: '09:15', end: '10:00' }] }, /must not overlap/],
    ['a last day before the days', { until: dayAhead(0) }, /not be before/],
    ['a last day that makes more than 366', { until: dayAhead(366 * 7 + 1) }, /more than 366 days/],
    ['an end before the start and a past day', backwards, /end time must be after/, /not in the past/],
  ])('is refused with %s, and creates nothing', async (_, details, ...messages) => {
    const ana = await newProvider();
    const said = messages.map((message) => expect.stringMatching(message));
    expect(complaints(await create(ana, details))).toEqual(said);
    expect(await openSlotsOf(maya, ana)).toEqual([]);
  });

  test('may send further ranges of the days, and a day until which their weekdays repeat', async () => {
    const ana = await newProvider();
    const ranges = [{ start: '13:00', end: '14:00' }];
    const sent = { ranges, dates: [dayAhead(1), dayAhead(8), dayAhead(2)], until: dayAhead(15) };
    expect((await create(ana, sent)).json).toStrictEqual({ created: 15, skipped: 0 });
    expect((await create(ana, sent)).json).toStrictEqual({ created: 0, skipped: 15 });
    expect(startsOf(await openSlotsOf(maya, ana, { dates: dayAhead(15) }))).toEqual(['09:00', '13:00', '13:30']);
  });
});
