import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { readCsv } from '../../support/csv';
import { createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

/* Answers that are too large to be held at once are read and sent in parts, and are whole all the same. */

const daybook = useServer();
/** Who all wrote much: ten answers of two thousand characters, ten megabytes together. */
const guests = Array.from({ length: 500 }, (_, nth) => `guest${String(nth).padStart(3, '0')}`);
const questions = Array.from({ length: 10 }, (_, place) => `Question ${place}?`);
const saidBy = (name: string) =>
  questions.map((question) => ({ question, answer: `${name}, "so"\n ${'é words '.repeat(250)}`.slice(0, 2_000) }));

const { host } = useWorld(daybook, { host: {} });

describe('the file of a hall of guests who wrote much', () => {
  let partyId: string;
  beforeAll(async () => {
    partyId = (await createParty(host, { title: 'A hall', description: 'Full' })).id;
    await daybook.d1
      .prepare(
        `INSERT OR IGNORE INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, role,
         password_hash, time_zone, created_at)
       SELECT value, value, value, value, value, value, 'Consumer', '', 'UTC', 0 FROM json_each(?)`,
      )
      .bind(JSON.stringify(guests))
      .run();
    const insert = daybook.d1.prepare(
      `INSERT INTO invitations
       (party_id, invitee, id, account_id, username, name, name_sort_key, accepted, answers, rsvp_at, created_at,
         party_starts_at)
     SELECT ?1, value ->> 0, value ->> 0 || ?1, value ->> 0, value ->> 0, value ->> 0, value ->> 0, 1, value ->> 1, 1, 1,
       (SELECT starts_at FROM parties WHERE id = ?1)
     FROM json_each(?2)`,
    );
    for (let from = 0; from < guests.length; from += 20) {
      const rows = guests.slice(from, from + 20).map((name) => [name, JSON.stringify(saidBy(name))]);
      await insert.bind(partyId, JSON.stringify(rows)).run();
    }
  });

  const rowsOfFile = async () => readCsv((await host.browser.get(`/view-party/${partyId}/guests.csv`)).text);

  test('begins with its columns and all questions', async () => {
    const [head] = await rowsOfFile();

    expect(head).toEqual(['Guest', 'Username', 'Accepted', 'Brings', 'Answered at', 'E-mail', 'Phone', ...questions]);
  });

  test('has whole answers of all', async () => {
    const [, ...rows] = await rowsOfFile();

    expect(rows.map(([name, ...cells]) => [name, ...cells.slice(6)])).toEqual(
      guests.map((name) => [name, ...saidBy(name).map(({ answer }) => answer)]),
    );
  });

  test('says at its end that it is not whole where a part can’t be read', async () => {
    const broken = daybook.d1.prepare('UPDATE invitations SET answers = ? WHERE party_id = ? AND invitee = ?');
    await broken.bind('[{"question": "Question 0?", "answer": {}}]', partyId, guests.at(-1)).run();
    expectConsoleError(/unforeseen/);
    expectConsoleError(/Uncaught exception/);

    const part = await rowsOfFile();

    expect(part.length).toBeGreaterThan(guests.length / 2);
    expect(part.at(-1)).toEqual([
      'This file is not whole: something went wrong on our side. Please download it again.',
    ]);
  });
});

test('one’s own data has each login of very many, newest first', async () => {
  const many = 8_000;
  await daybook.d1
    .prepare(
      `WITH RECURSIVE logins(nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM logins WHERE nth < ?2)
       INSERT OR IGNORE INTO sessions (id, account_id, created_at, expires_at, last_used_at, device)
       SELECT 'login ' || nth, accounts.id, nth, nth + 9000000000000, 0, 'Firefox on Linux'
       FROM logins, accounts WHERE username = ?1`,
    )
    .bind(host.username, many)
    .run();

  const { sessions } = (await host.api('GET', '/api/Account/Export')).json as { sessions: { createdAt: string }[] };

  const dates = sessions.map(({ createdAt }) => createdAt);
  expect(dates).toHaveLength(many + 1);
  expect(dates).toEqual([...dates].sort().reverse());
});
