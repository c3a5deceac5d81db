import { expect } from 'vitest';
import { stored } from '../../support/history';
import {
  at,
  book,
  bookedSlot,
  cancel,
  dateAt,
  heldSlot,
  hold,
  idAt,
  move,
  now,
  openBook,
  openShop,
  program,
  slot,
  stateAt,
  stateOfWish,
  takeHeld,
  toldPrograms,
  toldTo,
  wish,
} from '../../support/trigger-book';
import { changesOf, feed, keeps, put, run, valuesOf } from '../../support/triggers';

/* The triggers of db/behaviour/bookings.sql, one by one. */

const oneADay = () => run("UPDATE accounts SET per_day = 1 WHERE id = 'host'");
const fullDays = () => valuesOf('SELECT local_date FROM full_days');
const cards = () => valuesOf('SELECT id FROM people');
const answer = (answers: string, when: number) =>
  run('UPDATE bookings SET answers = ?, answered_at = ? WHERE id = ?', answers, when, idAt(0));
const mark = (attendance: string) => run('UPDATE bookings SET attendance = ? WHERE id = ?', attendance, idAt(0));
const giveTo = (booker: string) =>
  run('UPDATE bookings SET booker_id = ?1, person_id = ?1 WHERE id = ?2', booker, idAt(0));
const alias = () => put('person_aliases', { provider_id: 'host', alias: 'Gussy', person_id: 'gus' });
const aliases = () => valuesOf('SELECT alias FROM person_aliases');
const letGo = (who: string) => run('UPDATE wishes SET state = 2, offer_id = NULL, held_until = NULL WHERE id = ?', who);

keeps('bookings_take_their_slots', 'a booking fills all the slots that it covers', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) await slot(hours);

  await book(0, 'ana', { ends_at: at(2) });

  expect(await valuesOf('SELECT state FROM slots ORDER BY starts_at')).toEqual([1, 1, 0]);
});

keeps('bookings_take_their_slots', 'nobody books a part of the time of others', async () => {
  await openBook();
  for (const hours of [0, 1]) await slot(hours);
  await book(0, 'ana', { ends_at: at(2) });

  await expect(book(1, 'bo')).rejects.toThrow(/slot_not_open/);
});

keeps('bookings_take_their_slots', 'a booking in a class takes its places', async () => {
  await openBook();
  await slot(0, { seats: 3 });

  await book(0, 'ana', { slot_id: idAt(0), people: 2 });

  expect(await stored('SELECT state, taken FROM slots')).toEqual([{ state: 0, taken: 2 }]);
});

keeps('bookings_take_their_slots', 'a booking moves onto a part of its own time', async () => {
  await openBook();
  for (const hours of [0, 1, 2]) await slot(hours);
  await book(0, 'ana', { ends_at: at(2) });

  await move(0, 1, 'ana', { ends_at: at(3) });

  expect(await stored('SELECT state, part_of FROM slots ORDER BY starts_at')).toEqual([
    { state: 0, part_of: null },
    { state: 1, part_of: at(1) },
    { state: 1, part_of: at(1) },
  ]);
});

keeps('bookings_take_their_slots', 'no booking begins as one that has ended', async () => {
  await openBook();
  await slot(0);

  const ended = book(0, 'ana', { status: 2, canceled_at: now, canceled_by: 'consumer' });

  await expect(ended).rejects.toThrow(/booking_begins_live/);
});

keeps('bookings_move_once', 'a booking that moves stays with its booker', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await slot(1);

  await expect(move(0, 1, 'bo')).rejects.toThrow(/booking_moves_whole/);
});

keeps('bookings_move_once', 'a booking moves to colleagues alone', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await slot(1, { provider_id: 'other' });

  await expect(move(0, 1, 'ana', { provider: 'other' })).rejects.toThrow(/booking_stays_in_shop/);
});

keeps('bookings_fill_their_day', 'a day is full once it has its bookings', async () => {
  await openBook();
  await oneADay();

  await bookedSlot(0, 'ana');

  expect(await fullDays()).toEqual([dateAt(0)]);
});

