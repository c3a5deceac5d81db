import { beforeAll, describe, expect, test } from 'vitest';
import { dayAhead, look, type Person, publish, publishOne, type Row, several } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { useWorld } from '../../support/world';

/* Fifty strangers want one time, and nobody gets what is another's. */

const daybook = useServer();
const { ana } = useWorld(daybook, { ana: {} });

const counts = (statuses: number[]) =>
  Object.fromEntries([...new Set(statuses)].sort().map((one) => [one, statuses.filter((s) => s === one).length]));
const guestsOf = async () =>
  (await daybook.d1.prepare('SELECT count(*) AS n FROM accounts WHERE username IS NULL').first<number>('n')) ?? 0;

describe('fifty who have no account and want one time', () => {
  test('by the form: one has it, each other is told so and is nobody, and the winner’s form sent again leads to the same', async () => {
    const slot = await publishOne(ana, { dates: [dayAhead(2)] });
    const before = await guestsOf();
    const forms = await several(50, () => daybook.visitor().get(`/with/${ana.username}/${slot.id}`));
    const send = () => Promise.all(forms.map((form, at) => form.submit('Book', { displayName: `Runner ${at}` })));
    const first = await send();
    expect(counts(first.map(({ status }) => status))).toEqual({ 200: 1, 409: 49 });
    const winner = first.findIndex(({ status }) => status === 200);
    expect((await look(ana, slot)).json).toMatchObject({ status: 1, bookerName: `Runner ${winner}` });
    expect(await guestsOf()).toBe(before + 1);
    const again = await send();
    expect(again.map(({ status, path }) => [status, path])).toEqual(first.map(({ status, path }) => [status, path]));
    expect(await guestsOf()).toBe(before + 1);
  });

  test('by the call: one has it', async () => {
    const slot = await publishOne(ana, { dates: [dayAhead(3)] });
    const guests: Person[] = [];
    for (let wave = 0; wave < 5; wave++) guests.push(...(await several(10, () => newGuest(daybook))));
    const answers = await Promise.all(guests.map((guest) => guest.api('PUT', `/api/Appointment/Book?id=${slot.id}`)));
    expect(counts(answers.map(({ status }) => status))).toEqual({ 200: 1, 409: 49 });
    const losers = answers.filter(({ status }) => status === 409);
    expect(new Set(losers.map(({ json }) => json))).toEqual(
      new Set(['This appointment has just been booked by someone else.']),
    );
    const winner = guests[answers.findIndex(({ status }) => status === 200)];
    expect((await look(ana, slot)).json).toMatchObject({ status: 1, bookerName: winner?.displayName });
  });
});

describe("a stranger's key", () => {
  let pages: [mine: Page, theirs: Page];
  let slots: Row[];
  const keyOf = (page: Page) => page.path.split('/').at(-1) ?? '';
  beforeAll(async () => {
    slots = await publish(ana, { dates: [dayAhead(5)], start: '09:00', end: '10:30' });
    const bookBy = async (slot: Row | undefined, name: string) =>
      (await daybook.visitor().get(`/with/${ana.username}/${slot?.id}`)).submit('Book', { displayName: name });
    pages = [await bookBy(slots[0], 'Mine'), await bookBy(slots[1], 'Theirs')];
  });

  test('opens only what it is for, whatever else is sent along', async () => {
    const [mine, theirs] = pages;
    for (const query of ['', '?saved=answers', '?step=cancel', `?id=${slots[0]?.id}`, `?key=${keyOf(mine)}`]) {
      const page = await daybook.visitor().get(`${theirs.path}${query}`);
      expect([query, page.status, page.words.includes('Booked for Mine')]).toEqual([query, 200, false]);
    }
  });

  test('changes nothing of another booking, by the forms and the calls', async () => {
    const [mine, theirs] = pages;
    const stranger = daybook.visitor();
    const wrong = [keyOf(theirs).slice(0, -1), `${keyOf(theirs)}A`, keyOf(theirs).toLowerCase(), slots[0]?.id ?? ''];
    for (const key of wrong) {
      const asked = [
        await stranger.get(`/booking/${key}`),
        await stranger.get(`/booking/${key}/daybook.ics`),
        await stranger.get(`/booking/${key}/move`),
        await stranger.post(`/booking/${key}`, { intent: 'cancel' }),
        await stranger.get(`/answer/${key}`),
        await stranger.post(`/answer/${key}`, { accepted: 'true' }),
        await stranger.api('GET', `/api/Public/Booking?key=${key}`),
        await stranger.api('PUT', `/api/Public/CancelBooking?key=${key}`),
        await stranger.api('PUT', `/api/Public/MoveBooking?key=${key}&to=${slots[2]?.id}`),
      ];
      expect([key, asked.map(({ status }) => status)]).toEqual([key, Array(asked.length).fill(404)]);
    }
    // A key of a booking is none of an answer, and names no other booking.
    expect((await stranger.get(`/answer/${keyOf(theirs)}`)).status).toBe(404);
    await stranger.post(theirs.path, { intent: 'cancel', id: slots[0]?.id ?? '', key: keyOf(mine) });
    expect((await stranger.visit(mine.path)).words).toContain('Booked for Mine.');
    expect((await stranger.visit(theirs.path)).words).toContain('This appointment is canceled.');
    expect((await look(ana, slots[0] as Row)).json).toMatchObject({ status: 1 });
  });
});
