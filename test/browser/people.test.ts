import { expect, test } from 'vitest';
import { dayAhead, publish } from '../support/factories';
import { useServer, useWorld } from '../support/use-server';
import { browsersAt, press, see, seen, takenOver, title } from './browser';

/* People of a provider, with scripts on. */

const served = useServer();
const { karla } = useWorld(served, { karla: {} });
const { keepOpen } = browsersAt(served);

test('a table of some hundreds comes along by itself once it was looked at', async () => {
  const page = await keepOpen({ as: karla });
  await page.goto('/people/import');
  await takenOver(page);
  const rows = Array.from({ length: 330 }, (_, row) => `Person ${row},p${row}@mail.test`);
  await page.getByLabel('Or paste it here').fill(`Name,E-mail\n${rows.join('\n')}`);
  await press(page, 'Go on');
  await see(page, '2. Say what the columns are');
  await press(page, 'See what happens');
  await see(page, 'Rows 1 to 100 of 330');
  await press(page, 'Import all 330');
  await see(page, 'Your clients are here. Nobody was mailed.');
  expect(await page.getByRole('definition').allInnerTexts()).toEqual(['330', '0', '0', '0']);
});

test('whoever was here before is found while one types, and booked by one press', async () => {
  await karla.api('POST', '/api/People/Create', { name: 'Wanda Ek', phone: '555 123' });
  const [slot] = await publish(karla, { dates: [dayAhead(2)] });
  const page = await keepOpen({ as: karla });
  await page.goto(`/details-provider/${slot?.id}`);
  await takenOver(page);
  const field = page.getByLabel('Somebody who was here before');
  await field.fill('Nobody');
  await see(page, 'Nobody of that name, e-mail or phone. Write them down below.');
  await field.fill('wan');
  await seen(page.getByText('555 123'));
  await press(page, 'Book for Wanda Ek');
  await title(page, 'Appointment');
  await see(page, 'A link for Wanda Ek');
});
