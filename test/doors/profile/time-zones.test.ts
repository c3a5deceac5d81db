import { describe, expect, test } from 'vitest';
import { listZones } from '../../../app/domain/time/zones';
import { accountCalls, consumer } from '../../support/account-calls';
import { dayAhead, type Person, password, peopleAt, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Fields, Page } from '../../support/visit';

/* The choice of a time zone: a few at first, every one for whoever asks, and what is open while it changes. */

const daybook = useServer({ vars: { READER_ZONE: 'Pacific/Chatham' } });
const nowhere = useServer({ vars: { READER_ZONE: 'Mars/Olympus' } });
const plain = useServer();
const { newProvider } = peopleAt(daybook);

const offered = (page: Page) =>
  page.$$('select[name=timeZone] option').map((option) => option.getAttribute('value') ?? option.text);
const chosen = (page: Page) =>
  page.$$('select[name=timeZone] option[selected]').map((option) => option.getAttribute('value') ?? option.text);
const typed = { displayName: 'Ana', username: 'ana.z', role: 'Provider', location: 'Waitangi', password };

test('a registration begins with few zones, the one of the network among them', async () => {
  const page = await daybook.visitor().get('/register');
  expect(offered(page).length).toBeLessThan(70);
  expect(offered(page)).toContain('Pacific/Chatham');
  expect(page.text.length).toBeLessThan(16_000);
});

test('whoever asks for other zones gets every one, and keeps what was typed but for the password', async () => {
  const page = await (await daybook.visitor().get('/register')).submit('Other time zones', {
    ...typed,
    timeZone: 'Asia/Tokyo',
  });
  expect(page.status).toBe(200);
  expect(offered(page)).toEqual(expect.arrayContaining(listZones('Asia/Kathmandu')));
  expect(chosen(page)).toEqual(['Asia/Tokyo']);
  expect(page.$('select[name=timeZone]')?.hasAttribute('autofocus')).toBe(true);
  const values = ['displayName', 'username', 'location', 'password'].map((name) =>
    page.$(`input[name=${name}]`)?.getAttribute('value'),
  );
  expect(values).toEqual(['Ana', 'ana.z', 'Waitangi', undefined]);

  const refused = await page.submit('Register', { timeZone: 'Africa/Ouagadougou', password: 'short' });
  expect([refused.status, chosen(refused)]).toEqual([400, ['Africa/Ouagadougou']]);
  const registered = await refused.submit('Register', { password });
  expect(registered.path).toBe('/profile');
  expect(registered.words).toContain('Africa/Ouagadougou');
});

test('a profile has its own zone among few, and every one for whoever asks', async () => {
  const { browser } = await newProvider({ timeZone: 'Antarctica/Troll' });
  const page = await browser.get('/profile');
  expect([offered(page).length < 70, chosen(page)]).toEqual([true, ['Antarctica/Troll']]);
  const all = await page.submit('Other time zones', { displayName: 'Somebody else' });
  expect([all.status, offered(all).length > 400, chosen(all)]).toEqual([200, true, ['Antarctica/Troll']]);
  expect(all.$('input[name=displayName]')?.getAttribute('value')).toBe('Somebody else');
  expect((await browser.get('/profile')).words).not.toContain('Somebody else');
  const saved = await all.submit('Save profile', { timeZone: 'America/Swift_Current' });
  expect(saved.words).toContain('America/Swift_Current');
});

test('the zone of somebody who names none is that of the edge, or UTC where it knows none or one that there is not', async () => {
  const zoneOf = async ({ visitor }: typeof daybook, timeZone?: string | null) =>
    (await accountCalls(daybook).register(consumer({ timeZone }), {}, visitor())).json;
  for (const timeZone of [undefined, null, '']) {
    expect(await zoneOf(daybook, timeZone)).toMatchObject({ timeZone: 'Pacific/Chatham' });
    for (const door of [plain, nowhere]) expect(await zoneOf(door, timeZone)).toMatchObject({ timeZone: 'UTC' });
  }
  expect(await zoneOf(daybook, ' asia/kolkata ')).toMatchObject({ timeZone: 'Asia/Kolkata' });
});

const zoneChanged = 'You have changed your time zone since this page was opened. Please look at days and times again.';

const event = { title: 'Housewarming', date: '2030-06-07', startTime: '18:00', endTime: '22:00' };
const wanted: [what: string, path: string, button: string, typed: Fields, list: string][] = [
  [
    'slots',
    '/create',
    'Create appointments',
    { dates: [dayAhead(1)], start: '09:00', end: '10:00' },
    'Appointment/GetPage?provider=',
  ],
  ['a party', '/create-party', 'Create party', event, 'Party/GetMy?'],
  ['a meetup', '/view-meetups', 'Create meetup', { ...event, attendees: 'Ada' }, 'meetup/GetMyMeetups?'],
];

describe.each(wanted)('a form for %s that was open when the time zone was changed', (_, path, button, typed, list) => {
  const move = ({ username, browser }: Pick<Person, 'username' | 'browser'>) =>
    browser.post('/profile', { intent: 'profile', displayName: username, location: 'Porto', timeZone: 'Asia/Tokyo' });

  test.each(['here', 'on another device'])(
    'changed %s, it writes nothing, keeps what was typed, and then writes what is shown',
    async (where) => {
      const ana = await newProvider({ timeZone: 'Europe/Lisbon' });
      const elsewhere = daybook.visitor();
      await elsewhere.api('POST', '/api/Account/Login', { username: ana.username, password });
      const written = async () => rowsOf(await ana.api('GET', `/api/${list}${ana.username}`));
      const page = await ana.browser.get(path);
      expect((await move(where === 'here' ? ana : { ...ana, browser: elsewhere })).status).toBe(303);

      const refused = await page.submit(button, typed);
      expect(refused.status).toBe(400);
      expect(refused.words).toContain(zoneChanged);
      expect(await written()).toEqual([]);

      expect(refused.words).toContain('Tokyo time');
      const taken = await refused.submit(button);
      expect(taken.status).toBe(200);
      expect((await written())[0]).toMatchObject({ startTime: typed.start ?? typed.startTime, timeZone: 'Asia/Tokyo' });
    },
  );
});
