import { env } from 'cloudflare:test';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertGuest } from '../../../app/domain/guests/guests.server';
import type { Kind } from '../../../app/domain/messages/messages';
import { forgetAll, join, newDb, start, stored } from '../../support/history';

/* Which kinds of message are mailed to an address that nobody has confirmed. Those that bring an address of their own are not here. */

type BringsAddress = 'invited' | 'join-shop' | 'confirm-email' | 'reset-password';

const isMailedToGuest: Record<Exclude<Kind, BringsAddress>, boolean> = {
  booked: true,
  moved: true,
  canceled: true,
  reminder: true,
  changed: true,
  'called-off': true,
  answered: true,
  wish: true,
  offer: true,
  answers: false,
  rsvps: false,
  undelivered: false,
  overlap: false,
  missed: false,
  'unread-calendar': false,
  webhook: false,
  password: false,
  email: false,
  'factor-on': false,
  'factor-off': false,
  key: false,
};
const kinds = Object.keys(isMailedToGuest);
const mailedKinds = kinds.filter((kind) => isMailedToGuest[kind as keyof typeof isMailedToGuest]);
const otherKinds = kinds.filter((kind) => !mailedKinds.includes(kind));

const guestId = 'guest-without-a-login';
let providerId: string;
let consumerId: string;
beforeAll(async () => {
  await forgetAll();
  const db = newDb();
  const guest = {
    id: guestId,
    displayName: 'Gus',
    email: 'gus@mail.test',
    timeZone: 'UTC',
    edgeZone: null,
    origin: null,
  };
  await db.run(insertGuest(guest, sql`true`, start));
  const provider = {
    username: 'host',
    displayName: 'Host',
    timeZone: 'UTC',
    role: 'Provider',
    location: 'Lisbon',
  } as const;
  providerId = (await join(db, provider)).accountId;
  consumerId = (await join(db, { username: 'ana', displayName: 'Ana', timeZone: 'UTC', role: 'Consumer' })).accountId;
  await env.DB.prepare("UPDATE accounts SET email = username || '@mail.test' WHERE username IS NOT NULL").run();
  // No limit of an address or a sender plays a part here.
  await env.DB.prepare("INSERT INTO lifted_limits (name) VALUES ('mail')").run();
});
afterAll(() => env.DB.prepare('DELETE FROM lifted_limits').run());

let notices = 0;
/** Whether a message of this kind is sent to the address of its reader. */
async function isMailed(readerId: string, kind: string): Promise<boolean> {
  const once = String(++notices);
  await env.DB.prepare('INSERT INTO notices (kind, once, account_id, at) VALUES (?, ?, ?, ?)')
    .bind(kind, once, readerId, start)
    .run();
  const id = `${kind}:${once}`;
  const [message] = await stored<{ mail_state: string | null }>('SELECT mail_state FROM messages WHERE id = ?', id);
  return message?.mail_state === 'due';
}

describe('an unconfirmed address of a guest', () => {
  test.each(mailedKinds)('is mailed what is of the kind %s', async (kind) => {
    expect(await isMailed(guestId, kind)).toBe(true);
  });

  test.each(otherKinds)('is not mailed what is of the kind %s', async (kind) => {
    expect(await isMailed(guestId, kind)).toBe(false);
  });
});

test.each(kinds)('an unconfirmed address of a client with a login is mailed as a guest’s is: %s', async (kind) => {
  expect(await isMailed(consumerId, kind)).toBe(mailedKinds.includes(kind));
});

test.each(kinds)('an unconfirmed address of a provider is not mailed what is of the kind %s', async (kind) => {
  expect(await isMailed(providerId, kind)).toBe(false);
});
