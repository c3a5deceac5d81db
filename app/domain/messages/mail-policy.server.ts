import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { firstThatHolds } from '../../../db/first-that-holds';
import { providerOf } from '../../../db/ids';
import { invitationsADay, questionsADay, type WhyWithheld } from '../mail/withheld-mail';
import { day, hour } from '../time/clock';
import { registry } from './kinds';
import type { MailOfKind } from './kinds/kind';

// Who is mailed, and which mail is withheld. The trigger of db/behaviour/notices.sql asks these rules when a message is
// written, so that the response can say what becomes of its mail, and mails that are written at the same time count each other. The
// outbox asks again only whether the reader wants it at all (`isUnwanted`). The triggers of messages.sql count each mail that goes
// out, and ask again of one that somebody wants sent after all. Screens that promise a mail ask the same rules before it is written.

const none = sql.raw('NULL');
const number = (value: number) => sql.raw(String(value));

/** SQL: a message of this kind has this rule, which its file in kinds/ says. */
const hasRule = (kind: SQL, rule: keyof MailOfKind) => {
  const names = Object.entries(registry).flatMap(([name, { mail }]) => (mail?.[rule] ? [`'${name}'`] : []));
  return sql`${kind} IN (${sql.raw(names.join(', '))})`;
};

/** SQL: what stands for the address of an account where mail is counted. */
export const hashOf = (account: SQL) => sql`coalesce(${account}.email_hash, lower(${account}.email))`;

/**
 * SQL: a message is mailed, unless `whyWithheld` has a reason.
 * @param isOwnAddress SQL: a guest typed an address for this one thing
 * @param account the alias of the reader's account
 */
export const isMailed = (kind: SQL, isOwnAddress: SQL, account: SQL) =>
  sql`(instr(${account}.mail_off, '"' || ${kind} || '"') = 0 AND (${isOwnAddress} OR ${account}.email IS NOT NULL
    AND (${account}.email_confirmed_at IS NOT NULL OR ${account}.role = 'Consumer' AND ${hasRule(kind, 'toUnconfirmed')})))`;

/** SQL: mail to this address has no limits, because the reader's account has confirmed it. */
export const isConfirmed = (isOwnAddress: SQL, account: SQL) =>
  sql`(NOT (${isOwnAddress}) AND ${account}.email_confirmed_at IS NOT NULL)`;

/**
 * SQL: a mail carries what its provider or host wrote. If neither side has confirmed an address, the reader may not have asked for it.
 * A mail to an address that the host has typed goes out only if the host is confirmed, and a host who has left since is not any more.
 * @param host the provider or host, who reads their own words anyway
 * @param isReaderConfirmed SQL: as `isConfirmed`; a guest has confirmed none
 * @param isFromHost SQL: the host has typed that address
 */
export const carriesHostsWords = (
  host: SQL | Placeholder,
  { isReaderConfirmed = sql.raw('0'), isFromHost = sql.raw('0') },
) =>
  sql`(${isReaderConfirmed} OR ${isFromHost} OR (SELECT accounts.email_confirmed_at FROM accounts WHERE accounts.id = ${host}) IS NOT NULL)`;

/** SQL: for how long a message waits for others that go into the same mail, in milliseconds. */
export const gatheringTime = (kind: SQL) =>
  Object.entries(registry).reduce(
    (others, [name, { mail }]) =>
      mail?.gathersFor ? sql`iif(${kind} = ${sql.raw(`'${name}'`)}, ${number(mail.gathersFor)}, ${others})` : others,
    number(0),
  );

/** A mail to an address that its account has not confirmed. All are SQL. */
export type LimitedMail = {
  kind: SQL;
  hash: SQL;
  /** The provider or host who typed the address; NULL if its owner did. */
  sender: SQL;
  /** The provider or host whose guests are counted together. */
  host: SQL;
  at: SQL;
};

/** @param message the alias of a row of `messages` */
export const mailIn = (message: SQL): LimitedMail => ({
  kind: sql`${message}.kind`,
  hash: sql`${message}.email_hash`,
  sender: sql`${message}.sender_id`,
  host: sql`coalesce(${providerOf(sql`${message}.booking_id`)},
    (SELECT provider_id FROM parties WHERE id = ${message}.party_id), ${message}.actor_id)`,
  at: sql`${message}.due_at`,
});

/** SQL: 'new' if the sender never wrote to the address, 'ended' if its owner wants no more of that, else 'known'. */
const contactOf = ({ sender, hash }: LimitedMail) => sql`iif(${sender} IS NULL, NULL, ifnull((
  SELECT iif(ended_at IS NULL, 'known', 'ended') FROM mail_contacts WHERE sender_id = ${sender} AND email_hash = ${hash}), 'new'))`;

type Limit = {
  /** SQL: what is counted together; NULL if the limit does not concern the mail. */
  bucket: SQL;
  most: SQL;
  /** In milliseconds, from the first that counts. */
  span: number;
  /** SQL: when a mail that is one too many can go out. */
  until: SQL;
};
type WhyLimited = 'questions' | 'full' | 'guests' | 'often' | 'new';

