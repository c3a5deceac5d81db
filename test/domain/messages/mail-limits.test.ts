import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertGuest } from '../../../app/domain/guests/guests.server';
import type { Passwords } from '../../../app/domain/login/passwords.server';
import { hashOfAddress } from '../../../app/domain/messages/addresses.server';
import { sendHeldQuestion } from '../../../app/domain/messages/held-mail.server';
import { askAgain, endSendersMail, refuseAddress } from '../../../app/domain/messages/mail-settings.server';
import {
  addAttendees,
  removeAttendee,
  replaceLink,
  setAttendeeEmail,
} from '../../../app/domain/parties/attendees.server';
import { createMeetup } from '../../../app/domain/parties/hosting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { confirmEmail, setEmail } from '../../../app/domain/profile/email.server';
import { addDays, day, hour, minute } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb, once, start, stored } from '../../support/history';

/* How much mail an address gets and a sender may cause, by the clock and to the number. */

const passwords: Passwords = {
  hash: async () => 'none',
  verify: async () => ({ right: true, outdated: false }),
};

let db: Db;
let hanna: Actor;
let rui: Actor;
let ana: Actor;
beforeEach(async () => {
  await forgetAll();
  db = newDb();
  const host = { timeZone: 'UTC', role: 'Provider', location: 'Lisbon' } as const;
  [hanna, rui, ana] = await Promise.all([
    join(db, { ...host, username: 'hanna', displayName: 'Hanna' }),
    join(db, { ...host, username: 'rui', displayName: 'Rui' }),
    join(db, { username: 'ana', displayName: 'Ana', timeZone: 'UTC', role: 'Consumer' }),
  ]);
  await confirmed(hanna, 'hanna@mail.test');
  await confirmed(rui, 'rui@mail.test');
});

const ask = (who: Actor, email: string, now: number) =>
  setEmail(db, passwords, who, { email, password: '-' }, { now, origin: null });
async function confirmed(who: Actor, email: string) {
  await ask(who, email, start - 30 * day);
  await confirmEmail(db, { accountId: who.accountId, email }, start - 30 * day);
}

/** A meetup with these names: each with an address of its own, unless one is given. */
async function invite(host: Actor, names: string[], now = start, email?: string) {
  const attendees = names.map((name) => ({ name, email: email ?? `${name}@mail.test` }));
  const times = { date: addDays(todayIn('UTC', start), 60), startTime: '18:00', endTime: '20:00' };
  const facts = { title: 'Walk', description: '', address: null, locationUrl: null, ...times, attendees };
  const meetup = await createMeetup(db, host, facts, once(now));
  const [link] = await stored<{ id: string }>('SELECT id FROM invitations WHERE party_id = ?', meetup.id);
  return { id: meetup.id, link: link?.id ?? '' };
}
const several = (many: number, name = 'name') => Array.from({ length: many }, (_, index) => `${name}${index}`);

type Fate = { state: string; reason: string | null };
const fates = (where: string, ...values: unknown[]) =>
  stored<Fate>(`SELECT mail_state AS state, reason FROM messages WHERE mail_state IS NOT NULL AND ${where}`, ...values);
/** How many mails go out, and why others don't. */
const counted = (all: Fate[]) => ({
  sent: all.filter(({ state }) => state === 'due').length,
  held: all.flatMap(({ reason }) => reason ?? []),
});
const mailsTo = async (email: string) => counted(await fates('email = ?', email));
/** Of the mails to the names of somebody's meetups. */
const mailsBy = async ({ accountId }: Actor) =>
  counted(await fates('account_id = ? AND invitation_id IS NOT NULL', accountId));
const sentBy = async (host: Actor) => (await mailsBy(host)).sent;

