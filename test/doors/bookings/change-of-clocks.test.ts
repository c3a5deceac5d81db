import { describe, expect, test } from 'vitest';
import {
  dayAhead,
  daysToClockChange,
  isoAhead,
  type Person,
  peopleAt,
  publish,
  type Row,
} from '../../support/factories';
import { createService } from '../../support/services';
import { useServer, useWorld } from '../../support/use-server';

/* A service lasts as many minutes as the clocks tick, whatever they show. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: { timeZone: 'Europe/Oslo' } });

const spring = daysToClockChange('March');
const autumn = daysToClockChange('October');

const changes = [
  [
    'skips the hour that clocks leave out in spring',
    {
      date: dayAhead(spring),
      shown: ['01:30', '04:00'],
      instants: [`${isoAhead(spring)}T00:30:00.000Z`, `${isoAhead(spring)}T02:00:00.000Z`],
    },
  ],
  [
    'counts the hour that clocks show twice in autumn',
    {
      date: dayAhead(autumn),
      shown: ['01:30', '02:00'],
      instants: [`${isoAhead(autumn - 1)}T23:30:00.000Z`, `${isoAhead(autumn)}T01:00:00.000Z`],
    },
  ],
] as const;

/** Publishes the night in half hours, and the start at half past one. */
async function nightOf(host: Person, date: string): Promise<Row> {
  const slots = await publish(host, { start: '00:30', end: '05:00', dates: [date] });
  return slots.find(({ startTime }) => startTime === '01:30') as Row;
}

describe.each(changes)('a service of an hour and a half %s', (_, { date, shown: [start, end], instants }) => {
  const bookColour = async () => {
    const host = await newProvider({ timeZone: 'Europe/Oslo' });
    const colour = await createService(host, { minutes: 90 });
    const slot = await nightOf(host, date);
    const form = await maya.browser.get(`/details/${slot.id}?service=${colour.id}`);
    const row = (await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${colour.id}`)).json as Row;
    return { host, form, row };
  };

  test('from start to end', async () => {
    const { row } = await bookColour();

    expect([row.startsAt, row.endsAt]).toEqual(instants);
    expect(row.service?.minutes).toBe(90);
  });

  test('by the clocks of its provider', async () => {
    const { row } = await bookColour();

    expect(row.date).toBe(date);
    expect(row.startTime).toBe(start);
    expect(row.endTime).toBe(end);
  });

  test('on the pages that show it', async () => {
    const { host, form, row } = await bookColour();

    const page = await maya.browser.get(`/details-cancel/${row.id}`);
    const day = await host.browser.get(`/day?date=${date}`);
    expect(form.words).toMatch(new RegExp(`Start ${start}.*End ${end}`, 's'));
    expect(page.words).toMatch(new RegExp(`Start ${start}.*End ${end}`, 's'));
    expect(day.words).toMatch(new RegExp(`${start} to ${end}`));
  });

  test('in the time that it takes from others', async () => {
    const { host } = await bookColour();

    const free = await maya.api('GET', `/api/Appointment/GetPage?provider=${host.username}&dates=${date}`);
    const starts = (free.json as Row[]).map(({ startsAt }) => startsAt);
    expect(starts.filter((at) => at >= instants[0] && at < instants[1])).toEqual([]);
    expect(starts).toContain(instants[1]);
  });
});
