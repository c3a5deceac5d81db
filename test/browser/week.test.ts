import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
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
import { browsersAt, desk, follow, phone, see, takenOver } from './browser';
import { pagesOf } from './paper';

const served = useServer();
const { keepOpen } = browsersAt(served);

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

/** What Tab stops at in the picture, in order: where it leads, and how the ring around it looks. */
async function walk(page: Page): Promise<{ to: string | null; ring: string }[]> {
  const stops = [];
  await page.getByRole('link', { name: 'In your own calendar' }).focus();
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!focused || focused === document.body) return null;
      const box = focused.querySelector('rect');
      const { top, bottom } = focused.getBoundingClientRect();
      const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
      const isSeen = top < innerHeight && bottom > header;
      return {
        to: focused.getAttribute('href'),
        ring: isSeen && box ? getComputedStyle(box).strokeWidth : 'not seen',
        isItem: !!box,
      };
    });
    if (!stop) break;
    if (stop.isItem) stops.push({ to: stop.to, ring: stop.ring });
  }
  return stops;
}

const hrefsOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((links) => links.filter((link) => link.checkVisibility()).map((link) => link.getAttribute('href')));

test('a week by keyboard stops at each entry in the order of time, with a ring, and is a list by one switch', async () => {
  const page = await keepOpen({ as: provider });
  await page.goto(`/week?from=${from}`);
  const stops = await walk(page);
  expect(stops).toHaveLength(9);
  expect(new Set(stops.map(({ ring }) => ring))).toEqual(new Set(['3px']));
  await page.getByRole('link', { name: 'As a list' }).focus();
  await page.keyboard.press('Enter');
  await see(page, 'As a picture');
  expect(await hrefsOf(page, 'main li a')).toEqual(stops.map(({ to }) => to));
});

test('on a phone the days are shown one by one, each by a link of the strip, and by keyboard', async () => {
  const page = await keepOpen({ as: provider, viewport: phone });
  await page.goto(`/week?from=${from}`);
  const found = [];
  const days = page.getByRole('navigation', { name: 'Days' }).getByRole('link');
  for (let place = 0; place < 7; place++) {
    await days.nth(place).focus();
    await page.keyboard.press('Enter');
    await days.nth(place).and(page.locator('[aria-current]')).waitFor();
    const shown = await hrefsOf(page, '.week-item');
    // The day with three at once.
    if (place === 4) expect((await walk(page)).map(({ to }) => to)).toEqual(shown);
    found.push(...shown);
  }
  expect(found).toHaveLength(9);
  await follow(page, 'As a list');
  await see(page, 'As a picture');
  expect(found).toEqual(await hrefsOf(page, 'main li a'));
});

/** The entries that can be seen, with what is written in them, and whether that is higher or wider than their box. */
const entriesOf = (page: Page) =>
  page.locator('.week-item').evaluateAll((links) =>
    links
      .filter((link) => link.checkVisibility())
      .map((link) => {
        const edges = (link.querySelector('rect') as Element).getBoundingClientRect();
        const spans = [...link.querySelectorAll('span')];
        return {
          label: link.getAttribute('aria-label') ?? '',
          title: link.querySelector('title')?.textContent,
          said: spans.map(({ textContent }) => textContent),
          isHigh: spans.some((span) => {
            const { top, bottom } = span.getBoundingClientRect();
            return top < edges.top - 1 || bottom > edges.bottom + 1;
          }),
          isWide: spans.some((span) => {
            const { left, right } = span.getBoundingClientRect();
            return left < edges.left - 1 || right > edges.right + 1;
          }),
        };
      }),
  );

test('each entry of a week has its time and its name within its box, three at once too, on a phone, a desk and paper', async () => {
  const page = await keepOpen({ as: provider });
  const sheet = { width: 1016, height: 688 };
  for (const [day, viewport, media, count] of [
    [6, desk, 'screen', 9],
    [6, sheet, 'print', 9],
    [6, phone, 'screen', 3],
    [9, phone, 'screen', 3],
  ] as const) {
    await page.setViewportSize(viewport);
    await page.goto(`/week?from=${from}&day=${dayAhead(day)}`);
    await page.emulateMedia({ media });
    const entries = await entriesOf(page);
    const look = `${day} at ${viewport.width} px on ${media}`;
    // On paper a name that is wider than its box ends in dots,
    const isCut = ({ isHigh, isWide }: (typeof entries)[number]) => isHigh || (isWide && media === 'screen');
    const cut = entries.filter(isCut).map(({ label }) => label);
    // and so does the longest of three at once, which has more lines than there is room for.
    const mayBeCut = media === 'print' ? [`09:20 ${atOnce[2]}, to 11:00, Party`] : [];
    expect([look, entries.length, cut]).toEqual([look, count, mayBeCut]);
    if (day === 6) expect(entries[1]?.said.join(' ')).toContain('Maximiliane Berg');
    if (viewport === phone && day === 6) continue;
    expect(entries.slice(-3).map(({ isHigh: _, ...entry }) => entry)).toEqual(
      atOnce.map((title, place) => {
        const label = `09:${place}0 ${title}, to 11:00, Party`;
        return { label, title: label, said: [`09:${place}0`, title], isWide: false };
      }),
    );
  }
  await page.setViewportSize(desk);
  await page.emulateMedia({ media: 'screen' });
});

