import { beforeAll, describe, expect, test } from 'vitest';
import { expectConsoleError } from '../../support/console';
import { readCsv } from '../../support/csv';
import { peopleAt } from '../../support/factories';
import { createParty, type Party } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

/* Answers that are too large to be held at once are read and sent in parts, and are whole all the same. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const guests = 500;
const questions = 10;
/** Of one answer. All together are ten megabytes. */
const characters = 2_000;

const nameOf = (nth: number) => `guest${String(nth).padStart(3, '0')}`;
const names = Array.from({ length: guests }, (_, nth) => nameOf(nth));
/** What each wrote; a few wrote what a spreadsheet would reckon with, or what parts cells and rows. */
const saidBy = (nth: number) =>
  Array.from({ length: questions }, (_, place) => ({
    question: `Question ${place}?`,
    answer: `${nth % 50 === 0 ? '=1+1, "so"\n' : ''}${nth} ${place} ${'é words '.repeat(characters / 8)}`.slice(
      0,
      characters,
    ),
  }));

/** Lets them answer a party. The last one says no, so that the host has none of their answers. */
async function fill(party: Party): Promise<void> {
  const insert = daybook.d1.prepare(
    `INSERT INTO invitations
       (party_id, invitee, id, account_id, username, name, name_sort_key, accepted, answers, answered_at, created_at)
     SELECT ?1, value ->> 0, value ->> 0 || ?1, value ->> 0, value ->> 0, value ->> 0, value ->> 0, value ->> 1, value ->> 2, 1, 1
     FROM json_each(?2)`,
  );
  for (let from = 0; from < guests; from += 20) {
    const rows = names.slice(from, from + 20).map((name, place) => {
      const nth = from + place;
      return [name, nth < guests - 1 ? 1 : 0, JSON.stringify(saidBy(nth))];
    });
    await insert.bind(party.id, JSON.stringify(rows)).run();
  }
}

const { host } = useWorld(daybook, { host: {} });
let party: Party;
beforeAll(async () => {
  await daybook.d1
    .prepare(
      `INSERT INTO accounts (id, username, username_folded, display_name, display_folded, display_sort_key, role,
         password_hash, time_zone, created_at)
       SELECT value, value, value, value, value, value, 'Consumer', '', 'UTC', 0 FROM json_each(?)`,
    )
    .bind(JSON.stringify(names))
    .run();
  party = await createParty(host, { title: 'A hall', description: 'Full' });
  await fill(party);
});

const hostAnswers = names.slice(0, -1).map((_, nth) => saidBy(nth));

describe('of a hall of guests who wrote much', () => {
  test('the file has all guests, each with whole answers, and no formula', async () => {
    const file = await host.browser.get(`/view-party/${party.id}/guests.csv`);
    expect(file.status).toBe(200);
    const asked = saidBy(0).map(({ question }) => question);
    const [head, ...rows] = readCsv(file.text);
    expect(head).toEqual(['Guest', 'Username', 'Accepted', 'Brings', 'Answered at', 'E-mail', 'Phone', ...asked]);
    expect(rows.map(([name]) => name)).toEqual(names);
    const bare = (text: string) => text.replace(/^'/, '');
    expect(rows.map((row) => row.slice(7).map(bare))).toEqual([
      ...hostAnswers.map((said) => said.map(({ answer }) => answer)),
      Array(questions).fill(''),
    ]);
    expect(rows.flat().filter((cell) => /^[=+@-]/.test(cell))).toEqual([]);
  });

  test('a guest who wrote what can’t be read ends the file, which says that it is not whole', async () => {
    const broken = await createParty(host, { title: 'A broken one' });
    await fill(broken);
    await daybook.d1
      .prepare('UPDATE invitations SET answers = ? WHERE party_id = ? AND invitee = ?')
      .bind('[{"question": "Question 0?", "answer": {}}]', broken.id, nameOf(guests - 2))
      .run();
    expectConsoleError(/unforeseen/);
    expectConsoleError(/Uncaught exception/);
    const rows = readCsv((await host.browser.get(`/view-party/${broken.id}/guests.csv`)).text);
    expect(rows.length).toBeGreaterThan(guests / 2);
    expect(rows.at(-1)).toEqual([
      'This file is not whole: something went wrong on our side. Please download it again.',
    ]);
  });
});

test('one’s own data has each login of very many, newest first', async () => {
  const who = await newProvider();
  const many = 8_000;
  await daybook.d1
    .prepare(
      `WITH RECURSIVE logins(nth) AS (SELECT 1 UNION ALL SELECT nth + 1 FROM logins WHERE nth < ?2)
       INSERT INTO sessions (id, account_id, created_at, expires_at, last_used_at, device)
       SELECT 'login ' || nth || accounts.id, accounts.id, nth, nth + 9000000000000, 0, 'Firefox on Linux'
       FROM logins, accounts WHERE username = ?1`,
    )
    .bind(who.username, many)
    .run();
  const { sessions } = (await who.api('GET', '/api/Account/Export')).json as { sessions: { createdAt: string }[] };
  const dates = sessions.map(({ createdAt }) => createdAt);
  expect(dates).toHaveLength(many + 1);
  expect(dates).toEqual([...dates].sort().reverse());
});
