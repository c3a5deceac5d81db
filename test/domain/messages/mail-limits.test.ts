import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertGuest } from '../../../app/domain/guests/guests.server';
import type { Passwords } from '../../../app/domain/login/passwords.server';
import { hashOfAddress } from '../../../app/domain/messages/addresses.server';
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
import { forgetAll, join, newDb, start, stored } from '../../support/history';

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

let meetups = 0;
/** A meetup with these names: each with an address of its own, unless one is given. */
async function invite(host: Actor, names: string[], now = start, email?: string) {
  meetups += 1;
  const attendees = names.map((name) => ({ name, email: email ?? `${name}@mail.test` }));
  const date = addDays(todayIn('UTC', start), 60);
  const facts = {
    title: 'Walk',
    description: '',
    address: null,
    locationUrl: null,
    startTime: '18:00',
    endTime: '20:00',
  };
  return createMeetup(db, host, { ...facts, date, attendees }, { now, key: `meetup ${meetups}` });
}
const several = (many: number, name = 'name') => Array.from({ length: many }, (_, index) => `${name}${index}`);

type Fate = { state: string; reason: string | null };
const fates = (where: string, ...values: unknown[]) =>
  stored<Fate>(`SELECT mail_state AS state, reason FROM messages WHERE mail_state IS NOT NULL AND ${where}`, ...values);
/** How many mails go to an address, and why others don't. */
async function mailsTo(email: string) {
  const all = await fates('email = ?', email);
  return { sent: all.filter(({ state }) => state === 'due').length, held: all.flatMap(({ reason }) => reason ?? []) };
}
const heldOf = async ({ accountId }: Actor) =>
  (await fates("account_id = ? AND invitation_id IS NOT NULL AND mail_state <> 'due'", accountId)).map(
    ({ reason }) => reason,
  );
const sentBy = async ({ accountId }: Actor) =>
  (await fates("account_id = ? AND invitation_id IS NOT NULL AND mail_state = 'due'", accountId)).length;