keeps('days_have_room_again', 'a full day has room after a cancellation', async () => {
  await openBook();
  await oneADay();
  await bookedSlot(0, 'ana');

  await cancel(0);

  expect(await fullDays()).toEqual([]);
});

keeps('bookings_make_cards', 'whoever books for the first time gets a card', async () => {
  await openBook();

  await bookedSlot(0, 'ana');

  expect(await cards()).toEqual(['ana']);
});

keeps('bookings_fulfil_wishes', 'whoever books what they waited for waits no longer', async () => {
  await openBook();
  await wish('ana');

  await bookedSlot(0, 'ana');

  expect(await stateOfWish('ana')).toBe(2);
});

const names = () => valuesOf('SELECT booker_name FROM bookings');

keeps('bookings_name_their_client', 'a booking without its client’s name gets it', async () => {
  await openBook();

  await bookedSlot(0, 'ana');

  expect(await names()).toEqual(['ana']);
});

keeps('bookings_name_their_new_client', 'a booking that goes to another account gets its name', async () => {
  await openBook();
  await bookedSlot(0, 'gus');

  await giveTo('bo');

  expect(await names()).toEqual(['bo']);
});

keeps('bookings_join_feeds', 'a booking changes the calendars of both sides', async () => {
  await openBook();
  for (const who of ['host', 'ana', 'bo']) await feed(who);

  await bookedSlot(0, 'ana');

  expect(await Promise.all(['host', 'ana', 'bo'].map(changesOf))).toEqual([1, 1, 0]);
});

keeps('bookings_are_told', 'a provider is told of a booking', async () => {
  await openBook();

  await bookedSlot(0, 'ana');

  expect(await toldTo('host')).toEqual(['booked']);
});

keeps('bookings_are_told', 'whom a provider books for is told of it', async () => {
  await openBook();

  await bookedSlot(0, 'ana', { code_hash: 'of their code' });

  expect(await toldTo('ana')).toEqual(['booked']);
});

keeps('bookings_are_told', 'programs are told of a booking', async () => {
  await openBook();
  await program();

  await bookedSlot(0, 'ana');

  expect(await toldPrograms()).toEqual(['booked']);
});

keeps('holds_are_offers', 'nothing is held for those who do not wait', async () => {
  await openBook();
  await slot(0);

  await expect(hold(0, 'ana')).rejects.toThrow(/hold_is_for_a_wish/);
});

keeps('holds_are_offers', 'a wish has the time that is held as its offer', async () => {
  await openBook();

  await heldSlot(0, 'ana');

  expect(await stored('SELECT state, offer_id, passed FROM wishes')).toEqual([
    { state: 1, offer_id: idAt(0), passed: `[${at(0)}]` },
  ]);
  expect(await toldTo('ana')).toEqual(['offer']);
});

keeps('bookings_keep_their_time', 'a booking stays at its time', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  const moved = run("UPDATE bookings SET local_date = '2000-01-01' WHERE id = ?", idAt(0));

  await expect(moved).rejects.toThrow(/booking_keeps_its_time/);
});

keeps('bookings_live_once', 'a booking ends only once', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await cancel(0);

  const again = run('UPDATE bookings SET status = 2, canceled_at = canceled_at + 1 WHERE id = ?', idAt(0));

  await expect(again).rejects.toThrow(/booking_lives_once/);
});

keeps('bookings_keep_their_chain', 'a booking moves only to one that came from it', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await bookedSlot(1, 'ana');

  const moved = run(
    "UPDATE bookings SET status = 2, canceled_at = ?, canceled_by = 'consumer', moved_to = ? WHERE id = ?",
    ...[now, idAt(1), idAt(0)],
  );

  await expect(moved).rejects.toThrow(/booking_moved/);
});

keeps('bookings_keep_their_chain', 'a booking says for good where it came from', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  const said = run("UPDATE bookings SET calendar_id = 'another' WHERE id = ?", idAt(0));

  await expect(said).rejects.toThrow(/booking_keeps_its_chain/);
});

