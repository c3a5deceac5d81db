import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findEventWays } from '../../../app/domain/messages/event-ways.server';
import { leaseDue } from '../../../app/domain/messages/outbox.server';
import { createMeetup, deleteParty } from '../../../app/domain/parties/hosting.server';
import type { Actor } from '../../../app/domain/profile/accounts';
import { addDays, hour } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { english } from '../../../app/domain/words/english';
import type { Db } from '../../../db/client';
import { newBook, once, start, stored } from '../../support/history';

/* Whether a host's own words are in a mail to a name of a meetup: what the screen says before, and what goes out. */

let db: Db;
let host: Actor;
beforeEach(async () => {
  ({ db, host } = await newBook());
});
afterEach(() => stored('DELETE FROM lifted_limits'));

const liftLimits = () => stored("INSERT INTO lifted_limits (name) VALUES ('mail')");
const confirmHost = () =>
  stored("UPDATE accounts SET email = 'host@mail.test', email_confirmed_at = 1 WHERE id = ?", host.accountId);

/** A meetup to which the host has invited Ada, whose address they typed. */
async function inviteAda(): Promise<string> {
  const details = { title: 'Chess', date: addDays(todayIn('UTC', start), 7), startTime: '19:00', endTime: '21:00' };
  const none = { description: null, address: null, locationUrl: null };
  const attendees = [{ name: 'Ada', email: 'ada@mail.test' }];
  return (await createMeetup(db, host, { ...details, ...none, attendees }, once(start))).id;
}

/** The reason in the mails that go out when it is called off. */
async function reasonsMailed(id: string): Promise<unknown[]> {
  await deleteParty(db, host, 'meetup', { id, reason: 'It rains.' }, once(start));
  const { leased } = await leaseDue(db, 50, async () => english, start + hour);
  return leased.filter(({ message }) => message.kind === 'called-off').map(({ message }) => message.data);
}

describe.each([
  ['with a confirmed address', confirmHost],
  ['without one, where limits are lifted,', liftLimits],
])('a host %s', (_, prepare) => {
  beforeEach(prepare);

  test('is told that the mail to whom they have invited has their reason', async () => {
    const id = await inviteAda();

    expect(await findEventWays(db, host, id, true)).toMatchObject({ bare: 0, mail: 1 });
  });

  test('has their reason in it', async () => {
    const id = await inviteAda();

    expect(await reasonsMailed(id)).toEqual([{ reason: 'It rains.' }]);
  });
});
