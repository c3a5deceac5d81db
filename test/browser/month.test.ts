import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { type Person, registerProvider } from '../support/factories';
import { useServer } from '../support/use-server';
import { arrive, browsersAt, button, press, see, seen } from './browser';
import { box, dayOf, daysOf, fullName, wire } from './calendar';
import { scriptsFirst } from './ways';

/* A month of Tuesday to Saturday with a break at noon, in a handful of actions. */

const served = useServer();
const { open } = browsersAt(served);

const weekdayOf = (date: string) => new Date(date).getUTCDay();
const month = daysOf(dayOf(1, 1));
const worked = month.filter((date) => weekdayOf(date) > 1);
const datesOf = async ({ username, api }: Person) =>
  (await api('GET', `/api/Appointment/GetDates?provider=${username}`)).json as string[];

/** Does one thing after the other, and says how many there were. */
async function inTurn(...actions: (() => Promise<unknown>)[]): Promise<number> {
  for (const act of actions) await act();
  return actions.length;
}

describe.each(scriptsFirst)('with scripts %s', (_, script) => {
  test('hours with three holidays are set in nine actions', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    const holidays = [worked[2], worked[3], worked[6]] as string[];
    const holiday = (place: number) => () =>
      page.getByLabel(`Date ${place + 1}`, { exact: true }).fill(holidays[place] ?? '');
    const actions = await inTurn(
      () => page.goto('/hours'),
      () => page.getByRole('checkbox', { name: 'Monday' }).uncheck(),
      () => page.getByRole('checkbox', { name: 'Saturday' }).check(),
      async () => {
        await press(page, 'Add a break on every open day');
        await seen(page.getByLabel('Tuesday, hours 2, from'));
      },
      holiday(0),
      () => page.getByText('Another day off').click(),
      holiday(1),
      holiday(2),
      () => press(page, 'Save'),
    );
    await see(page, 'Your hours are saved.');
    expect(actions).toBeLessThanOrEqual(9);
    const { hours, except } = (await provider.api('GET', '/api/Appointment/GetHours')).json as {
      hours: unknown[];
      except: { date: string }[];
    };
    expect(hours).toEqual(
      [2, 3, 4, 5, 6].flatMap((day) => [
        { day, start: '09:00', end: '12:00' },
        { day, start: '13:00', end: '17:00' },
      ]),
    );
    expect(except.map(({ date }) => date).sort()).toEqual(holidays.map(wire).sort());
    const dates = await datesOf(provider);
    expect(dates.filter((date) => month.map(wire).includes(date))).toEqual(
      worked
        .filter((date) => !holidays.includes(date))
        .filter((date) => dates.includes(wire(date)))
        .map(wire),
    );
    expect(dates.length).toBeGreaterThan(30);
  });

  test('times are published by hand in eight actions, and more like them in fewer', async () => {
    const provider = await registerProvider(served);
    const page = await open({ script, as: provider });
    const sunday = month.find((date) => weekdayOf(date) === 0) as string;
    const [monday, tuesday, ...rest] = month.slice(month.indexOf(sunday) + 1, month.indexOf(sunday) + 7) as [
      string,
      string,
      ...string[],
    ];
    const chooseWeek = script
      ? [
          () => button(page, `All of the week of ${fullName(sunday)}`).click(),
          () => box(page, sunday).uncheck(),
          () => box(page, monday).uncheck(),
        ]
      : rest.map((date) => () => box(page, date).check());
    const actions = await inTurn(
      // As from a day of the week's picture.
      () => page.goto(`/create?date=${wire(tuesday)}`),
      ...chooseWeek,
      async () => {
        await press(page, 'Add a break');
        await seen(page.getByLabel('Range 2 start time'));
      },
      () => page.getByLabel('The same weekdays until').fill(month.at(-1) as string),
      () => press(page, 'Create appointments'),
    );
    await arrive(page, '/');
    expect(actions).toBeLessThanOrEqual(8);
    const days = worked.filter((date) => date >= tuesday);
    await see(page, `${days.length * 14} appointments are open for booking.`);
    expect(await datesOf(provider)).toEqual(days.map(wire));

    await page.getByRole('link', { name: 'Publish more like this' }).click();
    await arrive(page, '/create');
    expect(await rangesOn(page)).toEqual(['09:00 12:00', '13:00 17:00']);
  });
});

async function rangesOn(page: Page): Promise<string[]> {
  await seen(page.getByLabel('Range 2 start time'));
  const values = (name: string) =>
    page.locator(`input[name=${name}]`).evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  const [starts, ends] = await Promise.all([values('start'), values('end')]);
  return starts.map((start, place) => `${start} ${ends[place]}`);
}