keeps('bookings_keep_their_booker', 'nobody takes the booking of an account', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await expect(giveTo('bo')).rejects.toThrow(/booking_keeps_its_booker/);
});

keeps('bookings_know_who_came', 'there are three words for an attendance', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await expect(mark('late')).rejects.toThrow(/unknown_attendance/);
});

keeps('bookings_change_in_feeds', 'a cancellation changes the calendars of both sides', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  for (const who of ['host', 'ana', 'bo']) await feed(who);

  await cancel(0);

  expect(await Promise.all(['host', 'ana', 'bo'].map(changesOf))).toEqual([1, 1, 0]);
});

keeps('taken_holds_make_cards', 'whoever takes an offer gets a card', async () => {
  await openBook();
  await heldSlot(0, 'ana');
  expect(await cards()).toEqual([]);

  await takeHeld(0);

  expect(await cards()).toEqual(['ana']);
});

keeps('taken_holds_end_their_wish', 'whoever takes an offer waits no longer', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await takeHeld(0);

  expect(await stateOfWish('ana')).toBe(2);
});

keeps('taken_holds_end_their_wish', 'other wishes for the time that is taken end too', async () => {
  await openBook();
  await heldSlot(0, 'ana');
  await wish('ana', { id: 'the same' });

  await takeHeld(0);

  expect(await stateOfWish('the same')).toBe(2);
});

keeps('taken_holds_end_their_wish', 'other wishes of the same person get their offer', async () => {
  await openBook();
  await heldSlot(0, 'ana');
  await wish('ana', { id: 'later', from_at: at(1) });
  await slot(1);

  await takeHeld(0);

  expect(await stateOfWish('later')).toBe(1);
});

keeps('taken_holds_are_told', 'a provider is told that an offer was taken', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await takeHeld(0);

  expect(
    await valuesOf("SELECT data ->> 'filled' FROM messages WHERE account_id = 'host' AND kind = 'booked'"),
  ).toEqual([1]);
});

keeps('taken_holds_are_told', 'whoever takes an offer has it by mail', async () => {
  await openBook();
  await run("UPDATE accounts SET email = 'ana@mail.test' WHERE id = 'ana'");
  await heldSlot(0, 'ana');

  await takeHeld(0);

  expect(await valuesOf("SELECT email FROM messages WHERE account_id = 'ana' AND kind = 'booked'")).toEqual([
    'ana@mail.test',
  ]);
});

keeps('taken_holds_are_told', 'programs are told that an offer was taken', async () => {
  await openBook();
  await program();
  await heldSlot(0, 'ana');

  await takeHeld(0);

  expect(await toldPrograms()).toEqual(['booked']);
});

keeps('freed_times_are_offered', 'a canceled time goes to the first in line', async () => {
  await openBook();
  await bookedSlot(0, 'gus');
  await wish('bo');
  await wish('ana', { asked_at: now - 1 });

  await cancel(0);

  expect(await Promise.all(['ana', 'bo'].map(stateOfWish))).toEqual([1, 0]);
});

keeps('ended_times_are_given_back', 'a canceled time is open under another id', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await cancel(0);

  const [time] = await stored('SELECT state, taken, id FROM slots');
  expect(time).toMatchObject({ state: 0, taken: 0 });
  expect(time).not.toMatchObject({ id: idAt(0) });
});

keeps('ended_times_are_given_back', 'a canceled place in a class is free', async () => {
  await openBook();
  await slot(0, { seats: 3 });
  await book(0, 'ana', { slot_id: idAt(0), people: 2 });

  await cancel(0);

  expect(await valuesOf('SELECT taken FROM slots')).toEqual([0]);
});

keeps('ended_times_are_given_back', 'a time that is canceled to withdraw it is withdrawn', async () => {
  await openBook();
  await bookedSlot(0, 'ana', { withdraws: 1 });

  await cancel(0);

  expect(await stateAt(0)).toBe(2);
});