describe('guests of one provider', () => {
  const arrive = async (email: string, now: number) => {
    const id = `guest-${email}`;
    await db.run(
      insertGuest({ id, displayName: 'Gus', email, timeZone: 'UTC', edgeZone: null, origin: null }, sql`true`, now),
    );
    return id;
  };
  /** A guest who books at a provider's, as the triggers see it. */
  const bookAs = async (email: string, provider: Actor, now: number) => {
    const id = await arrive(email, now);
    await env.DB.prepare(
      `INSERT INTO messages (id, account_id, kind, booking_id, created_at) VALUES (?1, ?2, 'booked', ?3, ?4)`,
    )
      .bind(`booked:${email}`, id, `${provider.accountId}${String(now + day).padStart(13, '0')}abcdefabcdef`, now)
      .run();
  };

  test('have the first hundred mails of an hour at once, and the others an hour later, by themselves', async () => {
    for (let guest = 0; guest < 101; guest += 1) await bookAs(`gus${guest}@mail.test`, hanna, start + guest);
    expect(await mailsTo('gus99@mail.test')).toEqual({ sent: 1, held: [] });
    expect(await fates("email = 'gus100@mail.test'")).toEqual([{ state: 'waiting', reason: 'guests' }]);
    await bookAs('ada@mail.test', rui, start + 200);
    expect((await mailsTo('ada@mail.test')).sent).toBe(1);
    await askAgain(db, start + hour);
    expect(await fates("email = 'gus100@mail.test'")).toEqual([{ state: 'waiting', reason: 'guests' }]);
    await askAgain(db, start + hour + 200);
    expect(await fates("email = 'gus100@mail.test'")).toEqual([{ state: 'due', reason: null }]);
  });

  test('have no other way to more: who waits in line, or answers, is counted with those who book', async () => {
    const [walk, other] = await Promise.all([invite(hanna, [], start), invite(rui, [], start)]);
    const write = (
      kind: string,
      id: string,
      { party = null as string | null, actor = null as string | null },
      now: number,
    ) =>
      env.DB.prepare(
        `INSERT INTO messages (id, account_id, kind, party_id, actor_id, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
      )
        .bind(`${kind}:${id}`, id, kind, party, actor, now)
        .run();
    for (let guest = 0; guest < 99; guest += 1) await bookAs(`gus${guest}@mail.test`, hanna, start + guest);
    await write('wish', await arrive('wendy@mail.test', start), { actor: hanna.accountId }, start + 100);
    expect((await mailsTo('wendy@mail.test')).sent).toBe(1);
    await write('wish', await arrive('will@mail.test', start), { actor: hanna.accountId }, start + 101);
    await write('answered', await arrive('ann@mail.test', start), { party: walk.id }, start + 102);
    await bookAs('ben@mail.test', hanna, start + 103);
    for (const email of ['will@mail.test', 'ann@mail.test', 'ben@mail.test'])
      expect([email, await mailsTo(email)]).toEqual([email, { sent: 0, held: ['guests'] }]);
    await write('wish', await arrive('wim@mail.test', start), { actor: rui.accountId }, start + 104);
    await write('answered', await arrive('amy@mail.test', start), { party: other.id }, start + 105);
    for (const email of ['wim@mail.test', 'amy@mail.test']) expect((await mailsTo(email)).sent).toBe(1);
  });
});

describe('the question whether an address is somebody’s', () => {
  test('is asked there three times a day, whoever asks, however it is written', async () => {
    await ask(ana, 'victim@mail.test', start);
    await ask(hanna, 'Victim@Mail.Test', start + 1);
    await ask(rui, 'victim+tag@mail.test', start + 2);
    for (const who of [ana, rui]) {
      await expect(ask(who, 'victim@mail.test', start + hour)).rejects.toMatchObject({ code: 'too_many' });
    }
    // Nothing of a refused change is kept.
    expect(await stored('SELECT email FROM accounts WHERE id = ?', rui.accountId)).toEqual([
      { email: 'victim+tag@mail.test' },
    ]);
    expect(await ask(ana, 'other@mail.test', start + hour)).toBe(true);
    expect(await ask(ana, 'victim@mail.test', start + day)).toBe(true);
  });

  test('is not asked of guests, who can’t log in', async () => {
    const gus = {
      id: 'gus',
      displayName: 'Gus',
      email: 'gus@mail.test',
      timeZone: 'UTC',
      edgeZone: null,
      origin: null,
    };
    await db.run(insertGuest(gus, (await import('drizzle-orm')).sql`true`, start));
    expect(await mailsTo('gus@mail.test')).toEqual({ sent: 0, held: [] });
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
    expect(await fates("kind = 'invited'")).toEqual([
      { state: 'held', reason: 'refused' },
      { state: 'held', reason: 'refused' },
    ]);
    expect(JSON.stringify(await stored('SELECT * FROM refused_addresses'))).not.toContain('vic');
    await confirmed(ana, 'vic@mail.test');
    await invite(rui, ['Vic'], start + 1, 'vic@mail.test');
    expect(await mailsTo('vic@mail.test')).toMatchObject({ sent: 2 });
  });
});

describe('a host who has confirmed no address', () => {
  test('has nobody mailed, and can send it once the address is confirmed', async () => {
    await ask(rui, 'new@mail.test', start);
    const { id } = await invite(rui, ['Ada', 'Ben']);
    expect([await sentBy(rui), await heldOf(rui)]).toEqual([0, ['sender', 'sender']]);
    expect(await stored('SELECT name FROM invitations WHERE party_id = ? AND held_mail IS NOT NULL', id)).toHaveLength(
      2,
    );
  });
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
    expect([await sentBy(hanna), await sentBy(rui)]).toEqual([many, 3]);
    expect(new Set(await heldOf(hanna))).toEqual(new Set(['new']));
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

  test('invites an address three times a day', async () => {
    for (const at of [0, 1, 2, 3, 4]) await invite(hanna, ['Vic'], start + at, 'vic@mail.test');
    expect(await mailsTo('vic@mail.test')).toEqual({ sent: 3, held: ['often', 'often'] });
  });

  test('mails no link twice: not by taking the address away and giving it again, nor by removing the name', async () => {
    const meetup = await invite(hanna, ['Vic'], start, 'vic@mail.test');
    const link = async () =>
      (await stored<{ id: string }>('SELECT id FROM invitations WHERE party_id = ?', meetup.id))[0]?.id ?? '';
    for (let at = 1; at < 9; at += 2) {
      await setAttendeeEmail(db, hanna, { id: await link(), email: null }, start + at);
      await setAttendeeEmail(db, hanna, { id: await link(), email: 'vic@mail.test' }, start + at + 1);
    }
    expect(await mailsTo('vic@mail.test')).toEqual({ sent: 1, held: [] });
    for (let at = 10; at < 15; at += 1) {
      await removeAttendee(db, hanna, await link(), { now: start + at, key: `remove ${at}` });
      const invitees = [{ name: 'Vic', email: 'vic@mail.test' }];
      await addAttendees(db, hanna, { id: meetup.id, invitees }, { now: start + at, key: `add ${at}` });
      await replaceLink(db, hanna, await link(), { now: start + at, key: `replace ${at}` });
    }
    expect((await mailsTo('vic@mail.test')).sent).toBe(3);
  });

  test('has nothing sent to who wants no more of their mail, in any meetup, by any way; others may', async () => {
    const { id } = await invite(hanna, ['Vic'], start, 'vic@mail.test');
    await endSendersMail(db, { senderId: hanna.accountId, emailHash: hashOfAddress('vic@mail.test') }, start + 1);
    await invite(hanna, ['Vic'], start + 2, 'VIC@mail.test');
    const [link] = await stored<{ id: string }>('SELECT id FROM invitations WHERE party_id = ?', id);
    await setAttendeeEmail(db, hanna, { id: link?.id ?? '', email: null }, start + 3);
    await setAttendeeEmail(db, hanna, { id: link?.id ?? '', email: 'vic+2@mail.test' }, start + 4);
    expect(await heldOf(hanna)).toEqual(['ended']);
    await invite(rui, ['Vic'], start + 5, 'vic@mail.test');
    expect(await sentBy(rui)).toBe(1);
  });
});
