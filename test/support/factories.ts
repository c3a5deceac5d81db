import type * as z from 'zod/mini';
import type { D1 } from '../../app/local/d1';
import type { appointmentJson } from '../../app/routes/api/shapes';
import { bookSlot, slotId } from './stored-bookings';
import type { ApiResponse, Visitor } from './visit';

type Door = { visitor: () => Visitor };

/** Somebody with an account, in a browser that is logged in. */
export type Person = { username: string; displayName: string; browser: Visitor; api: Visitor['api'] };

/** An appointment as the API gives it. */
export type Row = z.output<typeof appointmentJson>;

/** Everybody's password. */
export const password = 'Correct horse 1';

const minute = 60_000;
const day = 24 * 60 * minute;
let people = 0;

/** Makes a consumer; they read UTC unless `details` of the registration say otherwise. */
export const registerConsumer = (door: Door, details: object = {}) => register(door, { role: 'Consumer', ...details });

/** Makes a provider, in Lisbon by name but on UTC, unless `details` of the registration say otherwise. */
export const registerProvider = (door: Door, details: object = {}) =>
  register(door, { role: 'Provider', location: 'Lisbon', ...details });

/** Makes people at one door: `newProvider` as registerProvider does, `newConsumer` as registerConsumer. */
export const peopleAt = (door: Door) => ({
  newProvider: (details?: object) => registerProvider(door, details),
  newConsumer: (details?: object) => registerConsumer(door, details),
});

async function register(door: Door, details: object): Promise<Person> {
  people += 1;
  const { username, displayName, ...rest } = {
    username: `person-${people}`,
    displayName: `Person ${people}`,
    ...details,
  };
  const browser = door.visitor();
  const body = { timeZone: 'UTC', password, ...rest, username, displayName };
  const response = await browser.api('POST', '/api/Account/Register', body);
  if (response.status !== 201) throw new Error(`Nobody was registered: ${response.status} ${response.text}`);
  return { username, displayName, browser, api: browser.api.bind(browser) };
}

export const several = <Made>(many: number, make: (index: number) => Promise<Made>): Promise<Made[]> =>
  Promise.all(Array.from({ length: many }, (_, index) => make(index)));

/** A crowd of consumers, who register a few at a time: a password takes a tenth of a second to hash. */
export async function registerCrowd(door: Door, many: number): Promise<Person[]> {
  const crowd: Person[] = [];
  while (crowd.length < many) {
    crowd.push(...(await several(Math.min(10, many - crowd.length), () => registerConsumer(door))));
  }
  return crowd;
}

/** The date so many days from today (negative: ago), as the API writes it: MM-DD-YYYY. */
export function dayAhead(days: number, timeZone = 'UTC'): string {
  const inZone = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return inZone.format(Date.now() + days * day).replaceAll('/', '-');
}

/** The date of a row as the domain keeps it: YYYY-MM-DD. */
export const localDate = ({ date }: Pick<Row, 'date'>) => `${date.slice(6)}-${date.slice(0, 5)}`;
/** That of the day so many days from today. */
export const isoAhead = (days: number) => localDate({ date: dayAhead(days) });

/** How many days from today the clocks of Europe change in March or in October: three weeks at least. */
export function daysToClockChange(month: 'March' | 'October'): number {
  const place = { March: 2, October: 9 }[month];
  const now = new Date();
  const year = now.getUTCFullYear() + (now.getUTCMonth() < place ? 0 : 1);
  const last = new Date(Date.UTC(year, place, 31));
  return Math.round((last.getTime() - Date.parse(isoAhead(0))) / day) - last.getUTCDay();
}

/** The input of CreateAppointment: one slot tomorrow at nine, unless `details` say otherwise. */
export const publication = (details: object = {}) => ({
  start: '09:00',
  end: '09:30',
  dates: [dayAhead(1)],
  ...details,
});

/** Publishes slots and returns what this provider has open on those days, a page of it. */
export async function publish(provider: Person, details: object = {}, query = ''): Promise<Row[]> {
  const body = publication(details);
  const response = await provider.api('POST', `/api/Appointment/CreateAppointment?${query}`, body);
  if (response.status !== 201) throw new Error(`Nothing was published: ${response.status} ${response.text}`);
  const days = new URLSearchParams({ provider: provider.username, dates: body.dates.join(' ') });
  return rowsOf(await provider.api('GET', `/api/Appointment/GetPage?${days}`));
}

/** Publishes one slot, tomorrow at nine unless said otherwise. */
export async function publishOne(provider: Person, details: object = {}): Promise<Row> {
  const [slot] = await publish(provider, details);
  if (!slot) throw new Error('No slot was published.');
  return slot;
}

export const book = (who: Person, { id }: { id: string }) => who.api('PUT', `/api/Appointment/Book?id=${id}`);
export const cancel = (who: Person, { id }: { id: string }, reason?: string) =>
  who.api('PUT', `/api/Appointment/Cancel?id=${id}`, reason === undefined ? undefined : { reason });
export const look = (who: Person, { id }: { id: string }) => who.api('GET', `/api/Appointment/Get?id=${id}`);

export const rowsOf = (response: ApiResponse) => response.json as Row[];

type Written = { startsIn: number; length?: number; template?: string; booker?: Person };
/**
 * Writes a slot into the database, because nobody can publish one that has begun. It starts in so many minutes
 * (negative: ago), and may have a template, and a booker who owes its answers.
 */
export async function writeSlot(d1: D1, provider: Person, details: Written): Promise<{ id: string }> {
  const { startsIn, length = 30, template = null, booker } = details;
  const startsAt = Date.now() + startsIn * minute;
  const date = new Date(startsAt).toISOString().slice(0, 10);
  const slot = await d1
    .prepare(
      `INSERT INTO slots (id, provider_id, city, starts_at, ends_at, local_date, time_zone, template_id, publication)
       SELECT ${slotId('id', '?1')}, id, city, ?1, ?2, ?3, time_zone, ?4, 'by hand' FROM accounts WHERE username = ?5
       RETURNING id`,
    )
    .bind(startsAt, startsAt + length * minute, date, template, provider.username)
    .first<{ id: string }>();
  if (!slot) throw new Error('This provider already has something at that time.');
  if (booker) {
    const find = d1.prepare('SELECT id FROM accounts WHERE username = ?').bind(booker.username);
    const account = await find.first<string>('id');
    await d1
      .prepare(bookSlot)
      .bind(slot.id, account, startsAt - day)
      .run();
  }
  return slot;
}
