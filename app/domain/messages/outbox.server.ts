import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { and, eq, inArray, lte, or, type Placeholder, sql } from 'drizzle-orm';
import type { Db } from '../../../db/client';
import { accounts, bookings, invitations, messages, parties, wishes } from '../../../db/schema';
import { orm, statement, statementBy } from '../../../db/statement';
import { type Instant, knownZone, minute, noZone } from '../time/clock';
import type { WordsIn } from '../words/i18n';
import { languageOf } from '../words/languages';
import { worded } from '../words/worded';
import {
  type BookingFacts,
  selectBookingFacts,
  selectCanceledTogetherFacts,
  selectHandedOverFacts,
  selectSeveralFacts,
} from './booking-facts.server';
import { current, isAbout } from './current.server';
import type { Subject } from './kinds/kind';
import { asItWas, dataAfter, type Former } from './last-mails.server';
import { carriesHostsWords, hashOf, isConfirmed, isUnwanted, mailIn } from './mail-policy.server';
import { isOver, type Message, withoutHostTexts } from './messages';
import { messageOf, selectMessages } from './news.server';
import { type PartyFacts, selectPartyFacts } from './party-facts.server';
import { plainName, plainService } from './plain-names';
import { giveUpAfter, longestPause, pauseAfterTries } from './retry-policy';

/** For this long, in milliseconds, nobody else sends a leased message. */
const lease = 2 * minute;

export type Outgoing = {
  message: Message;
  to: string;
  readerId: string;
  emailHash: string;
  /** The provider or host who typed the address; null if its owner did. */
  senderId: string | null;
  /** The mail says how to end all mail to the address. */
  isUnconfirmed: boolean;
  /** The reader's zone; if it is unknown, that of the appointment or party. */
  readerZone: string;
  readerName: string;
  /** Of the reader's language. */
  i18n: I18n;
  /** The provider or host, if their address is confirmed and the reader is somebody else. */
  replyTo: { name: string; address: string } | null;
  /** A reset link is good while the reader's password stays the same. */
  passwordHash: string | null;
  tries: number;
  isOver: boolean;
  booking: BookingFacts | null;
  /** For the link to the reader's place in line. */
  wishSeed: string | null;
  providerUsername: string | null;
  several: BookingFacts[];
  /** Null unless its reader has an RSVP. */
  party: PartyFacts | null;
};

/** SQL: the reader has refused all mail, or this sender's. */
const isRefused = isUnwanted(mailIn(sql`${messages}`));

const isUnsent = sql`${messages.mailState} IN ('due', 'leased')`;

/** SQL: a guest typed the address for this one booking or RSVP, so their account has not confirmed it. */
const isOwnAddress = sql`(messages.invitation_id IS NULL AND messages.kind <> 'email'
  AND messages.email_hash IS NOT ${hashOf(sql`${accounts}`)})`;

const hostId = sql`coalesce(${bookings.providerId}, ${parties.providerId}, iif(${messages.kind} = 'join-shop', ${messages.actorId}, NULL))`;

type Due = { now: Instant; until: Instant; most: number };
const takeDue = statement<Due>()(({ now, until, most }) => {
  const due = orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(isUnsent, lte(messages.dueAt, now)))
    .orderBy(messages.dueAt)
    .limit(most);
  return orm
    .update(messages)
    .set({ mailState: 'leased', dueAt: sql`${until}`, tries: sql`${messages.tries} + 1` })
    .where(inArray(messages.id, due))
    .returning({
      id: messages.id,
      bookingId: messages.bookingId,
      partyId: messages.partyId,
      isOfSeveral: sql<boolean>`data ->> 'with' IS NOT NULL`.mapWith(Boolean),
      isHandedOver: sql<boolean>`kind = 'moved' AND data ->> 'with' IS NOT NULL`.mapWith(Boolean).as('handed_over'),
      isCanceledTogether: sql<boolean>`data ->> 'clients' IS NOT NULL`.mapWith(Boolean).as('canceled_together'),
    });
});

const earliest = statement<Record<never, never>>()(() =>
  orm
    .select({ at: sql<Instant | null>`min(${messages.dueAt})`.as('next_due') })
    .from(messages)
    .where(isUnsent),
);

/** @returns when the next message is due; null if none is */
export async function nextDue(db: Db): Promise<Instant | null> {
  const [[next]] = await db.run(earliest({}));
  return next?.at ?? null;
}

