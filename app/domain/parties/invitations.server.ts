import { and, asc, eq, type Placeholder, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { former, newId } from '../../../db/columns';
import { ValueTooLarge } from '../../../db/errors';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { packed } from '../../../db/packed';
import { invitations } from '../../../db/schema';
import { orm, statement } from '../../../db/statement';
import { fold, sortKey } from '../input/fold';
import { isLoggedIn } from '../login/sessions.server';
import { storedAddress } from '../mail/addresses.server';
import { withheldMail } from '../mail/withheld-mail';
import type { Actor } from '../profile/accounts';
import type { Answer } from '../templates/questions';
import type { Instant } from '../time/clock';
import type { Invitation, Invited, Invitee } from './parties';

// A guest who says no keeps their answers for another yes, but the host doesn't see them.
export const answersForHost = sql`iif(accepted, answers, '[]')`;

// Null for an account, which has its own address, and after somebody unsubscribed.
export const mailed = sql<string | null>`iif(mail_ended_at IS NOT NULL, NULL, coalesce(email,
  iif(account_id IS NULL OR username IS NOT NULL, NULL, (SELECT email FROM accounts WHERE accounts.id = account_id AND accounts.username IS NULL))))`;

// Otherwise the host typed the address.
export const isEmailGiven = sql`(account_id IS NOT NULL OR email_is_own)`;

// The reason why the last mail to a name was withheld; `withheldMail` reads it.
const withheldText = sql<string | null>`iif(mail_ended_at IS NOT NULL AND email IS NOT NULL, 'withheld ended',
  (SELECT mail_state || ' ' || reason FROM messages WHERE id = withheld_mail AND mail_state IN ('withheld', 'waiting')))`;

const columns = {
  id: invitations.id,
  partyId: invitations.partyId,
  username: sql<string>`coalesce(${invitations.username}, ${invitations.name})`
    .mapWith(invitations.name)
    .as('guest_username'),
  name: invitations.name,
  accepted: invitations.accepted,
  plusOnes: invitations.plusOnes,
  rsvpAt: invitations.rsvpAt,
};

const forHost = {
  ...columns,
  email: mailed.as('mailed'),
  isEmailGiven: isEmailGiven.mapWith(Boolean).as('is_given'),
  phone: invitations.phone,
  withheld: withheldText.mapWith(withheldMail).as('withheld'),
  answers: answersForHost.mapWith(invitations.answers).as('answers_for_host'),
};
export const selectInvitations = () => orm.select(forHost).from(invitations);

export const ownColumns = {
  ...columns,
  email: mailed.as('mailed'),
  phone: invitations.phone,
  answers: invitations.answers,
};

export const inOrder = [
  sql`${invitations.accepted} DESC NULLS LAST`,
  asc(invitations.nameSortKey),
  asc(invitations.id),
];

export const invitationsOf = (condition: SQL | undefined) =>
  selectInvitations()
    .where(condition)
    .orderBy(...inOrder);

const order = sql` ORDER BY accepted DESC NULLS LAST, name_sort_key, id`;

type Short = Pick<Invited, 'id' | 'username' | 'email' | 'phone'> & {
  accepted: 0 | 1 | null;
  answers: Answer[] | null;
  isEmailGiven: 0 | 1;
};
const shortFields = (answers = answersForHost) => ({
  id: sql`id`,
  username: sql`coalesce(username, name)`,
  accepted: sql`accepted`,
  answers: sql`json(nullif(${answers}, '[]'))`,
  email: mailed,
  isEmailGiven,
  phone: sql`phone`,
});

// As the columns of an invitation read it; in a packed list nothing does.
const readName = (stored: string) => stored || former.person;

const invited = ({ username, accepted, answers, isEmailGiven, ...short }: Short, partyId: string): Invited => ({
  ...short,
  username: readName(username),
  partyId,
  accepted: accepted === null ? null : accepted === 1,
  answers: answers ?? [],
  isEmailGiven: isEmailGiven === 1,
});

const ofMany = packed<Short & { partyId: string }>({ partyId: sql`party_id`, ...shortFields() });
export const packedOfMany = ofMany.list(order);
export const unpackOfMany = (text: string): Invited[] =>
  ofMany.named(JSON.parse(text)).map(({ partyId, ...short }) => invited(short, partyId));

const withMailState = packed<Short & { withheld: string | null }>({ ...shortFields(), withheld: withheldText });
export const packedWithMailState = withMailState.list(order);
export const unpackWithMailState = (rows: unknown[][], partyId: string): Invited[] =>
  withMailState
    .named(rows)
    .map(({ withheld, ...short }) => ({ ...invited(short, partyId), withheld: withheldMail(withheld) }));

// Only whoever has left a number is written to.
const langOfTexts = sql`iif(phone IS NULL, NULL, coalesce(lang, (
  SELECT coalesce(accounts.lang, accounts.read_in) FROM accounts WHERE accounts.id = account_id)))`;

type Whole = Short & Pick<Invitation, 'name' | 'plusOnes' | 'rsvpAt' | 'lang'> & { withheld: string | null };
const whole = (answers: SQL) =>
  packed<Whole>({
    ...shortFields(answers),
    name: sql`name`,
    plusOnes: sql`plus_ones`,
    rsvpAt: sql`rsvp_at`,
    lang: langOfTexts,
    withheld: withheldText,
  });
/** For `unpack`. The invitations are in order already, and sorting would read each row again. */
export const packedWith = (answers: SQL) => whole(answers).list();
export const unpack = (text: string, partyId: string): Invitation[] =>
  whole(answersForHost)
    .named(JSON.parse(text))
    .map(({ name, plusOnes, rsvpAt, lang, withheld, ...short }) => ({
      ...invited(short, partyId),
      name: readName(name),
      plusOnes,
      rsvpAt,
      lang,
      withheld: withheldMail(withheld),
    }));

export type OfHost = { id: string; accountId: string; sessionId: string; now: Instant };
/** SQL: the host's own invitations, while the session is open. */
export const ofHost = (host: { [Name in keyof OfHost]: Placeholder }) =>
  and(
    eq(invitations.partyId, host.id),
    sql`EXISTS (SELECT 1 FROM parties WHERE id = ${host.id} AND ${ownedBy(host.accountId)})`,
    // Nobody acts for a host: placeholders would have a member too.
    isLoggedIn({ accountId: host.accountId, sessionId: host.sessionId }, host.now),
  );
const packedOfHost = statement<OfHost>()((host) => {
  const sorted = orm
    .select()
    .from(invitations)
    .where(ofHost(host))
    .orderBy(...inOrder);
  return orm.select({ text: packedWith(answersForHost).as('text') }).from(sorted.as('sorted'));
});
const rowsOfHost = statement<OfHost>()((host) => invitationsOf(ofHost(host)));

/**
 * Finds a party's invitations for its host, those who come first, then by name. For anybody else there are none.
 * Undefined if they are too large to be in memory at once.
 */
export async function findInvitations(
  db: Db,
  { accountId, sessionId }: Actor,
  id: string,
  now: Instant,
): Promise<Invitation[] | undefined> {
  try {
    const [[row]] = await db.run(packedOfHost({ id, accountId, sessionId, now }));
    return unpack(row?.text ?? '[]', id);
  } catch (error) {
    if (error instanceof ValueTooLarge) return undefined;
    throw error;
  }
}

/** Lists a party's invitations as findInvitations does, however many there are. */
export async function listInvitations(db: Db, actor: Actor, id: string, now: Instant): Promise<Invitation[]> {
  const invitations = await findInvitations(db, actor, id, now);
  if (invitations) return invitations;
  const { accountId, sessionId } = actor;
  const [rows] = await db.run(rowsOfHost({ id, accountId, sessionId, now }));
  return rows;
}

/** Inserts names. A trigger mails the link to those with an address. */
export const insertNames = (partyId: string, invitees: Invitee[], condition: SQL, now: Instant) =>
  insertFrom(
    invitations,
    {
      partyId,
      invitee: sql`value ->> 2`,
      id: sql`value ->> 0`,
      name: sql`value ->> 1`,
      nameSortKey: sql`value ->> 3`,
      createdAt: now,
      email: sql`value ->> 4`,
      emailHash: sql`value ->> 5`,
      emailAt: sql`iif(value ->> 4 IS NULL, NULL, ${now})`,
    },
    sql`FROM json_each(${JSON.stringify(
      invitees.map(({ name, email }) => [
        newId(),
        name,
        fold(name),
        sortKey(name),
        email,
        storedAddress(email).emailHash,
      ]),
    )})
      WHERE ${condition}`,
  );
