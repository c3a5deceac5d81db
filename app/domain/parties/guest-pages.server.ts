import { type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { bytesOf } from '../../../db/parts';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import type { Actor } from '../accounts/accounts';
import type { Page } from '../input/fields';
import type { Instant } from '../time/clock';
import { answersForHost, inOrder, type OfHost, ofHost, packedWith, unpack } from './invitations.server';
import type { Invitation } from './parties';

/** Most parties fit one page. What more guests wrote would be a megabyte of HTML. */
const guestsAtOnce = 200;
/** What the guests of a page wrote together, in bytes; its last guest may pass it. D1 takes two megabytes as one text. */
const bytesAtOnce = 400_000;

type OfPage = OfHost & { page: number };

// A guest weighs what they wrote: at least so much that guests who wrote little make full pages, and at most a page, so that
// none is empty.
const weight = sql`min(${bytesAtOnce}, max(${bytesAtOnce / guestsAtOnce}, ${bytesOf(answersForHost)}))`;
const upTo = sql`sum(${weight}) OVER (ORDER BY ${sql.join(inOrder, sql`, `)} ROWS UNBOUNDED PRECEDING)`;

// All guests are gone through to find the page, so without their answers: those are read for the guests of the page alone.
const answersOfPaged = sql`iif(accepted,
  (SELECT answers FROM invitations WHERE party_id = paged.party_id AND invitee = paged.invitee), '[]')`;

const guestsOfPage = statement<OfPage>()((given: { [Name in keyof OfPage]: Placeholder }) => {
  const { partyId, invitee, id, username, name, accepted, plusOnes, answeredAt, email, mailEndedAt } = invitations;
  const paged = orm
    .select({
      partyId,
      invitee,
      id,
      username,
      name,
      accepted,
      plusOnes,
      answeredAt,
      email,
      mailEndedAt,
      // D1 binds each number as a real one.
      page: sql<number>`CAST((${upTo} - ${weight}) / ${bytesAtOnce} AS INTEGER)`.as('page'),
    })
    .from(invitations)
    .where(ofHost(given))
    .orderBy(...inOrder)
    .as('paged');
  return orm
    .select({
      text: sql<string>`${packedWith(answersOfPaged)} FILTER (WHERE page = ${given.page})`.as('text'),
      lastPage: sql<number | null>`max(page)`.as('last_page'),
    })
    .from(paged);
});

/**
 * Lists a page of a party's guests for its host, accepted first, then by name: as many as fit, by their number and by what
 * they wrote. Anyone else gets none; so does a host whose session does not stand.
 */
export async function listGuestPage(
  db: Db,
  { accountId, sessionId }: Actor,
  { id, page }: { id: string; page: number },
  now: Instant,
): Promise<Page<Invitation>> {
  const [[row]] = await db.run(guestsOfPage({ id, accountId, sessionId, now, page }));
  return { rows: unpack(row?.text ?? '[]', id), hasMore: (row?.lastPage ?? 0) > page };
}
