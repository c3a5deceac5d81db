import { describe, expect, test } from 'vitest';
import { dayAhead, type Person, password, registerProvider, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';
import type { Fields } from '../../support/visit';

const daybook = useServer();

const words = 'You have changed your time zone since this page was opened. Please look at days and times again.';

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
      const ana = await registerProvider(daybook, { timeZone: 'Europe/Lisbon' });
      const elsewhere = daybook.visitor();
      await elsewhere.api('POST', '/api/Account/Login', { username: ana.username, password });
      const written = async () => rowsOf(await ana.api('GET', `/api/${list}${ana.username}`));
      const page = await ana.browser.get(path);
      expect((await move(where === 'here' ? ana : { ...ana, browser: elsewhere })).status).toBe(303);

      const refused = await page.submit(button, typed);
      expect(refused.status).toBe(400);
      expect(refused.words).toContain(words);
      expect(await written()).toEqual([]);

      expect(refused.words).toContain('Tokyo time');
      const taken = await refused.submit(button);
      expect(taken.status).toBe(200);
      expect((await written())[0]).toMatchObject({ startTime: typed.start ?? typed.startTime, timeZone: 'Asia/Tokyo' });
    },
  );
});
