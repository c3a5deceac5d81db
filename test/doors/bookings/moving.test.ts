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
const askingFor = (host: Person, questionText: string) =>
  publishQuestions(host, [{ questionText, questionType: openEnded, required: true }]);
const move = (who: Person, { id }: Id, to: Id, body?: unknown) =>
  who.api('PUT', `/api/Appointment/Move?id=${id}&to=${to.id}`, body);
const moveByLink = (key: string, to: Id) =>
  daybook.visitor().api('PUT', `/api/Public/MoveBooking?key=${key}&to=${to.id}`);
const bookingOf = async (key: string) =>
  (await daybook.visitor().api('GET', `/api/Public/Booking?key=${key}`)).json as Row;

/** A provider whose time at nine somebody has booked, and whose three half hours after it are free. */
async function bookedAtNine(who: Person = maya, details: object = {}) {
  const host = await newProvider({ displayName: 'Karla' });
  const [slot, ...free] = await publish(host, { end: '11:00', ...details });
  const row = (await book(who, slot as Row)).json as Row;
  return { host, row, free: free as [Row, Row, Row] };
}

describe('canceling from before a move', () => {
  test.each([
    ['the booker', (_: Person, who: Person) => who],
    ['the provider', (host: Person) => host],
  ])('cancels nothing by the call, and says that it was moved, to %s', async (_, canceler) => {
    const { host, row, free } = await bookedAtNine();
    await move(maya, row, free[1]);

    const refused = await cancel(canceler(host, maya), row);

    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('has been moved')]);
    expect(await agenda(host)).toMatchObject([{ id: free[1].id }]);
  });

  test.each([
    ['the booker', (_: Person, who: Person) => [who, '/details-cancel', 'Cancel Appointment'] as const],
    ['the provider', (host: Person) => [host, '/details-provider', 'Cancel Appointment'] as const],
  ])('leads to where it is now, by the page that %s still had open', async (_, screen) => {
    const { host, row, free } = await bookedAtNine();
    const [reader, path, button] = screen(host, maya);
    const open = await reader.browser.visit(`${path}/${row.id}`);
    await move(maya, row, free[1]);

    const page = await open.submit(button);

    expect(page.path).toContain(free[1].id);
    expect(page.words).not.toContain('Canceled:');
    expect(await agenda(host)).toMatchObject([{ id: free[1].id }]);
  });
});

describe('Move by the booker', () => {
  test('gives them the other time', async () => {
    const { row, free } = await bookedAtNine();

    const moved = await move(maya, row, free[1]);

    const { username, displayName: bookerName } = maya;
    const booked = { status: 1, free: 0, people: 1, username, bookerName, movedFrom: row.id, link: row.link };
    expect(moved).toMatchObject({ status: 200, json: { ...free[1], ...booked } });
  });

  test('keeps the personal link', async () => {
    const { row, free } = await bookedAtNine();

    const moved = await move(maya, row, free[1]);

    expect(moved.json).toMatchObject({ link: row.link });
  });

  test('leaves the old booking canceled by them', async () => {
    const { row, free } = await bookedAtNine();

    await move(maya, row, free[1]);

    const canceled = { status: 2, canceledBy: 'consumer', movedFrom: null, link: row.link };
    expect((await look(maya, row)).json).toMatchObject(canceled);
  });

  test('publishes their old time again', async () => {
    const { host, row, free } = await bookedAtNine();

    await move(maya, row, free[1]);

    const starts = (await openSlotsOf(maya, host)).map(({ startsAt }) => startsAt);
    expect(starts).toEqual([row.startsAt, free[0].startsAt, free[2].startsAt]);
  });

  test('publishes their old time with its notes', async () => {
    const { host, row, free } = await bookedAtNine(maya, { notes: 'Ring twice' });

    await move(maya, row, free[1]);

    const [old] = await openSlotsOf(maya, host);
    expect(old).toMatchObject({ startsAt: row.startsAt, notes: 'Ring twice' });
  });

  test('leaves the provider one appointment', async () => {
    const { host, row, free } = await bookedAtNine();

    await move(maya, row, free[1]);

    expect(idsOf(await agenda(host))).toEqual([free[1].id]);
  });

  test('that is sent again answers the same', async () => {
    const { host, row, free } = await bookedAtNine();
    const moved = await move(maya, row, free[1]);

    const again = await move(maya, row, free[1]);

    expect(again.json).toEqual(moved.json);
    expect(await openSlotsOf(maya, host)).toHaveLength(3);
  });

  test('answers the provider who sends the same', async () => {
    const { host, row, free } = await bookedAtNine();
    await move(maya, row, free[1]);

    const again = await move(host, row, free[1]);

    expect(again).toMatchObject({ status: 200, json: { id: free[1].id } });
    expect(await openSlotsOf(maya, host)).toHaveLength(3);
  });
});

