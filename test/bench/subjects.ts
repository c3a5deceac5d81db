import {
  type ApiCall,
  added,
  calls,
  more,
  type Reader,
  type RouteWorld,
  type Statuses,
  screens,
} from '../support/every-route';
import type { Person, Row } from '../support/factories';
import { documentedCalls } from '../support/openapi';
import type { Party } from '../support/party-factories';
import type { Service } from '../support/services';
import { rsvpKey, type Sessions, type Targets, worldIds } from './scenarios';
import { timed } from './served';
import { firstInvitation } from './world-events';
import { cityName, providerName } from './world-plan';

export type Subject = { path: string; reader: Reader };

const nobody = {} as Person;

/** The world for every-route.ts, with this world's ids; the booked slot is the reader's. */
const worldOfIds = ({ open, booked, held, link, person, waiting, offer }: Targets, reader: Reader): RouteWorld => ({
  consumer: nobody,
  provider: { username: providerName(0) } as Person,
  rival: nobody,
  open: { id: open } as Row,
  booked: { id: reader === 'consumer' ? held : booked } as Row,
  link,
  rsvp: `/answer/${rsvpKey}`,
  waiting,
  offer,
  template: worldIds.template,
  service: { id: worldIds.service } as Service,
  party: { id: worldIds.party } as Party,
  past: booked,
  feed: '',
  webhook: '',
  shop: '',
  joining: '',
  former: nobody,
  person,
  meetup: { id: worldIds.meetup, invitations: [{ username: 'Ada', id: firstInvitation(1) }] } as Party,
  newDay() {
    throw new Error('What is only read publishes nothing.');
  },
});

/** A stranger and a consumer if everyone may, both roles if members may. */
function readersOf([stranger, consumer, provider]: Statuses): Reader[] {
  const may: [Reader, boolean][] = [
    ['stranger', stranger === 200],
    ['consumer', consumer === 200],
    ['provider', provider === 200 && stranger !== 200],
  ];
  return may.filter(([, sees]) => sees).map(([reader]) => reader);
}

/** Queries of calls that are asked in several ways, or with a thing that every-route.ts would have to make first. */
function queries({ open, booked, held, link, dates }: Targets, reader: Reader): Record<string, string[]> {
  const city = `?location=${encodeURIComponent(cityName(0))}`;
  const days = `?provider=${providerName(0)}&dates=${dates.replace('&dates=', '').replaceAll('&dates=', '+')}`;
  return {
    '/api/Appointment/Get': [`?id=${open}`, `?id=${reader === 'consumer' ? held : booked}`],
    '/api/Appointment/GetBooked': ['', '?past=true'],
    '/api/Appointment/GetDash': ['', '?past=true'],
    '/api/Appointment/GetPage': ['', city, days],
    '/api/Appointment/GetProviders': ['', city],
    '/api/Public/Booking': [`?key=${link.split('/').at(-1)}`],
    '/api/Public/Slots': [days],
  };
}

function sentWith([, call, , sent]: ApiCall, world: RouteWorld): string {
  const given = sent?.(world) ?? {};
  if (given instanceof Promise) throw new Error(`${call} needs a query of its own.`);
  return given.path ?? '';
}

/** The bench's world has no webhook and no shop; see subjectsOf. @param call such as `GET /api/Shop/Get` */
export const isNotAsked = (call: string) =>
  call === 'GET /api/Account/GetDeliveries' || call.startsWith('GET /api/Shop/');

/** Every GET call with all who may make it. @throws Error for a call without an example */
function callsOf(targets: Targets): Subject[] {
  const reading = documentedCalls().filter((name) => name.startsWith('GET '));
  if (reading.length === 0) throw new Error('The list of calls could not be read.');
  return reading.flatMap((name) => {
    if (isNotAsked(name)) return [];
    const known = [...calls, ...added].find(([method, call]) => `${method} ${call}` === name);
    if (!known) throw new Error(`Nothing says how ${name} is made.`);
    const [, call, statuses] = known;
    return readersOf(statuses).flatMap((reader) => {
      const queriesOfCall = queries(targets, reader)[call] ?? [sentWith(known, worldOfIds(targets, reader))];
      return queriesOfCall.map((query) => ({ path: call.replace('/{id}', '') + query, reader }));
    });
  });
}

/** Every screen and every GET call with those who may see it, the steps of /view and the past of the lists. */
export function subjectsOf(targets: Targets): Subject[] {
  const provider = providerName(0);
  const steps = [`?location=${encodeURIComponent(cityName(0))}`, `?provider=${provider}`, targets.dates].map((query) =>
    query.startsWith('&') ? `/view?provider=${provider}${query}` : `/view${query}`,
  );
  return [
    ...[...screens, ...more]
      // Each write of the provider would count in a feed, and tell a webhook. Nobody here is in a shop.
      .filter(
        ([path]) =>
          !path.startsWith('/shop/') &&
          !path.startsWith('/with/:username/at/') &&
          !['/calendar/:feed', '/webhooks/:id', '/join/:key'].includes(path),
      )
      .flatMap(([, statuses, where]) =>
        readersOf(statuses).map((reader): Subject => ({ path: where(worldOfIds(targets, reader)), reader })),
      ),
    ...steps.map((path): Subject => ({ path, reader: 'consumer' })),
    ...['/view-booked?past=true', '/view-dash?past=true'].flatMap((path) =>
      (['consumer', 'provider'] as const).map((reader): Subject => ({ path, reader })),
    ),
    ...callsOf(targets),
  ];
}

export const cookieOf = (sessions: Sessions, reader: Reader): Record<string, string> =>
  reader === 'consumer' || reader === 'provider' ? { cookie: sessions[reader] } : {};

/** Requests each once. @throws Error that names everything which somebody was refused */
export async function checkSubjects(url: string, subjects: Subject[], sessions: Sessions): Promise<void> {
  const refused: string[] = [];
  for (const { path, reader } of subjects) {
    const { status } = await timed(url, path, cookieOf(sessions, reader));
    if (status !== 200) refused.push(`${path} as ${reader}: ${status}`);
  }
  if (refused.length > 0) throw new Error(`Refused: ${refused.join(', ')}`);
}
