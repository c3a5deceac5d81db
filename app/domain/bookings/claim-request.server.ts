import type { Placeholder, SQL } from 'drizzle-orm';
import { sql } from 'drizzle-orm';
import { providerIn } from '../../../db/ids';
import type { bookings } from '../../../db/schema';
import type { RateLimit } from '../login/throttles.server';
import type { Answer } from '../templates/questions';
import type { Instant, LocalDate } from '../time/clock';
import type { Asker } from './link-owners.server';
import type { Terms } from './terms';
import type { ShopTime } from './turn.server';

// What a claim asks for, and how its statements take it: the shape chooses their text, the values fill it.

/** The switches that choose the text of a claim's statements. */
export type Shape = {
  /**
   * `time` is a published time, and `turn` that of whoever has the turn in a shop. `anyTime` need not be published: a provider books it for
   * somebody. `series` is several published times; those that the person has booked already become part of it.
   */
  what: 'time' | 'turn' | 'anyTime' | 'series';
  /** A person with a session, who may be made along; one with the link of a booking; or a provider, or the desk of a shop, for somebody. */
  by: 'person' | 'link' | 'provider' | 'desk';
  isService: boolean;
  /** The person asked a shop, and not one of its colleagues: the statement chooses who of them has it. See turn.server.ts. */
  isShopTime: boolean;
};

/** A provider or their desk books for somebody: no rule of theirs binds, and nothing is asked for. */
export const isForSomeone = ({ by }: Shape): boolean => by === 'provider' || by === 'desk';

/** The values of a claim, which the statement has as a row named `request`. */
export type ClaimValues = {
  /** A JSON list of times: the id of the slot, the seed of the booking's link, and the hash of its code. */
  times: string;
  /** The time that need not be published, as JSON of `AnyTime`; 'null' if it is. */
  at: string;
  provider: string;
  service: string;
  /** What the person was told of the service, as JSON; 'null' if nothing. */
  terms: string;
  /** How many people come. */
  people: number;
  accountId: string;
  /** The e-mail address of a guest who is made along with the claim. */
  email: string | null;
  /** The card that a provider books for. */
  personId: string | null;
  /** Who must be logged in; blank by link. */
  actorId: string;
  sessionId: string;
  /** Who acts for the account, and whose session it is. */
  memberId: string;
  /** The booking whose link it is, and the source of that; blank without. */
  linkedId: string;
  linkSource: string;
  now: Instant;
  answers: string;
  answeredAt: Instant | null;
  /** The template that the answers are for. */
  askedTemplateId: string | null;
  /** 1 to refuse a time that does not ask the questions of `askedTemplateId`, which may be null. */
  checksTemplate: number;
  /** 1 if questions must be answered with the booking, 0 if they may be answered later. */
  requireAnswers: number;
  phone: string | null;
  /** The client's address, for what takes place there. */
  address: string | null;
  privateNote: string | null;
  /** How often this network may book in a while. */
  tryBucket: string;
  tryLimit: number;
  series: string;
  /** The id of this write, by which the messages of a series become one. */
  toldWith: string;
  /** The username of a shop, folded, and a start, where anyone there will do. */
  shop: string;
  start: Instant;
};

export type ClaimPlaceholders = { [Name in keyof ClaimValues]: Placeholder | SQL };

const blank: ClaimValues = {
  times: '[]',
  at: 'null',
  provider: '',
  service: '',
  terms: 'null',
  people: 1,
  accountId: '',
  email: null,
  personId: null,
  actorId: '',
  sessionId: '',
  memberId: '',
  linkedId: '',
  linkSource: '',
  now: 0,
  answers: '[]',
  answeredAt: null,
  askedTemplateId: null,
  checksTemplate: 0,
  requireAnswers: 0,
  phone: null,
  address: null,
  privateNote: null,
  tryBucket: '',
  tryLimit: 0,
  series: '',
  toldWith: '',
  shop: '',
  start: 0,
};

/** SQL: a value of the claim. */
export const ofRequest = (name: keyof ClaimValues): SQL => sql`request.${sql.identifier(name)}`;

/**
 * SQL: the values of a claim as one row, so that each is sent once.
 * @param times SQL: the wanted times, if they are not those of the values
 */
