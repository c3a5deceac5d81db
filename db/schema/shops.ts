import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, yesNo } from '../columns';

const role = () => text('role', { enum: ['owner', 'desk', 'colleague'] }).notNull();

/** Who belongs to a shop, which is an account without a login. A provider is in one shop at most. */
export const colleagues = sqliteTable(
  'colleagues',
  {
    shopId: text('shop_id').notNull(),
    accountId: text('account_id').notNull(),
    role: role(),
    takes: yesNo('takes').notNull().default(true), // whether they take appointments
    place: integer('place').notNull().default(0),
    joinedAt: instant('joined_at').notNull(),
    seenAt: instant('seen_at'), // up to when they have seen what changed in the books of all
    /** Their own rules, by their names, where those of the shop stand in the account. */
    ownRules: text('own_rules', { mode: 'json' }).$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.accountId] })],
);

/** Who has left a shop and has not joined it again. */
export const formerColleagues = sqliteTable(
  'former_colleagues',
  {
    shopId: text('shop_id').notNull(),
    accountId: text('account_id').notNull(),
    leftAt: instant('left_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.shopId, table.accountId] })],
);

/** A link by which a provider joins a shop, once. */
export const shopInvitations = sqliteTable(
  'shop_invitations',
  {
    shopId: text('shop_id').notNull(),
    id: text('id').notNull(), // no secret: joining needs the key itself
    hash: text('hash').notNull(),
    role: role(),
    email: text('email'),
    madeBy: text('made_by').notNull(),
    madeAt: instant('made_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    usedBy: text('used_by'), // who has joined by it
  },
  (table) => [primaryKey({ columns: [table.shopId, table.id] })],
);