/** SQL: the message is one of these. @param ids those that are taken, as JSON */
const isAmong = (ids: Placeholder | string) => sql`${messages.id} IN (SELECT value FROM json_each(${ids}))`;

type Taken = { ids: string };
const rowsOf = statement<Taken>()(({ ids }) => selectMessages().where(isAmong(ids)));
const bookingFactsOf = statement<Taken>()(({ ids }) => selectBookingFacts(isAmong(ids)));
const severalFactsOf = statement<Taken>()(({ ids }) => selectSeveralFacts(isAmong(ids)));
const handedOverFactsOf = statement<Taken>()(({ ids }) => selectHandedOverFacts(isAmong(ids)));
const canceledTogetherFactsOf = statement<Taken>()(({ ids }) => selectCanceledTogetherFacts(isAmong(ids)));
const partyFactsOf = statement<Taken>()(({ ids }) => selectPartyFacts(isAmong(ids)));

/** @param since older mail was written while e-mail was not set up */
const sendsOf = statement<Taken & { since: Instant }>()(({ ids, since }) =>
  orm
    .select({
      messageId: sql<string>`${messages.id}`.as('message_id'),
      email: sql<string>`${messages.email}`.as('to_email'),
      tries: messages.tries,
      readerId: messages.accountId,
      emailHash: sql<string>`coalesce(${messages.emailHash}, lower(${messages.email}))`.as('hash'),
      senderId: messages.senderId,
      isUnconfirmed:
        sql<boolean>`(messages.invitation_id IS NOT NULL OR ${accounts.emailConfirmedAt} IS NULL OR ${isOwnAddress})`
          .mapWith(Boolean)
          .as('is_unconfirmed'),
      // A name of a meetup has no time zone but the meetup's.
      ownZone: sql<string | null>`iif(messages.invitation_id IS NULL, ${accounts.timeZone}, NULL)`.as('own_zone'),
      readerName: sql<string>`iif(messages.invitation_id IS NULL, ${accounts.displayName},
          ifnull((SELECT name FROM invitations WHERE id = messages.invitation_id), ''))`.as('reader_name'),
      hostEmail: sql<string | null>`(SELECT email FROM accounts AS host WHERE host.id = ${hostId}
          AND host.email_confirmed_at IS NOT NULL)`.as('host_email'),
      isHost: sql<boolean>`(${hostId} IS messages.account_id AND messages.invitation_id IS NULL)`
        .mapWith(Boolean)
        .as('is_host'),
      hasHostsWords: sql<boolean>`${carriesHostsWords(hostId, {
        isReaderConfirmed: isConfirmed(isOwnAddress, sql`${accounts}`),
        isFromHost: sql`(messages.invitation_id IS NOT NULL AND messages.sender_id IS NOT NULL)`,
      })}`
        .mapWith(Boolean)
        .as('has_hosts_words'),
      // A name of a meetup that has not answered reads the host's.
      lang: sql<
        string | null
      >`coalesce(iif(messages.invitation_id IS NULL, NULL, ${invitations.lang}), ${accounts.lang}, ${accounts.readIn})`.as(
        'reader_lang',
      ),
      passwordHash: accounts.passwordHash,
      wishSeed: sql<string | null>`${wishes.linkSeed}`.as('wish_seed'),
      providerUsername: sql<string | null>`CASE WHEN messages.kind = 'offer' THEN (
          SELECT username FROM accounts AS provider WHERE provider.id = messages.actor_id) END`.as('provider_username'),
      isUnwanted: sql<boolean>`(${messages.createdAt} < ${since} OR ${isRefused})`.mapWith(Boolean).as('is_unwanted'),
      current,
    })
    .from(messages)
    .innerJoin(accounts, eq(accounts.id, messages.accountId))
    .leftJoin(bookings, isAbout.booking)
    .leftJoin(parties, isAbout.event)
    .leftJoin(invitations, isAbout.invitation)
    .leftJoin(wishes, isAbout.wish)
    .where(isAmong(ids)),
);

/**
 * Takes what is due. Nobody else takes these messages until the lease ends.
 * @param wordsIn what words mails in a language
 * @returns at most so many of them, and when the next one is due
 */