test('on a phone a day with appointments is read without sliding', async () => {
  const page = await keepOpen({ as: provider, viewport: phone });
  await page.goto(`/day?date=${dayAhead(6)}`);
  const [needed, there] = await page
    .getByRole('region', { name: 'The sheet' })
    .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
  expect(needed).toBeLessThanOrEqual(there ?? 0);
  const columns = await page
    .locator('.sheet thead th, .sheet td:nth-child(2)')
    .evaluateAll((cells) => cells.map((cell) => cell.scrollWidth <= cell.clientWidth));
  expect([columns.length > 4, columns.includes(false)]).toEqual([true, false]);
});

test('a day of nothing says so without an empty table, which is there on paper for whoever walks in', async () => {
  const page = await keepOpen({ as: provider });
  await page.goto(`/day?date=${dayAhead(20)}`);
  await see(page, 'No appointments on this day');
  expect(await page.getByText('0 appointments').count()).toBe(0);
  expect(await page.locator('.sheet table').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.sheet .walk-in').first().isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
});

describe('on paper', () => {
  test('a week is one sheet that lies, however long its hours and short its appointments are', async () => {
    const busy = await registerProvider(served);
    const create = (len: number, start: string, end: string, days: number[]) =>
      busy.api('POST', `/api/Appointment/CreateAppointment?len=${len}`, {
        start,
        end,
        dates: days.map((day) => dayAhead(day)),
      });
    await create(5, '09:00', '12:00', [2, 3]);
    await create(15, '00:00', '00:00', [4, 5]);
    const page = await keepOpen({ as: busy });
    await page.goto(`/week?from=${dayAhead(1)}`);
    const { count, sizes } = await pagesOf(page, { format: 'A4' });
    expect([count, sizes[0]]).toEqual([1, expect.stringMatching(/^84[23]x59[56]$/)]);
  });

  test('a day of twenty appointments is one sheet: of some long answers nothing is cut, and all may be long and have notes', async () => {
    const doctor = await registerProvider(served);
    const ana = await registerConsumer(served, { displayName: 'Ana Costa' });
    const hubert = await registerConsumer(served, { displayName: 'Hubert Blaine Wolfeschlegelsteinhausen' });
    const question = 'What happened, and when did it begin?';
    const template = idOf(await writeTemplate(doctor, [{ questionText: question, questionType: 2 }], 'Before'));
    const dates = [dayAhead(1), dayAhead(2)];
    const publishOn = (date: string) => publish(doctor, { end: '19:00', dates: [date] }, `templateId=${template}`);
    const slots = [...(await publishOn(dayAhead(1))), ...(await publishOn(dayAhead(2)))] as Row[];
    for (const [place, { id }] of slots.entries()) {
      const isSecondDay = place >= 20;
      const told = 'It began in the garden, on a stair. ';
      const answer = isSecondDay ? told.repeat(8) : place % 5 ? 'A cold.' : told.repeat(5);
      await (isSecondDay ? hubert : ana).api('PUT', `/api/Appointment/Book?id=${id}`, [{ question, answer }]);
      if (!isSecondDay) continue;
      await doctor.api('PUT', `/api/Appointment/SetNote?id=${id}`, { note: 'Brings a dog that is afraid of lifts' });
    }
    const page = await keepOpen({ as: doctor, viewport: { width: 688, height: 1016 } });
    for (const date of dates) {
      await page.goto(`/day?date=${date}`);
      expect(await page.locator('.sheet tbody tr:not(.walk-in)').count()).toBe(20);
      for (const format of ['A4', 'Letter'] as const) expect((await pagesOf(page, { format })).count).toBe(1);
      if (date !== dates[0]) continue;
      await page.emulateMedia({ media: 'print' });
      const cut = await page
        .locator('.said')
        .evaluateAll((texts) => texts.filter((text) => text.scrollHeight > text.clientHeight + 1).length);
      expect(cut).toBe(0);
    }
  });
});

test('a booking is dragged onto a free time with the mouse, which asks whether to move it there', async () => {
  const page = await keepOpen({ as: provider });
  await page.goto(`/week?from=${from}`);
  const middleOf = async (name: RegExp) => {
    const box = await page.getByRole('link', { name }).first().boundingBox();
    if (!box) throw new Error(`No link is named ${name}.`);
    return [box.x + box.width / 2, box.y + box.height / 2] as [number, number];
  };
  await takenOver(page);
  const [booking, free] = [await middleOf(/Maximiliane Berg/), await middleOf(/^10:00 Free/)];
  const drag = async (...to: [x: number, y: number]) => {
    await page.mouse.move(...booking);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 5 });
    await page.mouse.up();
  };
  await drag(booking[0], booking[1] - 400);
  expect(new URL(page.url()).pathname).toBe('/week');
  await drag(...free);
  await see(page, 'Move it');
  expect(new URL(page.url()).pathname).toMatch(/^\/move\/.+\/.+/);
});
