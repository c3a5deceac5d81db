import * as z from 'zod/mini';
import { createPerson, editPerson } from '../../domain/people/edit.server';
import { importQuery, readTable } from '../../domain/people/import';
import { type Imported, importPeople } from '../../domain/people/import.server';
import { mergePeople } from '../../domain/people/merge.server';
import { cardChange, mergeIds, newCard, peopleFilter, personId, personPage } from '../../domain/people/people';
import { getWholeCard, listAppointmentsOf, listWholePeople } from '../../domain/people/people.server';
import { machineText } from '../../domain/time/clock';
import { answerJson, call, paged } from '../../http/api.server';
import { count } from './shape-parts';
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
const importedShape = ({ isAmbiguous: _, rows, ...counts }: Imported) => ({
  ...counts,
  rows: rows.map(({ startsAt, ...row }) => ({ ...row, startsAt: startsAt === null ? null : machineText(startsAt) })),
});

export const loader = answerJson('People', {
  GetPage: call({
    method: 'GET',
    who: 'Provider',
    says: 'The people you have had, by name: a card each. `q` is a part of a name, a mail address or a phone number.',
    query: peopleFilter,
    answers: personJson,
    isPaged: true,
    run: async ({ db, actor, now }, { query }) => paged(await listWholePeople(db, actor, query, now), personShape),
  }),

  Get: call({
    method: 'GET',
    who: 'Provider',
    says: 'One card, with their appointments with you: the latest first, a page at a time.',
    query: personPage,
    answers: z.object({ ...personJson.shape, appointments: z.array(appointmentJson) }),
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
    says: 'Writes down somebody who has not booked yet.',
    body: newCard,
    answers: personJson,
    refuses: ['conflict'],
    status: 201,
    run: async ({ db, actor, now, links }, { body, key }) =>
      personShape(await createPerson(db, links, actor, { ...body, key }, now)),
  }),

  Edit: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Changes your card of somebody, never their account; a property that is left out stays.',
    query: personId,
    body: cardChange,
    answers: personJson,
    refuses: ['not_found'],
    run: async ({ db, actor, now }, { query: { id }, body }) =>
      personShape(await editPerson(db, actor, { id, ...body }, now)),
  }),

  Import: call({
    method: 'POST',
    who: 'Provider',
    says: 'Brings people and their coming appointments along from a table, or says what would become of each row. Nothing is mailed.',
    query: importQuery,
    body: z.string().check(z.minLength(1, 'The file is empty.')),
    isCsv: true,
    answers: importedJson,
    run: async ({ db, actor, now, links }, { query, body }) =>
      importedShape(await importPeople(db, links, actor, { table: readTable(body), ...query }, now)),
  }),

  Merge: call({
    method: 'PUT',
    who: 'Provider',
    says: 'Makes one card of two: appointments, counts and notes of the first go to the second.',
    query: mergeIds,
    answers: personJson,
    refuses: ['not_found', 'conflict'],
    run: async ({ db, actor, now }, { query }) => personShape(await mergePeople(db, actor, query, now)),
  }),
});
export const action = loader;
