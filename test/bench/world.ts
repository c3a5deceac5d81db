import { fold } from '../../app/domain/input/fold';
import { hashPassword } from '../../app/domain/login/passwords.server';
import { questionType } from '../../app/domain/templates/questions';
import type { D1 } from '../../app/local/d1';
import { invitationRows, partyCount, partyRows } from './world-events';
import {
  accountRows,
  cityName,
  consumerId,
  idOf,
  password,
  providerId,
  rich,
  serviceId,
  templateId,
  templatesOf,
  type WorldSize,
} from './world-plan';
import { type PublishedSlot, planSlots, planSpareSlots } from './world-slots';

/*
 * A world of any size, written by sets: each statement names its columns and leaves out those that have a default, so that
 * a column added later needs no change here. Triggers are on and count as they would for people.
 */

const day = 24 * 60 * 60 * 1000;
/** Rows of one statement: about a megabyte of JSON. */
const rowsAtOnce = 8_000;

function* chunks<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let chunk: Row[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < rowsAtOnce) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** `value ->> 0, value ->> 1, …`: the columns of a row that came as a JSON list. */
const listed = (count: number) => Array.from({ length: count }, (_, place) => `value ->> ${place}`).join(', ');

const insertSlots = `INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, template_id, publication)
   SELECT value ->> 0, accounts.id, accounts.city, value ->> 2, value ->> 3, value ->> 4, accounts.time_zone, value ->> 5, value ->> 6
   FROM json_each(?1) CROSS JOIN accounts ON accounts.id = value ->> 1`;

const slotRow = ({ id, provider, startsAt, endsAt, date, templateId: template }: PublishedSlot) => [
  id,
  providerId(provider),
  startsAt,
  endsAt,
  date,
  template,
  idOf('publication', provider),
];

const insertParties = `INSERT INTO parties (id, kind, provider_id, title, starts_at, ends_at, local_date, time_zone, template_id,
     capacity, created_at)
   SELECT ${listed(11)} FROM json_each(?1)`;

/**
 * Fills an empty, migrated database.
 * @param now milliseconds; the world lasts from about 60 days before it to 120 days after
 * @param pepper of the Worker that will check the passwords
 * @throws Error where not every slot was stored, or a list that should fill a page does not
 */
export async function fillWorld(
  d1: D1,
  { size, now, pepper }: { size: WorldSize; now: number; pepper: string },
): Promise<void> {
  const write = async (sql: string, rows: Iterable<unknown>, ...values: unknown[]) => {
    for (const chunk of chunks(rows)) {
      await d1
        .prepare(sql)
        .bind(JSON.stringify(chunk), ...values)
        .run();
    }
  };
  const then = now - 90 * day;
  const cities = Array.from({ length: size.cities }, (_, city) => [fold(cityName(city)), cityName(city)]);
  await write(`INSERT INTO cities (folded, name) SELECT ${listed(2)} FROM json_each(?1)`, cities);
  const hash = await hashPassword(password, pepper);
  // Nobody is reminded: that would change what is measured, at some time in between.
  await write(
    `INSERT INTO accounts (id, username, username_folded, display_name, display_plain, display_sort_key, role, time_zone, city,
       password_hash, created_at, reminders)
     SELECT ${listed(9)}, ?2, ?3, '[]' FROM json_each(?1)`,
    accountRows(size),
    hash,
    then,
  );
  await write(
    `INSERT INTO templates (id, provider_id, display_name, questions, listed_at, created_at)
     SELECT ${listed(4)}, ?2 + key, ?2 FROM json_each(?1)`,
    templateRows(size),
    then,
  );
  await d1
    .prepare(
      "INSERT INTO services (provider_id, id, name, name_folded, minutes, is_offered) VALUES (?, ?, 'Cut', 'cut', 30, 0)",
    )
    .bind(providerId(0), serviceId())
    .run();
  await writeSlots(d1, size, now);
  await write(insertParties, partyRows(size, now));
  await write(
    `INSERT INTO invitations (id, party_id, account_id, username, name, name_sort_key, invitee, accepted, rsvp_at, created_at,
       party_starts_at)
     SELECT ${listed(10)}, (SELECT starts_at FROM parties WHERE id = value ->> 1 AND value ->> 2 IS NOT NULL)
     FROM json_each(?1)`,
    invitationRows(size, now),
  );
  // The names of a meetup are counted by whoever brings them.
  await d1
    .prepare(
      `UPDATE parties SET invited = (SELECT count(*) FROM invitations WHERE party_id = parties.id) WHERE kind = 'meetup'`,
    )
    .run();
  // Everybody has read their news.
  await d1.prepare('UPDATE messages SET is_read = 1').run();
  await verify(d1, size, now);
}

/**
 * Gives a world that many free times and parties without replies in all, for a load to use up. It leaves the rich provider alone,
 * and the days of everybody's other times.
 */
export async function addStock(
  d1: D1,
  { size, now, times, parties }: { size: WorldSize; now: number; times: number; parties: number },
): Promise<void> {
  const insert = d1.prepare(insertSlots);
  for (const chunk of chunks(planSpareSlots(size, now, times))) {
    await insert.bind(JSON.stringify(chunk.map(slotRow))).run();
  }
  const more = [...partyRows({ ...size, openParties: parties }, now)].slice(partyCount(size));
  for (const chunk of chunks(more)) await d1.prepare(insertParties).bind(JSON.stringify(chunk)).run();
}

