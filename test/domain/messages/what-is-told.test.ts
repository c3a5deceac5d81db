import { env } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { bookAppointment, cancelAppointment } from '../../../app/domain/bookings/book.server';
import { moveAppointment } from '../../../app/domain/bookings/move.server';
import { forgetExpired } from '../../../app/domain/housekeeping.server';
import { endSendersMail } from '../../../app/domain/messages/mail-settings.server';
import { sentenceOf, withoutHostTexts } from '../../../app/domain/messages/messages';
import { listNews } from '../../../app/domain/messages/news.server';
import { nextReminder, remind } from '../../../app/domain/messages/reminders.server';
import { rsvpByLink } from '../../../app/domain/parties/attendees.server';
import { createMeetup, createParty, deleteParty, editParty } from '../../../app/domain/parties/hosting.server';
import { inviteesFromLines } from '../../../app/domain/parties/parties';
import { rsvpToParty } from '../../../app/domain/parties/rsvps.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { instantOf, todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb, once, publishTimes, start, stored } from '../../support/history';

/* Reminders, the digests of answers, and the words of changes. */

let db: Db;
let host: Actor;
let ana: Actor;
let bo: Actor;
const joinAs = (username: string, role: 'Provider' | 'Consumer') => {
  const location = role === 'Provider' ? { location: 'Lisbon' } : {};
  return join(db, { username, displayName: username, timeZone: 'UTC', role, ...location });
};
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  host = await joinAs('host', 'Provider');
  [ana, bo] = await Promise.all([joinAs('Ana', 'Consumer'), joinAs('Bo', 'Consumer')]);
});

const date = addDays(todayIn('UTC', start), 20);
const nine = instantOf(date, '09:00', 'UTC');
const aDayBefore = nine - day;

const common = { description: 'Come', address: null, locationUrl: null, date, startTime: '09:00', endTime: '12:00' };
const newParty = (of = host, title = 'Chess') => {
  const details = { templateId: null, capacity: null, rsvpBy: null, plusOnes: 0, hideGoing: false };
  return createParty(db, of, { ...common, ...details, title }, once(start));
};
const answer = (who: Actor, { id }: { id: string }, accepted: boolean, now = start) =>
  rsvpToParty(db, who, { id, accepted, guests: 0 }, () => [], now);
/** A meetup of the host's, and the link of each name. */
async function newMeetup(names: string[]) {
  const input = { ...common, title: 'Walk', attendees: inviteesFromLines(names) };
  const { id } = await createMeetup(db, host, input, once(start));
  const links = await stored<{ id: string; name: string }>('SELECT id, name FROM invitations WHERE party_id = ?', id);
  return (name: string) => links.find((link) => link.name === name)?.id ?? '';
}

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
const choose = (...minutes: number[]) =>
  env.DB.prepare('UPDATE accounts SET reminders = ? WHERE id = ?').bind(JSON.stringify(minutes), host.accountId).run();

