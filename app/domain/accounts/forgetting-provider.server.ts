import { type SQL, sql } from 'drizzle-orm';
import { fold, sortKey } from '../input/fold';
import type { Instant } from '../time/clock';
import { formerName } from './guests';

/* What a provider leaves behind: the past of those who booked with them or came, and no word of theirs. */

/** A deletion as its statements see it: whose, when, and the condition that the session still stands. */
export type Leaving = { me: string; now: Instant; here: SQL };

/** The condition that a slot is the provider's. */
const mySlots = (me: string) => sql`(SELECT id FROM slots WHERE provider_id = ${me})`;

/** What is to come with the provider is canceled or called off, and those concerned are told. */
export const callOff = ({ me, now, here }: Leaving): SQL[] => [
  sql`UPDATE slots SET status = 2, was_booked = 1, canceled_at = ${now}, canceled_by = ${me}
    WHERE provider_id = ${me} AND status = 1 AND starts_at > ${now} AND ${here}`,
  sql`UPDATE parties SET deleted_at = ${now}, sequence = sequence + 1
    WHERE provider_id = ${me} AND ends_at > ${now} AND deleted_at IS NULL AND ${here}`,
];

/** What the provider has published, once it is called off: slots that nobody ever had are deleted. */
export const forgetPublishing = ({ me, now, here }: Leaving): SQL[] => [
  // Nobody is left who could say whose address it is.
  sql`DELETE FROM messages
    WHERE account_id IN (SELECT booker_id FROM slots JOIN bookings ON slot_id = slots.id
        WHERE provider_id = ${me} AND claim_hash IS NOT NULL)
      AND kind = 'confirm-email' AND ${here}`,
  // People for whom the provider booked, and who never came by themselves, are known by what the provider wrote.
  sql`UPDATE accounts SET display_name = ${formerName}, display_folded = ${fold(formerName)},
      display_sort_key = ${sortKey(formerName)}, email = NULL, email_confirmed_at = NULL
    WHERE id IN (SELECT booker_id FROM slots JOIN bookings ON slot_id = slots.id
        WHERE provider_id = ${me} AND claim_hash IS NOT NULL)
      AND username IS NULL AND ${here}`,
  sql`UPDATE bookings SET answers = '[]', answered_at = NULL, private_note = NULL, claim_hash = NULL
    WHERE slot_id IN ${mySlots(me)} AND ${here}`,
  sql`DELETE FROM hours WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM open_days WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM slots WHERE provider_id = ${me} AND NOT EXISTS (SELECT 1 FROM bookings WHERE slot_id = slots.id) AND ${here}`,
  sql`INSERT OR IGNORE INTO cities (folded, name) VALUES ('', '')`,
  sql`UPDATE slots SET notes = NULL, cancel_reason = NULL, city = '' WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM people WHERE provider_id = ${me} AND ${here}`,
  sql`UPDATE templates SET display_name = 'Former template', questions = '[]', retired_at = coalesce(retired_at, ${now})
    WHERE provider_id = ${me} AND ${here}`,
  sql`DELETE FROM provider_names WHERE provider_id = ${me} AND ending IN (
      SELECT substr(folded, key + 1)
      FROM (SELECT display_folded AS folded FROM accounts WHERE id = ${me}
          UNION SELECT username_folded FROM accounts WHERE id = ${me}),
        json_each('[' || substr(replace(hex(zeroblob(length(folded))), '00', ',0'), 2) || ']'))
    AND ${here}`,
];

/** SQL: the mail that tells a name of a meetup that it is called off, where it has not left yet. */
export const isLastMail = sql`kind = 'called-off' AND invitation_id IS NOT NULL AND mail_state IN ('due', 'leased')`;

/** What the provider has hosted, once it is called off: names on the lists of meetups are deleted. */
export const forgetHosting = ({ me, here }: Leaving): SQL[] => {
  const mine = sql`(SELECT id FROM parties WHERE provider_id = ${me})`;
  const stillTold = sql`(SELECT invitation_id FROM messages WHERE account_id = ${me} AND ${isLastMail})`;
  return [
    // Then the trigger that counts the invitations need not count each of them.
    sql`UPDATE parties SET invited = 0, going = 0 WHERE provider_id = ${me} AND kind = 'meetup' AND ${here}`,
    // Their link says what the mail says. The address is in the mail alone, until that has left.
    sql`UPDATE invitations SET invitee = id, name = ${formerName}, name_sort_key = ${sortKey(formerName)}, email = NULL,
        email_at = NULL
      WHERE id IN ${stillTold} AND ${here}`,
    sql`DELETE FROM invitations WHERE party_id IN ${mine} AND account_id IS NULL AND id NOT IN ${stillTold} AND ${here}`,
    sql`UPDATE parties SET (invited, going) = (
        SELECT count(*), ifnull(sum(accepted), 0) FROM invitations WHERE party_id = parties.id)
      WHERE id IN (SELECT party_id FROM messages WHERE account_id = ${me} AND ${isLastMail}) AND ${here}`,
    sql`UPDATE invitations SET answers = '[]' WHERE party_id IN ${mine} AND answers <> '[]' AND ${here}`,
    sql`DELETE FROM party_moves WHERE party_id IN ${mine} AND ${here}`,
    sql`UPDATE parties SET title = iif(kind = 'party', 'Former party', 'Former meetup'), description = NULL, address = NULL,
        location_url = NULL, changed_at = NULL, cancel_reason = NULL
      WHERE provider_id = ${me} AND ${here}`,
  ];
};
