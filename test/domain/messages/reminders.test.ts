import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import { linksBy } from '../../../app/domain/links.server';
import { endSendersMail } from '../../../app/domain/messages/mail-settings.server';
import { nextReminder, remind } from '../../../app/domain/messages/reminders.server';
import { rsvpByLink } from '../../../app/domain/parties/attendees.server';
import { createMeetup, createParty, deleteParty, editParty } from '../../../app/domain/parties/hosting.server';
import { inviteesFromLines } from '../../../app/domain/parties/parties';
import { rsvpToParty } from '../../../app/domain/parties/rsvps.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { bookSeries } from '../../../app/domain/series/book-series.server';
import { publishSlots } from '../../../app/domain/slots/publish.server';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { instantOf, todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb, start, stored } from '../../support/history';

let db: Db;
let host: Actor;
let ana: Actor;
let bo: Actor;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  [host, ana, bo] = await Promise.all([
    join(db, { username: 'host', displayName: 'Hanna', timeZone: 'UTC', role: 'Provider', location: 'Lisbon' }),
    join(db, { username: 'ana', displayName: 'Ana', timeZone: 'UTC', role: 'Consumer' }),
    join(db, { username: 'bo', displayName: 'Bo', timeZone: 'UTC', role: 'Consumer' }),
  ]);
});

const date = addDays(todayIn('UTC', start), 20);
const nine = instantOf(date, '09:00', 'UTC');
const aDayBefore = nine - day;

const choose = (...minutes: number[]) =>
  env.DB.prepare('UPDATE accounts SET reminders = ? WHERE id = ?').bind(JSON.stringify(minutes), host.accountId).run();

/** Whom the job at that moment reminds: accounts by name, and names of a meetup by their address. */
async function reminded(now: number): Promise<string[]> {
  const known = await stored<{ id: string }>("SELECT id FROM messages WHERE kind = 'reminder'");
  await remind(db, now);
  await remind(db, now);
  const all = await stored<{ id: string; who: string }>(
    `SELECT messages.id, iif(invitation_id IS NULL, display_name, messages.email) AS who
      FROM messages JOIN accounts ON accounts.id = account_id WHERE kind = 'reminder'`,
  );
  return all
    .filter(({ id }) => !known.some((before) => before.id === id))
    .map(({ who }) => who)
    .sort();
}

describe('an appointment at nine', () => {
  const publish = async (from = '09:00', to = '09:30') => {
    const input = { start: from, end: to, dates: [date], len: 30, notes: null, templateId: null };
    const { publication } = await publishSlots(db, host, input, { now: start, key: crypto.randomUUID() });
    const [slot] = await stored<{ id: string }>('SELECT id FROM slots WHERE publication = ?', publication);
    return slot?.id ?? '';
  };
  const book = (id: string, now = start) => bookAppointment(db, ana, { id, submitted: null }, now);

  test('is told for each of a series by itself', async () => {
    const [nineId, tenId] = [await publish(), await publish('10:00', '10:30')];
    const request = { ids: [nineId, tenId], service: null, people: 1, personId: null, phone: null };
    await bookSeries(db, ana, request, { links: linksBy('a secret of this test'), key: 'series', now: start });
    expect(await reminded(aDayBefore)).toEqual(['Ana']);
    expect(await reminded(aDayBefore + hour)).toEqual(['Ana']);
    expect(await reminded(aDayBefore + 2 * hour)).toEqual([]);
  });

  test('is told to its booker once, a day before, not earlier', async () => {
    await book(await publish());
    expect(await nextReminder(db, start)).toBe(aDayBefore);
    expect(await reminded(aDayBefore - 1)).toEqual([]);
    expect(await reminded(aDayBefore)).toEqual(['Ana']);
    expect(await reminded(aDayBefore + hour)).toEqual([]);
    expect(await nextReminder(db, aDayBefore)).toBeNull();
  });

  test('is told late, but not later than half a day, nor when it has begun', async () => {
    await book(await publish());
    expect(await reminded(aDayBefore + 12 * hour)).toEqual([]);
    expect(await reminded(nine)).toEqual([]);
    expect(await reminded(aDayBefore + 12 * hour - 1)).toEqual(['Ana']);
  });

  test('is not told to who booked it when the reminder was due, nor where it was canceled', async () => {
    const [late, canceled] = [await publish(), await publish('10:00', '10:30')];
    await book(late, aDayBefore);
    await book(canceled);
    await cancelAppointment(db, ana, { id: canceled, reason: null }, start + 1);
    expect(await reminded(aDayBefore + hour)).toEqual([]);
  });

  test('is told for the time that it was moved to, also where it was told for the old one, and not for that again', async () => {
    const move = (id: string, to: string, at: number) =>
      moveAppointment(db, ana, { id, to, submitted: null, reason: null }, at);
    const [early, old] = [await publish('09:00', '09:30'), await publish('09:30', '10:00')];
    const later = await publish('15:00', '15:30');
    await book(old);
    await move(old, early, start + 1);
    expect(await reminded(aDayBefore)).toEqual(['Ana']);
    expect(await reminded(aDayBefore + 30 * minute)).toEqual([]);
    await move(early, later, aDayBefore + hour);
    expect(await reminded(aDayBefore + 6 * hour - 1)).toEqual([]);
    expect(await reminded(aDayBefore + 6 * hour)).toEqual(['Ana']);
    expect(await reminded(nine)).toEqual([]);
    // The provider moves it to a time whose reminder is due already: the move itself is news enough.
    const soon = await publish('16:00', '16:30');
    await moveAppointment(db, host, { id: later, to: soon, submitted: null, reason: null }, aDayBefore + 8 * hour);
    expect(await reminded(aDayBefore + 9 * hour)).toEqual([]);
  });

  test('is told when its provider wants it to be, from an hour to two weeks before', async () => {
    await choose(60, 20_160);
    await book(await publish());
    expect(await nextReminder(db, start)).toBe(nine - 14 * day);
    expect(await reminded(nine - 14 * day)).toEqual(['Ana']);
    expect(await reminded(aDayBefore)).toEqual([]);
    expect(await reminded(nine - 60 * minute - 1)).toEqual([]);
    expect(await reminded(nine - 60 * minute)).toEqual(['Ana']);
    await choose();
    await book(await publish('09:30', '10:00'));
    expect(await reminded(nine - 30 * minute)).toEqual([]);
  });
});