describe('guests of one provider', () => {
  const arrive = async (email: string, now: number) => {
    const guest = { id: email, displayName: 'Gus', email, timeZone: 'UTC', edgeZone: null, origin: null };
    await db.run(insertGuest(guest, sql`true`, now));
  };
  type About = { booking?: string; party?: string; actor?: string };
  /** A guest who does something that is mailed to them, as the triggers see it. */
  const tell = async (kind: string, email: string, { booking, party, actor }: About, now: number) => {
    await arrive(email, now);
    await env.DB.prepare(
      `INSERT INTO messages (id, account_id, kind, booking_id, party_id, actor_id, created_at)
        VALUES (?1 || ?2, ?2, ?1, ?3, ?4, ?5, ?6)`,
    )
      .bind(kind, email, booking ?? null, party ?? null, actor ?? null, now)
      .run();
  };
  const bookAs = (email: string, { accountId }: Actor, now: number) =>
    tell('booked', email, { booking: `${accountId}${String(now + day).padStart(13, '0')}abcdefabcdef` }, now);

  test('have the first hundred mails of an hour at once, and the others an hour later, by themselves', async () => {
    // They are asked for no address, because they can't log in.
    await arrive('gus@mail.test', start);
    expect(await mailsTo('gus@mail.test')).toEqual({ sent: 0, held: [] });
    const late = () => fates("email = 'gus100@mail.test'");
    for (let guest = 0; guest < 101; guest += 1) await bookAs(`gus${guest}@mail.test`, hanna, start + guest);
    expect(await mailsTo('gus99@mail.test')).toEqual({ sent: 1, held: [] });
    await bookAs('ada@mail.test', rui, start + 200);
    expect((await mailsTo('ada@mail.test')).sent).toBe(1);
    await askAgain(db, start + hour);
    expect(await late()).toEqual([{ state: 'waiting', reason: 'guests' }]);
    await askAgain(db, start + hour + 200);
    expect(await late()).toEqual([{ state: 'due', reason: null }]);
  });

  test('have no other way to more: who waits in line, or answers, is counted with those who book', async () => {
    const [walk, other] = await Promise.all([invite(hanna, []), invite(rui, [])]);
    for (let guest = 0; guest < 99; guest += 1) await bookAs(`gus${guest}@mail.test`, hanna, start + guest);
    await tell('wish', 'wendy@mail.test', { actor: hanna.accountId }, start + 100);
    await tell('wish', 'will@mail.test', { actor: hanna.accountId }, start + 101);
    await tell('answered', 'ann@mail.test', { party: walk.id }, start + 102);
    await bookAs('ben@mail.test', hanna, start + 103);
    await tell('wish', 'wim@mail.test', { actor: rui.accountId }, start + 104);
    await tell('answered', 'amy@mail.test', { party: other.id }, start + 105);
    for (const name of ['will', 'ann', 'ben'])
      expect(await mailsTo(`${name}@mail.test`), name).toEqual({ sent: 0, held: ['guests'] });
    for (const name of ['wendy', 'wim', 'amy']) expect((await mailsTo(`${name}@mail.test`)).sent, name).toBe(1);
  });
});

test('the question whether an address is somebody’s is asked there three times a day, whoever asks, however it is written', async () => {
  await ask(ana, 'victim@mail.test', start);
  await ask(hanna, 'Victim@Mail.Test', start + 1);
  await ask(rui, 'victim+tag@mail.test', start + 2);

  for (const who of [ana, rui])
    expect((await ask(who, 'victim@mail.test', start + hour)).held).toEqual({ why: 'questions', isWaiting: false });

  const kept = await stored('SELECT email FROM accounts WHERE id = ?', rui.accountId);
  expect(kept).toEqual([{ email: 'victim@mail.test' }]);
  expect((await ask(ana, 'victim@mail.test', start + day)).held).toBeNull();
});

test('a question that is held back is due when the day of the mailbox is over', async () => {
  for (let at = 0; at < 3; at++) await ask(hanna, 'victim@mail.test', start + at);
  await ask(ana, 'victim@mail.test', start + 5 * hour);

  await sendHeldQuestion(db, ana, start + 6 * hour);

  const questions = () => fates("account_id = ? AND kind = 'confirm-email'", ana.accountId);
  await askAgain(db, start + day - minute);
  expect(await questions()).toEqual([{ state: 'waiting', reason: 'questions' }]);
  await askAgain(db, start + day);
  expect(await questions()).toEqual([{ state: 'due', reason: null }]);
});

test('a question that is held back is over once another address is set', async () => {
  for (let at = 0; at < 3; at++) await ask(hanna, 'victim@mail.test', start + at);
  await ask(ana, 'victim@mail.test', start + hour);

  expect((await ask(ana, 'other@mail.test', start + 2 * hour)).held).toBeNull();

  expect(await fates("account_id = ? AND kind = 'confirm-email'", ana.accountId)).toContainEqual({
    state: 'dropped',
    reason: 'over',
  });
});

