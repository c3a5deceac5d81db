import { describe, expect, test } from 'vitest';
import { listZones } from '../../../app/domain/time/zones';
import { accountCalls, consumer } from '../../support/account-calls';
import { dayAhead, isoAhead, password, peopleAt, rowsOf } from '../../support/factories';
import { useServer } from '../../support/use-server';
import { type Fields, type Page, typedIn } from '../../support/visit';

/* The choice of a time zone: a few at first, every one for whoever asks, and what is open while it changes. */

const daybook = useServer({ vars: { READER_ZONE: 'Pacific/Chatham' } });
const nowhere = useServer({ vars: { READER_ZONE: 'Mars/Olympus' } });
const { newProvider } = peopleAt(daybook);

const zonesOn = (page: Page, more = '') =>
  page.$$(`select[name=timeZone] option${more}`).map((option) => option.getAttribute('value') ?? option.text);
const chosenOn = (page: Page) => zonesOn(page, '[selected]');

describe('the time zones of a registration', () => {
  const typed = { displayName: 'Ana', role: 'Provider', location: 'Waitangi' };
  /** The form with every zone, which a reader asked for when it was filled in. */
  async function fullForm(username: string) {
    const first = await daybook.visitor().get('/register');
    return first.submit('Other time zones', { ...typed, username, password, timeZone: 'Asia/Tokyo' });
  }

  test('are few at first, with the reader’s own', async () => {
    const first = await daybook.visitor().get('/register');

    expect(zonesOn(first).length).toBeLessThan(70);
    expect(zonesOn(first)).toContain('Pacific/Chatham');
  });

  test('are all there for whoever asks', async () => {
    expect(zonesOn(await fullForm('ana.all'))).toEqual(expect.arrayContaining(listZones('Asia/Kathmandu')));
  });

  test('keep what was typed, but for the password, where all are asked for', async () => {
    const page = await fullForm('ana.typed');

    expect(typedIn(page, 'username')).toBe('ana.typed');
    expect(chosenOn(page)).toEqual(['Asia/Tokyo']);
    expect(typedIn(page, 'password')).toBe('');
  });

  test('keep the chosen one where something is wrong', async () => {
    const page = await fullForm('ana.wrong');

    const refused = await page.submit('Register', { timeZone: 'Africa/Ouagadougou', password: 'short' });

    expect(refused.status).toBe(400);
    expect(chosenOn(refused)).toEqual(['Africa/Ouagadougou']);
  });

  test('are those of which one becomes the account’s', async () => {
    const page = await fullForm('ana.done');

    const { path, text } = await page.submit('Register', { timeZone: 'Africa/Ouagadougou', password });

    expect(path).toBe('/profile');
    expect(text).toContain('Africa/Ouagadougou');
  });
});

describe('the zone of somebody who', () => {
  const zoneOf = async ({ visitor }: typeof daybook, timeZone?: string) => {
    const { json } = await accountCalls(daybook).register(consumer({ timeZone }), {}, visitor());
    return (json as { timeZone: string }).timeZone;
  };

  test.each([
    ['nothing', undefined],
    ['a blank', ''],
  ])('names %s is that of the edge', async (_, timeZone) => {
    expect(await zoneOf(daybook, timeZone)).toBe('Pacific/Chatham');
  });

  test('names none is UTC where the edge knows one that there is not', async () => {
    expect(await zoneOf(nowhere)).toBe('UTC');
  });

  test('names one in small letters is that one', async () => {
    expect(await zoneOf(daybook, ' asia/kolkata ')).toBe('Asia/Kolkata');
  });
});

const times = { dates: [dayAhead(1)], start: '09:00', end: '10:00' };
const event = { title: 'Housewarming', date: isoAhead(30), startTime: '09:00', endTime: '22:00' };
describe.each<[what: string, path: string, button: string, typed: Fields, list: string]>([
  // On the last day of a month, tomorrow is in another month of the calendar.
  ['slots', `/create?date=${times.dates}`, 'Create appointments', times, 'Appointment/GetPage?provider='],
  ['a party', '/create-party', 'Create party', event, 'Party/GetMy?'],
  ['a meetup', '/view-meetups', 'Create meetup', { ...event, attendees: 'Ada' }, 'meetup/GetMyMeetups?'],
])('a form for %s that was open when the time zone was changed elsewhere', (_, path, button, typed, list) => {
  async function sendLate() {
    const { username, browser, api } = await newProvider({ timeZone: 'Europe/Lisbon' });
    const page = await browser.get(path);
    await api('PUT', '/api/Account/SetProfile', { timeZone: 'Asia/Tokyo' });
    const readWritten = async () => rowsOf(await api('GET', `/api/${list}${username}`));
    return { refused: await page.submit(button, typed), readWritten };
  }

  test('writes nothing', async () => {
    const { refused, readWritten } = await sendLate();

    expect(refused.status).toBe(400);
    expect(await readWritten()).toEqual([]);
  });

  test('says so and shows the new zone', async () => {
    const { refused } = await sendLate();

    expect(refused.words).toContain('You have changed your time zone since this page was opened.');
    expect(refused.words).toContain('Tokyo time');
  });

  test('writes what is shown once it is sent again', async () => {
    const { refused, readWritten } = await sendLate();

    await refused.submit(button);

    expect((await readWritten())[0]).toMatchObject({ startTime: '09:00', timeZone: 'Asia/Tokyo' });
  });
});
