import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { insertGuest } from '../../../app/domain/guests/guests.server';
import type { Passwords } from '../../../app/domain/login/passwords.server';
import { hashOfAddress } from '../../../app/domain/mail/addresses.server';
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
import { sendWithheldQuestion } from '../../../app/domain/profile/withheld-question.server';
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
  withheld: all.flatMap(({ reason }) => reason ?? []),
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
      `INSERT INTO notices (kind, once, account_id, booking_id, party_id, actor_id, at)
        VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6)`,
    )
      .bind(kind, email, booking ?? null, party ?? null, actor ?? null, now)
      .run();
  };
  const bookAs = (email: string, { accountId }: Actor, now: number) =>
    tell('booked', email, { booking: `${accountId}${String(now + day).padStart(13, '0')}abcdefabcdef` }, now);

  /** So many guests book at Hanna's, a millisecond after each other. */
  async function bookAsMany(many: number) {
    for (let guest = 0; guest < many; guest += 1) await bookAs(`gus${guest}@mail.test`, hanna, start + guest);
  }

  test('are asked for no address, because they can’t log in', async () => {
    await arrive('gus@mail.test', start);

    expect(await mailsTo('gus@mail.test')).toEqual({ sent: 0, withheld: [] });
  });

  test('have the first hundred mails of an hour at once', async () => {
    await bookAsMany(101);

    expect(await mailsTo('gus99@mail.test')).toEqual({ sent: 1, withheld: [] });
    expect(await mailsTo('gus100@mail.test')).toEqual({ sent: 0, withheld: ['guests'] });
  });

  test('have the others an hour later, by themselves', async () => {
    await bookAsMany(101);
    const late = () => fates("email = 'gus100@mail.test'");

    await askAgain(db, start + hour);
    expect(await late()).toEqual([{ state: 'waiting', reason: 'guests' }]);
    await askAgain(db, start + hour + 200);
    expect(await late()).toEqual([{ state: 'due', reason: null }]);
  });

  test('have them at once from another provider', async () => {
    await bookAsMany(101);

    await bookAs('ada@mail.test', rui, start + 200);

    expect((await mailsTo('ada@mail.test')).sent).toBe(1);
  });

  describe('who wait in line or answer a party', () => {
    /** Ninety-nine have booked at Hanna's, and one waits. */
    beforeEach(async () => {
      await bookAsMany(99);
      await tell('wish', 'wendy@mail.test', { actor: hanna.accountId }, start + 100);
    });

    test('are counted with those who book', async () => {
      expect((await mailsTo('wendy@mail.test')).sent).toBe(1);

      await bookAs('ben@mail.test', hanna, start + 103);

      expect(await mailsTo('ben@mail.test')).toEqual({ sent: 0, withheld: ['guests'] });
    });

    test('are withheld like these: who wait', async () => {
      await tell('wish', 'will@mail.test', { actor: hanna.accountId }, start + 101);

      expect(await mailsTo('will@mail.test')).toEqual({ sent: 0, withheld: ['guests'] });
    });

    test('are withheld like these: who answer', async () => {
      const { id } = await invite(hanna, []);

      await tell('answered', 'ann@mail.test', { party: id }, start + 102);

      expect(await mailsTo('ann@mail.test')).toEqual({ sent: 0, withheld: ['guests'] });
    });

    test('are mailed at once by another provider', async () => {
      const { id } = await invite(rui, []);

      await tell('wish', 'wim@mail.test', { actor: rui.accountId }, start + 104);
      await tell('answered', 'amy@mail.test', { party: id }, start + 105);

      expect((await mailsTo('wim@mail.test')).sent).toBe(1);
      expect((await mailsTo('amy@mail.test')).sent).toBe(1);
    });
  });
});