/** id, provider id, name, questions as JSON text. */
function* templateRows({ providers }: WorldSize): Generator<[string, string, string, string]> {
  const ask = (id: string, questionText: string, type: number, options: string[] | null) => ({
    id,
    questionText,
    questionType: type,
    options,
    required: false,
  });
  const questions = JSON.stringify([
    ask('q1', 'Have you been here before?', questionType.singleChoice, ['Yes', 'No']),
    ask('q2', 'What brings you here?', questionType.openEnded, null),
    ask('q3', 'Do you have any of these?', questionType.multipleChoice, ['Asthma', 'Diabetes', 'An allergy']),
  ]);
  for (let provider = 0; provider < providers; provider += 1) {
    for (let nth = 0; nth < templatesOf(provider); nth += 1) {
      yield [templateId(provider, nth), providerId(provider), `First visit ${nth + 1}`, questions];
    }
  }
}

/** Slots are published open, then booked, then canceled or withdrawn: the triggers allow no other way. */
async function writeSlots(d1: D1, size: WorldSize, now: number): Promise<void> {
  const insert = d1.prepare(insertSlots);
  const isGiven = (table: string) =>
    `${table}.provider_id = given.value ->> 0 AND ${table}.starts_at = given.value ->> 1`;
  const book = d1.prepare(
    `INSERT INTO bookings (id, provider_id, starts_at, ends_at, taken_until, local_date, time_zone, city, template_id, status,
       booker_id, booker_name, person_id, booked_at)
     SELECT slots.id, provider_id, starts_at, ends_at, ends_at, local_date, time_zone, city, template_id, 1, given.value ->> 2,
       (SELECT display_name FROM accounts WHERE accounts.id = given.value ->> 2),
       given.value ->> 2, given.value ->> 3
     FROM json_each(?1) AS given CROSS JOIN slots ON ${isGiven('slots')}`,
  );
  // Nobody's time is published again, so that there are as many slots as were planned.
  const cancel = d1.prepare(
    `UPDATE bookings SET status = 2, canceled_at = given.value ->> 2, canceled_by = given.value ->> 3, withdraws = 1,
       sequence = 1
     FROM json_each(?1) AS given WHERE ${isGiven('bookings')}`,
  );
  const withdraw = d1.prepare(
    `UPDATE slots SET state = 2, withdrawn_at = given.value ->> 2 FROM json_each(?1) AS given WHERE ${isGiven('slots')}`,
  );
  for (const chunk of chunks(planSlots(size, now))) {
    const published = chunk.map(slotRow);
    const held = chunk
      .filter(({ booker }) => booker)
      .map(({ provider, startsAt, booker }) => [
        providerId(provider),
        startsAt,
        booker,
        Math.min(startsAt - 7 * day, now - day),
      ]);
    const ended = chunk.filter(({ canceledBy }) => canceledBy);
    const rowOf = ({ provider, startsAt, booker, canceledBy }: (typeof ended)[number]) => [
      providerId(provider),
      startsAt,
      Math.min(startsAt - day, now - day / 2),
      canceledBy === booker ? 'consumer' : 'provider',
    ];
    const json = JSON.stringify;
    await d1.batch([
      insert.bind(json(published)),
      book.bind(json(held)),
      cancel.bind(json(ended.filter(({ booker }) => booker).map(rowOf))),
      withdraw.bind(json(ended.filter(({ booker }) => !booker).map(rowOf))),
    ]);
  }
}

/** A trigger leaves overlapping slots out without a word, so what is stored is counted. */
async function verify(d1: D1, size: WorldSize, now: number): Promise<void> {
  const [host, guest] = ['provider_id = ?1 AND starts_at', 'booker_id = ?2 AND starts_at'];
  const least: [from: string, wanted: number][] = [
    ['accounts', size.accounts],
    ['invitations', size.invitations],
    ['slots', size.slots],
    [`slots WHERE state = 0 AND ${host} > ?3`, rich.provider.open],
    [`bookings WHERE status = 1 AND ${host} > ?3`, rich.provider.booked],
    [
      `(SELECT provider_id, starts_at FROM bookings WHERE status = 2
       UNION ALL SELECT provider_id, starts_at FROM slots WHERE withdrawn_at IS NOT NULL) WHERE ${host} > ?3`,
      rich.provider.canceled,
    ],
    [`bookings WHERE status = 1 AND ${host} < ?3`, rich.provider.past],
    [`bookings WHERE status = 1 AND ${guest} > ?3`, rich.consumer.booked],
    [`bookings WHERE status = 2 AND ${guest} > ?3`, rich.consumer.canceled],
    [`bookings WHERE status = 1 AND ${guest} < ?3`, rich.consumer.past],
  ];
  const counts = least.map(([from], place) => `(SELECT count(*) FROM ${from}) AS n${place}`);
  const found = await d1
    .prepare(`SELECT ${counts}`)
    .bind(providerId(0), consumerId(size, 0), now)
    .first<Record<string, number>>();
  for (const [place, [what, wanted]] of least.entries()) {
    const many = found?.[`n${place}`] ?? 0;
    if (many < wanted) throw new Error(`There are ${many} ${what}, not ${wanted}.`);
  }
}
