import { peopleInParts } from '../../domain/people/people.server';
import { mapParts } from '../../domain/streamed-list';
import { csvInParts } from '../../http/csv.server';
import { fileLoader } from '../../http/page.server';

const head = ['Name', 'E-mail', 'Phone', 'Note', 'Came', 'Excused', 'Missed'];

export const loader = fileLoader('Provider', async ({ db, actor, id }) => {
  const rows = mapParts(peopleInParts(db, actor), (some) =>
    some.map(({ name, email, phone, note, seen, excused, missed }) => [
      name,
      email ?? '',
      phone ?? '',
      note ?? '',
      seen,
      excused,
      missed,
    ]),
  );
  return csvInParts('people', head, rows, id);
});