export function rowOf(values: ClaimPlaceholders | ClaimValues, times?: SQL): SQL {
  const columns = Object.keys(blank).map((name) => {
    const value = name === 'times' && times ? times : sql`${values[name as keyof ClaimValues]}`;
    return sql`${value} AS ${sql.identifier(name)}`;
  });
  return sql`(SELECT ${sql.join(columns, sql`, `)}) AS request`;
}

/** The SQL of one kind of claim. */
export type ClaimSql = {
  /** SQL: the row `request`, with what the conditions have to know besides. */
  row: (shape: Shape, values: ClaimPlaceholders | ClaimValues) => SQL;
  /** SQL: a wanted time, as `slots` with `service` and `provider`, is granted. */
  isGrantable: (shape: Shape) => SQL;
  /** SQL: a time would be granted that has no slot yet. */
  wouldBeGranted?: (shape: Shape, values: ClaimPlaceholders | ClaimValues) => SQL;
  /** What the booking has besides, or in place of what others have. */
  columns?: (shape: Shape) => Partial<Record<keyof typeof bookings.$inferInsert, SQL>>;
};

/** A time on the provider's clock. `minutes` is null if the service says it. */
export type AnyTime = {
  startsAt: Instant;
  date: LocalDate;
  from: number; // minutes after midnight
  minutes: number | null;
  zone: string;
  isOver: boolean; // the provider was told what else is then, and books it all the same
};

/** Answers that are checked, and the template that they are for; null if there are no questions. */
export type CheckedAnswers = { answers: Answer[]; templateId: string | null };

/** Times of one provider that are claimed together. */
export type ClaimRequest = {
  times: { id: string; seed?: string | undefined; codeHash?: string | undefined }[];
  /** Who asks: a person for themselves, or a provider for one of theirs. */
  asker: Asker;
  /** Whom a provider books for, and on which card, if it is known. */
  somebody?: { accountId: string; personId: string | null };
  series?: { id: string; toldWith: string };
  at?: AnyTime;
  /** Anyone in a shop at this start, in place of the time's id. */
  shopTime?: ShopTime;
  service: string | null;
  terms?: Terms | null;
  people: number;
  /** Null if the answers come later. */
  answered: CheckedAnswers | null;
  /** True if a time with questions is not booked without answers. */
  requireAnswers?: boolean;
  limit?: RateLimit & { bucket: string };
  /** What else came with it. */
  given?: Partial<Pick<ClaimValues, 'email' | 'phone' | 'address' | 'privateNote'>>;
};

export type ReadyClaim = { shape: Shape; values: ClaimValues };

/** The claim as its statements take it. */
export function claimOf(
  {
    times,
    asker,
    somebody,
    series,
    at,
    shopTime,
    service,
    terms = null,
    people,
    answered,
    requireAnswers = false,
    limit,
    given,
  }: ClaimRequest,
  now: Instant,
): ReadyClaim {
  const [first] = times;
  const { accountId, personId } = somebody ?? { accountId: asker.accountId, personId: null };
  return {
    shape: {
      what: series ? 'series' : at ? 'anyTime' : shopTime ? 'turn' : 'time',
      by: 'linkSource' in asker ? 'link' : !somebody ? 'person' : asker.memberId === undefined ? 'provider' : 'desk',
      isService: service !== null,
      isShopTime: shopTime !== undefined,
    },
    values: {
      ...blank,
      ...given,
      times: JSON.stringify(times.map(({ id, seed, codeHash }) => [id, seed ?? null, codeHash ?? null])),
      at: JSON.stringify(at ?? null),
      provider: at ? asker.accountId : providerIn(first?.id ?? ''),
      service: service ?? '',
      terms: JSON.stringify(terms),
      people,
      accountId,
      personId,
      ...('linkSource' in asker
        ? { linkedId: asker.bookingId, linkSource: asker.linkSource }
        : { actorId: asker.accountId, sessionId: asker.sessionId, memberId: asker.memberId ?? '' }),
      now,
      answers: JSON.stringify(answered?.answers ?? []),
      answeredAt: answered && now,
      askedTemplateId: answered?.templateId ?? null,
      checksTemplate: answered ? 1 : 0,
      requireAnswers: requireAnswers && !answered ? 1 : 0,
      ...(limit && { tryBucket: limit.bucket, tryLimit: limit.limit }),
      ...(series && { series: series.id, toldWith: series.toldWith }),
      ...shopTime,
    },
  };
}
