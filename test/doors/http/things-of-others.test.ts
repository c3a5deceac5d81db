import { beforeAll, describe, expect, test } from 'vitest';
import { makeRouteWorld } from '../../support/every-route';
import {
  dayAhead,
  type Person,
  password,
  publish,
  type Row,
  registerConsumer,
  registerProvider,
  rowsOf,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { partyDraft } from '../../support/party-factories';
import { bringIn } from '../../support/shops';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';
import { type Wish, add as wait, wishesOf } from '../../support/waitlist';

/*
 * Whoever knows the ids of others' things, and is somebody else: another provider, another client, a guest, and who is in
 * the same shop. What only a provider has is refused to another in every-route.test.ts.
 */

const daybook = useServer();

let world: Awaited<ReturnType<typeof makeOthers>>;
const inShop = ['a colleague in the shop', 'the desk of the shop'] as const;
const callers = ['another provider', 'another client', 'a guest', ...inShop] as const;
let people: Record<(typeof callers)[number], Person>;

async function makeOthers() {
  const routes = await makeRouteWorld(daybook);
  const { consumer, provider, rival } = routes;
  const day = { dates: [dayAhead(3)], end: '11:00' };
  const [free, next] = (await publish(provider, day)) as [Row, Row];
  const [slot] = (await publish(rival, day)) as [Row];
  const [{ id: session }] = rowsOf(await consumer.api('GET', '/api/Account/Sessions')) as [Row];
  const key = (await consumer.api('POST', '/api/Account/MakeKey', { name: 'Till', scope: 'read', password }))
    .json as Row;
  const delivery = (await provider.api('POST', `/api/Account/TestWebhook?id=${routes.webhook}`)).json as Row;
  const person = ((await rival.api('POST', '/api/People/Create', { name: 'Ida' })).json as Row).id;
  const client = await registerConsumer(daybook);
  const then = { from: dayAhead(80), to: dayAhead(80) };
  for (const host of [provider, rival]) expect((await wait(client, host, then)).status).toBe(201);
  const [wish, ofRival] = (await wishesOf(client)) as [Wish, Wish];
  /** Of the rival's own: a slot at the time of one that is free with the other, a card, and somebody who waits. */
  const rivals = { slot: slot.id, person, wish: ofRival.id };
  return {
    ...routes,
    session,
    key: key.id,
    delivery: delivery.id,
    free: free.id,
    next: next.id,
    wish: wish.id,
    rivals,
  };
}

beforeAll(async () => {
  world = await makeOthers();
  people = {
    'another provider': world.rival,
    'another client': await registerConsumer(daybook),
    'a guest': await newGuest(daybook),
    'a colleague in the shop': await registerProvider(daybook),
    'the desk of the shop': await registerProvider(daybook),
  };
  await bringIn(world.provider, [people['a colleague in the shop']]);
  await bringIn(world.provider, [people['the desk of the shop']], 'desk');
});

const evening = { start: '20:00', end: '21:00', dates: [dayAhead(3)] };
const monday = { day: 1, start: '09:00', end: '10:00' };
type World = typeof world;
type Attempt = [method: string, what: string, pathOf: (world: World) => string, bodyOf?: (world: World) => unknown];
const attempts: Attempt[] = [
  ['GET', 'Appointment/Get', ({ booked }) => `Appointment/Get?id=${booked.id}`],
  ['PUT', 'Appointment/Cancel', ({ booked }) => `Appointment/Cancel?id=${booked.id}`],
  ['PUT', 'Appointment/Move', ({ booked, free }) => `Appointment/Move?id=${booked.id}&to=${free}`],
  [
    'PUT',
    'Checkin/SubmitForm',
    ({ booked }) => `Checkin/SubmitForm?id=${booked.id}`,
    () => [{ question: 'Why?', answer: 'Mine' }],
  ],
  ['DELETE', 'Account/EndSession', ({ session }) => `Account/EndSession?id=${session}`],
  ['PUT', 'Account/EditWebhook', ({ webhook }) => `Account/EditWebhook?id=${webhook}`, () => ({ kinds: ['moved'] })],
  ['DELETE', 'Account/EndWebhook', ({ webhook }) => `Account/EndWebhook?id=${webhook}`],
  ['POST', 'Account/TestWebhook', ({ webhook }) => `Account/TestWebhook?id=${webhook}`],
  ['GET', 'Account/GetDeliveries', ({ webhook }) => `Account/GetDeliveries?id=${webhook}`],
  ['PUT', 'Account/SendAgain', ({ delivery }) => `Account/SendAgain?id=${delivery}`],
  ['DELETE', 'Account/EndKey', ({ key }) => `Account/EndKey?id=${key}`],
  [
    'PUT',
    'People/Merge of theirs into one’s own',
    ({ person, rivals }) => `People/Merge?id=${person}&into=${rivals.person}`,
  ],
  [
    'PUT',
    'People/Merge of one’s own into theirs',
    ({ person, rivals }) => `People/Merge?id=${rivals.person}&into=${person}`,
  ],
  [
    'POST',
    'Appointment/BookFor their person',
    ({ rivals }) => `Appointment/BookFor?id=${rivals.slot}`,
    ({ person }) => ({ personId: person }),
  ],
  [
    'POST',
    'Appointment/BookSeries for their person',
    () => 'Appointment/BookSeries',
    ({ person, rivals }) => ({ ids: [rivals.slot], personId: person }),
  ],
  [
    'POST',
    'Appointment/BookSeries of their time',
    () => 'Appointment/BookSeries',
    ({ next, rivals }) => ({ ids: [next], personId: rivals.person }),
  ],
  ['DELETE', 'Waitlist/Remove', ({ wish }) => `Waitlist/Remove?id=${wish}`],
  ['PUT', 'Waitlist/Offer of one’s own time', ({ wish, rivals }) => `Waitlist/Offer?id=${wish}&slotId=${rivals.slot}`],
  ['PUT', 'Waitlist/Offer of their time', ({ free, rivals }) => `Waitlist/Offer?id=${rivals.wish}&slotId=${free}`],
  // Something of their own that would take a thing of somebody else's in.
  [
    'POST',
    'Appointment/CreateAppointment with their questions',
    ({ template }) => `Appointment/CreateAppointment?templateId=${template}`,
    () => evening,
  ],
  [
    'POST',
    'Appointment/CreateAppointment with their service',
    () => 'Appointment/CreateAppointment',
    ({ service }) => ({ ...evening, serviceId: service.id }),
  ],
  [
    'POST',
    'Service/Create with their questions',
    () => 'Service/Create',
    ({ template }) => ({ name: 'Mine', minutes: 30, templateId: template }),
  ],
  [
    'POST',
    'Party/CreateParty with their questions',
    () => 'Party/CreateParty',
    ({ template }) => partyDraft({ template }),
  ],
  [
    'PUT',
    'Appointment/SetHours with their service',
    () => 'Appointment/SetHours',
    ({ service }) => ({ hours: [{ ...monday, serviceId: service.id }] }),
  ],
  [
    'PUT',
    'Appointment/SetHours with their questions',
    () => 'Appointment/SetHours',
    ({ template }) => ({ hours: [monday], templateId: template }),
  ],
];

describe.each(callers)('%s', (who) => {
  test.each(attempts)('is refused by %s %s what is somebody else’s', async (method, _, pathOf, bodyOf) => {
    const response = await people[who].api(method, `/api/${pathOf(world)}`, bodyOf?.(world));

    expect([403, 404]).toContain(response.status);
    expect(response.json).not.toBe('There is no such call.');
  });

  test.each(attempts)('changes nothing by %s %s of what is somebody else’s', async (method, _, pathOf, bodyOf) => {
    const { headers } = await people[who].api(method, `/api/${pathOf(world)}`, bodyOf?.(world));

    expect(askedOf(headers).written).toBe(0);
  });
});

const addressOf = (path: string, { provider }: World) =>
  `${path}${path.includes('?') ? '&' : '?'}of=${provider.username}`;

/** The ids of what the provider has. */
const idsOf = ({ party, meetup, webhook, person, booked, delivery, template, wish }: World) => [
  party.id,
  meetup.id,
  webhook,
  person,
  booked.id,
  delivery,
  template,
  wish,
];

const personal = [
  ...['/api/Account/GetNews', '/api/Account/Profile', '/api/Account/Keys', '/api/Account/Webhooks'],
  ...['/api/Account/Export', '/api/Account/Sessions', '/api/Account/GetBusyFeeds', '/api/Party/GetMy'],
  ...['/api/meetup/GetMyMeetups', '/news', '/view-parties', '/view-meetups', '/other-calendars', '/calendar', '/keys'],
  ...['/webhooks', '/your-data/daybook.json', '/devices', '/email'],
];
/** What the desk works with and a colleague does not. */
const ofBook = [
  ...['/api/People/GetPage', '/api/Appointment/GetBooked', '/api/Appointment/GetDash', '/api/Waitlist/GetPage'],
  ...['/api/Checkin/GetTemplates', '/people', '/people/people.csv', '/view-booked', '/waitlist', '/view-templates'],
];
const lists: [path: string, who: (typeof inShop)[number]][] = [
  ...personal.flatMap((path) => inShop.map((who) => [path, who] as (typeof lists)[number])),
  ...ofBook.map((path) => [path, 'a colleague in the shop'] as (typeof lists)[number]),
];

test.each(lists)('%s names nothing of the provider to %s who asks for their book', async (path, who) => {
  const { text } = await people[who].browser.get(addressOf(path, world));

  expect(idsOf(world).filter((id) => text.includes(id))).toEqual([]);
});

const isPersonal = ([, what]: Attempt) => /^(Account|Party)\//.test(what);
const inTheirBook: [who: (typeof inShop)[number], attempt: Attempt][] = [
  ...attempts.map((attempt) => ['a colleague in the shop', attempt] as (typeof inTheirBook)[number]),
  ...attempts.filter(isPersonal).map((attempt) => ['the desk of the shop', attempt] as (typeof inTheirBook)[number]),
];

test.each(inTheirBook)('%s is refused in the book of the provider: %s', async (who, [method, , pathOf, bodyOf]) => {
  const path = addressOf(`/api/${pathOf(world)}`, world);

  const { status, headers } = await people[who].api(method, path, bodyOf?.(world));

  expect([403, 404]).toContain(status);
  expect(askedOf(headers).written).toBe(0);
});
