import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { yesNo } from '../columns';
import { otherPlaces } from '../states';

export const services = sqliteTable(
  'services',
  {
    providerId: text('provider_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    nameFolded: text('name_folded').notNull(),
    minutes: integer('minutes').notNull(),
    gap: integer('gap').notNull().default(0), // minutes after it that are kept free
    price: text('price'),
    deposit: text('deposit'),
    description: text('description'),
    seats: integer('seats').notNull().default(1),
    where: text('place_kind', { enum: ['here', ...otherPlaces] })
      .notNull()
      .default('here'),
    link: text('link'), // of a video call
    templateId: text('template_id'),
    lostTemplateId: text('lost_template_id'),
    isOffered: yesNo('is_offered').notNull().default(true),
    place: integer('place').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.providerId, table.id] })],
);
