import { type SQL, sql } from 'drizzle-orm';
import { bookingStatus, hasOffer, isInLine, isMadeForSomebody, isToCome, literal, wishState } from '../../../db/states';
import type { Instant } from '../time/clock';

// Deletes everything that a provider wrote, but keeps the past of their clients and guests.

/** `here`: SQL, the session is still open. */
export type Leaving = { me: string; now: Instant; here: SQL };

/** SQL: what is erased of a booking, whichever side leaves. */
export const forgottenOfBooking = sql.raw(
  `answers = '[]', answered_at = NULL, private_note = NULL, phone = NULL, place = NULL, code_hash = NULL`,
);

/** Cancels the coming appointments and parties; triggers write the messages. */
export const callOff = ({ me, now, here }: Leaving): SQL[] => [
  // The waitlist ends first, so that nobody gets an offer.
  sql`UPDATE wishes SET state = ${literal(wishState.over)}, changed_at = ${now} WHERE provider_id = ${me} AND ${isInLine()} AND ${here}`,
  sql`UPDATE wishes SET state = ${literal(wishState.over)}, offer_id = NULL, held_until = NULL, changed_at = ${now}
    WHERE provider_id = ${me} AND ${hasOffer()} AND ${here}`,
  sql`DELETE FROM wishes WHERE provider_id = ${me} AND ${here}`,
  sql`UPDATE bookings SET status = ${literal(bookingStatus.ended)}, told_with = NULL, withdraws = 1, canceled_at = ${now}, canceled_by = 'provider', acted_by = NULL, sequence = sequence + 1
    WHERE provider_id = ${me} AND ${isToCome(now)} AND ${here}`,
  sql`UPDATE parties SET deleted_at = ${now}, sequence = sequence + 1
    WHERE provider_id = ${me} AND ends_at > ${now} AND deleted_at IS NULL AND ${here}`,
];

/**
 * Deletes what the provider published; it follows `callOff`. Booked slots stay for their clients, without the
 * provider's texts.
 */
export const forgetPublishing = ({ me, now, here }: Leaving): SQL[] => [
  // A limit holds this mail back until the provider sends it, and the provider is leaving.
  sql`UPDATE messages SET mail_state = 'dropped', due_at = NULL, email = NULL
    WHERE account_id IN (SELECT booker_id FROM bookings WHERE provider_id = ${me} AND ${isMadeForSomebody()})
      AND mail_state IN ('withheld', 'waiting') AND sender_id = ${me} AND ${here}`,
  // These people never came by themselves: the provider typed their names. Whose appointment a colleague has had is in their book too.
  sql`UPDATE accounts SET display_name = '', display_plain = '', display_sort_key = '', email = NULL, email_hash = NULL,
      email_by = NULL, email_confirmed_at = NULL
    WHERE id IN (SELECT booker_id FROM bookings WHERE provider_id = ${me} AND ${isMadeForSomebody()}
        UNION SELECT booker_id FROM standing_times WHERE provider_id = ${me})
      AND username IS NULL AND NOT EXISTS (
        SELECT 1 FROM bookings AS own WHERE own.booker_id = accounts.id
          AND (NOT ${isMadeForSomebody('own')} OR own.provider_id <> ${me})) AND ${here}`,
  sql`DELETE FROM standing_times WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM hours WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM open_days WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM full_days WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM busy_times WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM slots WHERE provider_id = ${me} AND taken = 0 AND ${here}`,
  sql`INSERT OR IGNORE INTO cities (folded, name) VALUES ('', '')`,
  sql`UPDATE slots SET notes = NULL, city = '' WHERE provider_id = ${me} AND ${here}`,
  sql`UPDATE bookings SET ${forgottenOfBooking}, notes = NULL, service_name = NULL, price = NULL, deposit = NULL, place_kind = NULL,
      city = '', reason = iif(canceled_by = 'provider', NULL, reason)
    WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM person_aliases WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM people WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM services WHERE provider_id = ${me} AND ${here}`,
  sql`UPDATE templates SET display_name = '', questions = '[]', retired_at = coalesce(retired_at, ${now})
    WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM provider_names WHERE provider_id = ${me} AND ending IN (
      SELECT substr(folded, key + 1)
      FROM (SELECT display_plain AS folded FROM accounts WHERE id = ${me}
          UNION SELECT username_folded FROM accounts WHERE id = ${me}),
        json_each('[' || substr(replace(hex(zeroblob(length(folded))), '00', ',0'), 2) || ']'))
    AND ${here}`,
];

/** SQL: this mail tells a name of a meetup that it is called off, and has not been sent yet. */
export const isLastMail = sql`kind = 'called-off' AND invitation_id IS NOT NULL AND mail_state IN ('due', 'leased')`;

/** Deletes parties and meetups; it follows `callOff`. */
export const forgetHosting = ({ me, here }: Leaving): SQL[] => {
  const ownParties = sql`(SELECT id FROM parties WHERE provider_id = ${me})`;
  const withMail = sql`(SELECT invitation_id FROM messages WHERE account_id = ${me} AND ${isLastMail})`;
  return [
    // Without this, the trigger would count down once for each invitation.
    sql`UPDATE parties SET invited = 0, going = 0 WHERE provider_id = ${me} AND kind = 'meetup' AND ${here}`,
    // The mail links to the page of the name. Their address stays only with the mail, until that is sent.
    sql`UPDATE invitations SET invitee = id, name = '', name_sort_key = '', email = NULL, email_hash = NULL,
        email_at = NULL, phone = NULL
      WHERE id IN ${withMail} AND ${here}`,
    sql`DELETE FROM invitations WHERE party_id IN ${ownParties} AND account_id IS NULL AND id NOT IN ${withMail} AND ${here}`,
    sql`UPDATE parties SET (invited, going) = (
        SELECT count(*), ifnull(sum(accepted), 0) FROM invitations WHERE party_id = parties.id)
      WHERE id IN (SELECT party_id FROM messages WHERE account_id = ${me} AND ${isLastMail}) AND ${here}`,
    sql`UPDATE invitations SET answers = '[]', phone = NULL
      WHERE party_id IN ${ownParties} AND (answers <> '[]' OR phone IS NOT NULL) AND ${here}`,
    sql`DELETE FROM party_moves WHERE party_id IN ${ownParties} AND ${here}`,
    sql`UPDATE parties SET title = '', description = NULL, address = NULL,
        location_url = NULL, changed_at = NULL, cancel_reason = NULL
      WHERE provider_id = ${me} AND ${here}`,
  ];
};
