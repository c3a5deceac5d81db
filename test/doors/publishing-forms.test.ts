import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords } from '../../app/domain/time/clock';
import {
  book,
  dayAhead,
  localDate,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
  writeSlot,
} from '../support/factories';
import { words as text } from '../support/forms';
import { useServer } from '../support/use-server';
import type { Page } from '../support/visit';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let maya: Person;
beforeAll(async () => {
  maya = await newConsumer();
});

test('each open slot has a button of its own name to withdraw it', async () => {
  const provider = await newProvider();
  const slots = await publish(provider, { end: '10:00', dates: [dayAhead(1), dayAhead(2)] });
  const page = await provider.browser.visit('/view-open');
  const names = page.$$('main button[name=id]').map((button) => text(button.text));
  expect(names).toEqual(slots.map((slot) => `Withdraw, ${slot.startTime} UTC, ${dateWords(localDate(slot)).full}`));
});

test('a day that has passed while the form was open is let go, also where its month can be turned to no more', async () => {
  const provider = await newProvider();
  const blank = await provider.browser.visit('/create');
  const once = blank.$('input[name=once]')?.getAttribute('value') ?? '';
  const dates = [dayAhead(-40), dayAhead(40)];
  const shown = blank.$('input[name=shown]')?.getAttribute('value') ?? '';
  const typed = { once, shown, dates, start: '09:00', end: '10:00', len: '', notes: '', templateId: '' };
  const refused = await provider.browser.post('/create', typed);
  expect(refused.status).toBe(400);
  expect(refused.words).toContain('Choose days that are not in the past.');
  expect((await refused.submit('Create appointments')).words).toContain('2 appointments are open for booking.');
});

describe('a button that withdraws', () => {
  const withdraw = async (who: Person, fields: Record<string, string>) =>
    Number((await who.browser.post('/view-open', fields)).location?.split('?withdrawn=')[1]);
  const open = async ({ username }: Person) =>
    rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${username}`)).map(({ id }) => id);

  test('takes one, those of a day, or all, and never what is booked or another’s', async () => {
    const [ana, other] = await Promise.all([newProvider(), newProvider()]);
    const dates = [dayAhead(1), dayAhead(2), dayAhead(3)];
    const [one, booked, second, rest, ...last] = (await publish(ana, { end: '10:00', dates })) as [Row, Row, Row, Row];
    await book(maya, booked);
    const theirs = await publish(other, { end: '10:00', dates });
    const idsOf = (rows: Row[]) => rows.map(({ id }) => id);
    expect(await withdraw(ana, { id: (theirs[0] as Row).id })).toBe(0);
    expect(await withdraw(ana, { id: booked.id })).toBe(0);
    expect(await open(ana)).toEqual(idsOf([one, second, rest, ...last]));
    expect(await withdraw(ana, { id: one.id })).toBe(1);
    expect(await open(ana)).toEqual(idsOf([second, rest, ...last]));
    expect(await withdraw(ana, { date: localDate(second) })).toBe(2);
    expect(await open(ana)).toEqual(idsOf(last));
    expect(await withdraw(ana, { all: 'yes' })).toBe(2);
    expect(await open(ana)).toEqual([]);
    expect((await look(maya, booked)).json).toMatchObject({ status: 1 });
    expect(await open(other)).toEqual(idsOf(theirs));
  });

  test('leads back to the page of the list that it was on, and to the one before when nothing is left there', async () => {
    const ana = await newProvider();
    await publish(ana, { end: '13:00', dates: [1, 2, 3, 4, 5, 6].map((days) => dayAhead(days)) });
    const third = await (await (await ana.browser.visit('/view-open')).click('Next page')).click('Next page');
    const rows = (page: Page) => page.$$('main button[name=id]').length;
    expect([third.path, rows(third)]).toEqual(['/view-open?page=2', 8]);
    const less = await third.submit('main button[name=id]');
    expect([less.path, rows(less)]).toEqual(['/view-open?withdrawn=1&page=2', 7]);
    const before = await less.submit('main button[name=date]');
    expect([before.path, rows(before)]).toEqual(['/view-open?withdrawn=7&page=1', 20]);
    expect(before.words).toContain('7 slots are withdrawn.');
  });

  test('leaves what has begun as it is', async () => {
    const ana = await newProvider();
    const begun = await writeSlot(daybook.d1, ana, { startsIn: -5 });
    expect(await withdraw(ana, { id: begun.id })).toBe(0);
    expect(await withdraw(ana, { all: 'yes' })).toBe(0);
    expect((await look(ana, begun)).json).toMatchObject({ status: 0 });
  });
});

test('who comes back to a publication that was undone reads so, and is not offered to undo it again', async () => {
  const provider = await newProvider();
  const form = await provider.browser.visit('/create');
  const other = await form.submit('Create appointments', { dates: [dayAhead(2)], start: '09:00', end: '10:00' });
  const home = await form.submit('Create appointments', { dates: [dayAhead(1)], start: '09:00', end: '10:00' });
  expect(home.words).toContain('2 appointments are open for booking.');
  expect((await home.submit('Undo: withdraw them')).words).toContain('2 slots are withdrawn.');
  const back = await provider.browser.visit(home.path);
  expect(back.words).toContain('What you published is withdrawn again.');
  expect(back.words).not.toContain('Undo');
  // From a page that still stands as it was.
  expect((await home.submit('Undo: withdraw them')).words).toContain('Nothing was left to withdraw.');
  // Another one is as it was.
  expect((await provider.browser.visit(other.path)).words).toContain('2 appointments are open for booking.');
  expect((await other.submit('Undo: withdraw them')).words).toContain('2 slots are withdrawn.');
});
