import { createHash, randomBytes } from 'node:crypto';
import { signatures } from '../../app/domain/signatures.server';
import { addDays, wireDate } from '../../app/domain/time/clock';
import { todayIn } from '../../app/domain/time/zones';
import { formToken } from '../../app/http/form-token.server';
import type { D1 } from '../../app/local/d1';
import type { Secrets } from '../../app/local/folder';
import { visitor } from '../support/visit';
import type { Ask } from './load';
import type { LoadName } from './loads';
import { meetupId, openPartyId, partyId } from './world-events';
import {
  cityName,
  consumerId,
  consumerName,
  password,
  providerId,
  providerName,
  rich,
  serviceId,
  templateId,
  type WorldSize,
  zoneOf,
} from './world-plan';

/** Cookie headers of the rich provider, the rich consumer, and a crowd of consumers. */
export type Sessions = { provider: string; consumer: string; crowd: string[] };

/** Logs everybody in through the API, a few at a time: a password takes a tenth of a second. */
export async function logIn(url: string, crowdSize = 50): Promise<Sessions> {
  const cookieOf = async (username: string) => {
    const browser = visitor(url);
    const response = await browser.api('POST', '/api/Account/Login', { username, password });
    const cookie = browser.cookies.header('/');
    if (response.status !== 200 || !cookie) throw new Error(`${username} could not log in: ${response.status}`);
    return cookie;
  };
  const crowd: string[] = [];
  while (crowd.length < crowdSize) {
    const some = Array.from({ length: 5 }, (_, place) => cookieOf(consumerName(1 + crowd.length + place)));
    crowd.push(...(await Promise.all(some)));
  }
  return { provider: await cookieOf(providerName(0)), consumer: await cookieOf(consumerName(0)), crowd };
}

/** The ids that the benchmark uses, found once. */
export type Targets = {
  /** The end of a query: days of the rich provider that are full of open slots. */
  dates: string;
  /** One of those slots, one that somebody booked with that provider, and one that the rich consumer booked. */
  open: string;
  booked: string;
  held: string;
  /** The path of the personal link to the rich consumer's. */
  link: string;
  /** One of the rich provider's people. */
  person: string;
  /** The paths of somebody's place in line, and of a time that is held for them. */
  waiting: string;
  offer: string;
};

/** A free time that somebody can book. */
export type FreeTime = { id: string; username: string };

/** The key of the personal link of the RSVP that is looked at. */
export const rsvpKey = 'k'.repeat(22);

/** Has somebody wait for two days of the second provider's, who publishes one of them. @throws Error if nothing is held */
async function waitInLine(url: string, now: number): Promise<Pick<Targets, 'waiting' | 'offer'>> {
  const [host, person] = [visitor(url), visitor(url)];
  await host.api('POST', '/api/Account/Login', { username: providerName(1), password });
  await person.api('POST', '/api/Account/Login', { username: consumerName(100), password });
  const days = [500, 501].map((days) => wireDate(addDays(todayIn('UTC', now), days)));
  for (const day of days)
    await person.api('POST', '/api/Waitlist/Add', { provider: providerName(1), from: day, to: day });
  const slot = { start: '12:00', end: '12:30', dates: days.slice(0, 1) };
  await host.api('POST', '/api/Appointment/CreateAppointment', slot);
  const wishes = (await person.api('GET', '/api/Waitlist/GetMy')).json as { link: string; offer: { link: string } }[];
  const [held, other] = wishes;
  if (!held?.offer || !other) throw new Error('Nothing is held for who waits.');
  return { waiting: other.link, offer: held.offer.link };
}

