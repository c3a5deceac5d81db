import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import {
  book,
  dayAhead,
  type Person,
  publish,
  type Row,
  registerConsumer,
  registerProvider,
} from '../support/factories';
import { createParty } from '../support/party-factories';
import { idOf, writeTemplate } from '../support/template-factories';
import { useServer } from '../support/use-server';
import { browsersAt, desk, follow, pathOf, phone, see, takenOver } from './browser';

const served = useServer();
const { openShared } = browsersAt(served);

let provider: Person;
const from = dayAhead(5);
/** At almost the same time of one day. */
const atOnce = ['Breakfast', 'Open studio', 'A walk around the old harbour with all who have ever come'];
beforeAll(async () => {
  provider = await registerProvider(served);
  const consumer = await registerConsumer(served, { displayName: 'Maximiliane Berg' });
  const slots = (await publish(provider, { dates: [dayAhead(6), dayAhead(8)], end: '10:30' })) as Row[];
  await book(consumer, slots[1] as Row);
  await book(consumer, slots[4] as Row);
  await createParty(provider, { date: dayAhead(7), startTime: '18:00', endTime: '20:00' });
  await createParty(provider, { date: dayAhead(8), startTime: '09:15', endTime: '11:00', title: 'At once' });
  for (const [place, title] of atOnce.entries()) {
    await createParty(provider, { date: dayAhead(9), startTime: `09:${place}0`, endTime: '11:00', title });
  }
});

type Entry = { to: string | null; words: string; isWithin: boolean };

/** The entries that can be seen: where they lead, what is written in them, and whether that is within their box. */
const entriesOn = (page: Page): Promise<Entry[]> =>
  page.locator('.week-item').evaluateAll((links) =>
    links
      .filter((link) => link.checkVisibility())
      .map((link) => {
        const edges = (link.querySelector('rect') as Element).getBoundingClientRect();
        const spans = [...link.querySelectorAll('span')];
        const isWithin = spans.every((span) => {
          const { top, bottom, left, right } = span.getBoundingClientRect();
          const isHigh = top < edges.top - 1 || bottom > edges.bottom + 1;
          return !isHigh && left >= edges.left - 1 && right <= edges.right + 1;
        });
        const words = spans.map(({ textContent }) => textContent).join(' ');
        return { to: link.getAttribute('href'), words, isWithin };
      }),
  );

/** The entries of a phone, which draws one day after the other. */
async function entriesOfDays(): Promise<Entry[]> {
  const page = await openShared({ as: provider, viewport: phone });
  await page.goto(`/week?from=${from}`);
  const days = page.getByRole('navigation', { name: 'Days' }).getByRole('link');
  const entries: Entry[] = [];
  for (let place = 0; place < 7; place++) {
    await days.nth(place).press('Enter');
    await days.nth(place).and(page.locator('[aria-current]')).waitFor();
    entries.push(...(await entriesOn(page)));
  }
  return entries;
}

/** The entries of a desk, which draws the whole week. */
async function entriesOfWeek(): Promise<Entry[]> {
  const page = await openShared({ as: provider, viewport: desk });
  await page.goto(`/week?from=${from}`);
  return entriesOn(page);
}

