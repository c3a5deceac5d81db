import { describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import { book, dayAhead, isoAhead, look, type Person, peopleAt, type Row } from '../../support/factories';
import { everyDay } from '../../support/plain-hours';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* A provider goes on holiday from the day after tomorrow on, for three days, and people are booked in it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const save = 'main button[name=press][value=save]';
const cancelThem = 'main button[name=press][value=cancel]';
const holiday = { 'off-date': [isoAhead(2)], 'off-to': [isoAhead(4)] };

/** A provider with two times a day, and a client who has both on the first day of the holiday and one before. */
async function bookedInHoliday() {
  const [host, maya] = await Promise.all([newProvider(), newConsumer()]);
  await host.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '10:00'), ahead: 6 });
  const slotsOn = async (days: number) => (await openSlotsOf(maya, host, { dates: dayAhead(days) })) as Row[];
  const [before] = (await slotsOn(1)) as [Row];
  const inside = await slotsOn(2);
  for (const slot of [before, ...inside]) await book(maya, slot);
  return { host, maya, before, inside };
}
const closeDays = async (host: Person): Promise<Page> => (await host.browser.visit('/hours')).submit(save, holiday);
const statusOf = async (who: Person, { id }: Row) => ((await look(who, { id })).json as Row).status;

describe('a holiday that is saved', () => {
  test('names who is booked in it', async () => {
    const { host, inside } = await bookedInHoliday();

    const saved = await closeDays(host);

    expect(saved.words).toContain('2 appointments outside of them stay booked');
    for (const { id } of inside) expect(saved.$(`main a[href="/view-provider/${id}"]`)).not.toBeNull();
  });

  test('says nothing of who is booked on other days', async () => {
    const { host, before } = await bookedInHoliday();

    const saved = await closeDays(host);

    expect(saved.$(`main a[href="/view-provider/${before.id}"]`)).toBeNull();
  });

  test('cancels nobody by itself', async () => {
    const { host } = await bookedInHoliday();

    await closeDays(host);

    expect(await agenda(host)).toHaveLength(3);
  });
});

describe('one press cancels all who are booked in a holiday', () => {
  test('once it is saved', async () => {
    const { host, maya, before, inside } = await bookedInHoliday();

    const done = await (await closeDays(host)).submit(cancelThem, { reason: 'We are away' });

    expect(done.words).toContain('2 appointments canceled.');
    for (const slot of inside) expect(await statusOf(maya, slot)).toBe(2);
    expect(await statusOf(maya, before)).toBe(1);
  });

  test('while it is saved', async () => {
    const { host, maya } = await bookedInHoliday();
    const preview = await (await host.browser.visit('/hours')).submit('Show what changes', holiday);

    const done = await preview.submit(cancelThem);

    expect(done.words).toContain('2 appointments canceled.');
    expect(await openSlotsOf(maya, host, { dates: dayAhead(3) })).toEqual([]);
  });

  test('and tells each of them why', async () => {
    const { host, maya } = await bookedInHoliday();

    await (await closeDays(host)).submit(cancelThem, { reason: 'We are away' });

    const told = (await newsOf(maya)).filter(({ text }) => text.includes('We are away'));
    expect(told).toHaveLength(2);
  });

  test('but nobody whom the page did not list', async () => {
    const { host, maya } = await bookedInHoliday();
    const saved = await closeDays(host);
    await host.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '10:00'), ahead: 6 });
    const [late] = (await openSlotsOf(maya, host, { dates: dayAhead(3) })) as [Row];
    await book(maya, late);

    await saved.submit(cancelThem);

    expect(await statusOf(maya, late)).toBe(1);
  });

  test('and nobody whom hours have taken in again', async () => {
    const { host, maya, inside } = await bookedInHoliday();
    const saved = await closeDays(host);

    await saved.submit(cancelThem, { 'off-date': [''], 'off-to': [''] });

    for (const slot of inside) expect(await statusOf(maya, slot)).toBe(1);
  });

  test('and says so twice where it is sent twice', async () => {
    const { host } = await bookedInHoliday();
    const saved = await closeDays(host);

    for (const done of [await saved.submit(cancelThem), await saved.submit(cancelThem)])
      expect(done.path).toMatch(/canceled=2/);
  });

  test('and its times are free again once it is taken back', async () => {
    const { host, maya } = await bookedInHoliday();
    await (await closeDays(host)).submit(cancelThem);

    await host.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '10:00'), ahead: 6 });

    expect(await openSlotsOf(maya, host, { dates: dayAhead(2) })).toHaveLength(2);
  });
});

describe('next week is canceled by two presses', () => {
  /** A provider, and a client who has one time in each of the next sixteen days. */
  async function bookedDaily() {
    const [host, maya] = await Promise.all([newProvider(), newConsumer()]);
    await host.api('PUT', '/api/Appointment/SetHours', { hours: everyDay('09:00', '09:30'), ahead: 17 });
    const slots = await Promise.all(
      Array.from({ length: 16 }, (_, later) => openSlotsOf(maya, host, { dates: dayAhead(later + 1) })),
    );
    for (const [slot] of slots as Row[][]) await book(maya, slot as Row);
    return host;
  }

  test.each<[where: string, preview: (host: Person) => Promise<Page>]>([
    ['Today', async ({ browser }) => (await browser.visit('/')).click('Away next week')],
    ['Hours', async ({ browser }) => (await browser.visit('/hours')).submit('Away next week')],
  ])('from %s', async (_, preview) => {
    const host = await bookedDaily();

    const done = await (await preview(host)).submit('Save, and cancel these 7 appointments');

    expect(done.words).toContain('7 appointments canceled.');
    expect(await agenda(host)).toHaveLength(9);
  });

  test('as one day is from its sheet', async () => {
    const host = await bookedDaily();
    const preview = await (await host.browser.visit(`/day?date=${dayAhead(3)}`)).click('Away this day');

    const done = await preview.submit('Save, and cancel this appointment');

    expect(done.words).toContain('1 appointment canceled.');
    expect(await agenda(host)).toHaveLength(15);
  });

  test('but nobody who is booked outside of hours in another week', async () => {
    const host = await bookedDaily();
    const squeezedIn = { date: dayAhead(16), start: '12:00', minutes: 30, displayName: 'Zoë Martins', over: true };
    await host.api('POST', '/api/Appointment/BookFor', squeezedIn);
    const preview = await host.browser.visit('/hours?away=week');

    await preview.submit('Save, and cancel these 7 appointments');

    expect(await agenda(host)).toHaveLength(10);
  });

  test('and the first only shows what changes', async () => {
    const host = await bookedDaily();

    const preview = await host.browser.visit('/hours?away=week');

    expect(preview.words).toContain('7 bookings stay');
    expect(await agenda(host)).toHaveLength(16);
  });
});
