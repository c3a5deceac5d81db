import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { D1 } from '../../app/local/d1';
import { timed } from './first-byte';
import { memoryOf, processorTime } from './runtime-process';
import { logIn } from './scenarios';
import { known, type Say, serving } from './served';
import { number, table } from './table';
import { withCopy } from './world-folder';
import { consumerId, providerId, worldOf } from './world-plan';

/*
 * The largest answers: a party whose guests wrote much, and a meetup of 500 names. Memory is the whole process's, with
 * D1 in it: the Worker's own part is less.
 */

const slots = 1000;
/** Guests, and the characters of each one's answers; the limit is 50 questions of 2,000. */
const [guests, characters] = [500, 20_000];
const names = 500;
/** In MiB, for one answer. */
const most = 64;

const idOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22);

/** Makes both for the rich provider. @returns their ids */
async function makeLarge(d1: D1, now: number): Promise<{ party: string; meetup: string }> {
  const [party, meetup] = [idOf('large party'), idOf('large meetup')];
  const event = `INSERT INTO parties (id, kind, provider_id, title, starts_at, ends_at, local_date, time_zone, created_at, invited)
    VALUES (?1, ?2, ?3, 'A large one', ?4, ?4 + 7200000, '2031-01-01', 'UTC', ?5, ?6)`;
  const at = now + 90 * 86_400_000;
  await d1.batch([
    d1.prepare(event).bind(party, 'party', providerId(0), at, now, 0),
    d1.prepare(event).bind(meetup, 'meetup', providerId(0), at, now, names),
  ]);
  const insert = d1.prepare(
    `INSERT INTO invitations (id, party_id, account_id, username, name, name_sort_key, invitee, accepted, answered_at, created_at, answers)
     SELECT value ->> 0, ?1, value ->> 1, NULL, value ->> 2, value ->> 2, value ->> 3, value ->> 4, ?2, 1, value ->> 5 FROM json_each(?3)`,
  );
  const long = JSON.stringify(
    Array.from({ length: 10 }, (_, nth) => ({ question: `Question ${nth}?`, answer: 'word '.repeat(characters / 50) })),
  );
  for (let from = 0; from < guests; from += 20) {
    const rows = Array.from({ length: 20 }, (_, nth) => {
      const account = consumerId(worldOf(slots), 1000 + from + nth);
      return [idOf(`guest ${from + nth}`), account, `Guest ${from + nth}`, account, 1, long];
    });
    await insert.bind(party, now, JSON.stringify(rows)).run();
  }
  const row = (nth: number) => [idOf(`name ${nth}`), null, `Name ${nth}`, `name ${nth}`, null, '[]'];
  const listed = Array.from({ length: names }, (_, nth) => row(nth));
  await insert.bind(meetup, null, JSON.stringify(listed)).run();
  return { party, meetup };
}

/** Measures each answer in a process of its own, and prints the table. @returns true if none takes too much memory */
export async function measureLarge(say: Say): Promise<boolean> {
  return withCopy(slots, 'large', say, async (dataDir) => {
    const { provider, party, meetup } = await serving(dataDir, {}, async ({ d1, url }) => {
      const { provider } = await logIn(url, 0);
      return { provider, ...(await makeLarge(d1, Date.now())) };
    });
    const paths = {
      'guests.csv': `/view-party/${party}/guests.csv`,
      'the party': `/view-party/${party}`,
      GetMy: '/api/Party/GetMy',
      GetAll: '/api/Party/GetAll',
      'attendees.csv': `/manage-meetup/${meetup}/attendees.csv`,
      'the meetup': `/manage-meetup/${meetup}`,
      GetMyMeetups: '/api/meetup/GetMyMeetups',
      'the export': '/your-data/daybook.json',
    };
    const cells: string[][] = [];
    let isBounded = true;
    for (const [what, path] of Object.entries(paths)) {
      await serving(dataDir, {}, async (server) => {
        const pid = known(server.pid);
        const headers = { cookie: provider };
        for (let times = 0; times < 3; times += 1) await timed(server.url, { path: '/people', headers });
        // The peak is measured from here.
        writeFileSync(`/proc/${pid}/clear_refs`, '5');
        const [before, cpu] = [memoryOf(pid)?.now ?? 0, processorTime(pid)];
        const answer = await timed(server.url, { path, headers });
        const taken = (memoryOf(pid)?.most ?? 0) - before;
        if (taken > most) isBounded = false;
        const times = [answer.firstByte, answer.lastByte, processorTime(pid) - cpu];
        const mebibytes = number(answer.text.length / 1024 / 1024, 2);
        cells.push([what, String(answer.status), mebibytes, ...[taken, ...times].map((one) => number(one, 0))]);
      });
    }
    const head = ['answer', 'status', 'MiB', 'memory MiB', 'first byte ms', 'last byte ms', 'CPU ms'];
    say(`A party of ${guests} guests with ${characters} characters each, and a meetup of ${names} names:`);
    for (const line of table(head, cells)) say(line);
    return isBounded;
  });
}
