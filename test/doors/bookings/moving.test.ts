import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { agenda, idsOf, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing, started, taken } from '../../support/complaints';
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
import { newGuest } from '../../support/guests';
import { publishQuestions } from '../../support/party-factories';
import { bookWith, openEnded } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { keyOf } from '../../support/waitlist';

/*
 * Moving an appointment: one step, in which nobody loses theirs. That it keeps to the rules of time and number, and does not count
 * what it gives up: test/domain/bookings/bookable.test.ts.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: { displayName: 'Maya' } });

type Id = { id: string };
const askedBy = (host: Person, questionText: string) =>
  publishQuestions(host, [{ questionText, questionType: openEnded, required: true }]);
const move = (who: Person, { id }: Id, to: Id, body?: unknown) =>
  who.api('PUT', `/api/Appointment/Move?id=${id}&to=${to.id}`, body);
const moveBy = (key: string, to: Id) => daybook.visitor().api('PUT', `/api/Public/MoveBooking?key=${key}&to=${to.id}`);
const bookingOf = async (key: string) =>
  (await daybook.visitor().api('GET', `/api/Public/Booking?key=${key}`)).json as Row;

/** A provider with a slot that somebody has booked, and others that are open. */
async function world(who: Person = maya, details: object = {}, query = '') {
  const host = await newProvider({ displayName: 'Karla' });
  const [slot, ...free] = await publish(host, { end: '11:00', ...details }, query);
  const row = (await book(who, slot as Row)).json as Row;
  return { host, row, free: free as [Row, Row, Row] };
}