describe('Move by the provider', () => {
  test('gives the client the other time', async () => {
    const { host, row, free } = await bookedAtNine();

    const moved = await move(host, row, free[0]);

    expect(moved).toMatchObject({ status: 200, json: { id: free[0].id, status: 1, movedFrom: row.id } });
  });

  test('does not show them the personal link', async () => {
    const { host, row, free } = await bookedAtNine();

    const moved = await move(host, row, free[0]);

    expect(moved.json).toMatchObject({ link: null });
  });

  test('tells the client why', async () => {
    const { host, row, free } = await bookedAtNine();

    await move(host, row, free[0], { reason: 'I am away.' });

    expect((await look(maya, row)).json).toMatchObject({ canceledBy: 'provider', cancelReason: 'I am away.' });
  });

  test('does not publish the old time', async () => {
    const { host, row, free } = await bookedAtNine();

    await move(host, row, free[0]);

    expect(idsOf(await openSlotsOf(host, host))).toEqual(idsOf(free.slice(1)));
  });

  test('is bound by none of their rules', async () => {
    const { host, row, free } = await bookedAtNine();
    await setRules(host, { notice: 43_200, cancelUntil: 43_200, perDay: 1, perPerson: 1 });

    const moved = await move(host, row, free[0]);

    expect(moved).toMatchObject({ status: 200, json: { id: free[0].id, status: 1 } });
  });

  test('is not bound by the deadline of the booking', async () => {
    const host = await newProvider();
    await setRules(host, { cancelUntil: 120 });
    const late = await writeSlot(daybook.d1, host, { startsIn: 60 });
    await book(maya, late);

    expect((await move(host, late, await publishOne(host))).status).toBe(200);
  });
});

describe('Move is refused', () => {
  test.each(['another provider', 'another client'])('to %s', async (who) => {
    const { row, free } = await bookedAtNine();
    const stranger = who === 'another provider' ? await newProvider() : await newConsumer();

    expect(await move(stranger, row, free[2])).toMatchObject(nothing);
  });

  test('to a time of another provider', async () => {
    const { row } = await bookedAtNine();

    expect(await move(maya, row, await publishOne(await newProvider()))).toMatchObject(nothing);
  });

  test('to a time that does not exist', async () => {
    const { row } = await bookedAtNine();

    expect(await move(maya, row, { id: 'none' })).toMatchObject(nothing);
  });

  test('of a time that nobody has booked', async () => {
    const { free } = await bookedAtNine();

    expect(await move(maya, free[0], free[1])).toMatchObject(nothing);
  });

  describe.each(['client', 'provider'] as const)('by the %s', (side) => {
    const mover = (host: Person) => (side === 'client' ? maya : host);

    test('to a time that somebody else has booked', async () => {
      const { host, row, free } = await bookedAtNine();
      await book(await newConsumer(), free[0]);

      expect(await move(mover(host), row, free[0])).toMatchObject(taken);
      expect((await look(maya, row)).json).toMatchObject({ status: 1, canceledBy: null });
    });

    test('to a time that was withdrawn', async () => {
      const { host, row, free } = await bookedAtNine();
      await cancel(host, free[1]);

      expect(await move(mover(host), row, free[1])).toMatchObject(taken);
      expect((await look(maya, row)).json).toMatchObject({ status: 1, canceledBy: null });
    });

    test('to a time that has begun', async () => {
      const { host, row } = await bookedAtNine();
      const begun = await writeSlot(daybook.d1, host, { startsIn: -5, length: 10 });

      expect(await move(mover(host), row, begun)).toMatchObject(started);
      expect((await look(maya, row)).json).toMatchObject({ status: 1, canceledBy: null });
    });
  });

  test('of a booking that is canceled', async () => {
    const { row, free } = await bookedAtNine();
    await cancel(maya, row);

    expect((await move(maya, row, free[0])).status).toBe(409);
  });

  test('of a booking that has begun', async () => {
    const { host, free } = await bookedAtNine();
    const begun = await writeSlot(daybook.d1, host, { startsIn: -5, length: 10, booker: maya });

    expect(await move(maya, begun, free[0])).toMatchObject(started);
  });

  test('to the booker past the deadline, with whom to ask', async () => {
    const host = await newProvider({ displayName: 'Karla' });
    await setRules(host, { cancelUntil: 120 });
    const late = await writeSlot(daybook.d1, host, { startsIn: 60 });
    await book(maya, late);

    const refused = await move(maya, late, await publishOne(host));

    expect(refused.status).toBe(409);
    expect(refused.json).toMatch(/until .* UTC\. Please ask Karla\.$/);
  });
});

