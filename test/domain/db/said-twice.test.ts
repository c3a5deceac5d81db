import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { isStillChangeable } from '../../../app/domain/bookings/conditions.server';
import { isChangeable } from '../../../app/domain/bookings/deadline';
import { isOutsideOfHours } from '../../../app/domain/bookings/within-hours.server';
import { DomainError } from '../../../app/domain/errors';
import { openGuest } from '../../../app/domain/guests/guests.server';
import { rangesOf } from '../../../app/domain/hours/planned-slots';
import { parse } from '../../../app/domain/input/fields';
import { linksBy } from '../../../app/domain/links.server';
import { createParty } from '../../../app/domain/parties/hosting.server';
import { mayBring, type Party, roomFor } from '../../../app/domain/parties/parties';
import { findParty } from '../../../app/domain/parties/parties.server';
import { type Contact, noContact, partyInput } from '../../../app/domain/parties/party-input';
import { checkRsvp, type FoundParty } from '../../../app/domain/parties/rsvp-rules';
import { upsertRsvp } from '../../../app/domain/parties/rsvps.server';
import { createPerson } from '../../../app/domain/people/edit.server';
import { mergedCard, mergePeople, readMerge } from '../../../app/domain/people/merge.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { askEmail } from '../../../app/domain/profile/rules';
import { addDays, wireDate } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import type { Db } from '../../../db/client';
import { RuleBroken } from '../../../db/errors';
import { orm } from '../../../db/statement';
import { among, deleteFrom, hour, newBook, newDb, once, start, stored, year } from '../../support/history';

/* Rules that stand in SQL, where a write decides by them, and in TypeScript, where a screen shows them beforehand. */

const cases = Number(env.CASES);
const minute = 60_000;
const links = linksBy('pepper');

test('what may be changed until when is the same in both', async () => {
  const db = newDb();
  const anyBooking = fc.record({
    startsIn: fc.integer({ min: 1, max: 4 * minute }),
    cancelUntil: fc.nat(4),
    late: fc.constantFrom(-1, 0, 1),
    isAtDeadline: fc.boolean(),
  });

  await fc.assert(
    fc.asyncProperty(anyBooking, async ({ startsIn, cancelUntil, late, isAtDeadline }) => {
      const startsAt = start + (isAtDeadline ? Math.max(1, cancelUntil * minute + late) : startsIn);
      const { rows } = await db.run({
        rows: orm
          .select({ isAllowed: sql<number>`${isStillChangeable(start)}`.as('is_allowed') })
          .from(sql`(SELECT ${startsAt} AS starts_at, ${cancelUntil} AS cancel_until) AS bookings`),
      });

      const shown = isChangeable({ startsAt, changeableUntil: startsAt - cancelUntil * minute }, start);

      expect(rows[0]?.isAllowed).toBe(shown ? 1 : 0);
    }),
    { numRuns: cases },
  );
});

