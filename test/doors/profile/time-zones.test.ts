import { expect, test } from 'vitest';
import { listZones } from '../../../app/domain/time/zones';
import { accountCalls, consumer } from '../../support/account-calls';
import { dayAhead, password, peopleAt, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { type Fields, type Page, typedIn } from '../../support/visit';

/* The choice of a time zone: a few at first, every one for whoever asks, and what is open while it changes. */

const daybook = useServer({ vars: { READER_ZONE: 'Pacific/Chatham' } });
const nowhere = useServer({ vars: { READER_ZONE: 'Mars/Olympus' } });
const { newProvider } = peopleAt(daybook);

const zonesOn = (page: Page, more = '') =>
  page.$$(`select[name=timeZone] option${more}`).map((option) => option.getAttribute('value') ?? option.text);
const chosen = (page: Page) => zonesOn(page, '[selected]');

test('a registration begins with few zones, and whoever asks gets every one and keeps what was typed but for the password', async () => {
  const first = await daybook.visitor().get('/register');
  expect(zonesOn(first).length).toBeLessThan(70);
  expect(zonesOn(first)).toContain('Pacific/Chatham');
  const typed = { displayName: 'Ana', username: 'ana.z', role: 'Provider', location: 'Waitangi' };
  const page = await first.submit('Other time zones', { ...typed, password, timeZone: 'Asia/Tokyo' });
  expect(zonesOn(page)).toEqual(expect.arrayContaining(listZones('Asia/Kathmandu')));
  expect(chosen(page)).toEqual(['Asia/Tokyo']);
  expect(typedIn(page, 'password')).toBe('');
  const refused = await page.submit('Register', { timeZone: 'Africa/Ouagadougou', password: 'short' });
  expect([refused.status, chosen(refused)]).toEqual([400, ['Africa/Ouagadougou']]);
  const { path, text } = await refused.submit('Register', { password });
  expect([path, text]).toEqual(['/profile', expect.stringContaining('Africa/Ouagadougou')]);
});

test('the zone of somebody who names none is that of the edge, or UTC where it knows one that there is not', async () => {
  const zoneOf = async ({ visitor }: typeof daybook, timeZone?: string) =>
    (await accountCalls(daybook).register(consumer({ timeZone }), {}, visitor())).json;
  for (const timeZone of [undefined, '']) {
    expect(await zoneOf(daybook, timeZone)).toMatchObject({ timeZone: 'Pacific/Chatham' });
  }
  expect(await zoneOf(nowhere)).toMatchObject({ timeZone: 'UTC' });
  expect(await zoneOf(daybook, ' asia/kolkata ')).toMatchObject({ timeZone: 'Asia/Kolkata' });
});

const times = { dates: [dayAhead(1)], start: '09:00', end: '10:00' };
const event = { title: 'Housewarming', date: '2030-06-07', startTime: '09:00', endTime: '22:00' };
test.each<[what: string, path: string, button: string, typed: Fields, list: string]>([
  ['slots', '/create', 'Create appointments', times, 'Appointment/GetPage?provider='],
  ['a party', '/create-party', 'Create party', event, 'Party/GetMy?'],
  ['a meetup', '/view-meetups', 'Create meetup', { ...event, attendees: 'Ada' }, 'meetup/GetMyMeetups?'],
])(
  'a form for %s that was open when the time zone was changed elsewhere writes nothing, and then what is shown',
  async (_, path, button, typed, list) => {
    const { username, browser, api } = await newProvider({ timeZone: 'Europe/Lisbon' });
    const written = async () => rowsOf(await api('GET', `/api/${list}${username}`));
    const page = await browser.get(path);
    await api('PUT', '/api/Account/SetProfile', { timeZone: 'Asia/Tokyo' });
    const refused = await page.submit(button, typed);
    expect([refused.status, await written()]).toEqual([400, []]);
    expect(refused.words).toContain('You have changed your time zone since this page was opened.');
    expect(refused.words).toContain('Tokyo time');
    await refused.submit(button);
    expect((await written())[0]).toMatchObject({ startTime: '09:00', timeZone: 'Asia/Tokyo' });
  },
);