describe('answers of a booking that moves', () => {
  const answers = [{ question: 'Why?', answer: 'Pain' }];

  /** A booking whose 'Why?' is answered, a time that asks the same, and one that asks 'How?'. */
  async function answeredBooking() {
    const host = await newProvider();
    const [why, how] = [await askingFor(host, 'Why?'), await askingFor(host, 'How?')];
    const [booked, same] = (await publish(host, { end: '10:00' }, `templateId=${why}`)) as [Row, Row];
    const [other] = (await publish(host, { dates: [dayAhead(2)] }, `templateId=${how}`)) as [Row];
    await bookWith(maya, booked, answers);
    return { booked, same, other };
  }

  test('go along to a time with the same questions', async () => {
    const { booked, same } = await answeredBooking();

    expect((await move(maya, booked, same)).json).toMatchObject({ formData: answers });
  });

  test('stay behind where the questions are others', async () => {
    const { booked, other } = await answeredBooking();

    expect((await move(maya, booked, other)).json).toMatchObject({ formData: [], status: 1 });
  });

  test('to other questions can come with the move', async () => {
    const { booked, other } = await answeredBooking();
    const given = [{ question: 'How?', answer: 'Slowly' }];

    expect((await move(maya, booked, other, given)).json).toMatchObject({ formData: given });
  });

  test('that come with the move must be whole', async () => {
    const { booked, other } = await answeredBooking();

    expect(complaints(await move(maya, booked, other, []))).toHaveLength(1);
    expect((await look(maya, booked)).json).toMatchObject({ status: 1 });
  });
});

