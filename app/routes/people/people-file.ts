import { msg } from '@lingui/core/macro';
import { peopleInParts } from '../../domain/people/people.server';
import { mapParts } from '../../domain/streamed-list';
import { worded } from '../../domain/words/worded';
import { inBook } from '../../http/book-of.server';
import { csvInParts } from '../../http/csv.server';
import { fileLoader } from '../../http/page.server';

const head = [
  msg`Name`,
  msg`E-mail`,
  msg`Phone`,
  msg`Note`,
  msg({ message: 'Came', context: 'how often' }),
  msg({ message: 'Excused', context: 'how often' }),
  msg({ message: 'Missed', context: 'how often' }),
];

export const loader = fileLoader(
  'Provider',
  inBook(async ({ db, actor, i18n, id }) => {
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
    return csvInParts(
      'people',
      head.map((title) => worded(i18n, title)),
      rows,
      id,
      i18n,
    );
  }),
);