describe('Move', () => {
  test('by the booker gives them the other time, and publishes theirs again', async () => {
    const { host, row, free } = await world(maya, { notes: 'Ring twice' });
    const { username, displayName: bookerName } = maya;
    const booked = { status: 1, free: 0, people: 1, username, bookerName, movedFrom: row.id, link: row.link };
    const moved = await move(maya, row, free[1]);
    expect(moved).toMatchObject({ status: 200, json: { ...free[1], ...booked } });
    const old = { status: 2, canceledBy: 'consumer', movedFrom: null, link: row.link };
    expect((await look(maya, row)).json).toMatchObject(old);
    const open = await openSlotsOf(maya, host);
    expect(open.map(({ startsAt }) => startsAt)).toEqual([row.startsAt, free[0].startsAt, free[2].startsAt]);
    expect(open[0]).toMatchObject({ notes: 'Ring twice' });
    expect(idsOf(await agenda(host))).toEqual([free[1].id]);
    // Sent again it answers the same, by either side.
    expect((await move(maya, row, free[1])).json).toEqual(moved.json);
    expect(await move(host, row, free[1])).toMatchObject({ status: 200, json: { id: free[1].id } });
    expect(await openSlotsOf(maya, host)).toHaveLength(3);
  });

  test('by the provider does not publish the old time, and is bound by none of their rules', async () => {
    const { host, row, free } = await world();
    await setRules(host, { notice: 43_200, cancelUntil: 43_200, perDay: 1, perPerson: 1 });
    const moved = await move(host, row, free[0], { reason: 'I am away.' });
    expect(moved).toMatchObject({ status: 200, json: { id: free[0].id, status: 1, movedFrom: row.id, link: null } });
    expect((await look(maya, row)).json).toMatchObject({ canceledBy: 'provider', cancelReason: 'I am away.' });
    await setRules(host, { notice: 0, perDay: null });
    expect(idsOf(await openSlotsOf(host, host))).toEqual(idsOf(free.slice(1)));
  });

  test('is refused to a stranger, and to a time that is another provider’s, gone, canceled or has begun', async () => {
    const { host, row, free } = await world();
    const [rival, june] = await Promise.all([newProvider(), newConsumer()]);
    for (const who of [rival, june]) expect(await move(who, row, free[2])).toMatchObject(nothing);
    for (const to of [await publishOne(rival), { id: 'none' }])
      expect(await move(maya, row, to)).toMatchObject(nothing);
    expect(await move(maya, free[0], free[1])).toMatchObject(nothing);
    await book(june, free[0]);
    await cancel(host, free[1]);
    const begun = await writeSlot(daybook.d1, host, { startsIn: -5, length: 10 });
    for (const who of [maya, host]) {
      for (const to of [free[0], free[1]]) expect(await move(who, row, to)).toMatchObject(taken);
      expect(await move(who, row, begun)).toMatchObject(started);
    }
    expect((await look(maya, row)).json).toMatchObject({ status: 1, canceledBy: null });
  });

  test('of what is canceled, has begun, or is past its deadline is refused', async () => {
    const { host, row, free } = await world();
    await cancel(maya, row);
    expect((await move(maya, row, free[0])).status).toBe(409);
    const begun = await writeSlot(daybook.d1, host, { startsIn: -5, length: 10, booker: maya });
    expect(await move(maya, begun, free[0])).toMatchObject(started);
    await setRules(host, { cancelUntil: 120 });
    const late = await writeSlot(daybook.d1, host, { startsIn: 60 });
    await book(maya, late);
    expect((await move(maya, late, free[0])).json).toMatch(/until .* UTC\. Please ask Karla\.$/);
    expect((await move(host, late, free[0])).status).toBe(200);
  });

  test('takes the answers along where the questions are the same, else they are owed or come with it', async () => {
    const host = await newProvider();
    const [one, two] = [await askedBy(host, 'Why?'), await askedBy(host, 'How?')];
    const same = await publish(host, { end: '10:00' }, `templateId=${one}`);
    const other = await publish(host, { dates: [dayAhead(2)], end: '10:00' }, `templateId=${two}`);
    const [first, second, third, fourth] = [...same, ...other] as [Row, Row, Row, Row];
    const answers = [{ question: 'Why?', answer: 'Pain' }];
    await bookWith(maya, first, answers);
    expect((await move(maya, first, second)).json).toMatchObject({ formData: answers });
    expect(complaints(await move(maya, second, third, []))).toHaveLength(1);
    expect((await move(maya, second, third)).json).toMatchObject({ formData: [], status: 1 });
    const given = [{ question: 'How?', answer: 'Slowly' }];
    expect((await move(maya, third, fourth, given)).json).toMatchObject({ formData: given });
  });

  test('by a personal link does the same, and the link goes along and says what the provider has done, until it is seen', async () => {
    const { host, row, free } = await world(await newGuest(daybook));
    const key = keyOf(row.link);
    const moved = await moveBy(key, free[0]);
    const there = { id: free[0].id, status: 1, movedFrom: row.id, link: row.link };
    expect(moved).toMatchObject({ status: 200, json: there });
    expect((await moveBy(key, free[0])).json).toEqual(moved.json);
    expect(await bookingOf(key)).toEqual(moved.json);
    await move(host, free[0], free[1], { reason: 'Away' });
    expect(await bookingOf(key)).toMatchObject({ id: free[1].id, movedFrom: free[0].id });
    const page = await daybook.visitor().visit(row.link ?? '');
    expect(page.words).toContain('Moved by Karla: Away');
    expect((await page.submit('Mark as read')).words).not.toContain('Moved by Karla');
    await cancel(host, free[1], 'Ill');
    expect((await daybook.visitor().visit(row.link ?? '')).words).toContain('Canceled by Karla: Ill');
    expect((await moveBy(key, free[2])).status).toBe(409);
    expect(await moveBy('no-such-key-at-all-xxx', free[2])).toMatchObject(nothing);
  });
});

/** The button of a free time. */
const tile = ({ id }: Id) => `.slots [formaction$="/${id}"]`;
const starts = (page: Page) => page.$$('.slots time').map(({ text }) => text);

describe('the screens of moving', () => {
  test('offer near times; where somebody was faster, the booking stands, and others are offered', async () => {
    const guest = await newGuest(daybook);
    type Booked = Awaited<ReturnType<typeof world>>;
    for (const open of [
      async ({ row }: Booked) => (await guest.browser.visit(`/details-cancel/${row.id}`)).click('Move'),
      async ({ host, row }: Booked) => (await host.browser.visit(`/details-provider/${row.id}`)).click('Move'),
      async ({ row }: Booked) => (await daybook.visitor().visit(row.link ?? '')).click('Change the time'),
    ]) {
      const booked = await world(guest);
      const { row, free } = booked;
      const page = await open(booked);
      expect(starts(page)).toEqual(['09:30', '10:00', '10:30']);
      await book(maya, free[1]);
      const lost = await page.submit(tile(free[1]));
      expect([lost.status, lost.words]).toEqual([409, expect.stringContaining(taken.json)]);
      expect((await look(guest, row)).json).toMatchObject({ status: 1 });
      expect(starts(lost)).toEqual(['09:30', '10:30']);
      expect((await lost.submit(tile(free[2]))).words).toContain('It is moved.');
      expect((await look(guest, free[2])).json).toMatchObject({ status: 1, movedFrom: row.id });
    }
  });
});
