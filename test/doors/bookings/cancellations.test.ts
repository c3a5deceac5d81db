import { describe, expect, test } from 'vitest';
import { tripsOf } from '../../support/asked';
import {
  book,
  cancel,
  dayAhead,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { words } from '../../support/forms';
import { cancelBeforeStart } from '../../support/stored-bookings';
import { useServer } from '../../support/use-server';
import type { Page } from '../../support/visit';
import { useWorld } from '../../support/world';

/* What was taken from somebody stays in sight, with who did it, when and what, until it would have been over. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

/** The lines of the card with that title; undefined where the page has no such card. */
function linesOf(page: Page, title: string): string[] | undefined {
  const card = page.$$('main section').find((section) => words(section.querySelector('h2')?.text) === title);
  return card?.querySelectorAll('.lines > li > div:last-of-type').map((line) => words(line.structuredText));
}

/** The day and time at which somebody does something now, on the clocks of that zone. */
const nowIn = (timeZone: string) =>
  new RegExp(`^\\w{3} \\d+ \\w{3}( \\d{4})?, \\d\\d:\\d\\d ${timeZone === 'UTC' ? 'UTC' : 'Tokyo time'}$`);

const { maya } = useWorld(daybook, { maya: { timeZone: 'Asia/Tokyo' } });

describe('whoever had booked what the provider cancels', () => {
  test('sees it on Home and among the booked ones, and there who canceled it and when', async () => {
    const [ana, june] = await Promise.all([newProvider({ displayName: 'Ana Costa' }), newConsumer()]);
    const [kept, taken] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    for (const slot of [kept, taken]) await book(maya, slot);
    for (const path of ['/', '/view-booked']) {
      expect(linesOf(await maya.browser.get(path), 'Canceled by the provider')).toBeUndefined();
    }
    await cancel(ana, taken);
    // It is told once: first as a notice, then in the list.
    const told = await maya.browser.visit('/');
    expect(linesOf(told, 'Canceled by the provider')).toBeUndefined();
    expect(told.words.split('Canceled by Ana Costa')).toHaveLength(2);
    expect((await told.click('Book another time')).path).toBe(`/view?provider=${ana.username}`);
    await told.submit('Mark as read');
    for (const path of ['/', '/view-booked', '/view-dash']) {
      const again = (await maya.browser.get(path)).$(`main .lines a[href="/view?provider=${ana.username}"]`);
      expect([path, again?.text]).toEqual([path, 'Book another time']);
    }
    for (const path of ['/', '/view-booked']) {
      const page = await maya.browser.get(path);
      const [line, ...more] = linesOf(page, 'Canceled by the provider') ?? [];
      expect([more, tripsOf(page)]).toEqual([[], 1]);
      expect(line).toMatch(/^Ana Costa 09:30 to 10:00 · 30 minutes · UTC ?18:30 to 19:00 for you/);
      expect(line?.split('Canceled by Ana Costa, ')[1]).toMatch(nowIn('Asia/Tokyo'));
      expect(page.$(`a[href="/details-cancel/${taken.id}"]`)).not.toBeNull();
    }
    expect((await maya.browser.get('/view-booked?past=true')).words).not.toContain('Ana Costa');
    expect((await june.browser.get('/')).words).not.toContain('Ana Costa');
    const details = await maya.browser.get(`/details-cancel/${taken.id}`);
    expect(details.words).toContain('Canceled by Ana Costa, ');
    expect((await details.click('Book another time')).path).toBe(`/view?provider=${ana.username}`);
  });

  test('sees it until it would have been over, and does not see there what they canceled themselves', async () => {
    const ana = await newProvider();
    const june = await newConsumer();
    const cancelByHand = (id: string) => daybook.d1.prepare(cancelBeforeStart).bind(id).run();
    const running = await writeSlot(daybook.d1, ana, { startsIn: -10, length: 30, booker: june });
    const over = await writeSlot(daybook.d1, ana, { startsIn: -60, length: 30, booker: june });
    for (const { id } of [running, over]) await cancelByHand(id);
    const own = await publishOne(ana, { dates: [dayAhead(2)] });
    await book(june, own);
    await cancel(june, own);
    await (await june.browser.visit('/news')).submit('Mark all as read');
    const page = await june.browser.get('/');
    expect(linesOf(page, 'Canceled by the provider')).toHaveLength(1);
    expect(page.$(`a[href="/details-cancel/${running.id}"]`)).not.toBeNull();
    expect((await june.browser.get('/view-dash')).words).toContain('Canceled by you, ');
  });
});

describe('a provider', () => {
  test('reads who canceled and when, the newest first, however many slots they withdraw themselves', async () => {
    const [ana, june] = await Promise.all([newProvider(), newConsumer({ displayName: 'June' })]);
    const [first, second, third] = (await publish(ana, { end: '10:30', dates: [dayAhead(30)] })) as [Row, Row, Row];
    for (const slot of [first, second]) await book(maya, slot);
    await book(june, third);
    await cancel(june, third);
    await cancel(maya, first);
    await cancel(ana, second);
    await publish(ana, { end: '21:00', dates: [dayAhead(1)] });
    expect((await ana.browser.post('/view-open', { all: 'yes' })).status).toBe(303);

    const home = await ana.browser.get('/');
    expect(tripsOf(home)).toBe(1);
    const who = (lines: string[] | undefined) =>
      lines?.map((line) =>
        line.replace(/^(\w+ ?\w*) (\d\d:\d\d) to.*(Canceled|Removed) by ([^,]*), (.*)$/, '$1 $2 $4'),
      );
    const newestFirst = ['Maya Lindqvist 09:30 you', 'Maya Lindqvist 09:00 Maya Lindqvist', 'June 10:00 June'];
    expect(who(linesOf(home, 'Canceled'))).toEqual(newestFirst);
    expect(linesOf(home, 'Canceled')?.[0]?.split('Canceled by you, ')[1]).toMatch(nowIn('UTC'));

    const dash = await home.click('Booked and canceled');
    expect([dash.path, tripsOf(await ana.browser.get('/view-dash'))]).toEqual(['/view-dash', 1]);
    expect(who(linesOf(dash, 'Canceled'))).toEqual(newestFirst);
    expect(linesOf(dash, 'Removed')).toBeUndefined();
    const more = await dash.click('Free times that you have removed');
    const withdrawn = who(linesOf(more, 'Removed'));
    expect([withdrawn?.length, withdrawn?.[0]]).toEqual([20, 'Free time 09:00 you']);
    const rest = who(linesOf(await ana.browser.get('/view-dash?withdrawn=1'), 'Removed'));
    // 24 of tomorrow, and the two that were free again after their clients had canceled.
    expect(rest?.slice(-2)).toEqual(['Free time 09:00 you', 'Free time 10:00 you']);
    expect(rest).toHaveLength(6);

    const all = rowsOf(await ana.api('GET', '/api/Appointment/GetDash'));
    const next = rowsOf(await ana.api('GET', '/api/Appointment/GetDash?page=1'));
    expect([...all, ...next].map(({ status }) => status)).toEqual(Array(29).fill(2));
  });

  test('finds the dashboard when nothing is canceled', async () => {
    const ana = await newProvider();
    const home = await ana.browser.get('/');
    expect(linesOf(home, 'Canceled')).toBeUndefined();
    const dash = await home.click('Booked and canceled');
    expect([dash.path, linesOf(dash, 'Canceled')]).toEqual(['/view-dash', []]);
  });
});

describe('what a provider withdraws', () => {
  test('stands in a list of its own, to which the dashboard leads, and in none of cancellations', async () => {
    const ana = await newProvider();
    const [kept, gone] = (await publish(ana, { end: '10:00' })) as [Row, Row];
    await cancel(ana, gone);
    const dash = await ana.browser.get('/view-dash');
    expect(dash.$('main a[href^="/view-dash?withdrawn"]')).not.toBeNull();
    const page = await ana.browser.get('/view-dash?withdrawn=0');
    const times = (one: Page) => ['09:00 to 09:30', '09:30 to 10:00'].map((time) => one.words.includes(time));
    expect([times(dash), times(page)]).toEqual([
      [false, false],
      [false, true],
    ]);
    expect([dash, page].map(({ words }) => words.includes('Removed'))).toEqual([false, true]);
    expect(kept.id).not.toBe(gone.id);
  });
});

test('the lines of a list are titled by their card, and have no status of their own', async () => {
  const [ana, june] = await Promise.all([newProvider({ displayName: 'Ana Costa' }), newConsumer()]);
  const slots = (await publish(ana, { end: '10:00' })) as [Row, Row];
  for (const slot of slots) await book(june, slot);
  await cancel(june, slots[1]);
  const page = await june.browser.get('/view-dash');
  const lines = [...(linesOf(page, 'Booked') ?? []), ...(linesOf(page, 'Canceled') ?? [])];
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).not.toMatch(/^(Open|Booked|Canceled)\b|\b(Status|Booked)\b/);
});