describe('an appointment at nine', () => {
  const publish = async (from = '09:00', end = '09:30') => {
    const { ids } = await publishTimes(db, host, { start: from, end, dates: [date] });
    return ids[0] ?? '';
  };
  const book = (id: string, now = start) => bookAppointment(db, ana, { id, submitted: null }, now);

  test('is told to its booker once, a day before, or late, but not later than half a day, nor when it has begun', async () => {
    await book(await publish());
    expect(await nextReminder(db, start)).toBe(aDayBefore);
    for (const none of [aDayBefore - 1, aDayBefore + 12 * hour, nine]) expect(await reminded(none)).toEqual([]);
    expect(await reminded(aDayBefore + 12 * hour - 1)).toEqual(['Ana']);
    expect(await nextReminder(db, aDayBefore)).toBeNull();
    expect(await reminded(aDayBefore + 11 * hour)).toEqual([]);
    // Nor to who booked it when the reminder was due, nor where it was canceled.
    await book(await publish('09:30', '10:00'), aDayBefore + hour);
    const canceled = await publish('10:00', '10:30');
    await book(canceled);
    await cancelAppointment(db, ana, { id: canceled, reason: null }, start + 1);
    expect(await reminded(aDayBefore + 2 * hour)).toEqual([]);
  });

  test('is told for the time that it was moved to, also where it was told for the old one, and not for that again', async () => {
    const move = (who: Actor, id: string, to: string, at: number) =>
      moveAppointment(db, who, { id, to, submitted: null, reason: null }, at);
    const [early, old] = [await publish('09:00', '09:30'), await publish('09:30', '10:00')];
    const [later, soon] = [await publish('15:00', '15:30'), await publish('16:00', '16:30')];
    await book(old);
    await move(ana, old, early, start + 1);
    expect(await reminded(aDayBefore)).toEqual(['Ana']);
    expect(await reminded(aDayBefore + 30 * minute)).toEqual([]);
    await move(ana, early, later, aDayBefore + hour);
    expect(await reminded(aDayBefore + 6 * hour - 1)).toEqual([]);
    expect(await reminded(aDayBefore + 6 * hour)).toEqual(['Ana']);
    expect(await reminded(nine)).toEqual([]);
    // Due already: the move itself is news enough.
    await move(host, later, soon, aDayBefore + 8 * hour);
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

test('a party at nine is told to who comes, anew when it has moved, and not when it was called off', async () => {
  const party = await newParty();
  await answer(ana, party, true);
  await answer(bo, party, false);
  expect(await reminded(aDayBefore)).toEqual(['Ana']);
  await answer(bo, party, true, aDayBefore + 1);
  expect(await reminded(aDayBefore + 2)).toEqual([]);
  const moveBy = (days: number, now: number) =>
    editParty(db, host, 'party', { id: party.id, change: { date: addDays(date, days) } }, now);
  await moveBy(2, aDayBefore + hour);
  expect(await reminded(aDayBefore + 2 * hour)).toEqual([]);
  expect(await reminded(nine + day)).toEqual(['Ana', 'Bo']);
  await moveBy(9, nine + day + hour);
  await deleteParty(db, host, 'party', { id: party.id, reason: null }, once(nine + day + 2 * hour));
  expect(await reminded(nine + 8 * day)).toEqual([]);
});

test('the names of a meetup are told where their host has given an address: who comes, and once who has not answered', async () => {
  await choose(60, 1440);
  const linkOf = await newMeetup(['Coming', 'Open', 'Not', 'Ended', 'Unknown']);
  await env.DB.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE id = ?').bind(host.accountId).run();
  await env.DB.prepare(
    "UPDATE invitations SET email = name || '@mail.test', email_hash = lower(name), email_at = ? WHERE name <> 'Unknown'",
  )
    .bind(start)
    .run();
  await rsvpByLink(db, { id: linkOf('Coming'), accepted: true }, start);
  await rsvpByLink(db, { id: linkOf('Not'), accepted: false }, start);
  await endSendersMail(db, { senderId: host.accountId, emailHash: 'ended' }, start);
  expect(await reminded(aDayBefore)).toEqual(['Coming@mail.test', 'Open@mail.test']);
  expect(await reminded(nine - hour)).toEqual(['Coming@mail.test']);
});

test('each host hears of the answers to each of their parties and meetups, once a day', async () => {
  const rui = await joinAs('rui', 'Provider');
  await env.DB.prepare("UPDATE accounts SET email = id || '@mail.test', email_confirmed_at = 1").run();
  const [lanterns, chess] = [await newParty(host, 'Lanterns'), await newParty(rui, 'Chess')];
  const linkOf = await newMeetup(['Ada', 'Ben']);
  await answer(ana, lanterns, true);
  await answer(bo, lanterns, true, start + hour);
  await answer(ana, chess, true, start + hour);
  await rsvpByLink(db, { id: linkOf('Ada'), accepted: true }, start + hour);
  await answer(ana, lanterns, false, start + day);
  await answer(bo, chess, false, start + day);
  await rsvpByLink(db, { id: linkOf('Ben'), accepted: false }, start + day);

  const told = await stored(
    `SELECT username, title, data ->> 'count' AS count, (messages.created_at - ?) / 3600000 AS hours
      FROM messages JOIN parties ON parties.id = party_id JOIN accounts ON accounts.id = account_id
      WHERE messages.kind = 'rsvps' AND messages.email = accounts.email ORDER BY username, hours, title`,
    start,
  );
  expect(told.map((row) => Object.values(row as object).join(' '))).toEqual([
    'host Lanterns 2 0',
    'host Walk 1 1',
    'host Lanterns 1 24',
    'host Walk 1 24',
    'rui Chess 1 1',
    'rui Chess 1 24',
  ]);
});

test('what people were told is deleted after half a year', async () => {
  await env.DB.prepare("INSERT INTO messages (id, account_id, kind, created_at) VALUES ('old', ?, 'password', ?)")
    .bind(ana.accountId, start)
    .run();
  // Each hour looks at a share of the accounts, and has looked at all of them after three days.
  const leftAfter = async (days: number) => {
    const until = start + days * day;
    for (let at = until - 3 * day; at <= until; at += hour) await forgetExpired(db, at);
    return stored("SELECT id FROM messages WHERE id = 'old'");
  };
  expect(await leftAfter(182)).toEqual([{ id: 'old' }]);
  expect(await leftAfter(186)).toEqual([]);
});

test('a change says a new title, or where to read it if the host’s words stay out, and a new time always', async () => {
  const party = await newParty(host, 'Book club');
  await answer(ana, party, true);
  const said = async (change: object, now: number) => {
    await editParty(db, host, 'party', { id: party.id, change }, now);
    const [news] = (await listNews(db, ana, 0)).rows;
    return news && [sentenceOf(news), sentenceOf(withoutHostTexts(news))];
  };
  expect(await said({ title: 'Reading circle' }, start + 1)).toEqual([
    'host changed Reading circle. It was called Book club.',
    'host changed a party. Its page shows what is new.',
  ]);
  const [, later] = (await said({ date: addDays(date, 1) }, start + 2)) ?? [];
  expect(later).toMatch(/^host changed a party\. It was on .*, and is now on .*\.$/);
});
