import { and, eq, type SQL } from 'drizzle-orm';
import { keys } from '../../../db/schema';
import { orm } from '../../../db/statement';

// Keys outlive sessions, so a new password can end them.
export const endKeys = (accountId: string, condition: SQL) =>
  orm.delete(keys).where(and(eq(keys.accountId, accountId), condition));
