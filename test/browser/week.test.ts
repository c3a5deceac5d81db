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

/** The entries that can be seen: where they lead, what is written in them, and whether that is within their box. */
const entriesOf = (page: Page) =>
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
        const said = spans.map(({ textContent }) => textContent).join(' ');
        return { to: link.getAttribute('href'), said, isWithin };
      }),
  );

test('a week is drawn day by day on a phone and whole on a desk, each entry within its box, three at once too, in the order of its list', async () => {
  const page = await keepOpen({ as: provider, viewport: phone });
  await page.goto(`/week?from=${from}`);
  const days = page.getByRole('navigation', { name: 'Days' }).getByRole('link');
  const ofDays = [];
  for (let place = 0; place < 7; place++) {
    await days.nth(place).press('Enter');
    await days.nth(place).and(page.locator('[aria-current]')).waitFor();
    ofDays.push(...(await entriesOf(page)));
  }
  await page.setViewportSize(desk);
  await page.keyboard.press('Tab');
  const entry = page.locator('.week-item').filter({ visible: true }).first();
  await entry.focus();
  expect(await entry.locator('rect').evaluate((ring) => getComputedStyle(ring).strokeWidth)).toBe('3px');
  const entries = await entriesOf(page);
  expect([...ofDays, ...entries].filter(({ isWithin }) => !isWithin)).toEqual([]);
  const said = ofDays.map(({ said }) => said);
  expect(said[1]).toContain('Maximiliane Berg');
  expect(said.slice(-3)).toEqual(atOnce.map((title, place) => `09:${place}0 ${title}`));
  await follow(page, 'As a list');
  await see(page, 'As a picture');
  const list = await page.locator('main li a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  for (const drawn of [ofDays, entries]) expect(drawn.map(({ to }) => to)).toEqual(list);
  expect(list).toHaveLength(9);
});

/** How many sheets a page takes. Chromium writes that into its files as plain text. */
const sheetsOf = async (page: Page, format: 'A4' | 'Letter') => {
  const pdf = (await page.pdf({ format, preferCSSPageSize: true })).toString('latin1');
  const [, width, height] = pdf.match(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/) ?? [];
  return { count: pdf.match(/\/Type \/Page\b/g)?.length, isLying: Number(width) > Number(height) };
};

test('on paper a week is one sheet that lies, however long its hours and short its appointments are', async () => {
  const busy = await registerProvider(served);
  await publish(busy, { end: '12:00', dates: [dayAhead(2), dayAhead(3)] }, 'len=5');
  await publish(busy, { start: '00:00', end: '00:00', dates: [dayAhead(4), dayAhead(5)] }, 'len=15');
  const page = await keepOpen({ as: busy });
  await page.goto(`/week?from=${dayAhead(1)}`);
  expect(await sheetsOf(page, 'A4')).toEqual({ count: 1, isLying: true });
});

test('on paper a day of twenty appointments is one sheet, of whose answers, some of them long, nothing is cut', async () => {
  const doctor = await registerProvider(served);
  const ana = await registerConsumer(served, { displayName: 'Ana Costa' });
  const question = 'What happened, and when did it begin?';
  const template = idOf(await writeTemplate(doctor, [{ questionText: question, questionType: 2 }], 'Before'));
  const slots = await publish(doctor, { end: '19:00', dates: [dayAhead(1)] }, `templateId=${template}`);
  for (const [place, { id }] of slots.entries()) {
    const answer = place % 5 ? 'A cold.' : 'It began in the garden, on a stair. '.repeat(5);
    await ana.api('PUT', `/api/Appointment/Book?id=${id}`, [{ question, answer }]);
  }
  const page = await keepOpen({ as: doctor, viewport: { width: 688, height: 1016 } });
  await page.goto(`/day?date=${dayAhead(1)}`);
  expect(await page.locator('.sheet tbody tr:not(.walk-in)').count()).toBe(20);
  for (const format of ['A4', 'Letter'] as const) expect((await sheetsOf(page, format)).count).toBe(1);
  await page.emulateMedia({ media: 'print' });
  const isCut = await page
    .locator('.said')
    .evaluateAll((texts) => texts.some((text) => text.scrollHeight > text.clientHeight + 1));
  expect(isCut).toBe(false);
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
  expect(pathOf(page)).toMatch(/^\/week/);
  await drag(...free);
  await see(page, 'Move it');
  expect(pathOf(page)).toMatch(/^\/move\/.+\/.+/);
});