describe('a personal link', () => {
  async function guestsBooking() {
    const { host, row, free } = await bookedAtNine(await newGuest(daybook));
    return { host, row, free, key: keyOf(row.link), openLink: () => daybook.visitor().visit(row.link ?? '') };
  }

  test('moves its booking', async () => {
    const { row, free, key } = await guestsBooking();

    const moved = await moveByLink(key, free[0]);

    const booked = { id: free[0].id, status: 1, movedFrom: row.id, link: row.link };
    expect(moved).toMatchObject({ status: 200, json: booked });
  });

  test('answers the same to a move that is sent again', async () => {
    const { free, key } = await guestsBooking();
    const moved = await moveByLink(key, free[0]);

    expect((await moveByLink(key, free[0])).json).toEqual(moved.json);
  });

  test('opens the booking where it has moved', async () => {
    const { free, key } = await guestsBooking();
    const moved = await moveByLink(key, free[0]);

    expect(await bookingOf(key)).toEqual(moved.json);
  });

  test('opens the booking where its provider has moved it', async () => {
    const { host, row, free, key } = await guestsBooking();
    await move(host, row, free[1]);

    expect(await bookingOf(key)).toMatchObject({ id: free[1].id, movedFrom: row.id });
  });

  test('opens the booking after several moves', async () => {
    const { host, free, key } = await guestsBooking();
    await moveByLink(key, free[0]);
    await move(host, free[0], free[1]);

    expect(await bookingOf(key)).toMatchObject({ id: free[1].id, movedFrom: free[0].id });
  });

  test('says that the provider has moved it', async () => {
    const { host, row, free, openLink } = await guestsBooking();
    await move(host, row, free[1], { reason: 'Away' });

    expect((await openLink()).words).toContain('Moved by Karla: Away');
  });

  test('says no more of the move once that is read', async () => {
    const { host, row, free, openLink } = await guestsBooking();
    await move(host, row, free[1], { reason: 'Away' });

    const read = await (await openLink()).submit('Mark as read');

    expect(read.status).toBe(200);
    expect(read.words).not.toContain('Moved by Karla');
  });

  test('says that the provider has canceled what was moved', async () => {
    const { host, row, free, openLink } = await guestsBooking();
    await move(host, row, free[1]);
    await cancel(host, free[1], 'Ill');

    expect((await openLink()).words).toContain('Canceled by Karla: Ill');
  });

  test('moves nothing that is canceled', async () => {
    const { host, row, free, key } = await guestsBooking();
    await cancel(host, row);

    expect((await moveByLink(key, free[2])).status).toBe(409);
  });

  test('that is made up moves nothing', async () => {
    const { free } = await guestsBooking();

    expect(await moveByLink('no-such-key-at-all-xxx', free[2])).toMatchObject(nothing);
  });
});

/** The button of a free time. */
const tileOf = ({ id }: Id) => `.slots [formaction$="/${id}"]`;
const startsOn = (page: Page) => page.$$('.slots time').map(({ text }) => text);

const doors = [
  ['of the client', (guest: Person, row: Row) => guest.browser.visit(`/details-cancel/${row.id}`), 'Move'],
  ['of the provider', (_: Person, row: Row, host: Person) => host.browser.visit(`/details-provider/${row.id}`), 'Move'],
  ['of the personal link', (_: Person, row: Row) => daybook.visitor().visit(row.link ?? ''), 'Change the time'],
] as const;

describe.each(doors)('the screen of moving %s', (_, open, words) => {
  async function choice() {
    const guest = await newGuest(daybook);
    const { host, row, free } = await bookedAtNine(guest);
    return { guest, row, free, page: await (await open(guest, row, host)).click(words) };
  }

  test('offers near times', async () => {
    const { page } = await choice();

    expect(startsOn(page)).toEqual(['09:30', '10:00', '10:30']);
  });

  test('moves with one tap', async () => {
    const { guest, row, free, page } = await choice();

    const moved = await page.submit(tileOf(free[2]));

    expect(moved.words).toContain('It is moved.');
    expect((await look(guest, free[2])).json).toMatchObject({ status: 1, movedFrom: row.id });
  });

  test('leaves the booking where it is when somebody was faster', async () => {
    const { guest, row, free, page } = await choice();
    await book(maya, free[1]);

    const lost = await page.submit(tileOf(free[1]));

    expect(lost.status).toBe(409);
    expect(lost.words).toContain('This appointment has just been booked by someone else.');
    expect((await look(guest, row)).json).toMatchObject({ status: 1 });
  });

  test('offers the other times when somebody was faster', async () => {
    const { guest, row, free, page } = await choice();
    await book(maya, free[1]);

    const lost = await page.submit(tileOf(free[1]));

    expect(startsOn(lost)).toEqual(['09:30', '10:30']);
    expect((await lost.submit(tileOf(free[2]))).words).toContain('It is moved.');
    expect((await look(guest, free[2])).json).toMatchObject({ status: 1, movedFrom: row.id });
  });
});