test('a time outside of hours is the same in both', async () => {
  const { db, host } = await newBook();
  const monday = `${year + 1}-01-07`;
  const clock = fc.constantFrom(...[0, 540, 600, 720, 780, 1080, 1439]);
  const words = (minutes: number) =>
    [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  const anyRange = fc
    .tuple(clock, fc.constantFrom(60, 180, 300, 900))
    .map(([opens, length]) => ({ start: words(opens), end: words(Math.min(opens + length, 1440)) }));
  const anyDay = fc.array(anyRange, { maxLength: 3 });
  const anyPlan = fc.record({
    hours: fc.array(
      fc.tuple(anyRange, fc.nat(6)).map(([range, day]) => ({ ...range, day })),
      { maxLength: 9 },
    ),
    except: fc.array(
      fc.record({ date: fc.nat(2), days: fc.constantFrom(null, 0, 2), hours: anyDay }).map(({ date, days, hours }) => ({
        date: addDays(monday, date),
        to: days === null ? null : addDays(monday, date + days),
        hours,
      })),
      { maxLength: 3 },
    ),
  });

  await fc.assert(
    fc.asyncProperty(anyPlan, fc.nat(4), clock, fc.constantFrom(1, 60, 240), async (plan, later, from, length) => {
      const date = addDays(monday, later);
      const until = Math.min(from + length, 1440);
      await env.DB.prepare(`INSERT INTO hours (provider_id, plan, version, carried_to, next_at)
        VALUES (?, ?, '1', '9999-12-31', 1e15) ON CONFLICT DO UPDATE SET plan = excluded.plan`)
        .bind(host.accountId, JSON.stringify(plan))
        .run();
      const { rows } = await db.run({
        rows: orm
          .select({
            isOutside:
              sql<number>`${isOutsideOfHours({ provider: sql`${host.accountId}`, date: sql`${date}`, from: sql`${from}`, until: sql`${until}` })}`.as(
                'is_outside',
              ),
          })
          .from(sql`(SELECT 1)`),
      });

      const isOpenAt = (minute: number) =>
        rangesOf(plan, date).some(
          ({ start, end }) => start <= words(minute) && (end === '00:00' || words(minute) < end),
        );
      const minutes = Array.from({ length: until - from }, (_, passed) => from + passed);
      expect(rows[0]?.isOutside).toBe(minutes.every(isOpenAt) ? 0 : 1);
    }),
    { numRuns: cases },
  );
});

test('a card after a merge is the one that was shown before', async () => {
  const { db, host } = await newBook();
  const maybe = (...texts: string[]) => fc.constantFrom(null, ...texts);
  const anyCard = (of: string) =>
    fc.record({
      email: maybe(`${of}@mail.test`),
      phone: maybe('+351 21 0000', '030 1234'),
      note: maybe('Likes tea', 'Two\nlines', '🦷'.repeat(300)),
      seen: fc.nat(9),
      excused: fc.nat(9),
      missed: fc.nat(9),
    });
  let made = 0;

  await fc.assert(
    fc.asyncProperty(anyCard('one'), anyCard('other'), async (...cards) => {
      made += 1;
      const ids = [];
      for (const { seen, excused, missed, email, ...typed } of cards) {
        const address = email && `${made}-${email}`;
        const { id } = await createPerson(
          db,
          links,
          host,
          { name: 'Ida', ...typed, email: address, key: crypto.randomUUID() },
          start,
        );
        await env.DB.prepare('UPDATE people SET seen = ?, excused = ?, missed = ? WHERE id = ?')
          .bind(seen, excused, missed, id)
          .run();
        ids.push(id);
      }
      const [id, into] = ids as [string, string];
      const merge = await readMerge(db, host, { id, into }, start);

      const { booked, ...card } = await mergePeople(db, host, { id, into }, start);

      expect(booked).toBe(0);
      expect(card).toEqual(merge && mergedCard(merge));
    }),
    { numRuns: Math.ceil(cases / 10) },
  );
});

describe('an RSVP', () => {
  type Own = { accepted: boolean; plusOnes: number; contact: Contact };
  type Rules = Pick<Party, 'plusOnes' | 'openTo' | 'askEmail' | 'askPhone'>;
  type Closing = { endsIn: number; closesIn: number | null };
  const moments = [-1, 0, 1] as const;
  const anyContact = fc.record({
    email: fc.constantFrom(null, 'typed@mail.test'),
    phone: fc.constantFrom(null, '030 1234'),
  });
  const anyRsvp: fc.Arbitrary<Own> = fc.record({
    accepted: fc.boolean(),
    plusOnes: fc.nat(3),
    contact: anyContact,
  });
  type AnyParty = Rules & Closing & { others: number; room: number | null };
  const anyParty: fc.Arbitrary<AnyParty> = fc.record({
    endsIn: fc.constantFrom(...moments, hour, hour),
    closesIn: fc.constantFrom(null, null, ...moments),
    others: fc.nat(2),
    room: fc.option(fc.nat(4)),
    plusOnes: fc.nat(3),
    openTo: fc.constantFrom('accounts', 'anyone', 'anyone'),
    askEmail: fc.constantFrom(...askEmail),
    askPhone: fc.constantFrom(...askEmail),
  });
  const welcoming: Rules = { plusOnes: 3, openTo: 'anyone', askEmail: 'optional', askPhone: 'optional' };

  let db: Db;
  let id: string;
  /** A client, a guest with an address and one without. */
  let people: { actor: Actor; address: string | null }[];
  beforeAll(async () => {
    const { db: book, host, guest } = await newBook();
    db = book;
    const party = { title: 'Lunch', date: todayIn('UTC', start), startTime: '12:00', endTime: '23:00' };
    ({ id } = await createParty(db, host, parse(partyInput, { ...party, date: wireDate(party.date) }), once(start)));
    const guestWith = async (address: string | null) => {
      const details = { displayName: 'Gus', email: address, timeZone: undefined, edgeZone: null, origin: null };
      return { actor: (await openGuest(db, details, start)).actor, address };
    };
    people = [{ actor: guest, address: null }, await guestWith('gus@mail.test'), await guestWith(null)];
  });

  const setParty = (rules: Rules, { endsIn, closesIn }: Closing, room: number | null) =>
    env.DB.prepare(`UPDATE parties SET starts_at = ?1 - 86400000, ends_at = ?1 + ?2, rsvp_closes_at = ?1 + ?3,
      rsvp_by = iif(?3 IS NULL, NULL, local_date), capacity = going + ?4, plus_ones = ?5, open_to = ?6, ask_email = ?7, ask_phone = ?8`)
      .bind(start, endsIn, closesIn, room, rules.plusOnes, rules.openTo, rules.askEmail, rules.askPhone)
      .run();
  /** Writes without looking first, as a form does whose page was read a while ago. */
  const write = (actor: Actor, { accepted, plusOnes, contact }: Own) =>
    db.run(upsertRsvp(actor, { id, accepted, plusOnes, answers: [], contact }, start)).catch((error: unknown) => {
      if (!(error instanceof RuleBroken && error.rule === 'party_has_room')) throw error;
    });
  const found = async (actor: Actor) => (await findParty(db, actor, id)) as FoundParty;
  const storedRsvp = async (actor: Actor) => {
    const { own } = await found(actor);
    return own && { accepted: own.accepted, plusOnes: own.plusOnes };
  };

  async function prepare(actor: Actor, { others, room, endsIn, closesIn, ...rules }: AnyParty, own: Own | null) {
    await deleteFrom(['invitations']);
    await setParty(welcoming, { endsIn: hour, closesIn: null }, null);
    await stored('UPDATE parties SET going = ?', others);
    if (own) await write(actor, own);
    await setParty(rules, { endsIn, closesIn }, room);
  }

  test('is written where the check beforehand lets it through', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(2), anyParty, fc.option(anyRsvp), anyRsvp, async (who, party, own, rsvp) => {
        const { actor, address } = among(people, who);
        await prepare(actor, party, own);
        const before = await storedRsvp(actor);
        const { accountId, isGuest = false } = actor;
        const contact = { ...rsvp.contact, email: rsvp.contact.email ?? address };
        const asked = { ...rsvp, accountId, isGuest, contact, submitted: () => [], isTried: true };
        const isLetThrough = (shown: FoundParty) => {
          try {
            const checked = checkRsvp(shown, asked, start);
            return !('before' in checked) && checked.faults.length === 0;
          } catch (error) {
            if (error instanceof DomainError) return false;
            throw error;
          }
        };
        const { accepted, plusOnes } = rsvp;
        const expected = isLetThrough(await found(actor)) ? { accepted, plusOnes: accepted ? plusOnes : 0 } : before;

        await write(actor, rsvp);

        expect(await storedRsvp(actor)).toEqual(expected);
      }),
      { numRuns: Math.ceil(cases / 5) },
    );
  });

  test('may bring as many people as its form says, and no more', async () => {
    await fc.assert(
      fc.asyncProperty(anyParty, fc.option(anyRsvp), async (party, own) => {
        const { actor } = among(people, 0);
        const open = { ...party, ...welcoming, endsIn: hour, closesIn: null, plusOnes: party.plusOnes };
        await prepare(actor, open, own);
        const shown = await found(actor);
        fc.pre(roomFor(shown.party, shown.own) > 0);
        const most = mayBring(shown.party, shown.own);
        const bring = (plusOnes: number) => write(actor, { accepted: true, plusOnes, contact: noContact });

        await bring(most);
        await bring(most + 1);

        expect(await storedRsvp(actor)).toEqual({ accepted: true, plusOnes: most });
      }),
      { numRuns: Math.ceil(cases / 15) },
    );
  });
});
