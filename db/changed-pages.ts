import type { D1Result } from '@cloudflare/workers-types';

/** The tables from which the public page of a provider is read, and those whose triggers write to them. */
export const shownTables: ReadonlySet<string> = new Set([
  'accounts',
  'bookings',
  'busy_times',
  'colleagues',
  'fulfilled_wishes',
  'full_days',
  'hours',
  'offers',
  'open_days',
  'parties',
  'services',
  'slots',
  'standing_dates',
  'templates',
  'wishes',
  // After a change of these, an object of its own writes the busy times.
  'busy_feeds',
]);

const written = /^\s*(insert (?:or \w+ )?into|update|delete from) "?(\w+)/i;
const returnsProvider = /\breturning\b.*\bprovider_id\b/is;
// The id of an account, and that of a slot or booking, or of a wish, which begins with the id of its provider.
const anyId = /(?<![\w-])([\w-]{22})([\w-]{16}|[\w-]{25})?(?![\w-])/g;

/** What a statement may change on the page of a provider; undefined if it changes nothing there. */
export type PageChange = { returnsProvider: boolean };

/** Reads it from the statement's text. */
export function pageChangeIn(text: string): PageChange | undefined {
  const [, act, table = ''] = written.exec(text) ?? [];
  // A new account has no page yet.
  const isNewcomer = table === 'accounts' && act?.toLowerCase() !== 'update';
  return shownTables.has(table) && !isNewcomer ? { returnsProvider: returnsProvider.test(text) } : undefined;
}

/** Providers among the values of a statement, and other accounts or things that have no page. */
function providersAmong(values: unknown[]): string[] {
  const found = values.flatMap((value) => (typeof value === 'string' ? [...value.matchAll(anyId)] : []));
  const named = found.filter(([, , rest]) => rest !== undefined);
  return (named.length > 0 ? named : found).map(([, account]) => account as string);
}

type Sent = { text: string; values: unknown[]; change: PageChange | undefined };

/**
 * The providers whose public page the statements of a request may have changed. A statement names its provider among its
 * values: by the provider's own id, or by that of a slot, booking or wish. Otherwise it returns `provider_id`; of a shop
 * together with `people_ids`, a JSON list, where the pages of its people change too.
 */
export class ChangedPages {
  readonly providerIds = new Set<string>();
  /** Statements that have changed a page of nobody can tell whom: faults, but what they wrote stands. */
  readonly nameless: string[] = [];

  add({ text, values, change }: Sent, { meta, results }: D1Result): void {
    if (!change || meta.rows_written === 0) return;
    const ids = change.returnsProvider
      ? (results as { provider_id: string; people_ids?: string }[]).flatMap(({ provider_id, people_ids = '[]' }) => [
          provider_id,
          ...(JSON.parse(people_ids) as string[]),
        ])
      : providersAmong(values);
    if (ids.length === 0 && !change.returnsProvider) this.nameless.push(text);
    for (const id of ids) this.providerIds.add(id);
  }
}
