import { env } from 'cloudflare:test';
import { type SQL, sql } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { WhyWithheld } from '../../../app/domain/mail/withheld-mail';
import {
  dueAt,
  type LimitedMail,
  type MailFacts,
  stateOf,
  whyWithheldBy,
} from '../../../app/domain/messages/mail-policy.server';
import { day, hour } from '../../../app/domain/time/clock';
import { forgetAll, start } from '../../support/history';

/* What becomes of a mail, by what is known of it. Where that is read from stands in mail-limits.test.ts. */

async function resultOf(expression: SQL) {
  const query = new SQLiteSyncDialect().sqlToQuery(sql`SELECT ${expression} AS value`);
  return await env.DB.prepare(query.sql)
    .bind(...query.params)
    .first('value');
}

const inOrder: (keyof MailFacts)[] = [
  'refused',
  'ended',
  'unlimited',
  'questions',
  'full',
  'guests',
  'sender',
  'often',
  'new',
];
type Fact = (typeof inOrder)[number];

const factsWith = (...known: Fact[]) =>
  Object.fromEntries(inOrder.map((fact) => [fact, sql.raw(known.includes(fact) ? '1' : '0')])) as MailFacts;

const reasons = inOrder.filter((fact): fact is WhyWithheld => fact !== 'unlimited');

describe('a mail', () => {
  test('goes out if nothing is in its way', async () => {
    expect(await resultOf(whyWithheldBy(factsWith()))).toBeNull();
  });

  test.each(reasons)('is withheld for one reason: %s', async (why) => {
    expect(await resultOf(whyWithheldBy(factsWith(why)))).toBe(why);
  });

  const pairs = inOrder.flatMap((first, place) =>
    inOrder.slice(place + 1).map((second): [Fact, Fact] => [first, second]),
  );

  test.each(pairs)('for which two things hold is withheld for the first: %s, %s', async (first, second) => {
    const why = first === 'unlimited' ? null : first;

    expect(await resultOf(whyWithheldBy(factsWith(first, second)))).toBe(why);
  });

  test.each<[WhyWithheld | null, string]>([
    [null, 'due'],
    ['guests', 'waiting'],
    ...reasons.filter((why) => why !== 'guests').map((why): [WhyWithheld, string] => [why, 'withheld']),
  ])('with the reason %s is %s', async (why, state) => {
    expect(await resultOf(stateOf(sql`${why}`))).toBe(state);
  });
});

describe('the time of a mail', () => {
  const noon = start + 2 * hour;
  const ends = start + day;
  const mail: LimitedMail = {
    kind: sql`'confirm-email'`,
    hash: sql`'vic'`,
    sender: sql`NULL`,
    host: sql`NULL`,
    at: sql`${noon}`,
  };

  beforeEach(async () => {
    await forgetAll();
    const insert = env.DB.prepare('INSERT INTO throttles (bucket, tries, ends_at) VALUES (?, 10, ?)');
    await env.DB.batch([insert.bind('mail:vic', ends), insert.bind('mail-question:vic', ends + 1)]);
  });

  test.each<[WhyWithheld | null, string, number | null]>([
    [null, 'its own', noon],
    ['refused', 'never', null],
    ['ended', 'never', null],
    ['sender', 'never', null],
    ['full', 'when the day of its address is over', ends],
    ['questions', 'when the day of its address’s questions is over', ends + 1],
    ['guests', 'an hour later', noon + hour],
    ['often', 'a day later', noon + day],
    ['new', 'a day later', noon + day],
  ])('with the reason %s is %s', async (why, _, at) => {
    expect(await resultOf(dueAt(sql`${why}`, mail))).toBe(at);
  });
});
