import { type SQL, sql } from 'drizzle-orm';
import { isToCome } from '../../../db/states';
import { linesOf, linesWhere, numberLine } from '../people/note-lines.server';
import type { Leaving } from './forget-provider.server';

/* What becomes of the cards of somebody who leaves. An alias has what was typed on a card before it was merged. */

const parts = sql`person_aliases AS part WHERE part.provider_id = people.provider_id AND part.person_id = people.id`;
const partsWithLines = sql`person_aliases AS part CROSS JOIN ${linesOf(sql`part.note`)} AS typed
  WHERE part.provider_id = people.provider_id AND part.person_id = people.id`;

type Column = 'email' | 'phone';
const onCard = (column: Column) => sql.raw(`people.${column}`);
const onPart = (column: Column) => sql.raw(`part.${column}`);

/** What on a card is the leaving account's, and what stands there after it. */
function theirsOf(me: string) {
  const ownEmail = sql`(SELECT lower(email) FROM accounts WHERE id = ${me})`;
  const isTyped = (
    column: Column,
  ) => sql`EXISTS (SELECT 1 FROM ${parts} AND part.alias = ${me} AND ${onPart(column)} = ${onCard(column)})
    AND NOT EXISTS (SELECT 1 FROM ${parts} AND part.alias <> ${me} AND ${onPart(column)} = ${onCard(column)})`;
  const isGiven = sql`EXISTS (SELECT 1 FROM bookings AS given
    WHERE given.booker_id = ${me} AND given.provider_id = people.provider_id AND given.phone = people.phone)`;
  const next = (
    column: Column,
    value: string,
  ) => sql`(SELECT part.${sql.raw(value)} FROM ${parts} AND part.alias <> ${me}
    AND ${onPart(column)} IS NOT NULL AND lower(${onPart(column)}) IS NOT ${ownEmail} ORDER BY part.alias LIMIT 1)`;
  const isLine = (isTheirs: SQL) => sql`line.value IN (SELECT typed.value FROM ${partsWithLines} AND ${isTheirs}
    UNION ALL SELECT ${numberLine(onPart('phone'))} FROM ${parts} AND ${isTheirs} AND part.phone IS NOT NULL)`;
  const phone = sql`(${isTyped('phone')} OR ${isGiven})`;
  // The number of a line becomes the card's.
  const isNext = sql`(${phone} AND line.value = ${numberLine(next('phone', 'phone'))})`;
  return {
    email: sql`(people.email IS NOT NULL AND (${isTyped('email')} OR people.email_folded IS ${ownEmail}))`,
    phone,
    // A card whose guest has logged in to an account has the name of the guest, who is nobody then.
    name: sql`(people.id = ${me} OR EXISTS (SELECT 1 FROM accounts
      WHERE id = ${me} AND display_name = people.name OR id = people.id AND display_name = ''))`,
    next,
    noteWithout: linesWhere(
      sql`people.note`,
      sql`line.value = '' OR (NOT (${isLine(sql`part.alias = ${me}`)}) OR ${isLine(sql`part.alias <> ${me}`)})
        AND ${isNext} IS NOT 1`,
    ),
    nextBooker: sql`(SELECT part.alias FROM ${parts} AND part.alias <> ${me} AND part.email IS NULL
      AND EXISTS (SELECT 1 FROM accounts WHERE id = part.alias AND username IS NOT NULL) LIMIT 1)`,
  };
}

/**
 * Empties the cards that are the actor's alone, with their notes. A card of other people too loses what is the actor's:
 * name and address, and what was typed on their card before it was merged. Cards that just have the same typed address
 * stay.
 */
