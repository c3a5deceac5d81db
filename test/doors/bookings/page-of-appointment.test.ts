import { expect, test } from 'vitest';
import { mark } from '../../support/appointment-calls';
import { book, cancel, type Person, peopleAt, publishOne, type Row, writeSlot } from '../../support/factories';
import { words } from '../../support/forms';
import { newGuest } from '../../support/guests';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* One appointment on a page of its own: what is read at once, what is folded, and what can be done with it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: { displayName: 'Maya Ek' } });

/** A host who is next to one appointment, and the pages that show it. */
async function withBooking(booker: Person = maya) {
  const host = await newProvider({ displayName: 'Ines Duarte' });
  const slot = await publishOne(host);
  const { id, link } = (await book(booker, slot)).json as Row;
  return { host, slot, id, link };
}
/** The words of the main buttons of a page, and of its quiet actions. */
const mainOn = (page: Page) => page.$$('main .bg-accent').map(({ text }) => words(text));
const actionsOn = (page: Page) => page.$$('.acts > .act, .acts > .ends').map(({ text }) => words(text));

test('the time of an appointment stands once, and its parts are folded', async () => {
  const { host, slot, id, link } = await withBooking(await newGuest(daybook));

  const pages = [
    await host.browser.get(`/view-provider/${id}`),
    await host.browser.get(`/details-provider/${id}`),
    await daybook.visitor().get(link ?? ''),
  ];

  for (const page of pages) {
    const details = page.$$('details').find(({ text }) => text.startsWith('All details'));
    expect(words(details?.structuredText)).toMatch(
      /^All details Provider Ines Duarte.* Start 09:00 End 09:30 Date \w+, \d+ \w+ \d{4} Time zone UTC$/,
    );
    expect(details?.hasAttribute('open')).toBe(false);
    details?.remove();
    expect(page.$$('main time').map(({ text }) => text)).toEqual(['09:00', '09:30']);
  }
  expect(slot.startTime).toBe('09:00');
});

test("a provider does not read their own name at once on an appointment's page", async () => {
  const { host, id } = await withBooking();

  const page = await host.browser.get(`/view-provider/${id}`);
  for (const details of page.$$('main details')) details.remove();

  expect(words(page.$('main')?.structuredText)).toContain('Maya Ek');
  expect(words(page.$('main')?.structuredText)).not.toContain('Ines Duarte');
});

test('no username is shown to a guest', async () => {
  const guest = await newGuest(daybook);
  const { host, slot, id, link } = await withBooking(guest);
  const free = await publishOne(host, { start: '11:00', end: '11:30' });

  const pages = [
    await daybook.visitor().get(link ?? ''),
    await guest.browser.get(`/details-cancel/${id}`),
    await guest.browser.get(`/details/${free.id}`),
    await daybook.visitor().get(`/with/${host.username}/${free.id}`),
  ];

  for (const page of pages) {
    expect(page.status).toBe(200);
    expect(page.words).toContain('Ines Duarte');
    expect(page.words).not.toContain(`(${host.username})`);
  }
  expect(slot.provider).toBe(host.username);
});

test('before it begins, the main thing is to move it, and to cancel it stands last', async () => {
  const { host, id } = await withBooking();

  for (const page of [
    await host.browser.get(`/view-provider/${id}`),
    await maya.browser.get(`/details-cancel/${id}`),
  ]) {
    expect(mainOn(page)[0]).toBe('Move');
    expect(actionsOn(page)).toEqual(['The same time again', 'Add to calendar', 'Cancel Appointment']);
    expect(words(page.$('.ends')?.text)).toBe('Cancel Appointment');
  }
});

test('once it has begun, the main thing is who came', async () => {
  const host = await newProvider();
  const slot = await writeSlot(daybook.d1, host, { startsIn: -60, booker: maya });

  const page = await host.browser.get(`/view-provider/${slot.id}`);

  expect(mainOn(page)).toEqual(['Came']);
  expect(actionsOn(page)).toEqual(['The same time again', 'Add to calendar']);
});

/** A class of three that began an hour ago, with Maya in it: nobody can publish or book one that has begun. */
async function pastClass(host: Person) {
  const slot = await writeSlot(daybook.d1, host, { startsIn: -60 });
  await daybook.d1.prepare('UPDATE slots SET seats = 3 WHERE id = ?').bind(slot.id).run();
  await daybook.d1
    .prepare(
      `INSERT INTO bookings (provider_id, starts_at, id, ends_at, taken_until, local_date, time_zone, city, notes, slot_id,
         status, booker_id, booker_name, person_id, booked_at)
       SELECT slots.provider_id, starts_at, substr(slots.id, 1, length(slots.id) - 12) || 'abcdefabcdef', ends_at, ends_at,
         local_date, slots.time_zone, slots.city, notes, slots.id, 1, maya.id, maya.display_name, maya.id, starts_at - 1
       FROM slots, accounts AS maya WHERE slots.id = ? AND maya.username = ?`,
    )
    .bind(slot.id, maya.username)
    .run();
  return slot;
}

test('once a class has begun, the main thing is who came to it', async () => {
  const host = await newProvider();
  const slot = await pastClass(host);

  const page = await host.browser.get(`/details-provider/${slot.id}`);

  expect(mainOn(page)).toEqual(['Mark who came']);
  expect((await page.click('Mark who came')).words).toContain(maya.displayName);
});

test('the mark that stands is the button that stands out', async () => {
  const host = await newProvider();
  const slot = await writeSlot(daybook.d1, host, { startsIn: -60, booker: maya });

  await mark(host, slot, 'missed');

  expect(mainOn(await host.browser.get(`/view-provider/${slot.id}`))).toEqual([expect.stringContaining('Missed')]);
});

test('a canceled appointment can only leave the calendar', async () => {
  const { host, id } = await withBooking();
  await cancel(host, { id });

  const page = await host.browser.get(`/view-provider/${id}`);

  expect(mainOn(page)).toEqual([]);
  expect(actionsOn(page)).toEqual(['Remove from calendar']);
});

test('whoever left a number is called or texted beside their name', async () => {
  const host = await newProvider();
  const slot = await publishOne(host);
  await host.api('PUT', '/api/Account/SetRules', { askPhone: 'optional' });
  await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}&phone=${encodeURIComponent('+351 912 345 678')}`);

  const page = await host.browser.get(`/view-provider/${slot.id}`);

  expect(page.$$('.round').map((link) => [words(link.text), link.getAttribute('href')])).toEqual([
    ['Call Maya Ek', 'tel:+351912345678'],
    ['Text Maya Ek', expect.stringMatching(/^sms:\+351912345678\?/)],
  ]);
});

test('somebody of whom nothing is marked has no visits yet', async () => {
  const client = await newConsumer();
  const { host, id } = await withBooking(client);

  expect((await host.browser.get(`/view-provider/${id}`)).words).toContain('Visits None yet');
});
