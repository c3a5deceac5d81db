import { expect, test } from 'vitest';
import { importPeople } from '../../../app/domain/bookings/import-people.server';
import { parse } from '../../../app/domain/input/fields';
import { linksBy } from '../../../app/domain/links.server';
import { readTable } from '../../../app/domain/people/import';
import { serviceInput } from '../../../app/domain/services/service-input';
import { createService } from '../../../app/domain/services/services.server';
import { addDays } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { newBook, once, publishTimes, start } from '../../support/history';

const links = linksBy('a secret of this test');
const date = addDays(todayIn('UTC', start), 2);
const cut = parse(serviceInput, { name: 'Cut', minutes: 30 });

test('a preview refuses an appointment over a free time for a service, as the import does', async () => {
  const { db, host } = await newBook();
  const service = await createService(db, host, cut, once(start));
  await publishTimes(db, host, { start: '10:00', end: '10:30', dates: [date], serviceId: service.id, len: null });
  const table = readTable(`name,date,start,minutes\nMaya,${date},10:00,30\n`);

  const preview = await importPeople(db, links, host, { table, preview: true }, start);
  const done = await importPeople(db, links, host, { table, preview: false }, start);

  expect(preview.rows).toMatchObject([{ fate: 'refused' }]);
  expect(done.rows).toEqual(preview.rows);
});
