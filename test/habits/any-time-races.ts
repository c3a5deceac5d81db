import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { book, cancel, dayAhead, publish, type Row } from '../support/factories';
import type { ApiResponse } from '../support/visit';
import { allDone, openOf, raceOf } from './races';

const starts = ['09:50', '10:00', '10:10', '10:20', '10:40'];

/**
 * The host books times that nobody published, over the time that all others want, and hours publish meanwhile: what was
 * promised overlaps nothing, and of a time that nobody got nothing stays open.
 */
export const raceForAnyTime = raceOf(async ({ host, crowd, chance, count }) => {
  const date = dayAhead(5);
  const hours = { except: [], gap: 0, ahead: 10 };
  const week = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, start: '15:00', end: '16:00' }));
  return async (round) => {
    if ((await openOf(host, date)).every(({ startTime }) => startTime >= '15:00'))
      await publish(host, { dates: [date], start: '10:00', end: '11:00', len: 30 });
    const open = (await openOf(host, date)).filter(({ startTime }) => startTime < '15:00');
    const atAnyTime = () =>
      host.api('POST', '/api/Appointment/BookFor?over=true', {
        date,
        start: chance.of(starts),
        minutes: 30,
        displayName: `Gus ${round}`,
      });
    const acts: Promise<ApiResponse>[] = [
      ...Array.from({ length: 3 }, atAnyTime),
      ...crowd.slice(0, 2).map((who) => book(who, chance.of(open))),
    ];
    const [responses, set] = await Promise.all([
      Promise.all(acts),
      host.api('PUT', '/api/Appointment/SetHours', { ...hours, hours: week, len: chance.of([20, 30]) }),
    ]);
    strictEqual(set.status, 200, set.text);
    for (const { status, text } of responses) ok([200, 201, 404, 409].includes(status), `${status} ${text}`);
    const won = responses.filter(({ status }) => status < 300).map(({ json }) => json as Row);
    const spans = won.map(({ startsAt, endsAt }) => [startsAt, endsAt]).sort();
    spans.forEach(([, end], place) => {
      const next = spans[place + 1]?.[0];
      ok(!next || (end ?? '') <= next, 'two overlap');
    });
    ok(won.length > 0, 'nobody won');
    count(`${won.length} won`);
    return async () => {
      allDone(await Promise.all(won.map((row) => cancel(host, row))));
      const left = (await openOf(host, date)).map(({ startTime }) => startTime);
      deepStrictEqual(
        left.filter((start) => start < '15:00' && !['10:00', '10:30'].includes(start)),
        [],
        'a time is open that nobody published',
      );
    };
  };
});