describe('the question whether an address is somebody’s', () => {
  /** Three people ask it of one mailbox, each in other writing. */
  async function askThree() {
    await ask(ana, 'victim@mail.test', start);
    await ask(hanna, 'Victim@Mail.Test', start + 1);
    await ask(rui, 'victim+tag@mail.test', start + 2);
  }
  const isWithheld = { why: 'questions', isDelayed: false };

  test('is asked there three times a day, however it is written', async () => {
    await askThree();

    expect((await ask(ana, 'victim@mail.test', start + hour)).withheld).toEqual(isWithheld);
  });

  test('is asked there three times a day, whoever asks', async () => {
    await askThree();

    expect((await ask(rui, 'victim@mail.test', start + hour)).withheld).toEqual(isWithheld);
  });

  test('keeps nobody from setting the address', async () => {
    await askThree();

    await ask(rui, 'victim@mail.test', start + hour);

    const accounts = await stored('SELECT email FROM accounts WHERE id = ?', rui.accountId);
    expect(accounts).toEqual([{ email: 'victim@mail.test' }]);
  });

  test('is asked again the next day', async () => {
    await askThree();

    expect((await ask(ana, 'victim@mail.test', start + day)).withheld).toBeNull();
  });
});

test('a question that is withheld is due when the day of the mailbox is over', async () => {
  for (let at = 0; at < 3; at++) await ask(hanna, 'victim@mail.test', start + at);
  await ask(ana, 'victim@mail.test', start + 5 * hour);

  await sendWithheldQuestion(db, ana, start + 6 * hour);

  const questions = () => fates("account_id = ? AND kind = 'confirm-email'", ana.accountId);
  await askAgain(db, start + day - minute);
  expect(await questions()).toEqual([{ state: 'waiting', reason: 'questions' }]);
  await askAgain(db, start + day);
  expect(await questions()).toEqual([{ state: 'due', reason: null }]);
});

test('a question that is withheld is over once another address is set', async () => {
  for (let at = 0; at < 3; at++) await ask(hanna, 'victim@mail.test', start + at);
  await ask(ana, 'victim@mail.test', start + hour);

  expect((await ask(ana, 'other@mail.test', start + 2 * hour)).withheld).toBeNull();

  expect(await fates("account_id = ? AND kind = 'confirm-email'", ana.accountId)).toContainEqual({
    state: 'dropped',
    reason: 'over',
  });
});

describe('an address that nobody has confirmed', () => {
  /** Two hosts have sent six invitations there, and told a change of each: ten mails, and two withheld. */
  async function fillVic() {
    for (const host of [hanna, rui]) {
      for (const at of [0, 1, 2]) await invite(host, ['Vic'], start + at, 'vic@mail.test');
    }
    await env.DB.prepare('UPDATE parties SET sequence = sequence + 1, changed_at = ?, ends_at = ends_at + 1')
      .bind(start + 3)
      .run();
  }

  test('gets ten mails a day, from all senders together', async () => {
    await fillVic();

    expect(await mailsTo('vic@mail.test')).toEqual({ sent: 10, withheld: ['full', 'full'] });
  });

  test('gets mail again the next day', async () => {
    await fillVic();

    await invite(hanna, ['Vic'], start + day, 'vic@mail.test');

    expect(await mailsTo('vic@mail.test')).toMatchObject({ sent: 11 });
  });

  describe('and from which somebody said “This was not me”', () => {
    beforeEach(() => refuseAddress(db, hashOfAddress('vic@mail.test'), start));

    test('gets no mail from anybody, however it is written', async () => {
      await invite(hanna, ['Vic'], start, 'Vic@mail.test');
      await invite(rui, ['Vic'], start, 'vic@mail.test');

      expect(await fates("kind = 'invited'")).toEqual(Array(2).fill({ state: 'withheld', reason: 'refused' }));
    });

    test('is kept as no address that can be read', async () => {
      expect(JSON.stringify(await stored('SELECT * FROM refused_addresses'))).not.toContain('vic');
    });

    test('gets mail again once it is confirmed', async () => {
      await confirmed(ana, 'vic@mail.test');

      await invite(rui, ['Vic'], start + 1, 'vic@mail.test');

      // The question, and the invitation.
      expect(await mailsTo('vic@mail.test')).toMatchObject({ sent: 2 });
    });
  });
});

describe('a host who has confirmed no address', () => {
  beforeEach(async () => {
    await ask(rui, 'new@mail.test', start);
    await invite(rui, ['Ada', 'Ben']);
  });

  test('has nobody mailed', async () => {
    expect(await mailsBy(rui)).toEqual({ sent: 0, withheld: ['sender', 'sender'] });
  });

  test('sees it beside each name', async () => {
    expect(await stored('SELECT name FROM invitations WHERE withheld_mail IS NOT NULL')).toHaveLength(2);
  });
});

