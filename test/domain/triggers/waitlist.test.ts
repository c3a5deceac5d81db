import { expect } from 'vitest';
import { hour, stored } from '../../support/history';
import {
  at,
  bookedSlot,
  cancel,
  heldSlot,
  idAt,
  move,
  now,
  openBook,
  slot,
  stateAt,
  stateOfWish,
  toldTo,
  wish,
} from '../../support/trigger-book';
import { keeps, put, run, valuesOf } from '../../support/triggers';

/* The triggers of db/behaviour/waitlist.sql, one by one. */

/** Offers Ana what is free of the day, as of then. */
const offerBy =
  (procedure: string) =>
  (then = now) =>
    put(procedure, {
      provider_id: 'host',
      wish_id: 'ana',
      now: then,
      free_from: at(0),
      free_until: at(24),
      is_by_hand: 0,
    });
const offer = offerBy('offers');
const offerToHold = offerBy('held_offers');
const offerToTell = offerBy('told_offers');
const offered = () => valuesOf("SELECT data ->> 'startsAt' FROM messages WHERE kind = 'offer' ORDER BY id");
const held = () => valuesOf('SELECT starts_at FROM bookings WHERE status = 0');

/** Ana has a booking, and waits for an earlier time. */
async function insteadOf(hours: number): Promise<void> {
  await bookedSlot(hours, 'ana');
  await wish('ana', { instead_of: idAt(hours), until_at: at(hours) });
}

keeps('wishes_are_fulfilled', 'whoever books what they waited for waits no longer', async () => {
  await openBook();
  await wish('ana');
  await wish('ana', { id: 'later', from_at: at(1) });

  await bookedSlot(0, 'ana');

  expect(await Promise.all(['ana', 'later'].map(stateOfWish))).toEqual([2, 0]);
});

keeps('wishes_are_fulfilled', 'whoever books another time is held theirs no longer', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await bookedSlot(1, 'ana');

  expect(await valuesOf('SELECT held_until FROM wishes')).toEqual([now]);
  expect(await valuesOf('SELECT held_until FROM bookings WHERE status = 0')).toEqual([now]);
});

keeps('offers_are_held_or_told', 'the first time from two hours on is held', async () => {
  await openBook();
  await wish('ana');
  for (const hours of [0, 1, 2]) await slot(hours);

  await offer(at(0) - hour);

  expect(await held()).toEqual([at(1)]);
  expect(await offered()).toEqual([at(1)]);
});

keeps('offers_are_held_or_told', 'all that begins within two hours is told', async () => {
  await openBook();
  await wish('ana');
  for (const hours of [0, 0.5, 1]) await slot(hours, { ends_at: at(hours + 0.5) });

  await offer(at(0) - 1);

  expect(await offered()).toEqual([at(0), at(0.5), at(1)]);
  expect(await held()).toEqual([]);
});

keeps('offers_are_held', 'the first time that fits is held', async () => {
  await openBook();
  await wish('ana', { people: 2, from_at: at(1) });
  for (const hours of [0, 1, 2, 3]) await slot(hours, { seats: hours === 1 ? 1 : 2 });

  await offerToHold();

  expect(await stored('SELECT starts_at, booker_id, wish_id, people FROM bookings WHERE status = 0')).toEqual([
    { starts_at: at(2), booker_id: 'ana', wish_id: 'ana', people: 2 },
  ]);
});

keeps('offers_are_held', 'no time is held twice for one wish', async () => {
  await openBook();
  await wish('ana', { passed: `[${at(0)}]` });
  for (const hours of [0, 1]) await slot(hours);

  await offerToHold();

  expect(await held()).toEqual([at(1)]);
});

keeps('offers_are_told', 'whom a time fits is told of it', async () => {
  await openBook();
  await wish('ana', { from_at: at(1) });
  for (const hours of [0, 1, 2]) await slot(hours);

  await offerToTell();

  expect(await offered()).toEqual([at(1), at(2)]);
  expect(await toldTo('ana')).toEqual(['offer', 'offer']);
});

keeps('wishes_follow_their_booking', 'a wish for an earlier time ends with its booking', async () => {
  await openBook();
  await insteadOf(3);

  await cancel(3);

  expect(await stateOfWish('ana')).toBe(2);
});

keeps('wishes_follow_their_booking', 'a wish for an earlier time moves with its booking', async () => {
  await openBook();
  await insteadOf(3);
  await slot(2);

  await move(3, 2, 'ana');

  expect(await stored('SELECT state, instead_of, until_at FROM wishes')).toEqual([
    { state: 0, instead_of: idAt(2), until_at: at(2) },
  ]);
});

keeps('wishes_end_once', 'a wish that is over is never in line again', async () => {
  await openBook();
  await wish('ana', { state: 2 });

  await expect(run('UPDATE wishes SET state = 0')).rejects.toThrow(/wish_ends_once/);
});

keeps('wishes_let_go', 'a wish without its offer gives the time back', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await run('UPDATE wishes SET state = 0, offer_id = NULL, held_until = NULL');

  expect(await valuesOf('SELECT count(*) FROM bookings')).toEqual([0]);
  expect(await stateAt(0)).toBe(0);
});

keeps('wishes_end_before_they_go', 'no wish is deleted that has an offer', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await expect(run('DELETE FROM wishes')).rejects.toThrow(/wish_has_an_offer/);
});
