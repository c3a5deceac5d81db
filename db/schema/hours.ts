import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant } from '../columns';

type StoredRange = { start: string; end: string; serviceId?: string };
type StoredPlan = {
  hours: (StoredRange & { day: number })[];
  except: { date: string; to?: string | null; hours: StoredRange[] }[];
  len: number;
  gap: number;
  ahead: number;
  serviceId?: string;
};

/** The weekly hours from which a provider's slots are published. */
export const hours = sqliteTable('hours', {
  providerId: text('provider_id').primaryKey(),
  plan: text('plan', { mode: 'json' }).$type<StoredPlan>().notNull(),
  notes: text('notes'),
  templateId: text('template_id'),
  lostTemplateId: text('lost_template_id'),
  /** A hash of the last save's key, zone and hours; `created` and `withdrawn` count the slots of that save. */
  saveKey: text('version').notNull(),
  created: integer('created').notNull().default(0),
  withdrawn: integer('withdrawn').notNull().default(0),
  /** The last published date; blank if all dates must be checked again. */
  carriedTo: text('carried_to').notNull(),
  nextAt: instant('next_at').notNull(), // when the hourly job publishes the next day
});