/** @throws Error if the world lacks one of them */
export async function findTargets(
  d1: D1,
  url: string,
  { provider, consumer }: Sessions,
  now: number,
): Promise<Targets> {
  const api = async (path: string, cookie: string) => {
    const response = await visitor(url).api('GET', path, undefined, { cookie });
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}.`);
    return response.json;
  };
  const dates = rich.fullDays.map((day) => wireDate(addDays(todayIn(zoneOf(0), now), day)));
  const query = `provider=${providerName(0)}&dates=${dates.join('+')}`;
  const [open] = (await api(`/api/Appointment/GetPage?${query}`, consumer)) as { id: string }[];
  const [booked] = (await api('/api/Appointment/GetBooked', provider)) as { id: string }[];
  const [held] = (await api('/api/Appointment/GetBooked', consumer)) as { id: string }[];
  if (!open || !booked || !held) throw new Error('The world has no slot to look at.');
  const [, person] = /\/people\/([\w-]{22})/.exec((await visitor(url).get('/people', { cookie: provider })).text) ?? [];
  if (!person) throw new Error('The rich provider has no people.');
  await d1.prepare("UPDATE bookings SET link_seed = 'seed' WHERE id = ?1").bind(held.id).run();
  const { link } = (await api(`/api/Appointment/Get?id=${held.id}`, consumer)) as { link: string };
  const rsvp = d1.prepare(
    'UPDATE invitations SET link_hash = ?1 WHERE party_id = ?2 AND invitee = (SELECT min(invitee) FROM invitations WHERE party_id = ?2)',
  );
  await rsvp.bind(createHash('sha256').update(rsvpKey).digest('hex'), worldIds.party).run();
  return {
    dates: dates.map((date) => `&dates=${date}`).join(''),
    open: open.id,
    booked: booked.id,
    held: held.id,
    link,
    person,
    ...(await waitInLine(url, now)),
  };
}

/** Free times of all providers but the rich one, in no order. @throws Error where there are fewer than that */
export async function freeTimes(d1: D1, now: number, many: number): Promise<FreeTime[]> {
  const { results } = await d1
    .prepare(
      `SELECT slots.id, username FROM slots JOIN accounts ON accounts.id = provider_id
       WHERE state = 0 AND is_busy = 0 AND starts_at > ?1 AND provider_id <> ?2
       ORDER BY starts_at / 3600000 * 7919 % 10007, provider_id LIMIT ?3`,
    )
    .bind(now + 3_600_000, providerId(0), many)
    .all<FreeTime>();
  if (results.length < many) throw new Error(`There are ${results.length} free times, not ${many}.`);
  return results;
}

/** A stranger's form for a free time, filled in just now. */
function guestForm({ id, username }: FreeTime, secrets: Secrets, turn: number): Ask {
  const shown = formToken(
    { signatures: signatures(secrets.SESSION_SECRETS), now: Date.now() },
    `book ${username.toLowerCase()} ${id}`,
  );
  const once = randomBytes(16).toString('base64url');
  const typed = new URLSearchParams({ displayName: `Guest ${turn}`, email: '', website: '', shown, once });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path: `/with/${username}/${id}`, headers, body: typed.toString() };
}

/** What the load is made of: `times` are booked once each, `parties` are replied to by everybody of the crowd. */
type Stock = { times: FreeTime[]; parties: number };

/** Makes the next request of each row. @param secrets of the Worker, for its forms */
export function scenariosOf(
  size: WorldSize,
  targets: Targets,
  { times, parties }: Stock,
  { provider, consumer, crowd }: Sessions,
  secrets: Secrets,
): Record<LoadName, () => Ask> {
  const { open, dates, person } = targets;
  const as = (cookie: string) => ({ headers: { cookie } });
  const member = (turn: number) => as(crowd[turn % crowd.length] as string);
  const turns = (next: (turn: number) => Ask) => {
    let turn = 0;
    return () => next(turn++);
  };
  const always = (path: string, more: Partial<Ask> = {}) => turns(() => ({ path, ...more }));
  let taken = 0;
  const booking = (next: (time: FreeTime, turn: number) => Ask) =>
    turns((turn) => next(times[taken++ % times.length] as FreeTime, turn));
  return {
    'bare read': always('/-/read'),
    'slot list': always(`/view?provider=${providerName(0)}${dates}`, as(consumer)),
    'party page': always(`/party/${partyId(0)}`),
    'party page, logged in': always(`/party/${partyId(0)}`, as(consumer)),
    'booking screen': always(`/details/${open}`, as(consumer)),
    // A cookie of ours keeps the page out of the cache.
    'provider page, cold': always(`/with/${providerName(0)}`, as('daybook-device=none')),
    'bare response': always('/-/none'),
    'provider page, cached': always(`/with/${providerName(0)}`),
    landing: always('/'),
    GetPage: always(`/api/Appointment/GetPage?location=${encodeURIComponent(cityName(0))}`, as(consumer)),
    'week of a provider': always('/week', as(provider)),
    'week of a client': always('/week', as(consumer)),
    people: always('/people', as(provider)),
    'one person': always(`/people/${person}`, as(provider)),
    'bare write': always('/-/write', { method: 'POST' }),
    'bare booking': booking(({ id }, turn) => ({
      method: 'PUT',
      path: `/-/book?slot=${id}&account=${consumerId(size, 1 + (turn % 50))}`,
    })),
    Book: booking(({ id }, turn) => ({ method: 'PUT', path: `/api/Appointment/Book?id=${id}`, ...member(turn) })),
    'guest form': booking((time, turn) => guestForm(time, secrets, turn)),
    BookRsvp: turns((turn) => {
      const path = `/api/Party/BookRsvp?id=${openPartyId(size, turn % parties)}&accepted=true`;
      return { method: 'PUT', path, ...member(Math.floor(turn / parties)) };
    }),
    login: turns((turn) => ({
      method: 'POST',
      path: '/api/Account/Login',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: consumerName(100 + (turn % 50)), password }),
    })),
  };
}

/** Ids that the table of screens needs beside the targets. */
export const worldIds = { party: partyId(0), meetup: meetupId(0), template: templateId(0, 0), service: serviceId() };