describe('a host', () => {
  const register = (daysAgo: number) =>
    env.DB.prepare('UPDATE accounts SET created_at = ?')
      .bind(start - daysAgo * day)
      .run();

  /** Names that a host of so many days may write to in a day. */
  const limits = [
    [6, 30],
    [8, 100],
  ];

  test.each(limits)('whose account is %i days old writes to %i new addresses a day', async (age, many) => {
    await register(age);

    await invite(hanna, several(many + 5));

    expect(await mailsBy(hanna)).toEqual({ sent: many, withheld: Array(5).fill('new') });
  });

  test('has a limit of their own', async () => {
    await register(6);
    await invite(hanna, several(35));

    await invite(rui, several(3, 'other'));

    expect(await sentBy(rui)).toBe(3);
  });

  test('writes on to who was written to before', async () => {
    await register(6);
    await invite(hanna, several(35));

    await invite(hanna, several(3), start + hour);

    expect(await sentBy(hanna)).toBe(30 + 3);
  });

  test('writes to as many new addresses again the next day', async () => {
    await register(8);
    await invite(hanna, several(105));

    await invite(hanna, several(105, 'later'), start + day);

    expect(await sentBy(hanna)).toBe(200);
  });

  test('writes to more new addresses from the day on which the account is a week old', async () => {
    await register(6);
    await invite(hanna, several(35));

    await invite(hanna, several(35, 'later'), start + day);

    expect(await sentBy(hanna)).toBe(30 + 35);
  });

  test('has what was withheld sent the next day, where they say so', async () => {
    await register(1);
    await invite(hanna, several(33));
    await env.DB.prepare("UPDATE messages SET mail_state = 'waiting' WHERE reason = 'new'").run();

    await askAgain(db, start + day - minute);
    expect(await sentBy(hanna)).toBe(30);
    await askAgain(db, start + day);
    expect(await sentBy(hanna)).toBe(33);
  });

  test('mails no link twice by taking the address away and giving it again', async () => {
    const email = 'vic@mail.test';
    const { link } = await invite(hanna, ['Vic'], start, email);

    for (let at = 1; at < 9; at += 2) {
      await setAttendeeEmail(db, hanna, { id: link, email: null }, start + at);
      await setAttendeeEmail(db, hanna, { id: link, email }, start + at + 1);
    }

    expect(await mailsTo(email)).toEqual({ sent: 1, withheld: [] });
  });

  test('mails three new links a day by removing the name and adding it again', async () => {
    const email = 'vic@mail.test';
    const { id } = await invite(hanna, ['Vic'], start, email);
    const currentLink = async () =>
      (await stored<{ id: string }>('SELECT id FROM invitations WHERE party_id = ?', id))[0]?.id ?? '';

    for (let at = start + 10; at < start + 15; at += 1) {
      await removeAttendee(db, hanna, await currentLink(), once(at));
      await addAttendees(db, hanna, { id, invitees: [{ name: 'Vic', email }] }, once(at));
      await replaceLink(db, hanna, await currentLink(), once(at));
    }

    expect((await mailsTo(email)).sent).toBe(3);
  });

  describe('whose mail somebody has ended', () => {
    let link: string;
    beforeEach(async () => {
      ({ link } = await invite(hanna, ['Vic'], start, 'vic@mail.test'));
      await endSendersMail(db, { senderId: hanna.accountId, emailHash: hashOfAddress('vic@mail.test') }, start + 1);
    });

    test('has nothing sent there by another meetup, however it is written', async () => {
      await invite(hanna, ['Vic'], start + 2, 'VIC@mail.test');

      expect((await mailsBy(hanna)).withheld).toEqual(['ended']);
    });

    test('has nothing sent there by giving the address again, however it is written', async () => {
      await setAttendeeEmail(db, hanna, { id: link, email: null }, start + 3);
      await setAttendeeEmail(db, hanna, { id: link, email: 'vic+2@mail.test' }, start + 4);

      expect(await sentBy(hanna)).toBe(1);
    });

    test('keeps no other host from writing there', async () => {
      await invite(rui, ['Vic'], start + 5, 'vic@mail.test');

      expect(await sentBy(rui)).toBe(1);
    });
  });
});
