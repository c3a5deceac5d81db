import { env } from 'cloudflare:test';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { bookAppointment } from '../../../app/domain/bookings/book.server';
import { bookAsNewGuest } from '../../../app/domain/bookings/book-as-new-guest.server';
import { bookAt } from '../../../app/domain/bookings/book-at.server';
import { bookFor, walkInOf } from '../../../app/domain/bookings/walk-ins.server';
import { DomainError } from '../../../app/domain/errors';
import { openGuest } from '../../../app/domain/guests/guests.server';
import { parse } from '../../../app/domain/input/fields';
import { linksBy } from '../../../app/domain/links.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { askEmail, openTo } from '../../../app/domain/profile/rules';
import { bookSeries } from '../../../app/domain/series/book-series.server';
import { createService } from '../../../app/domain/services/services.server';
import { type Where, wheres } from '../../../app/domain/services/where';
import { withdrawSlots } from '../../../app/domain/slots/withdraw.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { takeOffer } from '../../../app/domain/waitlist/take.server';
import { addWish } from '../../../app/domain/waitlist/wish.server';
import { wishInput } from '../../../app/domain/waitlist/wishes';
import type { Db } from '../../../db/client';
import { wishState } from '../../../db/states';
import { keyOfOffer, newBook, once, publishTimes, start, stored } from '../../support/history';

/*
 * What a booking needs of its person is decided by the statement that books, and said by TypeScript once that has refused. Each way
 * to book must ask for the same, and name what is missing.
 */

const cases = Number(env.CASES);
const links = linksBy('pepper');
const zone = 'UTC';

const anyWish = fc.record({
  openTo: fc.constantFrom(...openTo),
  askEmail: fc.constantFrom(...askEmail),
  askPhone: fc.constantFrom(...askEmail),
  where: fc.constantFrom(...wheres),
  email: fc.constantFrom(null, 'gus@mail.test'),
  phone: fc.constantFrom(null, '030 1234'),
  address: fc.constantFrom(null, 'Long Lane 4'),
});
type Wish = typeof anyWish extends fc.Arbitrary<infer Each> ? Each : never;
type Place = { ids: [string, string]; service: string };

let db: Db;
let host: Actor;
let client: Actor;
let guests: Map<string | null, Actor>;
let services: Map<Where, string>;
let date: string;

beforeAll(async () => {
  ({ db, host, guest: client } = await newBook());
  date = addDays(todayIn(zone, start), 3);
  const usual = { minutes: 30, gap: 0, seats: 1, price: null, deposit: null, description: null, isOffered: true };
  services = new Map();
  for (const where of wheres) {
    const link = where === 'video' ? 'https://meet.test/a' : null;
    const service = { ...usual, name: where, templateId: null, where, link };
    services.set(where, (await createService(db, host, service, once(start))).id);
  }
  const guestWith = async (email: string | null) =>
    (await openGuest(db, { displayName: 'Gus', email, timeZone: zone, edgeZone: null, origin: null }, start)).actor;
  guests = new Map([
    [null, await guestWith(null)],
    ['gus@mail.test', await guestWith('gus@mail.test')],
  ]);
});

/** An empty day with two times, of a provider with these rules. */
async function prepare(wish: Wish): Promise<Place> {
  await env.DB.batch(
    [
      `UPDATE wishes SET state = ${wishState.over}, offer_id = NULL, held_until = NULL`,
      'DELETE FROM wishes',
      "UPDATE bookings SET status = 2, canceled_at = 1, canceled_by = 'provider', withdraws = 1 WHERE status = 1",
      'DELETE FROM bookings',
      'DELETE FROM slots',
    ].map((sql) => env.DB.prepare(sql)),
  );
  await env.DB.prepare('UPDATE accounts SET open_to = ?, ask_email = ?, ask_phone = ? WHERE id = ?')
    .bind(wish.openTo, wish.askEmail, wish.askPhone, host.accountId)
    .run();
  const { ids } = await publishTimes(db, host, { start: '10:00', end: '11:00', dates: [date] });
  return { ids: ids as [string, string], service: services.get(wish.where) ?? '' };
}

const setPhoneRule = (askPhone: string) =>
  env.DB.prepare('UPDATE accounts SET ask_phone = ? WHERE id = ?').bind(askPhone, host.accountId).run();

let sent = 0;
const key = () => `key ${sent++}`;

/** What each way to book asks for, in plain words, and how it is booked. */
const ways: Record<
  string,
  {
    asks: ('account' | 'email' | 'phone' | 'number' | 'address')[];
    book: (wish: Wish, place: Place) => Promise<unknown>;
  }