describe('an address that nobody has confirmed', () => {
  test('gets ten mails a day, from all senders together', async () => {
    for (const host of [hanna, rui]) {
      for (const at of [0, 1, 2]) await invite(host, ['Vic'], start + at, 'vic@mail.test');
    }
    expect(await mailsTo('vic@mail.test')).toEqual({ sent: 6, held: [] });
    // Changes of what they are invited to go there as well.
    await env.DB.prepare('UPDATE parties SET sequence = sequence + 1, changed_at = ?, ends_at = ends_at + 1')
      .bind(start + 3)
      .run();
    expect(await mailsTo('vic@mail.test')).toEqual({ sent: 10, held: ['full', 'full'] });
    await invite(hanna, ['Vic'], start + day, 'vic@mail.test');
    expect(await mailsTo('vic@mail.test')).toMatchObject({ sent: 11 });
  });

  test('gets none after “This was not me”, from anybody, until it is confirmed', async () => {
    await refuseAddress(db, hashOfAddress('vic@mail.test'), start);
    await invite(hanna, ['Vic'], start, 'Vic@mail.test');
    await invite(rui, ['Vic'], start, 'vic@mail.test');
    expect(await fates("kind = 'invited'")).toEqual(Array(2).fill({ state: 'held', reason: 'refused' }));
    expect(JSON.stringify(await stored('SELECT * FROM refused_addresses'))).not.toContain('vic');
    await confirmed(ana, 'vic@mail.test');
    await invite(rui, ['Vic'], start + 1, 'vic@mail.test');
    expect(await mailsTo('vic@mail.test')).toMatchObject({ sent: 2 });
  });
});

test('a host who has confirmed no address has nobody mailed', async () => {
  await ask(rui, 'new@mail.test', start);
  await invite(rui, ['Ada', 'Ben']);
  expect(await mailsBy(rui)).toEqual({ sent: 0, held: ['sender', 'sender'] });
  expect(await stored('SELECT name FROM invitations WHERE held_mail IS NOT NULL')).toHaveLength(2);
});

describe('a host', () => {
  const register = (daysAgo: number) =>
    env.DB.prepare('UPDATE accounts SET created_at = ?')
      .bind(start - daysAgo * day)
      .run();

  test.each([
    [6, 30],
    [8, 100],
  ])('whose account is %i days old writes to %i new addresses a day', async (age, many) => {
    await register(age);
    await invite(hanna, several(many + 5));
    await invite(rui, several(3, 'other'));
    expect(await mailsBy(hanna)).toEqual({ sent: many, held: Array(5).fill('new') });
    expect(await sentBy(rui)).toBe(3);
    // Whoever was written to before is not new.
    await invite(hanna, several(3), start + hour);
    expect(await sentBy(hanna)).toBe(many + 3);
    await invite(hanna, several(many + 5, 'later'), start + day);
    expect(await sentBy(hanna)).toBe(age === 6 ? 3 + 30 + 35 : 3 + 2 * many);
  });

  test('has what was held back sent the next day, where they say so, and by the same limits', async () => {
    await register(1);
    await invite(hanna, several(33));
    await env.DB.prepare("UPDATE messages SET mail_state = 'waiting' WHERE reason = 'new'").run();
    await askAgain(db, start + day - minute);
    expect(await sentBy(hanna)).toBe(30);
    await askAgain(db, start + day);
    expect(await sentBy(hanna)).toBe(33);
  });

  test('mails no link twice: not by taking the address away and giving it again, nor by removing the name', async () => {
    const email = 'vic@mail.test';
    const { id, link } = await invite(hanna, ['Vic'], start, email);
    for (let at = 1; at < 9; at += 2) {
      await setAttendeeEmail(db, hanna, { id: link, email: null }, start + at);
      await setAttendeeEmail(db, hanna, { id: link, email }, start + at + 1);
    }
    expect(await mailsTo('vic@mail.test')).toEqual({ sent: 1, held: [] });
    const current = async () =>
      (await stored<{ id: string }>('SELECT id FROM invitations WHERE party_id = ?', id))[0]?.id ?? '';
    for (let at = start + 10; at < start + 15; at += 1) {
      await removeAttendee(db, hanna, await current(), once(at));
      await addAttendees(db, hanna, { id, invitees: [{ name: 'Vic', email }] }, once(at));
      await replaceLink(db, hanna, await current(), once(at));
    }
    expect((await mailsTo('vic@mail.test')).sent).toBe(3);
  });

  test('has nothing sent to who wants no more of their mail, in any meetup, by any way; others may', async () => {
    const { link } = await invite(hanna, ['Vic'], start, 'vic@mail.test');
    await endSendersMail(db, { senderId: hanna.accountId, emailHash: hashOfAddress('vic@mail.test') }, start + 1);
    await invite(hanna, ['Vic'], start + 2, 'VIC@mail.test');
    await setAttendeeEmail(db, hanna, { id: link, email: null }, start + 3);
    await setAttendeeEmail(db, hanna, { id: link, email: 'vic+2@mail.test' }, start + 4);
    expect((await mailsBy(hanna)).held).toEqual(['ended']);
    await invite(rui, ['Vic'], start + 5, 'vic@mail.test');
    expect(await sentBy(rui)).toBe(1);
  });
});
