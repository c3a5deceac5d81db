import { expect, test } from 'vitest';
import { addDays, dateWords } from '../../../app/domain/time/clock';
import { todayIn } from '../../../app/domain/time/zones';
import { dayAhead, type Person, peopleAt, publishOne } from '../../support/factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const dates = [dayAhead(3)];

/** The times that somebody is offered: over each group its day and zone, then what is read aloud of each time. */
async function offered(reader: Person, provider: Person): Promise<string[][]> {
  const page = await reader.browser.visit(`/view?provider=${provider.username}&dates=${dates}`);
  return page
    .$$('section')
    .filter((section) => section.querySelector('.slots'))
    .map((section) => [
      `${section.querySelector('h2')?.text}, ${section.querySelector('p')?.text}`,
      ...section.querySelectorAll('.slots a').map((link) => link.getAttribute('aria-label') ?? ''),
    ]);
}

test('where only the end is another for the reader, that is said', async () => {
  const nextYear = new Date().getUTCFullYear() + 1;
  const sunday = 31 - new Date(Date.UTC(nextYear, 2, 31)).getUTCDay();
  const provider = await newProvider({ timeZone: 'Europe/Lisbon' });
  const night = `03-${sunday}-${nextYear}`;
  await publishOne(provider, { dates: [night], start: '00:00', end: '03:00' });
  const reader = await newConsumer({ timeZone: 'Atlantic/Reykjavik' });
  const page = await reader.browser.visit(`/view?provider=${provider.username}&dates=${night}`);
  const day = `Sunday, ${sunday} March ${nextYear}`;
  expect(page.$$('.slots a').map((link) => link.getAttribute('aria-label'))).toEqual([
    `${day}, 00:00 to 00:30, 30 minutes`,
    `${day}, 00:30 to 02:00, to 01:00 for you, 30 minutes`,
    `${day}, 02:00 to 02:30, 01:00 for you, 30 minutes`,
    `${day}, 02:30 to 03:00, 01:30 for you, 30 minutes`,
  ]);
});

test('times of one day in two zones stand under the name of their own', async () => {
  const provider = await newProvider({ timeZone: 'Asia/Colombo' });
  await publishOne(provider, { dates, start: '09:00', end: '09:30' });
  const moved = { intent: 'profile', displayName: provider.displayName, location: 'Tokyo', timeZone: 'Asia/Tokyo' };
  expect((await provider.browser.post('/profile', moved)).status).toBe(303);
  await publishOne(provider, { dates, start: '21:00', end: '21:30' });

  const { full } = dateWords(addDays(todayIn('UTC', Date.now()), 3));
  expect(await offered(await newConsumer(), provider)).toEqual([
    [`${full}, Colombo time`, `${full}, 09:00 to 09:30, 03:30 for you, 30 minutes`],
    [`${full}, Tokyo time`, `${full}, 21:00 to 21:30, 12:00 for you, 30 minutes`],
  ]);
});
