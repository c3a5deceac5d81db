import { more, type Reader, type Screen, screens, type Things } from '../support/every-route';
import type { Person, Row } from '../support/factories';
import type { Party } from '../support/party-factories';
import { visitor } from '../support/visit';
import { type Ask, load } from './load';
import { readMeter } from './runtime-process';
import { linkKey, type Sessions, type Targets, worldIds } from './scenarios';
import { firstInvitation } from './world-events';
import { cityName, providerName } from './world-plan';

/** What one answer costs: processor time of the whole server process, and the time it took, in milliseconds. */
export type Cost = { path: string; reader: Reader; cpu: number | null; took: number; kilobytes: number };

const connections = 2;
/** As many as the code needs to be compiled. */
const warmUp = 200;
const asked = 300;
/** Seconds that one may take. */
const most = 60;

const noOne = {} as Person;

/** The world as every-route.ts knows it: of this one only the ids count, and the booked slot is the reader's. */
const worldOfIds = ({ open, booked, held, person, feed }: Targets, reader: Reader): Things => ({
  consumer: noOne,
  provider: { username: providerName(0) } as Person,
  rival: noOne,
  open: { id: open } as Row,
  booked: { id: reader === 'consumer' ? held : booked } as Row,
  link: `/booking/${linkKey}`,
  answer: `/answer/${linkKey}`,
  template: worldIds.template,
  party: { id: worldIds.party } as Party,
  past: booked,
  feed: feed?.path ?? '',
  person,
  meetup: { id: worldIds.meetup, invitations: [{ username: 'Ada', id: firstInvitation(1) }] } as Party,
});

/** What is asked, and by whom. */
export type Subject = { path: string; reader: Reader };

/** Every GET call of the API, and who asks. Cities and names are those of the rich provider. */
function calls({ open, booked, dates }: Targets): Subject[] {
  const city = encodeURIComponent(cityName(0));
  const provider = providerName(0);
  const days = dates.replace('&dates=', '').replaceAll('&dates=', '+');
  const both: Reader[] = ['consumer', 'provider'];
  const member: [path: string, readers: Reader[]][] = [
    ['Account/Profile', both],
    ['Account/IsProvider', ['provider']],
    ['Appointment/GetPage', ['consumer']],
    [`Appointment/GetPage?location=${city}`, ['consumer']],
    [`Appointment/GetPage?provider=${provider}&dates=${days}`, ['consumer']],
    [`Appointment/Get?id=${open}`, ['consumer']],
    [`Appointment/Get?id=${booked}`, ['provider']],
    ['Appointment/GetBooked', both],
    ['Appointment/GetBooked?past=true', both],
    ['Appointment/GetDash', both],
    ['Appointment/GetDash?past=true', both],
    [`Appointment/GetProviders?location=${city}`, ['consumer']],
    ['Appointment/GetProviders', ['consumer']],
    [`Appointment/GetDates?provider=${provider}`, ['consumer']],
    ['Appointment/GetLocations', ['consumer']],
    ['Checkin/GetTemplates', ['provider']],
    [`Checkin/Get?id=${worldIds.template}`, ['provider']],
    ['Party/GetMy', ['provider']],
    ['Party/GetAll', ['consumer']],
    [`meetup/GetParty/${worldIds.party}`, ['stranger', 'provider']],
    [`meetup/GetAttendee/${firstInvitation(1)}`, ['stranger']],
    ['meetup/GetMyMeetups', ['provider']],
    [`Public/Provider?username=${provider}`, ['stranger']],
    [`Public/Dates?provider=${provider}`, ['stranger']],
    [`Public/Slots?provider=${provider}&dates=${days}`, ['stranger']],
  ];
  return member.flatMap(([path, readers]) => readers.map((reader) => ({ path: `/api/${path}`, reader })));
}

/** Who may see a screen: a stranger and a consumer where everyone may, both roles where whoever is logged in may. */
function readersOf([, [stranger, consumer, provider]]: Screen): Reader[] {
  const may: [Reader, boolean][] = [
    ['stranger', stranger === 200],
    ['consumer', consumer === 200],
    ['provider', provider === 200 && stranger !== 200],
  ];
  return may.filter(([, sees]) => sees).map(([reader]) => reader);
}

/** Every screen with those who may see it, the steps of /view and the past of the lists, and every GET call. */
export function subjectsOf(targets: Targets): Subject[] {
  const provider = providerName(0);
  const steps = [`?location=${encodeURIComponent(cityName(0))}`, `?provider=${provider}`, targets.dates].map((query) =>
    query.startsWith('&') ? `/view?provider=${provider}${query}` : `/view${query}`,
  );
  const past = ['/view-booked?past=true', '/view-dash?past=true'];
  return [
    ...[...screens, ...more]
      .filter(([path]) => path !== '/calendar/:feed' || targets.feed)
      .flatMap((screen) =>
        readersOf(screen).map((reader): Subject => ({ path: screen[2](worldOfIds(targets, reader)), reader })),
      ),
    ...steps.map((path): Subject => ({ path, reader: 'consumer' })),
    ...past.flatMap((path): Subject[] => [
      { path, reader: 'consumer' },
      { path, reader: 'provider' },
    ]),
    ...calls(targets),
  ];
}

/** @throws Error where the API has a GET call that is not in the table */
async function checkCalls(url: string, measured: Subject[]): Promise<void> {
  const { text } = await visitor(url).get('/api');
  const listed = [...text.replaceAll(/<!--.*?-->/g, '').matchAll(/GET (\/api\/[\w/]+)/g)].map(([, path]) => path ?? '');
  const missing = listed.filter((path) => !measured.some((subject) => subject.path.startsWith(path)));
  if (listed.length === 0) throw new Error('The list of calls could not be read.');
  if (missing.length > 0) throw new Error(`Not measured: ${missing.join(', ')}`);
}

/**
 * The processor time of every screen and every GET call, one after the other.
 * @throws Error where somebody is refused what they may see
 */
export async function costOfEveryAnswer(
  server: { url: string; pid: number | null },
  targets: Targets,
  sessions: Sessions,
): Promise<Cost[]> {
  const { url, pid } = server;
  const all = subjectsOf(targets);
  await checkCalls(url, all);
  const costs: Cost[] = [];
  for (const { path, reader } of all) {
    const cookie = reader === 'consumer' || reader === 'provider' ? sessions[reader] : undefined;
    const next = (): Ask => ({ path, ...(cookie && { headers: { cookie } }) });
    const { requests, refused, p50, kilobytes, cpu } = await load(url, next, {
      connections,
      warmUp: { seconds: most, requests: warmUp },
      counted: { seconds: most, requests: asked },
      meter: () => readMeter(pid),
    });
    if (refused > 0) throw new Error(`${path} refused ${refused} of ${requests} as ${reader}.`);
    costs.push({ path, reader, cpu, took: p50, kilobytes });
  }
  return costs;
}
