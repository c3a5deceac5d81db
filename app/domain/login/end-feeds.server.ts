import { and, eq, type SQL } from 'drizzle-orm';
import { feeds } from '../../../db/schema';
import { orm } from '../../../db/statement';

// Feeds outlive sessions, so a new password ends them.
export const endFeeds = (accountId: string, condition: SQL) =>
  orm.delete(feeds).where(and(eq(feeds.accountId, accountId), condition));
