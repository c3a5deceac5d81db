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
import { inEnglish } from '../../../app/domain/words/english';
import type { Db } from '../../../db/client';
import { forgetAll, join, newDb, once, publishTimes, start, stored } from '../../support/history';

/* Reminders, the digests of RSVPs, and the words of changes. */

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
const rsvp = (who: Actor, { id }: { id: string }, accepted: boolean, now = start) =>
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

  describe('is told to its booker', () => {
    test('a day before', async () => {
      await book(await publish());

      expect(await reminded(aDayBefore)).toEqual(['Ana']);
    });

    test('no earlier', async () => {
      await book(await publish());

      expect(await reminded(aDayBefore - 1)).toEqual([]);
    });

    test('up to half a day late', async () => {
      await book(await publish());

      expect(await reminded(aDayBefore + 12 * hour - 1)).toEqual(['Ana']);
    });

    test.each([
      ['half a day late', aDayBefore + 12 * hour],
      ['once it has begun', nine],
    ])('no more %s', async (_, at) => {
      await book(await publish());

      expect(await reminded(at)).toEqual([]);
    });

    test('once', async () => {
      await book(await publish());
      await reminded(aDayBefore);

      expect(await reminded(aDayBefore + hour)).toEqual([]);
    });

    test('not where it was booked after that', async () => {
      await book(await publish(), aDayBefore + hour);

      expect(await reminded(aDayBefore + 2 * hour)).toEqual([]);
    });

    test('not where it was canceled', async () => {
      const id = await publish();
      await book(id);
      await cancelAppointment(db, ana, { id, reason: null }, start + 1);

      expect(await reminded(aDayBefore)).toEqual([]);
    });
  });

  test('has the next reminder a day before it', async () => {
    await book(await publish());

    expect(await nextReminder(db, start)).toBe(aDayBefore);
  });

  test('has no next reminder after that', async () => {
    await book(await publish());

    expect(await nextReminder(db, aDayBefore)).toBeNull();
  });

  describe('that is moved', () => {
    const move = (who: Actor, id: string, to: string, at: number) =>
      moveAppointment(db, who, { id, to, submitted: null, reason: null }, at);

    test('is told for the new time', async () => {
      const [early, old] = [await publish('09:00', '09:30'), await publish('09:30', '10:00')];
      await book(old);

      await move(ana, old, early, start + 1);

      expect(await reminded(aDayBefore)).toEqual(['Ana']);
    });

    test('is not told for the old time', async () => {
      const [early, old] = [await publish('09:00', '09:30'), await publish('09:30', '10:00')];
      await book(old);
      await move(ana, old, early, start + 1);
      await reminded(aDayBefore);

      expect(await reminded(aDayBefore + 30 * minute)).toEqual([]);
    });

    test('is told for the new time, where it was told for the old one', async () => {
      const [old, later] = [await publish('09:00', '09:30'), await publish('15:00', '15:30')];
      await book(old);
      await reminded(aDayBefore);

      await move(ana, old, later, aDayBefore + hour);

      expect(await reminded(aDayBefore + 6 * hour - 1)).toEqual([]);
      expect(await reminded(aDayBefore + 6 * hour)).toEqual(['Ana']);
      expect(await reminded(nine)).toEqual([]);
    });

    test('is not told where its new reminder was due already, because the move is news enough', async () => {
      const [old, soon] = [await publish('15:00', '15:30'), await publish('16:00', '16:30')];
      await book(old);

      await move(host, old, soon, aDayBefore + 8 * hour);

      expect(await reminded(aDayBefore + 9 * hour)).toEqual([]);
    });
  });

  describe('of a provider who has chosen when to remind', () => {
    test.each([
      ['two weeks', 20_160],
      ['an hour', 60],
    ])('is told %s before', async (_, minutes) => {
      await choose(minutes);
      await book(await publish());

      expect(await reminded(nine - minutes * minute - 1)).toEqual([]);
      expect(await reminded(nine - minutes * minute)).toEqual(['Ana']);
    });

    test('is told at each of the times', async () => {
      await choose(60, 20_160);
      await book(await publish());

      expect(await reminded(nine - 14 * day)).toEqual(['Ana']);
      expect(await reminded(nine - hour)).toEqual(['Ana']);
    });

    test('is told at no other time', async () => {
      await choose(60, 20_160);
      await book(await publish());
      await reminded(nine - 14 * day);

      expect(await reminded(aDayBefore)).toEqual([]);
    });

    test('has the next reminder at the first of the times', async () => {
      await choose(60, 20_160);
      await book(await publish());

      expect(await nextReminder(db, start)).toBe(nine - 14 * day);
    });

    test('is not told where they chose none', async () => {
      await choose();
      await book(await publish());

      expect(await reminded(aDayBefore)).toEqual([]);
      expect(await reminded(nine - 30 * minute)).toEqual([]);
    });
  });
});

