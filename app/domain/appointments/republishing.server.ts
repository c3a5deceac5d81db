import { sql } from 'drizzle-orm';
import { newId } from '../../../db/columns';
import { insertFrom } from '../../../db/insert';
import { slots } from '../../../db/schema';
import type { Instant } from '../time/clock';
import { status } from './status';

/** The columns of an open slot that takes the place of one in `slots`, with the same time, notes and template. */
export const columnsAgain = {
  providerId: slots.providerId,
  city: sql`(SELECT city FROM accounts WHERE id = provider_id)`,
  startsAt: slots.startsAt,
  endsAt: slots.endsAt,
  localDate: slots.localDate,
  timeZone: slots.timeZone,
  status: status.open,
  notes: slots.notes,
  templateId: slots.templateId,
  publication: slots.publication,
};

/**
 * Makes the statement that publishes a slot's time again, as an open slot with the same notes and template, where its booker
 * has just given it up.
 */
export const republish = ({ id, by, now }: { id: string; by: string; now: Instant }) =>
  insertFrom(
    slots,
    { id: newId(), ...columnsAgain },
    sql`FROM slots WHERE id = ${id} AND canceled_at = ${now} AND canceled_by = ${by} AND provider_id <> ${by}`,
  );