export async function leaseDue(
  db: Db,
  most: number,
  wordsIn: WordsIn,
  now: Instant,
): Promise<{ leased: Outgoing[]; next: Instant | null }> {
  const [taken, [next]] = await db.run(takeDue({ now, until: now + lease, most }), earliest({}));
  if (taken.length === 0) return { leased: [], next: next?.at ?? null };
  const ids = JSON.stringify(taken.map(({ id }) => id));
  const {
    rows,
    appointments = [],
    severalFacts = [],
    handedOver = [],
    canceledTogether = [],
    events = [],
    sends,
  } = await db.run({
    rows: rowsOf({ ids }),
    appointments: taken.some(({ bookingId }) => bookingId) ? bookingFactsOf({ ids }) : undefined,
    severalFacts: taken.some(({ isOfSeveral }) => isOfSeveral) ? severalFactsOf({ ids }) : undefined,
    handedOver: taken.some(({ isHandedOver }) => isHandedOver) ? handedOverFactsOf({ ids }) : undefined,
    canceledTogether: taken.some(({ isCanceledTogether }) => isCanceledTogether)
      ? canceledTogetherFactsOf({ ids })
      : undefined,
    events: taken.some(({ partyId }) => partyId) ? partyFactsOf({ ids }) : undefined,
    sends: sendsOf({ ids, since: now - giveUpAfter - longestPause }),
  });
  const formerOf = new Map(rows.map(({ id, data }) => [id, (data as { former?: Former }).former]));
  const messageById = new Map(rows.map((row) => [row.id, asItWas(messageOf(row), formerOf.get(row.id))]));
  const facts = new Map(appointments.map((row) => [row.messageId, row]));
  const partyFacts = new Map(events.map((row) => [row.messageId, row]));
  const i18nOf = new Map(
    await Promise.all(
      [...new Set(sends.map(({ lang }) => lang))].map(
        async (lang) => [lang, await wordsIn(languageOf(lang) ?? 'en')] as const,
      ),
    ),
  );
  const leased = sends.flatMap(
    ({ messageId, email, hostEmail, isHost, hasHostsWords, isUnwanted, current, ownZone, lang, ...outgoing }) => {
      const message = messageById.get(messageId);
      if (!message) return [];
      const former = formerOf.get(messageId);
      const named = former && { providerName: former.host, ...(former.title !== null && { title: former.title }) };
      const booking = facts.get(messageId);
      const party = partyFacts.get(messageId);
      const mail: Outgoing = {
        ...outgoing,
        message,
        readerZone: knownZone(ownZone) ?? message.subject?.timeZone ?? noZone,
        i18n: i18nOf.get(lang) as I18n,
        to: email,
        isOver: isUnwanted || isOver(message, current, now),
        replyTo: hostEmail && !isHost ? { name: message.host ?? '', address: hostEmail } : null,
        booking: booking ? { ...booking, ...named } : null,
        several: [...severalFacts, ...handedOver, ...canceledTogether]
          .filter((facts) => facts.messageId === messageId)
          .map((facts) => ({ ...facts, ...named })),
        party: party ? { ...party, ...named } : null,
      };
      const safeMail = hasHostsWords || isHost ? mail : withoutHostsWords(mail);
      return forReader(safeMail, { isHost });
    },
  );
  return { leased, next: next?.at ?? null };
}

/** @see carriesHostsWords */
function withoutHostsWords(mail: Outgoing): Outgoing {
  const { message, booking, several, party, i18n } = mail;
  const withoutTexts = (facts: BookingFacts) => ({
    ...facts,
    providerName: nameInMail(facts.providerName, i18n),
    shop: facts.shop && { ...facts.shop, displayName: nameInMail(facts.shop.displayName, i18n) },
    notes: null,
    service: plainService(facts.service),
    location: '',
    place: facts.where === 'theirs' ? facts.place : null,
    address: null,
    phone: null,
    payBy: null,
  });
  const host = message.host && nameInMail(message.host, i18n);
  const shop = message.shop && nameInMail(message.shop, i18n);
  return {
    ...mail,
    message: { ...withoutHostTexts(message), host, shop, other: message.other && nameInMail(message.other, i18n) },
    booking: booking && withoutTexts(booking),
    several: several.map(withoutTexts),
    party: party && {
      ...party,
      providerName: nameInMail(party.providerName, i18n),
      title: titleInMail(message.subject?.noun ?? 'party', nameInMail(party.providerName, i18n), i18n),
      description: null,
      address: null,
      locationUrl: null,
    },
  };
}

const nameInMail = (name: string, i18n: I18n): string => plainName(name) || worded(i18n, msg`Somebody`);

