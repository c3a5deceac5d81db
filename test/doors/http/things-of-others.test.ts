import { beforeAll, expect, test } from 'vitest';
import { makeRouteWorld } from '../../support/every-route';
import { dayAhead, type Person, publish, type Row, registerConsumer, rowsOf } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { partyDraft } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { askedOf } from '../../support/visit';
import { type Wish, add as wait, wishesOf } from '../../support/waitlist';

/*
 * Whoever knows the ids of others' things, and is somebody else: another provider, another client, a guest. What only a
 * provider has is refused to another in every-route.test.ts.
 */

const daybook = useServer();

let world: Awaited<ReturnType<typeof makeOthers>>;
let callers: [who: string, caller: Person][];

async function makeOthers() {
  const routes = await makeRouteWorld(daybook);
  const { consumer, provider, rival } = routes;
  const day = { dates: [dayAhead(3)], end: '11:00' };
  const [free, next] = (await publish(provider, day)) as [Row, Row];
  const [slot] = (await publish(rival, day)) as [Row];
  const [{ id: session }] = rowsOf(await consumer.api('GET', '/api/Account/Sessions')) as [Row];
  const person = ((await rival.api('POST', '/api/People/Create', { name: 'Ida' })).json as Row).id;
  const client = await registerConsumer(daybook);
  const then = { from: dayAhead(80), to: dayAhead(80) };
  for (const one of [provider, rival]) expect((await wait(client, one, then)).status).toBe(201);
  const [wish, ofRival] = (await wishesOf(client)) as [Wish, Wish];
  /** Of the rival's own: a slot at the time of one that is free with the other, a card, and somebody who waits. */
  const rivals = { slot: slot.id, person, wish: ofRival.id };
  return { ...routes, session, free: free.id, next: next.id, wish: wish.id, rivals };
}

beforeAll(async () => {
  world = await makeOthers();
  callers = [
    ['another provider', world.rival],
    ['another client', await registerConsumer(daybook)],
    ['a guest', await newGuest(daybook)],
  ];
});

const evening = { start: '20:00', end: '21:00', dates: [dayAhead(3)] };
const monday = { day: 1, start: '09:00', end: '10:00' };
type Try = [method: string, path: (of: typeof world) => string, body?: (of: typeof world) => unknown];
const tries: Try[] = [
  ['GET', ({ booked }) => `Appointment/Get?id=${booked.id}`],
  ['PUT', ({ booked }) => `Appointment/Cancel?id=${booked.id}`],
  ['PUT', ({ booked, free }) => `Appointment/Move?id=${booked.id}&to=${free}`],
  ['PUT', ({ booked }) => `Checkin/SubmitForm?id=${booked.id}`, () => [{ question: 'Why?', answer: 'Mine' }]],
  ['DELETE', ({ session }) => `Account/EndSession?id=${session}`],
  ['PUT', ({ person, rivals }) => `People/Merge?id=${person}&into=${rivals.person}`],
  ['PUT', ({ person, rivals }) => `People/Merge?id=${rivals.person}&into=${person}`],
  ['POST', ({ rivals }) => `Appointment/BookFor?id=${rivals.slot}`, ({ person }) => ({ personId: person })],
  ['POST', () => 'Appointment/BookSeries', ({ person, rivals }) => ({ ids: [rivals.slot], personId: person })],
  ['POST', () => 'Appointment/BookSeries', ({ next, rivals }) => ({ ids: [next], personId: rivals.person })],
  ['DELETE', ({ wish }) => `Waitlist/Remove?id=${wish}`],
  ['PUT', ({ wish, rivals }) => `Waitlist/Offer?id=${wish}&slotId=${rivals.slot}`],
  ['PUT', ({ free, rivals }) => `Waitlist/Offer?id=${rivals.wish}&slotId=${free}`],
  // Something of their own that would take a thing of somebody else's in.
  ['POST', ({ template }) => `Appointment/CreateAppointment?templateId=${template}`, () => evening],
  ['POST', () => 'Appointment/CreateAppointment', ({ service }) => ({ ...evening, serviceId: service.id })],
  ['POST', () => 'Service/Create', ({ template }) => ({ name: 'Mine', minutes: 30, templateId: template })],
  ['POST', () => 'Party/CreateParty', ({ template }) => partyDraft({ template })],
  ['PUT', () => 'Appointment/SetHours', ({ service }) => ({ hours: [{ ...monday, serviceId: service.id }] })],
  ['PUT', () => 'Appointment/SetHours', ({ template }) => ({ hours: [monday], templateId: template })],
];

test.each(tries)(
  '%s by the id of somebody else’s thing is refused to each, and changes nothing: %s',
  async (...row) => {
    const [method, path, body] = row;
    for (const [who, caller] of callers) {
      const { status, json, headers } = await caller.api(method, `/api/${path(world)}`, body?.(world));
      expect([who, [403, 404].includes(status), askedOf(headers).written]).toEqual([who, true, 0]);
      expect(json).not.toBe('There is no such call.');
    }
  },
);