const toPorto = async () => {
  await run("INSERT OR IGNORE INTO cities (folded, name) VALUES ('porto', 'Porto')");
  await run("UPDATE accounts SET city = 'porto' WHERE id = 'host'");
};
const city = () => valuesOf('SELECT city FROM slots');

keeps('ended_times_are_given_back', 'a canceled time is where its provider is now', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await toPorto();

  await cancel(0);

  expect(await city()).toEqual(['porto']);
});

keeps('ended_times_are_given_back', 'a time that is held no longer is where its provider is now', async () => {
  await openBook();
  await heldSlot(0, 'ana');
  await toPorto();

  await letGo('ana');

  expect(await city()).toEqual(['porto']);
});

keeps('bookings_give_their_time_back', 'a canceled time is free', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await cancel(0);

  expect(await stateAt(0)).toBe(0);
});

keeps('bookings_give_their_time_back', 'a full day has room after a cancellation', async () => {
  await openBook();
  await oneADay();
  await bookedSlot(0, 'ana');

  await cancel(0);

  expect(await fullDays()).toEqual([]);
});

keeps('bookings_give_their_time_back', 'a canceled time is offered to those in line', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await wish('bo');

  await cancel(0);

  expect(await stateOfWish('bo')).toBe(1);
});

keeps('bookings_give_their_time_back', 'a time that moves is offered to those in line', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await slot(1);
  await wish('bo');

  await move(0, 1, 'ana');

  expect(await stateOfWish('bo')).toBe(1);
});

keeps('bookings_give_their_time_back', 'a wish for an earlier time ends with its booking', async () => {
  await openBook();
  await bookedSlot(1, 'ana');
  await wish('ana', { instead_of: idAt(1), until_at: at(1) });

  await cancel(1);

  expect(await stateOfWish('ana')).toBe(2);
});

keeps('cancellations_are_told', 'a provider is told of a cancellation', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await cancel(0);

  expect(await toldTo('host')).toEqual(['booked', 'canceled']);
});

keeps('cancellations_are_told', 'a client is told of a cancellation', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await cancel(0, 'provider');

  expect(await toldTo('ana')).toEqual(['canceled']);
});

keeps('cancellations_are_told', 'programs are told of a cancellation', async () => {
  await openBook();
  await program();
  await bookedSlot(0, 'ana');

  await cancel(0);

  expect(await toldPrograms()).toEqual(['booked', 'canceled']);
});

keeps('moves_are_told', 'a provider is told of a move', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await slot(1);

  await move(0, 1, 'ana');

  expect(await toldTo('host')).toEqual(['booked', 'moved']);
});

keeps('moves_are_told', 'a client is told of a move', async () => {
  await openBook();
  await bookedSlot(0, 'ana');
  await slot(1);

  await move(0, 1, 'ana', { by: 'provider' });

  expect(await toldTo('ana')).toEqual(['moved']);
});

keeps('moves_are_told', 'programs are told of a move', async () => {
  await openBook();
  await program();
  await bookedSlot(0, 'ana');
  await slot(1);

  await move(0, 1, 'ana');

  expect(await toldPrograms()).toEqual(['booked', 'moved']);
});

keeps('moves_to_colleagues_are_told', 'both colleagues are told who has an appointment now', async () => {
  await openBook();
  await openShop();
  await bookedSlot(0, 'ana');
  await slot(0, { provider_id: 'other' });

  await move(0, 0, 'ana', { provider: 'other' });

  expect(await toldTo('host')).toEqual(['booked', 'moved']);
  expect(await toldTo('other')).toEqual(['moved']);
});

keeps('moves_to_colleagues_are_told', 'programs of both colleagues are told who has it now', async () => {
  await openBook();
  await openShop();
  for (const provider of ['host', 'other']) await program(provider);
  await bookedSlot(0, 'ana');
  await slot(0, { provider_id: 'other' });

  await move(0, 0, 'ana', { provider: 'other' });

  expect(await toldPrograms('host')).toEqual(['booked', 'canceled']);
  expect(await toldPrograms('other')).toEqual(['booked']);
});