const titleInMail = (noun: Subject['noun'], host: string, i18n: I18n): string =>
  worded(i18n, noun === 'meetup' ? msg`A meetup of ${host}` : msg`A party of ${host}`);

// Leaves out what a stranger may have typed to have it mailed: the client's name in the provider's mail, and the
// reader's own name and answers, unless somebody has confirmed the address.
function forReader(mail: Outgoing, { isHost }: { isHost: boolean }): Outgoing {
  const { message, booking, several, isUnconfirmed, readerName, i18n } = mail;
  if (isHost) {
    const other = message.other && nameInMail(message.other, i18n);
    const client = message.client && nameInMail(message.client, i18n);
    const clients = (facts: BookingFacts) => ({ ...facts, bookerName: nameInMail(facts.bookerName, i18n) });
    return {
      ...mail,
      message: { ...message, other, client },
      booking: booking && clients(booking),
      several: several.map(clients),
    };
  }
  if (!isUnconfirmed) return mail;
  const unanswered = (facts: BookingFacts) => ({ ...facts, answers: [], questions: [] });
  return {
    ...mail,
    readerName: plainName(readerName),
    booking: booking && unanswered(booking),
    several: several.map(unanswered),
  };
}

/** SQL: an address that somebody else typed is kept only where it was typed. */
const addressAfter = sql<string | null>`iif(sender_id IS NULL, email, NULL)`;

const end = statementBy<{ mailState: 'sent' | 'dropped'; reason: string | null }, Taken>()((ended, { ids }) =>
  orm
    .update(messages)
    .set({ ...ended, dueAt: null, email: addressAfter, data: dataAfter })
    .where(isAmong(ids)),
);

const idsOf = (taken: Outgoing[]) => JSON.stringify(taken.map(({ message }) => message.id));

/** Notes which mails were sent, and which were dropped because their subject is over. */
export async function noteEnded(db: Db, { sent, dropped }: { sent: Outgoing[]; dropped: Outgoing[] }): Promise<void> {
  if (sent.length === 0 && dropped.length === 0) return;
  await db.run({
    sent: sent.length > 0 ? end({ mailState: 'sent', reason: null }, { ids: idsOf(sent) }) : undefined,
    dropped: dropped.length > 0 ? end({ mailState: 'dropped', reason: 'over' }, { ids: idsOf(dropped) }) : undefined,
  });
}

/**
 * @param reason a code without anybody's words
 * @returns true if the message is given up
 */
export async function noteFailure(
  db: Db,
  { message, tries }: Outgoing,
  { isFinal, reason }: { isFinal: boolean; reason: string },
  now: Instant,
): Promise<boolean> {
  const isDead = isFinal || now - message.at > giveUpAfter;
  await db.run(
    orm
      .update(messages)
      .set(
        isDead
          ? { mailState: 'dead', dueAt: now, reason, email: addressAfter, data: dataAfter }
          : { mailState: 'due', dueAt: now + pauseAfterTries(tries), reason },
      )
      .where(eq(messages.id, message.id)),
  );
  return isDead;
}

/**
 * Puts mails back as if nobody had tried. Gives up those of two days, and up to 500 others of that age.
 * @param reason a code without anybody's words
 * @returns the mails that are given up
 */
export async function noteUnreachable(
  db: Db,
  taken: Outgoing[],
  reason: string,
  now: Instant,
): Promise<{ kind: string; tries: number }[]> {
  const isTheirs = isAmong(idsOf(taken));
  const isOld = sql`created_at < ${now - giveUpAfter}`;
  const old = orm
    .select({ id: messages.id })
    .from(messages)
    .where(and(isUnsent, lte(messages.dueAt, now - giveUpAfter)))
    .orderBy(messages.dueAt)
    .limit(500);
  const [changed] = await db.run(
    orm
      .update(messages)
      .set({
        mailState: sql`iif(${isOld}, 'dead', 'due')`,
        dueAt: sql`iif(${isOld}, ${now}, created_at)`,
        tries: sql`${messages.tries} - ${isTheirs}`,
        email: sql`iif(${isOld}, ${addressAfter}, email)`,
        data: sql`iif(${isOld}, ${dataAfter}, data)`,
        reason,
      })
      .where(or(isTheirs, inArray(messages.id, old)))
      .returning({ kind: messages.kind, tries: messages.tries, state: messages.mailState }),
  );
  return changed.filter(({ state }) => state === 'dead');
}
