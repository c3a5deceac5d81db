import { getTableColumns, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { bytesOf } from '../../../db/streamed-list';
import type { Page } from '../input/fields';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { answersForHost, inOrder, type OfHost, ofHost, packedWith, unpack } from './invitations.server';
import type { Invitation } from './parties';

// More guests would be a megabyte of HTML.
const guestsAtOnce = 200;
// The answers on a page, in bytes; its last guest may pass that. D1 takes two megabytes as one text.
const bytesAtOnce = 400_000;

type OfPage = OfHost & { page: number };

// A guest counts by the bytes of their answers, but at least a two-hundredth of a page, so that it has 200 guests at
// most, and at most a whole page, so that none is empty.
const weight = sql`min(${bytesAtOnce}, max(${bytesAtOnce / guestsAtOnce}, ${bytesOf(answersForHost)}))`;
const upTo = sql`sum(${weight}) OVER (ORDER BY ${sql.join(inOrder, sql`, `)} ROWS UNBOUNDED PRECEDING)`;

// Finding the page reads all guests, but the answers only of its own.
const answersOfPaged = sql`iif(accepted,
  (SELECT answers FROM invitations WHERE party_id = paged.party_id AND invitee = paged.invitee), '[]')`;

const selectGuestPage = statement<OfPage>()((host: { [Name in keyof OfPage]: Placeholder }) => {
  const { answers: _, ...columns } = getTableColumns(invitations);
  const paged = orm
    .select({
      ...columns,
      // D1 binds each number as a real one.
      page: sql<number>`CAST((${upTo} - ${weight}) / ${bytesAtOnce} AS INTEGER)`.as('page'),
    })
    .from(invitations)
    .where(ofHost(host))
    .orderBy(...inOrder)
    .as('paged');
  return orm
    .select({
      text: sql<string>`${packedWith(answersOfPaged)} FILTER (WHERE page = ${host.page})`.as('text'),
      lastPage: sql<number | null>`max(page)`.as('last_page'),
    })
    .from(paged);
});

/** A page of guests for their host, accepted first, then by name. Nobody else gets any. */
export async function listGuestPage(
  db: Db,
  { accountId, sessionId }: Actor,
  { id, page }: { id: string; page: number },
  now: Instant,
): Promise<Page<Invitation>> {
  const [[row]] = await db.run(selectGuestPage({ id, accountId, sessionId, now, page }));
  return { rows: unpack(row?.text ?? '[]', id), hasMore: (row?.lastPage ?? 0) > page };
}