function limitsOn({ kind, hash, sender, host, at }: LimitedMail, contact: SQL): Record<WhyLimited, Limit> {
  const only = (condition: SQL, bucket: SQL) => sql`iif(${condition}, ${bucket}, NULL)`;
  const questions = only(hasRule(kind, 'isQuestion'), sql`'mail-question:' || ${hash}`);
  const full = sql`'mail:' || ${hash}`;
  const guests = only(sql`${sender} IS NULL AND ${hasRule(kind, 'isByGuests')}`, sql`'mail-guests:' || ${host}`);
  const often = only(hasRule(kind, 'isInvitation'), sql`'mail-invited:' || ${sender} || ':' || ${hash}`);
  const newest = only(sql`${contact} = 'new'`, sql`'mail-new:' || ${sender}`);

  const endOf = (bucket: SQL) => sql`(SELECT ends_at FROM throttles WHERE bucket = ${bucket})`;
  const after = (span: number) => sql`${at} + ${number(span)}`;
  const isFirstWeek = sql`${at} < (SELECT created_at FROM accounts WHERE id = ${sender}) + ${number(7 * day)}`;
  return {
    questions: { bucket: questions, most: number(questionsADay), span: day, until: endOf(questions) },
    full: { bucket: full, most: number(10), span: day, until: endOf(full) },
    guests: { bucket: guests, most: number(100), span: hour, until: after(hour) },
    often: { bucket: often, most: number(invitationsADay), span: day, until: after(day) },
    new: { bucket: newest, most: sql`iif(${isFirstWeek}, 30, 100)`, span: day, until: after(day) },
  };
}

/** SQL: somebody said that mail to this address is not for them. */
export const isRefused = (hash: SQL) => sql`EXISTS (SELECT 1 FROM refused_addresses WHERE email_hash = ${hash})`;

/** SQL: what is known of a mail, by the reason for which it would be withheld. */
export type MailFacts = Record<WhyWithheld | 'unlimited', SQL>;

function factsOf(mail: LimitedMail, contact: SQL): MailFacts {
  const { kind, hash, sender, at } = mail;
  const limits = limitsOn(mail, contact);
  const isReached = ({ bucket, most }: Limit) =>
    sql`EXISTS (SELECT 1 FROM throttles WHERE bucket = ${bucket} AND ends_at > ${at} AND tries >= ${most})`;
  return {
    refused: sql`NOT ${hasRule(kind, 'isQuestion')} AND ${isRefused(hash)}`,
    ended: sql`${contact} = 'ended'`,
    unlimited: sql`EXISTS (SELECT 1 FROM lifted_limits WHERE name = 'mail')`,
    questions: isReached(limits.questions),
    full: isReached(limits.full),
    guests: isReached(limits.guests),
    sender: sql`${sender} IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM accounts WHERE id = ${sender} AND email_confirmed_at IS NOT NULL)`,
    often: isReached(limits.often),
    new: isReached(limits.new),
  };
}

/** SQL: the first reason that holds of these; NULL if the mail goes out. */
export const whyWithheldBy = (facts: MailFacts): SQL =>
  firstThatHolds<string>(
    [facts.refused, 'refused'],
    [facts.ended, 'ended'],
    [facts.unlimited, none],
    [facts.questions, 'questions'],
    [facts.full, 'full'],
    [facts.guests, 'guests'],
    [facts.sender, 'sender'],
    [facts.often, 'often'],
    [facts.new, 'new'],
  );

/** SQL: why the mail is withheld; NULL if it goes out. */
export const whyWithheld = (mail: LimitedMail) =>
  sql`(SELECT ${whyWithheldBy(factsOf(mail, sql`contact`))} FROM (SELECT ${contactOf(mail)} AS contact))`;

/** SQL: the state of a mail. What many guests delay goes out by itself; other mail, if somebody asks for it. */
export const stateOf = (why: SQL) =>
  firstThatHolds<string>([sql`${why} IS NULL`, 'due'], [sql`${why} = 'guests'`, 'waiting'], [sql`true`, 'withheld']);

/** SQL: when it goes out, or can; NULL if no clock changes that. */
export function dueAt(why: SQL, mail: LimitedMail) {
  const limits = Object.entries(limitsOn(mail, none));
  return firstThatHolds<number>(
    [sql`${why} IS NULL`, mail.at],
    ...limits.map(([name, { until }]): [SQL, SQL] => [sql`${why} = ${sql.raw(`'${name}'`)}`, until]),
  );
}

/** SQL: a table of what a mail that goes out is counted in. `bucket` may be NULL; `span` is in milliseconds. */
export const countedIn = (mail: LimitedMail) =>
  sql`(${sql.join(
    Object.values(limitsOn(mail, contactOf(mail))).map(
      ({ bucket, span }) => sql`SELECT ${bucket} AS bucket, ${number(span)} AS span`,
    ),
    sql` UNION ALL `,
  )})`;

/** SQL: the owner of the address wants no such mail. A mail that was to go out is dropped then. */
export function isUnwanted(mail: LimitedMail) {
  const { refused, ended } = factsOf(mail, contactOf(mail));
  return sql`(${refused} OR ${ended})`;
}
