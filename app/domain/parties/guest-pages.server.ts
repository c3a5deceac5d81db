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

// More guests would make a megabyte of HTML.
const guestsAtOnce = 200;
// The most bytes of answers on a page; the page's last guest may exceed it. D1 returns at most two megabytes as one
// text.
const bytesAtOnce = 400_000;

type OfPage = OfHost & { page: number };

// How much of a page a guest takes: the bytes of their answers, at least a 200th of a page and at most all of it. So a
// page has at most 200 guests, and none is empty.
const weight = sql`min(${bytesAtOnce}, max(${bytesAtOnce / guestsAtOnce}, ${bytesOf(answersForHost)}))`;
const upTo = sql`sum(${weight}) OVER (ORDER BY ${sql.join(inOrder, sql`, `)} ROWS UNBOUNDED PRECEDING)`;

// To find the page, SQLite reads all guests, but only the page's answers.
const answersOfPaged = sql`iif(accepted,
  (SELECT answers FROM invitations WHERE party_id = paged.party_id AND invitee = paged.invitee), '[]')`;

const selectGuestPage = statement<OfPage>()((host: { [Name in keyof OfPage]: Placeholder }) => {
  const { answers: _, ...columns } = getTableColumns(invitations);
  const paged = orm
    .select({
      ...columns,
      // D1 binds 400,000 as 400000.0, so the quotient must be cut to a whole number.
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

/** A page of a party's guests for its host, those who come first, then by name. For anybody else it is empty. */
export async function listGuestPage(
  db: Db,
  { accountId, sessionId }: Actor,
  { id, page }: { id: string; page: number },
  now: Instant,
): Promise<Page<Invitation>> {
  const [[row]] = await db.run(selectGuestPage({ id, accountId, sessionId, now, page }));
  return { rows: unpack(row?.text ?? '[]', id), hasMore: (row?.lastPage ?? 0) > page };
}
