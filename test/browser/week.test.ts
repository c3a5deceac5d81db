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
import { browsersAt, desk, follow, phone, press, see, takenOver } from './browser';
import { pagesOf } from './paper';

const served = useServer();
const { open } = browsersAt(served);

let provider: Person;
const from = dayAhead(5);
beforeAll(async () => {
  provider = await registerProvider(served);
  const consumer = await registerConsumer(served, { displayName: 'Maximiliane Berg' });
  const slots = (await publish(provider, { dates: [dayAhead(6), dayAhead(8)], end: '10:30' })) as Row[];
  await book(consumer, slots[1] as Row);
  await book(consumer, slots[4] as Row);
  await createParty(provider, { date: dayAhead(7), startTime: '18:00', endTime: '20:00' });
  await createParty(provider, { date: dayAhead(8), startTime: '09:15', endTime: '11:00', title: 'At once' });
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

const linksOfList = (page: Page) =>
  page.locator('main li a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));

describe('a week by keyboard', () => {
  test.each([
    ['off', false],
    ['on', true],
  ])(
    'with scripts %s stops at each entry in the order of time, with a ring, and is a list by one switch',
    async (_, script) => {
      const page = await open({ as: provider, script });
      await page.goto(`/week?from=${from}`);
      const stops = await walk(page);
      expect(stops).toHaveLength(6);
      expect(new Set(stops.map(({ ring }) => ring))).toEqual(new Set(['3px']));
      await page.getByRole('link', { name: 'As a list' }).focus();
      await page.keyboard.press('Enter');
      await see(page, 'As a picture');
      expect(await linksOfList(page)).toEqual(stops.map(({ to }) => to));
    },
  );

  test('on a phone shows the days one by one, and each by a link of the strip', async () => {
    const page = await open({ as: provider, viewport: phone });
    await page.goto(`/week?from=${from}`);
    const found = [];
    const days = page.getByRole('navigation', { name: 'Days' }).getByRole('link');
    for (let place = 0; place < 7; place++) {
      await days.nth(place).focus();
      await page.keyboard.press('Enter');
      await days.nth(place).and(page.locator('[aria-current]')).waitFor();
      found.push(...(await walk(page)).map(({ to }) => to));
    }
    await follow(page, 'As a list');
    await see(page, 'As a picture');
    expect(found).toEqual(await linksOfList(page));
  });
});

test.each([phone, desk])(
  'two taps book an open time of the week for someone, without script, at $width px',
  async (viewport) => {
    const host = await registerProvider(served);
    await publish(host, { dates: [dayAhead(6)] });
    const page = await open({ as: host, script: false, viewport });
    await page.goto(`/week?from=${from}&day=${dayAhead(6)}`);
    await follow(page, '09:00 Free, to 09:30');
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Book for them' }) });
    await form.getByLabel('Name').fill('Wanda');
    await press(page, 'Book for them');
    await see(page, 'Booked by');
    await page.goto(`/week?from=${from}&day=${dayAhead(6)}`);
    await page.getByRole('link', { name: '09:00 Wanda, to 09:30, Booked' }).waitFor();
  },
);

test.each([phone, desk])('a name of sixteen letters is read whole in half an hour, at $width px', async (viewport) => {
  const page = await open({ as: provider, viewport });
  await page.goto(`/week?from=${from}&day=${dayAhead(6)}`);
  const entry = page.getByRole('link', { name: 'Maximiliane Berg' }).first();
  const [edges, words] = await entry.evaluate((link) => {
    const boxOf = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return [boxOf(link.querySelector('rect') as Element), [...link.querySelectorAll('span')].map(boxOf)];
  });
  expect(words.length).toBeGreaterThan(0);
  for (const { left, right, top, bottom } of words) {
    expect([left >= edges.left, right <= edges.right, top >= edges.top - 1, bottom <= edges.bottom + 1]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  }
});

test.each([
  [phone, 'screen'],
  [desk, 'screen'],
  [desk, 'print'],
] as const)('three at once stand side by side, each to be read, at $0.width px on $1', async (viewport, media) => {
  const host = await registerProvider(served);
  const titles = ['Breakfast', 'Open studio', 'A walk around the old harbour with all who have ever come'];
  for (const [place, title] of titles.entries()) {
    await createParty(host, { date: dayAhead(6), startTime: `09:${place}0`, endTime: '11:00', title });
  }
  const page = await open({ as: host, viewport });
  await page.goto(`/week?from=${from}&day=${dayAhead(6)}`);
  await page.emulateMedia({ media });
  const entries = await page.locator('.week-item').evaluateAll((links) =>
    links.map((link) => {
      const edges = (link.querySelector('rect') as Element).getBoundingClientRect();
      const [time, name] = [...link.querySelectorAll('span')].map((span) => span.getBoundingClientRect());
      const isWithin = (box: DOMRect | undefined) =>
        !!box && box.left >= edges.left - 1 && box.right <= edges.right + 1 && box.bottom <= edges.bottom + 1;
      return {
        label: link.getAttribute('aria-label'),
        title: link.querySelector('title')?.textContent,
        said: [...link.querySelectorAll('span')].map(({ textContent }) => textContent),
        isTimeRead: isWithin(time),
        isNameRead: isWithin(name),
      };
    }),
  );
  const cut = entries.map(({ isNameRead }) => isNameRead);
  // The longest has more lines than there is room for on paper; they end in dots.
  expect(media === 'print' ? cut.slice(0, 2) : cut).not.toContain(false);
  expect(entries.map(({ isNameRead: _, ...entry }) => entry)).toEqual(
    titles.map((title, place) => {
      const label = `09:${place}0 ${title}, to 11:00, Party`;
      return { label, title: label, said: [`09:${place}0`, title], isTimeRead: true };
    }),
  );
});

test('on a phone a day with appointments is read without sliding', async () => {
  const page = await open({ as: provider, viewport: phone });
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
  const page = await open({ as: provider });
  await page.goto(`/day?date=${dayAhead(20)}`);
  await see(page, 'No appointments on this day');
  expect(await page.getByText('0 appointments').count()).toBe(0);
  expect(await page.locator('.sheet table').isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.sheet .walk-in').first().isVisible()).toBe(true);
});

describe('on paper', () => {
  test('what stands in the week can be read: each entry has its time and its name on one line', async () => {
    const page = await open({ as: provider, viewport: { width: 1016, height: 688 } });
    await page.goto(`/week?from=${from}`);
    await page.emulateMedia({ media: 'print' });
    const lines = await page.locator('.week-item svg').evaluateAll((boxes) =>
      boxes.map((box) => {
        const { top, bottom } = box.getBoundingClientRect();
        return [...box.querySelectorAll('span')].map((text) => {
          const words = text.getBoundingClientRect();
          return words.top >= top - 1 && words.bottom <= bottom + 1;
        });
      }),
    );
    expect(lines).toHaveLength(6);
    expect(lines.flat()).not.toContain(false);
  });

  test('a week is one sheet that lies, however long its hours and short its appointments are', async () => {
    const [short, long] = await Promise.all([registerProvider(served), registerProvider(served)]);
    const dates = [2, 3, 4].map((days) => dayAhead(days));
    await short.api('POST', '/api/Appointment/CreateAppointment?len=5', { start: '09:00', end: '12:00', dates });
    await long.api('POST', '/api/Appointment/CreateAppointment?len=15', { start: '00:00', end: '00:00', dates });
    for (const who of [provider, short, long]) {
      const page = await open({ as: who });
      await page.goto(`/week?from=${dayAhead(1)}`);
      const { count, sizes } = await pagesOf(page, { format: 'A4' });
      expect([who.username, count]).toEqual([who.username, 1]);
      expect(sizes[0]).toMatch(/^84[23]x59[56]$/);
    }
  });

  test('a day of twenty appointments of which some are told at length cuts nothing, on one sheet', async () => {
    const doctor = await registerProvider(served);
    const patient = await registerConsumer(served, { displayName: 'Ana Costa' });
    const questions = [{ questionText: 'What happened, and when did it begin?', questionType: 2 }];
    const template = idOf(await writeTemplate(doctor, questions, 'Before'));
    const slots = (await publish(doctor, { end: '19:00' }, `templateId=${template}`)) as Row[];
    for (const [place, { id }] of slots.slice(0, 20).entries()) {
      const answer = place % 5 ? 'A cold.' : 'It began in the garden, on a stair. '.repeat(5);
      await patient.api('PUT', `/api/Appointment/Book?id=${id}`, [{ question: questions[0]?.questionText, answer }]);
    }
    const page = await open({ as: doctor, viewport: { width: 688, height: 1016 } });
    await page.goto(`/day?date=${dayAhead(1)}`);
    for (const format of ['A4', 'Letter'] as const) expect((await pagesOf(page, { format })).count).toBe(1);
    await page.emulateMedia({ media: 'print' });
    const cut = await page
      .locator('.said')
      .evaluateAll((texts) => texts.filter((text) => text.scrollHeight > text.clientHeight + 1).length);
    expect(cut).toBe(0);
  });

  test('a day of twenty appointments with answers and notes is one sheet', async () => {
    const doctor = await registerProvider(served);
    const patient = await registerConsumer(served, { displayName: 'Hubert Blaine Wolfeschlegelsteinhausen' });
    const questions = [{ questionText: 'What happened, and when did it begin?', questionType: 2 }];
    const template = idOf(await writeTemplate(doctor, questions, 'Before'));
    const slots = (await publish(doctor, { end: '19:00' }, `templateId=${template}`)) as Row[];
    const answer = [{ question: questions[0]?.questionText, answer: 'It began in the garden, on a stair. '.repeat(8) }];
    for (const { id } of slots.slice(0, 20)) {
      await patient.api('PUT', `/api/Appointment/Book?id=${id}`, answer);
      await doctor.api('PUT', `/api/Appointment/SetNote?id=${id}`, { note: 'Brings a dog that is afraid of lifts' });
    }
    const page = await open({ as: doctor });
    await page.goto(`/day?date=${dayAhead(1)}`);
    expect(await page.locator('.sheet tbody tr:not(.walk-in)').count()).toBe(20);
    for (const format of ['A4', 'Letter'] as const) expect((await pagesOf(page, { format })).count).toBe(1);
  });
});

test('a booking is dragged onto a free time with the mouse, which asks whether to move it there', async () => {
  const page = await open({ as: provider });
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
