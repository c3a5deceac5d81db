import { makeRouteWorld, type RouteWorld } from '../support/every-route';
import { dayAhead, password, registerConsumer, registerProvider } from '../support/factories';
import { newGuest } from '../support/guests';
import type { Served } from '../support/use-server';
import type { Visitor } from '../support/visit';
import type { Chance } from './chance';
import type { Plausible } from './json';
import { Things } from './things';

/** Somebody who sends requests: a stranger has no session, a guest no username. */
export type Actor = {
  role: 'stranger' | 'guest' | 'consumer' | 'provider' | 'rival';
  browser: Visitor;
  username: string;
};

/** Everybody who takes part, with one of everything that the product has. */
export type Crew = { world: RouteWorld; things: Things; actors: Actor[] };

export async function newCrew(daybook: Served): Promise<Crew> {
  const [world, guest] = await Promise.all([makeRouteWorld(daybook), newGuest(daybook)]);
  const members = (['consumer', 'provider', 'provider', 'rival'] as const).map(
    (role): Actor => ({ role, ...world[role] }),
  );
  const stranger: Actor = { role: 'stranger', browser: daybook.visitor(), username: '' };
  return { world, things: new Things(world), actors: [stranger, { role: 'guest', ...guest }, ...members] };
}

/** Restores a session that a request has ended or changed, or registers somebody new if the account is gone. */
export async function comeBack(daybook: Served, actor: Actor): Promise<void> {
  const { role, browser, username } = actor;
  if (role === 'stranger') return browser.cookies.clear();
  const profile = await browser.api('GET', '/api/Account/Profile');
  const found = profile.status === 200 ? (profile.json as { username: string | null; isGuest: boolean }) : undefined;
  if (role === 'guest' ? found?.isGuest : found?.username === username) return;
  browser.cookies.clear();
  if (role !== 'guest') {
    const login = await browser.api('POST', '/api/Account/Login', { username, password });
    if (login.status === 200) return;
  }
  const make = { guest: newGuest, consumer: registerConsumer, provider: registerProvider, rival: registerProvider }[
    role
  ];
  Object.assign(actor, await make(daybook));
}

let names = 0;

/** Plausible values for fields, by their names. */
export function plausibleTo({ world, things }: Crew, chance: Chance): Plausible {
  const { provider, rival, consumer } = world;
  const times = ['09:00', '09:30', '10:00', '12:15', '17:00', '00:00', '23:30'];
  const said: Record<string, () => unknown> = {
    id: () => things.any(chance, 'slot'),
    to: () => things.any(chance, 'open'),
    key: () => things.any(chance, 'key'),
    meetupid: () => things.any(chance, 'meetup'),
    templateId: () => (chance.is(0.3) ? things.any(chance, 'template') : ''),
    provider: () => chance.of([provider, provider, rival, consumer]).username,
    username: () => (chance.is(0.4) ? chance.of([provider, rival, consumer]).username : `fuzz-${++names}`),
    dates: () => Array.from({ length: 1 + chance.below(3) }, () => dayAhead(chance.below(60))),
    date: () => dayAhead(chance.below(60)),
    rsvpBy: () => dayAhead(chance.below(30)),
    start: () => chance.of(times),
    end: () => chance.of(times),
    startTime: () => chance.of(times),
    endTime: () => chance.of(times),
    password: () => password,
    newPassword: () => password,
    email: () => `fuzz.${chance.below(50)}@mail.test`,
    timeZone: () => chance.of(['UTC', 'Asia/Kolkata', 'America/Los_Angeles', 'Australia/Lord_Howe']),
    role: () => chance.of(['Consumer', 'Provider']),
    location: () => chance.of(['Lisbon', 'Oslo', 'Ålesund']),
    locationUrl: () => 'https://maps.example/here',
    question: () => 'Why?',
    questionText: () => chance.of(['Why?', 'How?', 'When?']),
    q: () => chance.of(['person', 'Per', '']),
  };
  return (name) => said[name]?.();
}