/** Where the entries of the list lead that says the same. */
async function linksOfList(): Promise<(string | null)[]> {
  const page = await openShared({ as: provider, viewport: desk });
  await page.goto(`/week?from=${from}`);
  await follow(page, 'As a list');
  await see(page, 'As a picture');
  return page.locator('main li a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
}

test('a list of the week has all its entries', async () => {
  expect(await linksOfList()).toHaveLength(9);
});

test.each([
  ['phone', entriesOfDays],
  ['desk', entriesOfWeek],
])('on a %s a week is drawn in the order of its list', async (_, drawnEntries) => {
  const links = await linksOfList();

  const entries = await drawnEntries();

  expect(entries.map(({ to }) => to)).toEqual(links);
});

test.each([
  ['phone', entriesOfDays],
  ['desk', entriesOfWeek],
])('on a %s each entry of a week is written within its box', async (_, drawnEntries) => {
  const entries = await drawnEntries();

  expect(entries).not.toEqual([]);
  expect(entries.filter(({ isWithin }) => !isWithin)).toEqual([]);
});

test('an entry of a week names the client', async () => {
  const entries = await entriesOfDays();

  expect(entries[1]?.words).toContain('Maximiliane Berg');
});

test('three entries of a week at once are each written out', async () => {
  const entries = await entriesOfDays();

  expect(entries.slice(-3).map(({ words }) => words)).toEqual([
    '09:00 Breakfast',
    '09:10 Open studio',
    '09:20 A walk around the old harbour with all who have ever come',
  ]);
});

test('an entry of a week has a ring when the keyboard is on it', async () => {
  const page = await openShared({ as: provider });
  await page.goto(`/week?from=${from}`);
  await page.keyboard.press('Tab');

  const entry = page.locator('.week-item').filter({ visible: true }).first();
  await entry.focus();

  expect(
    await entry
      .locator('rect')
      .first()
      .evaluate((ring) => getComputedStyle(ring).strokeWidth),
  ).toBe('3px');
});

/** A zone in which it is noon. */
const noonZone = () => {
  const east = ((12 - new Date().getUTCHours() + 36) % 24) - 12;
  return east === 0 ? 'UTC' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
};

test.each([
  ['with scripts', true, ''],
  ['without scripts', false, '#now'],
])('on a phone now stands below the header %s', async (_, script, anchor) => {
  const timeZone = noonZone();
  const host = await registerProvider(served, { timeZone });
  await createParty(host, { date: dayAhead(1, timeZone), startTime: '22:00', endTime: '23:30', timeZone });
  const page = await openShared({ as: host, viewport: phone, script });
  const headEnd = () => page.locator('header').evaluate((header) => header.getBoundingClientRect().bottom);
  const nowTop = () => page.locator('line.week-now').evaluate((line) => line.getBoundingClientRect().top);

  await page.goto(`/week?from=${dayAhead(0, timeZone)}${anchor}`);

  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(0);
  expect(await nowTop()).toBeGreaterThanOrEqual((await headEnd()) - 1);
  expect(await nowTop()).toBeLessThan(phone.height / 2);
});

test('a booking can be dragged onto each time of a free block', async () => {
  const host = await registerProvider(served);
  const slots = (await publish(host, { dates: [dayAhead(6)], end: '11:00' })) as Row[];
  const [first, , , last] = slots as [Row, Row, Row, Row];
  await book(await registerConsumer(served), first);
  const page = await openShared({ as: host });
  await page.goto(`/week?from=${from}`);
  await takenOver(page);

  await page.locator(`[data-booking="${first.id}"]`).hover();
  await page.mouse.down();
  const { x, y, width, height } = (await page.locator(`[data-free="${last.id}"]`).boundingBox()) ?? expect.fail();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
  await page.mouse.up();

  await see(page, 'Move it');
  expect(pathOf(page)).toContain(last.id);
});

type Format = 'A4' | 'Letter';

/** How many sheets a page takes, and whether they lie. Chromium writes both into its files as plain text. */
const sheetsOf = async (page: Page, format: Format) => {
  const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1');
  const [, width, height] = pdf.match(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/) ?? [];
  return { count: pdf.match(/\/Type \/Page\b/g)?.length, isLying: Number(width) > Number(height) };
};

test('on paper a week is one sheet that lies, however long its hours and short its appointments are', async () => {
  const busy = await registerProvider(served);
  await publish(busy, { end: '12:00', dates: [dayAhead(2), dayAhead(3)] }, 'len=5');
  await publish(busy, { start: '00:00', end: '00:00', dates: [dayAhead(4), dayAhead(5)] }, 'len=15');
  const page = await openShared({ as: busy });

  await page.goto(`/week?from=${dayAhead(1)}`);

  expect(await sheetsOf(page, 'A4')).toEqual({ count: 1, isLying: true });
});

/** The sheet of a day of twenty appointments, each with an answer, some of them long. */
async function sheetOfTwenty(): Promise<Page> {
  const doctor = await registerProvider(served);
  const ana = await registerConsumer(served, { displayName: 'Ana Costa' });
  const question = 'What happened, and when did it begin?';
  const template = idOf(await writeTemplate(doctor, [{ questionText: question, questionType: 2 }], 'Before'));
  const slots = await publish(doctor, { end: '19:00', dates: [dayAhead(1)] }, `templateId=${template}`);
  for (const [place, { id }] of slots.entries()) {
    const answer = place % 5 ? 'A cold.' : 'It began in the garden, on a stair. '.repeat(5);
    await ana.api('PUT', `/api/Appointment/Book?id=${id}`, [{ question, answer }]);
  }
  const page = await openShared({ as: doctor, viewport: { width: 688, height: 1016 } });
  await page.goto(`/day?date=${dayAhead(1)}`);
  expect(await page.locator('.sheet tbody tr:not(.walk-in)').count()).toBe(20);
  return page;
}

test.each<Format>(['A4', 'Letter'])('on paper a day of twenty appointments is one sheet of %s', async (format) => {
  const page = await sheetOfTwenty();

  expect((await sheetsOf(page, format)).count).toBe(1);
});

test('on paper the long answers of a full day are not cut', async () => {
  const page = await sheetOfTwenty();

  await page.emulateMedia({ media: 'print' });

  const isCut = await page
    .locator('.said')
    .evaluateAll((texts) => texts.map((text) => text.scrollHeight > text.clientHeight + 1));
  expect(isCut).toContain(false);
  expect(isCut).not.toContain(true);
});

test('the sheet of a day is printed by its button', async () => {
  const page = await openShared({ as: provider });
  await page.goto('/day');
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });

  await page.getByRole('button', { name: 'Print the sheet' }).click();

  expect(await page.locator('body[data-printed]').count()).toBe(1);
});

/** A week with a booking, which the mouse can drag by so many pixels or onto the first free time. */
async function weekToDrag() {
  const page = await openShared({ as: provider });
  await page.goto(`/week?from=${from}`);
  await takenOver(page);
  const middleOf = async (name: RegExp) => {
    const box = await page.getByRole('link', { name }).first().boundingBox();
    if (!box) throw new Error(`No link is named ${name}.`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const booking = await middleOf(/Maximiliane Berg/);
  const free = await middleOf(/^Free 10:00/);
  const dragTo = async ({ x, y }: { x: number; y: number }) => {
    await page.mouse.move(booking.x, booking.y);
    await page.mouse.down();
    await page.mouse.move(x, y, { steps: 5 });
    await page.mouse.up();
  };
  return { page, booking, free, dragTo };
}

test('a booking that is dragged onto a free time with the mouse is asked about', async () => {
  const { page, free, dragTo } = await weekToDrag();

  await dragTo(free);

  await see(page, 'Move it');
  expect(pathOf(page)).toMatch(/^\/move\/.+\/.+/);
});

test('a booking that is dragged onto nothing stays in the week', async () => {
  const { page, booking, dragTo } = await weekToDrag();

  await dragTo({ x: booking.x, y: booking.y - 400 });

  expect(pathOf(page)).toMatch(/^\/week/);
});