describe('a party at nine', () => {
  const moveBy = ({ id }: { id: string }, days: number, now: number) =>
    editParty(db, host, 'party', { id, change: { date: addDays(date, days) } }, now);

  test('is told to who comes', async () => {
    const party = await newParty();
    await rsvp(ana, party, true);
    await rsvp(bo, party, false);

    expect(await reminded(aDayBefore)).toEqual(['Ana']);
  });

  test('is not told to who said yes after that', async () => {
    const party = await newParty();
    await rsvp(bo, party, true, aDayBefore + 1);

    expect(await reminded(aDayBefore + 2)).toEqual([]);
  });

  test('is told anew when it has moved', async () => {
    const party = await newParty();
    await rsvp(ana, party, true);
    await reminded(aDayBefore);

    await moveBy(party, 2, aDayBefore + hour);

    expect(await reminded(aDayBefore + 2 * hour)).toEqual([]);
    expect(await reminded(nine + day)).toEqual(['Ana']);
  });

  test('is told after a move to who said yes when the old reminder was due', async () => {
    const party = await newParty();
    await rsvp(bo, party, true, aDayBefore + 1);

    await moveBy(party, 2, aDayBefore + hour);

    expect(await reminded(nine + day)).toEqual(['Bo']);
  });

  test('is not told when it was called off', async () => {
    const party = await newParty();
    await rsvp(ana, party, true);

    await deleteParty(db, host, 'party', { id: party.id, reason: null }, once(start + hour));

    expect(await reminded(aDayBefore)).toEqual([]);
  });
});

describe('the names of a meetup at nine', () => {
  /** A name for each RSVP, with an address but for one, who are told an hour and a day before. */
  beforeEach(async () => {
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
  });

  test('are told at the addresses that their host gave, unless they declined or ended such mail', async () => {
    expect(await reminded(aDayBefore)).toEqual(['Coming@mail.test', 'Open@mail.test']);
  });

  test('are told again where they come, and only once where they have not answered', async () => {
    await reminded(aDayBefore);

    expect(await reminded(nine - hour)).toEqual(['Coming@mail.test']);
  });
});

describe('a host is told of answers', () => {
  /** The digests, as 'title, number of RSVPs, hour'. */
  async function digestsOf(username: string): Promise<string[]> {
    const digests = await stored<{ title: string; count: number; hours: number }>(
      `SELECT title, data ->> 'count' AS count, (messages.created_at - ?) / 3600000 AS hours
        FROM messages JOIN parties ON parties.id = party_id JOIN accounts ON accounts.id = account_id
        WHERE messages.kind = 'rsvps' AND messages.email = accounts.email AND username = ? ORDER BY hours, title`,
      start,
      username,
    );
    return digests.map(({ title, count, hours }) => `${title}, ${count}, ${hours}`);
  }
  const confirmAll = () =>
    env.DB.prepare("UPDATE accounts SET email = id || '@mail.test', email_confirmed_at = 1").run();

  test('once a day for each party', async () => {
    await confirmAll();
    const lanterns = await newParty(host, 'Lanterns');

    await rsvp(ana, lanterns, true);
    await rsvp(bo, lanterns, true, start + hour);
    await rsvp(ana, lanterns, false, start + day);

    expect(await digestsOf('host')).toEqual(['Lanterns, 2, 0', 'Lanterns, 1, 24']);
  });

  test('once a day for each meetup', async () => {
    await confirmAll();
    const linkOf = await newMeetup(['Ada', 'Ben']);

    await rsvpByLink(db, { id: linkOf('Ada'), accepted: true }, start + hour);
    await rsvpByLink(db, { id: linkOf('Ben'), accepted: false }, start + day);

    expect(await digestsOf('host')).toEqual(['Walk, 1, 1', 'Walk, 1, 24']);
  });

  test('for each party by itself', async () => {
    await confirmAll();
    const [lanterns, chess] = [await newParty(host, 'Lanterns'), await newParty(host, 'Chess')];

    await rsvp(ana, lanterns, true);
    await rsvp(ana, chess, true);

    expect(await digestsOf('host')).toEqual(['Chess, 1, 0', 'Lanterns, 1, 0']);
  });

  test('of no other host’s', async () => {
    const rui = await joinAs('rui', 'Provider');
    await confirmAll();
    const [lanterns, chess] = [await newParty(host, 'Lanterns'), await newParty(rui, 'Chess')];

    await rsvp(ana, lanterns, true);
    await rsvp(ana, chess, true, start + hour);
    await rsvp(bo, chess, false, start + day);

    expect(await digestsOf('host')).toEqual(['Lanterns, 1, 0']);
    expect(await digestsOf('rui')).toEqual(['Chess, 1, 1', 'Chess, 1, 24']);
  });
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

describe('a change of a party', () => {
  /** Ana's news of a change, with the host's own words and without them. */
  async function newsOfChange(change: object) {
    const party = await newParty(host, 'Book club');
    await rsvp(ana, party, true);
    await editParty(db, host, 'party', { id: party.id, change }, start + 1);
    const [news] = (await listNews(db, ana, 0)).rows;
    if (!news) throw new Error('There is no news.');
    return { full: inEnglish(sentenceOf(news)), withoutTexts: inEnglish(sentenceOf(withoutHostTexts(news))) };
  }

  test('says the new title', async () => {
    const { full } = await newsOfChange({ title: 'Reading circle' });

    expect(full).toBe('host changed Reading circle. It was called Book club.');
  });

  test('leads to the page where the host’s words stay out', async () => {
    const { withoutTexts } = await newsOfChange({ title: 'Reading circle' });

    expect(withoutTexts).toBe('host changed a party. Its page shows what is new.');
  });

  test('says a new time always', async () => {
    const { withoutTexts } = await newsOfChange({ date: addDays(date, 1) });

    expect(withoutTexts).toMatch(/^host changed a party\. It was on .*, and is now on .*\.$/);
  });
});