const common = { title: 'Chess', description: 'Come', address: null, locationUrl: null };
const times = { date, startTime: '09:00', endTime: '12:00' };

describe('a party at nine', () => {
  const make = async () => {
    const input = {
      ...common,
      ...times,
      templateId: null,
      capacity: null,
      rsvpBy: null,
      plusOnes: 0,
      hideGoing: false,
    };
    const { id } = await createParty(db, host, input, { now: start, key: 'p' });
    const answer = (who: Actor, accepted: boolean, now = start) =>
      rsvpToParty(db, who, { id, accepted, guests: 0 }, () => [], now);
    return { id, answer };
  };

  test('is told to who comes', async () => {
    const { answer } = await make();
    await answer(ana, true);
    await answer(bo, false);
    expect(await reminded(aDayBefore)).toEqual(['Ana']);
    await answer(bo, true, aDayBefore + 1);
    expect(await reminded(aDayBefore + 2)).toEqual([]);
  });

  test('is told anew when it has moved, and not when it was called off', async () => {
    const { id, answer } = await make();
    await answer(ana, true);
    expect(await reminded(aDayBefore)).toEqual(['Ana']);
    await editParty(db, host, 'party', { id, change: { date: addDays(date, 2) } }, aDayBefore + hour);
    expect(await reminded(aDayBefore + 2 * hour)).toEqual([]);
    expect(await reminded(nine + day)).toEqual(['Ana']);
    await editParty(db, host, 'party', { id, change: { date: addDays(date, 9) } }, nine + day + hour);
    await deleteParty(db, host, 'party', { id, reason: null }, { now: nine + day + 2 * hour, key: 'd' });
    expect(await reminded(nine + 8 * day)).toEqual([]);
  });
});

test('the names of a meetup are told where their host has given an address: who comes, and once who has not answered', async () => {
  await choose(60, 1440);
  const attendees = inviteesFromLines(['Coming', 'Open', 'Not', 'Ended', 'Unknown']);
  const meetup = await createMeetup(db, host, { ...common, ...times, attendees }, { now: start, key: 'm' });
  const rows = await stored<{ id: string; name: string }>(
    'SELECT id, name FROM invitations WHERE party_id = ?',
    meetup.id,
  );
  const id = (name: string) => rows.find((row) => row.name === name)?.id ?? '';
  await env.DB.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE id = ?').bind(host.accountId).run();
  await env.DB.prepare(
    "UPDATE invitations SET email = name || '@mail.test', email_hash = lower(name), email_at = ? WHERE name <> 'Unknown'",
  )
    .bind(start)
    .run();
  await rsvpByLink(db, { id: id('Coming'), accepted: true }, start);
  await rsvpByLink(db, { id: id('Not'), accepted: false }, start);
  await endSendersMail(db, { senderId: host.accountId, emailHash: 'ended' }, start);
  expect(await reminded(aDayBefore)).toEqual(['Coming@mail.test', 'Open@mail.test']);
  expect(await reminded(nine - hour)).toEqual(['Coming@mail.test']);
});

test('what people were told is deleted after half a year', async () => {
  await env.DB.prepare("INSERT INTO messages (id, account_id, kind, created_at) VALUES ('old', ?, 'password', ?)")
    .bind(ana.accountId, start)
    .run();
  // Each hour looks at a share of the accounts, and has looked at all of them after three days.
  const forgetUntil = async (until: number) => {
    for (let at = until - 3 * day; at <= until; at += hour) await forgetExpired(db, at);
  };
  await forgetUntil(start + 182 * day);
  expect(await stored("SELECT id FROM messages WHERE id = 'old'")).toHaveLength(1);
  await forgetUntil(start + 186 * day);
  expect(await stored("SELECT id FROM messages WHERE id = 'old'")).toEqual([]);
});
