import { msg } from '@lingui/core/macro';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { insertFrom } from '../../../db/insert';
import { ownedBy } from '../../../db/owned-by';
import { accounts, people, personAliases } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { conflict, notLoggedIn } from '../errors';
import { digitsOf } from '../input/fields';
import { sortKey } from '../input/fold';
import type { Links } from '../links.server';
import { isLoggedIn, selectOwner } from '../login/sessions.server';
import { notFound } from '../not-found';
import type { Actor } from '../profile/accounts';
import type { Instant } from '../time/clock';
import { writeAddress } from './booker.server';
import { aliasOf, cardOfEmail } from './card-of.server';
import { linesOf, linesWhere } from './note-lines.server';
import type { CardChange, NewCard, WholeCard } from './people';
import { selectWholeCard } from './people.server';

/**
 * Makes a card for somebody who has not booked yet. Its id is made from the one-time key, so a form sent twice makes
 * one card.
 * @throws DomainError conflict (a card has that address), unauthenticated
 */
export async function createPerson(
  db: Db,
  links: Links,
  actor: Actor,
  { name, email, phone, note, key }: NewCard & { key: string },
  now: Instant,
): Promise<WholeCard> {
  const me = actor.accountId;
  const id = links.repeatableIdOf('person', me, key);
  const {
    card: [card],
    namesake: [namesake],
    owner: [owner],
  } = await db.run({
    created: insertFrom(
      people,
      {
        providerId: me,
        id,
        name,
        nameSortKey: sortKey(name),
        email,
        emailFolded: sql`lower(${email})`,
        phone,
        phoneDigits: digitsOf(phone),
        note,
      },
      sql`WHERE ${isLoggedIn(actor, now)} AND (${email} IS NULL OR ${cardOfEmail(sql`${me}`, sql`${email}`)} IS NULL)
        AND NOT EXISTS (SELECT 1 FROM person_aliases WHERE ${ownedBy(me)} AND alias = ${id})`,
    ).onConflictDoNothing(),
    card: selectWholeCard({ me, id, now }),
    namesake: orm
      .select({ name: sql<string>`coalesce(${people.name}, ${accounts.displayName})`.as('namesake') })
      .from(people)
      .leftJoin(accounts, eq(accounts.id, people.id))
      .where(and(ownedBy(me, people), sql`${people.id} = ${cardOfEmail(sql`${me}`, sql`${email}`)}`)),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!card) {
    const other = namesake?.name ?? '';
    throw conflict(msg`${other} already has this e-mail address.`);
  }
  return card;
}

/** Changes the given fields of a card. @throws DomainError not_found, unauthenticated */
export async function editPerson(
  db: Db,
  actor: Actor,
  { id, name, email, phone, note }: CardChange & { id: string },
  now: Instant,
): Promise<WholeCard> {
  const me = actor.accountId;
  const change = {
    ...(name !== undefined && { name, nameSortKey: sortKey(name) }),
    ...(email !== undefined && { email, emailFolded: sql`lower(${email})` }),
    ...(phone !== undefined && { phone, phoneDigits: digitsOf(phone) }),
    ...(note !== undefined && { note }),
  };
  const cardId = aliasOf(sql`${me}`, sql`${id}`);
  const isMine = and(ownedBy(me, people), sql`${people.id} = ${cardId}`, isLoggedIn(actor, now));
  // What the provider replaces doesn't come back from a merged card when somebody leaves.
  const isReplaced = (
    column: 'email' | 'phone',
    value: string | null,
  ) => sql`${sql.raw(column)} IS NOT ${value} AND ${sql.raw(column)} = (
    SELECT card.${sql.raw(column)} FROM people AS card WHERE ${ownedBy(me, 'card')} AND card.id = person_id)`;
  const replacement = {
    ...(email !== undefined && { email: sql`iif(${isReplaced('email', email)}, NULL, email)` }),
    ...(phone !== undefined && { phone: sql`iif(${isReplaced('phone', phone)}, NULL, phone)` }),
    ...(note !== undefined && {
      note: linesWhere(sql`note`, sql`line.value IN (SELECT value FROM ${linesOf(sql`${note}`)})`),
    }),
  };
  const {
    card: [card],
    owner: [owner],
  } = await db.run({
    replaced:
      Object.keys(replacement).length > 0
        ? orm
            .update(personAliases)
            .set(replacement)
            .where(and(ownedBy(me, personAliases), sql`person_id = ${cardId}`, isLoggedIn(actor, now)))
        : undefined,
    addressed:
      email === undefined
        ? undefined
        : writeAddress(actor, cardId, email, sql`${accounts.email} IS NOT NULL AND ${isLoggedIn(actor, now)}`),
    changed: Object.keys(change).length > 0 ? orm.update(people).set(change).where(isMine) : undefined,
    card: selectWholeCard({ me, id, now }),
    owner: selectOwner(actor, now),
  });
  if (!owner?.isLoggedIn) throw notLoggedIn();
  if (!card) throw notFound('person');
  return card;
}