export function forgetCards({ me, now, here }: Leaving): SQL[] {
  const isTheirs = sql`(people.provider_id, people.id) IN (SELECT provider_id, person_id FROM bookings WHERE booker_id = ${me})
    AND (people.id = ${me} OR EXISTS (SELECT 1 FROM accounts WHERE accounts.id = people.id AND display_name = '')
      OR EXISTS (SELECT 1 FROM ${parts} AND part.alias = ${me}))`;
  // A guest whom the provider made for the actor's card is somebody else only while they have an appointment.
  const others = sql`FROM bookings_on_cards AS b CROSS JOIN accounts AS other ON other.id = b.booker_id
    WHERE b.provider_id = people.provider_id AND b.card_id = people.id AND b.booker_id <> ${me} AND other.display_name <> ''
      AND (people.id <> ${me} OR b.booker_id IS NOT people.booker_id OR other.username IS NOT NULL
        OR ${isToCome(now, 'b')})`;
  // What the provider typed on a card of its own is of nobody who leaves, even before that person has booked.
  const isTypedCard = sql`(people.id <> ${me} AND NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = people.id))`;
  const isOfOthersToo = sql`(${isTypedCard} OR EXISTS (SELECT 1 ${others}))`;
  const isShared = sql`${isTheirs} AND ${isOfOthersToo} AND ${here}`;
  const isAlone = sql`${isTheirs} AND NOT ${isOfOthersToo} AND ${here}`;
  // One whose appointment has moved to a colleague has a card there.
  const madeGuests = sql`(SELECT made.id FROM people CROSS JOIN accounts AS made ON made.id = people.booker_id
    WHERE people.id = ${me} AND made.id <> ${me} AND made.username IS NULL AND ${isAlone}
      AND NOT EXISTS (SELECT 1 FROM bookings AS coming
        WHERE coming.booker_id = made.id AND ${isToCome(now, 'coming')}))`;
  const theirs = theirsOf(me);
  const other = (column: string) => sql`(SELECT other.${sql.raw(column)} ${others} LIMIT 1)`;
  const change = (column: string, goes: SQL, value: SQL) =>
    sql`${sql.raw(column)} = iif(${goes}, ${value}, ${sql.raw(column)})`;
  return [
    sql`DELETE FROM standing_times WHERE (provider_id, person_id) IN (SELECT provider_id, id FROM people WHERE ${isAlone})`,
    sql`UPDATE bookings SET answers = '[]', answered_at = NULL, private_note = NULL, phone = NULL, place = NULL, link_seed = NULL, email = NULL, email_hash = NULL
      WHERE booker_id IN ${madeGuests}`,
    sql`DELETE FROM messages WHERE account_id IN ${madeGuests}`,
    sql`UPDATE accounts SET display_name = '', display_plain = '', display_sort_key = '', email = NULL, email_hash = NULL, email_by = NULL
      WHERE id IN ${madeGuests}`,
    // What the provider booked for the card has the card's address and number.
    sql`UPDATE accounts SET email = NULL, email_hash = NULL, email_by = NULL
      WHERE username IS NULL AND (id, lower(email)) IN (
        SELECT booker_id, email_folded FROM people WHERE booker_id <> ${me} AND ${isShared} AND ${theirs.email})`,
    sql`UPDATE bookings SET phone = NULL WHERE booker_id <> ${me} AND (provider_id, person_id, booker_id, phone) IN (
      SELECT provider_id, id, booker_id, phone FROM people WHERE ${isShared} AND ${theirs.phone})`,
    sql`DELETE FROM person_aliases WHERE (provider_id, person_id) IN (SELECT provider_id, id FROM people WHERE ${isShared})
      AND alias IN (
        SELECT lower(email) FROM accounts WHERE id = ${me}
        UNION SELECT lower(part.email) FROM person_aliases AS part
          WHERE part.provider_id = person_aliases.provider_id AND part.alias = ${me})`,
    sql`UPDATE people SET ${sql.join(
      [
        change('name', theirs.name, other('display_name')),
        change('name_sort_key', theirs.name, other('display_sort_key')),
        change('email', theirs.email, theirs.next('email', 'email')),
        change('email_folded', theirs.email, sql`lower(${theirs.next('email', 'email')})`),
        change('phone', theirs.phone, theirs.next('phone', 'phone')),
        change('phone_digits', theirs.phone, theirs.next('phone', 'phone_digits')),
        sql`note = ${theirs.noteWithout}`,
        change('booker_id', sql`booker_id = ${me}`, theirs.nextBooker),
      ],
      sql`, `,
    )} WHERE ${isShared}`,
    sql`DELETE FROM person_aliases WHERE (provider_id, person_id) IN (SELECT provider_id, id FROM people WHERE ${isAlone}) AND alias <> ${me}`,
    sql`UPDATE people SET name = NULL, name_sort_key = '', email = NULL, email_folded = NULL, phone = NULL, phone_digits = NULL, note = NULL,
        booker_id = NULL
      WHERE ${isAlone}`,
    sql`DELETE FROM person_aliases WHERE alias = ${me} AND provider_id IN (SELECT provider_id FROM bookings WHERE booker_id = ${me})
      AND ${here}`,
  ];
}