> = {
  'an account': {
    asks: ['phone', 'number', 'address'],
    book: ({ phone, address }, { ids: [id], service }) =>
      bookAppointment(db, client, { id, service, phone, address, submitted: null }, start),
  },
  'a guest who has booked before': {
    asks: ['account', 'email', 'phone', 'number', 'address'],
    book: ({ email, phone, address }, { ids: [id], service }) =>
      bookAppointment(db, guests.get(email) as Actor, { id, service, phone, address, submitted: null }, start),
  },
  'a new guest': {
    asks: ['account', 'email', 'phone', 'number', 'address'],
    book: ({ email, phone, address }, { ids: [id], service }) =>
      bookAsNewGuest(
        db,
        {
          id: links.repeatableIdOf('guest', key()),
          sessionId: key(),
          edgeZone: null,
          origin: null,
          wanted: { id },
          service,
          details: { displayName: 'Gus', email, timeZone: zone, phone, address },
          submitted: null,
        },
        start,
      ),
  },
  'a series of an account': {
    asks: ['phone', 'number', 'address'],
    book: ({ phone, address }, { ids, service }) =>
      bookSeries(db, client, seriesOf({ ids, service, phone, address }), { links, key: key(), now: start }),
  },
  'a series of a guest': {
    asks: ['account', 'email', 'phone', 'number', 'address'],
    book: ({ email, phone, address }, { ids, service }) =>
      bookSeries(db, guests.get(email) as Actor, seriesOf({ ids, service, phone, address }), {
        links,
        key: key(),
        now: start,
      }),
  },
  'whoever takes an offer': {
    asks: ['phone', 'number', 'address'],
    async book({ askPhone, phone, address }, { ids, service }) {
      // Their provider asks only once the time is held.
      await setPhoneRule('no');
      await withdrawSlots(db, host, { ids }, once(start));
      const asked = parse(wishInput, { provider: 'host', service });
      await addWish(db, { actor: client }, asked, { now: start, origin: null });
      await publishTimes(db, host, { start: '10:00', end: '10:30', dates: [date] });
      await setPhoneRule(askPhone);
      return takeOffer(db, links, { key: await keyOfOffer(links), submitted: null, phone, address }, start);
    },
  },
  'a provider for somebody': {
    asks: ['address'],
    book: ({ email, phone, address }, { ids: [id], service }) =>
      bookFor(
        db,
        host,
        { id, service },
        walkInOf(links, host, {
          id,
          key: key(),
          displayName: 'Ida',
          email,
          phone,
          address,
          note: null,
          submitted: null,
        }),
        start,
      ),
  },
  'a provider for somebody at any time': {
    asks: ['address'],
    book: ({ email, phone, address }, { service }) =>
      bookAt(
        db,
        links,
        host,
        {
          time: { date, start: '15:00', minutes: null },
          who: { displayName: 'Ida', email },
          service,
          people: 1,
          isOver: true,
          key: key(),
          note: null,
          phone,
          address,
          submitted: null,
        },
        start,
      ),
  },
};

const seriesOf = (asked: { ids: string[]; service: string; phone: string | null; address: string | null }) => ({
  ...asked,
  people: 1,
  personId: null,
  formData: null,
});

/** The fields that are missing of those that the way asks for; null if only accounts may book. */
function missing({ asks }: (typeof ways)[string], wish: Wish): string[] | null {
  const is = (what: (typeof asks)[number]) => asks.includes(what);
  if (is('account') && wish.openTo === 'accounts') return null;
  const needsPhone = (is('phone') && wish.askPhone === 'required') || (is('number') && wish.where === 'phone');
  return [
    ...(is('email') && wish.askEmail === 'required' && !wish.email ? ['email'] : []),
    ...(needsPhone && !wish.phone ? ['phone'] : []),
    ...(is('address') && wish.where === 'theirs' && !wish.address ? ['address'] : []),
  ];
}

// Two thousand cases take ten seconds, and longer beside other work.
test.each(Object.keys(ways))(
  '%s is booked if nothing is missing, and else hears what is',
  { timeout: 120_000 },
  async (name) => {
    const way = ways[name] as (typeof ways)[string];
    await fc.assert(
      fc.asyncProperty(anyWish, async (wish) => {
        const place = await prepare(wish);

        const refused = await way.book(wish, place).then(
          () => undefined,
          (error: unknown) => error as DomainError,
        );

        const lacks = missing(way, wish);
        const [{ count } = { count: 0 }] = await stored<{ count: number }>(
          'SELECT count(*) AS count FROM bookings WHERE status = 1',
        );
        expect(count > 0).toBe(lacks?.length === 0);
        if (lacks === null) expect(refused).toMatchObject({ code: 'forbidden' });
        else if (lacks.length === 0) expect(refused).toBeUndefined();
        // A refusal may name a part of what is missing, and nothing else.
        else {
          expect(refused).toBeInstanceOf(DomainError);
          const named = refused?.faults.map(({ field }) => field) ?? [];
          expect(named.length, refused?.message).toBeGreaterThan(0);
          expect(lacks).toEqual(expect.arrayContaining(named));
        }
      }),
      { numRuns: Math.ceil(cases / 4) },
    );
  },
);
