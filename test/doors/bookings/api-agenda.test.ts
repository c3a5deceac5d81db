import { beforeAll, describe, expect, test } from 'vitest';
import { ask, hasMore, idsOf } from '../../support/appointment-calls';
import { book, cancel, type Person, peopleAt, publish, rowsOf, writeSlot } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

describe('the lists of one’s own', () => {
  let ana: Person;
  let reader: Person;
  let june: Person;
  let slots: Record<'longAgo' | 'yesterday' | 'now' | 'unsold' | 'next' | 'after' | 'gone' | 'open', string>;

  beforeAll(async () => {
    [ana, reader, june] = await Promise.all([newProvider(), newConsumer(), newConsumer()]);
    const write = async (startsIn: number, booker?: Person, length?: number) =>
      (await writeSlot(daybook.d1, ana, { startsIn, booker, length })).id;
    slots = {
      longAgo: await write(-4000, reader),
      yesterday: await write(-1500, reader),
      now: await write(-90, reader, 120),
      unsold: await write(-3000),
      next: await write(3000, reader),
      after: await write(3100, june),
      gone: await write(3200, reader),
      open: await write(3300),
    };
    await cancel(ana, { id: slots.gone });
  });

  const list = async (who: Person, call: string, query = {}) => idsOf(rowsOf(await ask(who, call, query)));

  test('GetBooked has what is booked and has not ended, by start', async () => {
    expect(await list(reader, 'GetBooked')).toEqual([slots.now, slots.next]);
    expect(await list(ana, 'GetBooked')).toEqual([slots.now, slots.next, slots.after]);
  });

  test('GetDash has what was canceled as well', async () => {
    expect(await list(reader, 'GetDash')).toEqual([slots.now, slots.next, slots.gone]);
    expect(await list(ana, 'GetDash')).toEqual([slots.now, slots.next, slots.after, slots.gone]);
  });

  test('with past=true they have what has ended, the newest first', async () => {
    for (const call of ['GetBooked', 'GetDash']) {
      for (const who of [reader, ana]) {
        expect(await list(who, call, { past: 'true' })).toEqual([slots.yesterday, slots.longAgo]);
      }
    }
    expect(await list(reader, 'GetBooked', { past: 'false' })).toEqual([slots.now, slots.next]);
  });

  test('are paged', async () => {
    const [rui, guest] = await Promise.all([newProvider(), newConsumer()]);
    const first = await publish(rui, { end: '10:45' }, 'len=5'); // 21 slots
    const rest = rowsOf(await ask(guest, 'GetPage', { provider: rui.username, page: '1' }));
    await Promise.all([...first, ...rest].map((slot) => book(guest, slot)));
    for (const who of [rui, guest]) {
      for (const call of ['GetBooked', 'GetDash']) {
        const pages = await Promise.all(['0', '1', '2'].map((page) => ask(who, call, { page })));
        expect(pages.map((page) => [rowsOf(page).length, hasMore(page)])).toEqual([
          [20, 'true'],
          [1, 'false'],
          [0, 'false'],
        ]);
        expect(pages.flatMap((page) => idsOf(rowsOf(page)))).toEqual(idsOf([...first, ...rest]));
      }
    }
  });

  test('are empty for somebody new', async () => {
    for (const who of await Promise.all([newConsumer(), newProvider()])) {
      for (const call of ['GetBooked', 'GetDash'])
        expect(await ask(who, call)).toMatchObject({ status: 200, json: [] });
    }
  });
});
