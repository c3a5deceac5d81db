import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { openSlotsOf, startsOf } from '../../support/appointment-calls';
import {
  book,
  cancel,
  dayAhead,
  isoAhead,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
} from '../../support/factories';
import * as partyCalls from '../../support/party-calls';
import { createMeetup, createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

/* A provider's own parties and meetups keep their time from being booked. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { maya, june } = useWorld(daybook, { maya: {}, june: {} });

const refused = (host: Person) => ({ status: 409, json: `${host.displayName} has something else at that time.` });
/** What people are offered of a provider on the days ahead. */
const offered = async (host: Person, ...ahead: number[]) =>
  startsOf(await openSlotsOf(maya, host, { dates: ahead.map((days) => dayAhead(days)).join(' ') }));
const offeredDates = async (host: Person) =>
  (await maya.api('GET', `/api/Appointment/GetDates?provider=${host.username}`)).json;
const tenToTwelve = { date: dayAhead(1), startTime: '10:00', endTime: '12:00' };
/** Slots of half an hour tomorrow from nine to one. */
const morning = async (host: Person) => publish(host, { end: '13:00' }, 'len=30');

describe('a party', () => {
  test('takes its time out of every list until it is moved or deleted, by a rule that can be off', async () => {
    const host = await newProvider();
    await morning(host);
    const setRule = (partiesBlock: boolean) => host.api('PUT', '/api/Account/SetRules', { partiesBlock });
    await setRule(false);
    const party = await createParty(host, tenToTwelve);
    expect(await offered(host, 1)).toHaveLength(8);
    await setRule(true);
    expect(await offered(host, 1)).toEqual(['09:00', '09:30', '12:00', '12:30']);
    await partyCalls.edit(host, party, { startTime: '08:00', endTime: '20:00' });
    expect([await offered(host, 1), await offeredDates(host)]).toEqual([[], []]);
    expect((await daybook.visitor().get(`/with/${host.username}`)).words).not.toContain('09:00');
    await partyCalls.edit(host, party, { date: dayAhead(2) });
    expect(await offered(host, 1)).toHaveLength(8);
    await partyCalls.edit(host, party, { date: dayAhead(1) });
    await partyCalls.remove(host, party);
    expect(await offered(host, 1)).toHaveLength(8);
    expect(await offeredDates(host)).toEqual([dayAhead(1)]);
    expect((await daybook.visitor().get(`/with/${host.username}`)).words).toContain('09:00');
  });

  test('blocks what is published later, and two of them block until both are gone', async () => {
    const [host, rival] = [await newProvider(), await newProvider()];
    const one = await createParty(host, tenToTwelve);
    const other = await createMeetup(host, { ...tenToTwelve, startTime: '11:00' });
    // Another's blocks nothing.
    await createParty(rival, { ...tenToTwelve, startTime: '08:00' });
    await morning(host);
    expect(await offered(host, 1)).toEqual(['09:00', '09:30', '12:00', '12:30']);
    await partyCalls.remove(host, one);
    expect(await offered(host, 1)).toEqual(['09:00', '09:30', '10:00', '10:30', '12:00', '12:30']);
    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${other.id}`);
    expect(await offered(host, 1)).toHaveLength(8);
  });
});

describe('busy time', () => {
  test('can’t be booked or moved to, and says why; what is booked stands and is not offered when it is canceled', async () => {
    const host = await newProvider();
    const [nine, , ten, half] = (await morning(host)) as [Row, Row, Row, Row];
    await book(maya, ten);
    await createParty(host, tenToTwelve);
    expect(await book(june, half)).toMatchObject(refused(host));
    await book(june, nine);
    expect(await june.api('PUT', `/api/Appointment/Move?id=${nine.id}&to=${half.id}`)).toMatchObject(refused(host));
    expect((await look(maya, ten)).json).toMatchObject({ status: 1 });
    expect((await cancel(maya, ten)).status).toBe(200);
    expect(await offered(host, 1)).not.toContain('10:00');
  });

  test('is the provider’s own: they book for somebody and move into it, and see what is then', async () => {
    const host = await newProvider();
    const [nine, , , half] = (await morning(host)) as [Row, Row, Row, Row];
    await book(maya, nine);
    await createParty(host, { ...tenToTwelve, title: 'Summer party' });
    const open = await host.browser.get(`/view-open?day=${isoAhead(1)}`);
    expect(open.words).toContain('Not offered: Summer party');
    const why = await host.browser.visit(`/hours?date=${isoAhead(1)}&time=10:30`);
    expect(why.words).toContain('“Summer party” is from 10:00 to 12:00');
    expect((await host.api('PUT', `/api/Appointment/Move?id=${nine.id}&to=${half.id}`)).status).toBe(200);
  });

  test('begins before or after a booking of the same moment, and the book is right in any order', async () => {
    const host = await newProvider();
    const slots = await publish(host, { end: '14:00' }, 'len=15');
    const rounds = slots.map(async (slot, place) => {
      const { startTime, endTime } = slot;
      const party = () => partyCalls.create(host, { date: dayAhead(1), startTime, endTime });
      const both = place % 2 ? [book(maya, slot), party()] : [party(), book(maya, slot)];
      const statuses = (await Promise.all(both)).map(({ status }) => status).sort();
      expect(statuses[0] === 200 || statuses[1] === 409).toBe(true);
      expect(statuses).toContain(201);
    });
    await Promise.all(rounds);
    expect(await offered(host, 1)).toEqual([]);
    expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);
  });
});
