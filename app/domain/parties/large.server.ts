import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { ownedBy } from '../../../db/owned-by';
import { invitations, parties } from '../../../db/schema';
import { orm } from '../../../db/statement';
import { bytesOf, isOfPart, partSize, selectParts } from '../../../db/streamed-list';
import type { Actor } from '../profile/accounts';
import { type Parts, partsBy } from '../streamed-list';
import type { Answer } from '../templates/questions';
import { answersForHost, inOrder, isEmailGiven, mailed, selectInvitations } from './invitations.server';
import type { Invitation, Invited, Party } from './parties';
import { isStillOn, selectParties } from './select.server';

// For parties whose guests are too many, or wrote too much, to be read at once. The caller has checked that the party
// is the reader's own and that the session is open.

/** `answers` are those of guests who wrote any, in the order of `guests`. */
export type ManyGuests = { guests: Parts<Invited>; answers: Parts<Answer[]> };

export type PartyWithGuests = Party & { invitations: Invited[] | ManyGuests };

// The bytes of a row without its texts.
const rowSize = 250;
const answerSize = sql`${bytesOf(answersForHost)} + ${rowSize}`;
const byName = sql.join(inOrder, sql`, `);

const partsOfGuests = (id: string, size: SQL, more?: SQL) =>
  selectParts(invitations, {
    id: invitations.id,
    size,
    condition: and(eq(invitations.partyId, id), more),
    order: byName,
  });
type Plan = { ids: string; bytes: number }[];

const readGuests =
  (db: Db, id: string) =>
  async ({ ids }: Plan[number]): Promise<Invitation[]> => {
    const ofPart = and(eq(invitations.partyId, id), isOfPart(invitations.id, ids));
    const [rows] = await db.run(selectInvitations().where(ofPart).orderBy(byName));
    return rows;
  };

const selectPlans = (id: string) =>
  [partsOfGuests(id, sql`${rowSize}`), partsOfGuests(id, answerSize, sql`accepted AND answers <> '[]'`)] as const;

const manyGuests = (db: Db, id: string, guests: Plan, answers: Plan): ManyGuests => ({
  guests: partsBy(guests, async ({ ids }) => {
    const { name, username, accepted, partyId, phone } = invitations;
    const [rows] = await db.run(
      orm
        .select({
          id: invitations.id,
          partyId,
          username: sql<string>`coalesce(${username}, ${name})`.as('shown'),
          accepted,
          email: mailed.as('mailed'),
          isEmailGiven: isEmailGiven.mapWith(Boolean).as('is_given'),
          phone,
        })
        .from(invitations)
        .where(and(eq(partyId, id), isOfPart(invitations.id, ids)))
        .orderBy(byName),
    );
    return rows.map((row) => ({ ...row, answers: [] }));
  }),
  answers: partsBy(answers, async (part) => (await readGuests(db, id)(part)).map((guest) => guest.answers)),
});

export async function getManyGuests(db: Db, id: string): Promise<ManyGuests> {
  return manyGuests(db, id, ...(await db.run(...selectPlans(id))));
}

/**
 * Reads a party's guests in parts.
 * @returns the guests, and the questions that they have answered, in the order of the list
 */
export async function getGuestsInParts(db: Db, id: string): Promise<{ guests: Parts<Invitation>; asked: string[] }> {
  const answered = orm
    .select({
      question: sql<string>`value ->> 'question'`.as('question'),
      place: sql<number>`row_number() OVER (ORDER BY ${byName}, key)`.as('place'),
    })
    .from(sql`${invitations}, json_each(${answersForHost})`)
    .where(eq(invitations.partyId, id))
    .as('answered');
  const [plan, asked] = await db.run(
    partsOfGuests(id, answerSize),
    orm
      .select({ question: answered.question })
      .from(answered)
      .groupBy(sql`${answered.question}`)
      .orderBy(sql`min(${answered.place})`),
  );
  return { guests: partsBy(plan, readGuests(db, id)), asked: asked.map(({ question }) => question) };
}

const partySize = sql`${bytesOf(parties.description)} + ${bytesOf(parties.address)} + ${bytesOf(parties.locationUrl)} + 1000`;

/**
 * Lists parties by start. A part of the list has many parties, or one with many guests. Only the actor's own parties
 * have invitations.
 */
export async function listInParts(db: Db, actor: Actor, condition: SQL | undefined): Promise<Parts<PartyWithGuests>> {
  const isHost = ownedBy(actor, parties);
  const ofGuests = sql`(SELECT total(${answerSize}) FROM invitations WHERE party_id = ${parties.id})`;
  const [plan] = await db.run(
    selectParts(parties, {
      id: parties.id,
      size: sql`${partySize} + iif(${isHost}, ${ofGuests}, 0)`,
      condition: and(condition, isStillOn),
      order: sql`${parties.startsAt}, ${parties.id}`,
    }),
  );
  const readParties = async (ids: string): Promise<PartyWithGuests[]> => {
    const ofPart = isOfPart(parties.id, ids);
    const own = orm.select({ id: parties.id }).from(parties).where(and(ofPart, isHost));
    const [rows, guests] = await db.run(
      selectParties(ofPart).orderBy(parties.startsAt, parties.id),
      selectInvitations().where(sql`party_id IN ${own}`).orderBy(byName),
    );
    return rows.map((party) => ({ ...party, invitations: guests.filter(({ partyId }) => partyId === party.id) }));
  };
  const readLargeParty = async (id: string): Promise<PartyWithGuests[]> => {
    const [rows, guests, answers] = await db.run(selectParties(eq(parties.id, id)), ...selectPlans(id));
    return rows.map((party) => ({ ...party, invitations: manyGuests(db, id, guests, answers) }));
  };
  return {
    async *[Symbol.asyncIterator]() {
      for (const { ids, bytes } of plan) {
        // A part ends once its size is exceeded, so only its first party can be that large.
        const [first, ...others] = bytes > 2 * partSize ? (JSON.parse(ids) as string[]) : [];
        if (first === undefined) yield await readParties(ids);
        else yield await readLargeParty(first);
        if (others.length > 0) yield await readParties(JSON.stringify(others));
      }
    },
  };
}
