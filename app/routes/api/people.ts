import * as z from 'zod/mini';
import { listAppointmentsOf } from '../../domain/bookings/appointments-of-person.server';
import { type Imported, importPeople } from '../../domain/bookings/import-people.server';
import { createPerson, editPerson } from '../../domain/people/edit.server';
import { importQuery, readTable } from '../../domain/people/import';
import { mergePeople } from '../../domain/people/merge.server';
import { cardChange, mergeIds, newCard, peopleFilter, personId, personPage } from '../../domain/people/people';
import { getWholeCard, listWholePeople } from '../../domain/people/people.server';
import { missedWords } from '../../domain/slots/missed';
import { type StandingTime, standingList } from '../../domain/standing/standing';
import { listStandingTimes, setStandingTimes } from '../../domain/standing/standing.server';
import { machineText, wireDate } from '../../domain/time/clock';
import { inEnglish } from '../../domain/words/english';
import { call, callHandlers, paged } from '../../http/api.server';
import { seriesDateJson, seriesDateShape } from './series-shapes';
import { count, dateJson, named, textOrNone } from './shape-parts';
import { appointmentJson, appointmentShape, personJson, personShape } from './shapes';

const importedJson = z.object({
  new: count,
  merged: count,
  refused: count,
  appointments: count,
  rows: z.array(
    z.object({
      row: count,
      name: z.string(),
      fate: z.enum(['new', 'merged', 'refused']),
      why: z.nullable(z.string()),
      startsAt: z.nullable(z.string()),
    }),
  ),
});
const importedShape = ({ isAmbiguous: _, taken: __, rows, ...counts }: Imported) => ({
  ...counts,
  rows: rows.map(({ startsAt, lands: _, why, ...row }) => ({
    ...row,
    why: why && inEnglish(why),
    startsAt: startsAt === null ? null : machineText(startsAt),
  })),
});

const dayJson = z.int().check(z.minimum(0), z.maximum(6), z.meta({ description: '0 is Sunday.' }));
const standingJson = named(
  'StandingTime',
  z.object({
    id: z.string().check(z.meta({ description: 'Also the `seriesId` of its appointments.' })),
    day: dayJson,
    start: z.string().check(z.meta({ description: 'By your own clock, HH:mm.' })),
    every: count.check(z.meta({ description: 'In days.' })),
    from: dateJson,
    until: z.nullable(dateJson),
    service: textOrNone.check(
      z.meta({ description: 'What is booked into free time; null where a slot is booked as it is.' }),
    ),
    missed: z
      .array(seriesDateJson)
      .check(z.meta({ description: 'The published dates on which it could not be kept, and why.' })),
  }),
);
const standingShape =
  (zone: string) =>
  ({ id, day, start, every, from, until, service, missed }: StandingTime): z.output<typeof standingJson> => ({
    id,
    day,
    start,
    every,
    from: wireDate(from),
    until: until && wireDate(until),
    service,
    missed: missed.map(({ date, why, nearest }) =>
      seriesDateShape(zone)({ date, id: null, why: `${sentence(inEnglish(missedWords[why]))}.`, nearest }),
    ),
  });
const sentence = (words: string) => `${words[0]?.toUpperCase()}${words.slice(1)}`;

export const loader = callHandlers('People', {
  GetPage: call({
    method: 'GET',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'The people you have had, by name: a card each. `q` is a part of a name, a mail address or a phone number, or the reference of a deposit.',
    query: peopleFilter,
    response: personJson,
    isPaged: true,
    run: async ({ db, actor, now }, { query }) => paged(await listWholePeople(db, actor, query, now), personShape),
  }),

  Get: call({
    method: 'GET',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'One card, with their appointments with you: the latest first, a page at a time.',
    query: personPage,
    response: z.object({ ...personJson.shape, appointments: z.array(appointmentJson) }),
    refuses: ['not_found'],
    async run({ db, actor, now, links }, { query: { id, page } }) {
      const [card, rows] = await Promise.all([
        getWholeCard(db, actor, id, now),
        listAppointmentsOf(db, actor, id, page),
      ]);
      return { ...personShape(card), appointments: rows.map(appointmentShape(links)) };
    },
  }),

  Create: call({
    method: 'POST',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Writes down somebody who has not booked yet.',
    body: newCard,
    response: personJson,
    refuses: ['conflict'],
    status: 201,
    run: async ({ db, actor, now, links }, { body, key }) =>
      personShape(await createPerson(db, links, actor, { ...body, key }, now)),
  }),

  Edit: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Changes your card of somebody, never their account; a property that is left out stays.',
    query: personId,
    body: cardChange,
    response: personJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query: { id }, body }) =>
      personShape(await editPerson(db, actor, { id, ...body }, now)),
  }),

  Import: call({
    method: 'POST',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Brings people and their coming appointments along from a table, or says what would become of each row. A row that says it is canceled brings its person only. Without `head` the first row with known heads is taken. Nothing is mailed.',
    query: importQuery,
    body: z.string().check(z.minLength(1, 'The file is empty.')),
    isCsv: true,
    response: importedJson,
    run: async ({ db, actor, now, links }, { query, body }) =>
      importedShape(await importPeople(db, links, actor, { table: readTable(body, query.head), ...query }, now)),
  }),

  GetStanding: call({
    method: 'GET',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'The standing times of one of your people, and the dates on which they could not be kept, with what is free near them.',
    query: personId,
    response: z.array(standingJson),
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query: { id } }) =>
      (await listStandingTimes(db, actor, id, now)).map(standingShape(actor.timeZone)),
  }),

  SetStanding: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Sets all standing times of one of your people. What is published for them, now and later, is booked in the same step. One that is left out ends; what is booked for it stays.',
    query: personId,
    body: standingList,
    response: z.array(standingJson),
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now, links }, { query: { id }, body }) =>
      (await setStandingTimes(db, links, actor, { id, list: body }, now)).map(standingShape(actor.timeZone)),
  }),

  Merge: call({
    method: 'PUT',
    who: 'Provider',
    hasOf: 'colleague',
    says: 'Makes one card of two: appointments, counts and notes of the first go to the second.',
    query: mergeIds,
    response: personJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query }) => personShape(await mergePeople(db, actor, query, now)),
  }),
});
export const action = loader;