keeps('bookings_hold_no_more', 'a time that is held no longer is open', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await letGo('ana');

  expect(await stateAt(0)).toBe(0);
});

keeps('bookings_hold_no_more', 'a full day has room without its hold', async () => {
  await openBook();
  await oneADay();
  await heldSlot(0, 'ana');
  expect(await fullDays()).toEqual([dateAt(0)]);

  await letGo('ana');

  expect(await fullDays()).toEqual([]);
});

keeps('bookings_hold_no_more', 'a time that somebody passes goes to the next', async () => {
  await openBook();
  await heldSlot(0, 'ana');
  await wish('bo');

  await letGo('ana');

  expect(await stateOfWish('bo')).toBe(1);
});

keeps('bookings_end_before_they_go', 'no booking is deleted while it stands', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await expect(run('DELETE FROM bookings')).rejects.toThrow(/booking_is_live/);
});

keeps('bookings_end_before_they_go', 'no hold is deleted while it is on offer', async () => {
  await openBook();
  await heldSlot(0, 'ana');

  await expect(run('DELETE FROM bookings')).rejects.toThrow(/booking_is_live/);
});

keeps('bookings_tell_of_new_answers', 'a provider is told of answers that change', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await answer('["yes"]', now + 1);
  expect(await toldTo('host')).toEqual(['booked']);
  await answer('["no"]', now + 2);

  expect(await toldTo('host')).toEqual(['answers', 'booked']);
});

keeps('bookings_tell_programs_of_answers', 'programs are told of the first answers and of others', async () => {
  await openBook();
  await program();
  await bookedSlot(0, 'ana');

  await answer('["yes"]', now + 1);
  await answer('["no"]', now + 2);

  expect(await toldPrograms()).toEqual(['booked', 'answers', 'answers']);
});

keeps('bookings_count_attendance', 'a card counts who came and who did not', async () => {
  await openBook();
  await bookedSlot(0, 'ana');

  await mark('seen');
  await mark('missed');

  expect(await stored('SELECT seen, excused, missed FROM people')).toEqual([{ seen: 0, excused: 0, missed: 1 }]);
});

keeps('bookings_count_attendance', 'programs are told who came', async () => {
  await openBook();
  await program();
  await bookedSlot(0, 'ana');

  await mark('seen');

  expect(await toldPrograms()).toEqual(['booked', 'attendance']);
});

keeps('bookings_change_hands_in_feeds', 'a booking enters the calendar of a new account', async () => {
  await openBook();
  await bookedSlot(0, 'gus');
  for (const who of ['host', 'bo']) await feed(who);

  await giveTo('bo');

  expect(await Promise.all(['host', 'bo'].map(changesOf))).toEqual([1, 1]);
});

async function guestGetsAccount() {
  await openBook();
  await bookedSlot(0, 'gus', { phone: '555 01' });
  await mark('seen');
  await run("UPDATE people SET note = 'likes tea'");
  await alias();

  await giveTo('bo');

  expect(await stored('SELECT id, booker_id, phone, note, seen FROM people')).toEqual([
    { id: 'bo', booker_id: 'bo', phone: '555 01', note: 'likes tea', seen: 1 },
  ]);
  expect(await aliases()).toEqual([]);
}
keeps('cards_follow_their_bookings', 'the card of a guest becomes that of their account', guestGetsAccount);
keeps('cards_take_over', 'with what was noted of them', guestGetsAccount);
keeps('left_cards_go', 'and the old one goes', guestGetsAccount);

keeps('cards_follow_their_bookings', 'a card stays for the bookings that are left on it', async () => {
  await openBook();
  for (const hours of [0, 1]) await bookedSlot(hours, 'gus');
  await mark('seen');
  await alias();

  await giveTo('bo');

  expect(await stored('SELECT id, seen FROM people')).toEqual([
    { id: 'bo', seen: 1 },
    { id: 'gus', seen: 0 },
  ]);
  expect(await aliases()).toEqual(['Gussy']);
});
