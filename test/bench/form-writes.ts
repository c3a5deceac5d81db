import { type LocalDate, wireDate } from '../../app/domain/time/clock';
import type { ApiResponse } from '../support/visit';
import { visitor } from '../support/visit';
import { password } from './world-plan';

type Body = URLSearchParams | object | undefined;
type Answered = Pick<ApiResponse, 'status' | 'json' | 'headers'>;

type World = {
  url: string;
  /** A provider made for this, whose book is the same in each world. */
  username: string;
  day: (ahead: number) => LocalDate;
  /** Sends a write that is counted. */
  write: (what: string, cookie: string, sent: { method: string; path: string; body?: Body }) => Promise<Answered>;
};

const form = (fields: Record<string, string | string[]>) =>
  new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one])));

/** Sends each write that only forms make, hours, and the forms of strangers, once. */
export async function writeForms({ url, username, day, write }: World): Promise<void> {
  const browser = visitor(url);
  // A city of their own, because other times there would count.
  const who = {
    username,
    displayName: 'Freda Form',
    password,
    role: 'Provider',
    location: 'Formville',
    timeZone: 'UTC',
  };
  const { status } = await browser.api('POST', '/api/Account/Register', who);
  if (status !== 201) throw new Error(`Nobody was registered: ${status}`);
  const mine = browser.cookies.header('/') ?? '';
  const post = (what: string, cookie: string, path: string, fields: Record<string, string | string[]>) =>
    write(what, cookie, { method: 'POST', path, body: form(fields) });

  const hours = (ahead: number[]) => ({
    hours: [],
    except: ahead.map((place) => ({ date: wireDate(day(place)), hours: [{ start: '09:00', end: '17:00' }] })),
    len: 30,
    ahead: 365,
  });
  const setHours = (what: string, ahead: number[]) =>
    write(what, mine, { method: 'PUT', path: '/api/Appointment/SetHours', body: hours(ahead) });
  await setHours('set hours of a day of 16 slots', [0]);
  await setHours('set them once more', [0]);
  await setHours('set them for a second day', [0, 1]);
  await setHours('take the second day away', [0]);

  const withdrawn = await post('withdraw a day of 16', mine, '/view-open', { day: day(0), press: 'day', once: 'one' });
  const key = new URL(withdrawn.headers.get('location') ?? '', url).searchParams.get('done') ?? '';
  await post('bring them back', mine, '/view-open', { day: day(0), bring: key });
  await post('bring them back again', mine, '/view-open', { day: day(0), bring: key });

  const event = { title: 'A course', date: wireDate(day(2)), startTime: '18:00', endTime: '20:00' };
  const made = async (path: string, more: object) => {
    const { json } = await browser.api('POST', path, { ...event, ...more });
    return (json as { id: string }).id;
  };
  const party = await made('/api/Party/CreateParty', { openTo: 'anyone' });
  const meetup = await made('/api/meetup/CreateMeetup', { attendees: ['Ada', 'Ben', 'Cem', 'Dag', 'Eve'] });
  const copies = { dates: [9, 16, 23].map(day), sequence: '0', once: 'two' };
  await post('repeat a party three times', mine, `/repeat/${party}`, copies);
  await post('repeat a meetup of 5 three times', mine, `/repeat/${meetup}`, copies);
  await post('repeat it again', mine, `/repeat/${meetup}`, copies);

  const free = await browser.api('GET', `/api/Appointment/GetPage?provider=${username}&dates=${wireDate(day(0))}`);
  const [first, second] = (free.json as { id: string }[]).map(({ id }) => id);
  const walkIn = { intent: 'book-for', displayName: 'Wanda', once: 'three' };
  const booked = await post('book for somebody', mine, `/details-provider/${first}`, walkIn);
  const slip = await browser.get(booked.headers.get('location') ?? '');
  const code = slip.$('#code')?.text ?? '';
  /** The token of an open form. */
  const shownOn = async (path: string) => {
    const page = await visitor(url).get(path);
    return { shown: page.$('input[name=shown]')?.getAttribute('value') ?? '', once: 'four' };
  };
  const claimed = await post('claim a code from paper', '', '/claim', { code, ...(await shownOn('/claim')) });
  await post('cancel by a link', '', claimed.headers.get('location') ?? '', { intent: 'cancel' });
  const page = `/with/${username}/${second}`;
  const guest = { displayName: 'Gus', ...(await shownOn(page)) };
  await post('book as a guest', '', page, guest);
  await post('book as that guest again', '', page, guest);
  const letter = `/party/${party}`;
  await post('answer a party as a guest', '', `${letter}?guest=yes`, {
    displayName: 'Gus',
    accepted: 'true',
    ...(await shownOn(letter)),
  });
}
