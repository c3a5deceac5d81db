import { describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import { type Person, peopleAt, publish, several } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService, type Service, serviceDraft, servicesOf } from '../../support/services';
import { editTemplate, openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const create = (who: Person, body: unknown, headers?: Record<string, string>) =>
  who.api('POST', '/api/Service/Create', body, headers);
const edit = (who: Person, id: string, body: object) => who.api('PUT', `/api/Service/Edit?id=${id}`, body);
const remove = (who: Person, id: string) => who.api('DELETE', `/api/Service/Delete?id=${id}`);
const order = (who: Person, ids: unknown) => who.api('PUT', '/api/Service/Order', ids);
const names = (services: Service[]) => services.map(({ name }) => name);
const questions = [{ questionText: 'Why?', questionType: openEnded }];

/** Publishes a time for a service by hand, as long as no call does it, with so many of its seats taken. */
async function writeTimes(provider: Person, service: Service, taken: number[]): Promise<void> {
  const slots = await publish(provider, { end: '18:00' }, `len=${service.minutes}`);
  const guests = await several(Math.max(0, ...taken), () => newConsumer());
  for (const [place, count] of taken.entries()) {
    const { id } = slots[place] as { id: string };
    await daybook.d1
      .prepare('UPDATE slots SET service_id = ?, seats = ? WHERE id = ?')
      .bind(service.id, service.seats, id)
      .run();
    for (const { username } of guests.slice(0, count)) {
      await daybook.d1
        .prepare(`INSERT INTO bookings (provider_id, starts_at, id, ends_at, kept_until, local_date, time_zone, city, slot_id, status,
            booker_id, person_id, service_id, booked_at)
          SELECT provider_id, starts_at, iif(seats = 1, slots.id, provider_id || printf('%013d', starts_at) || lower(hex(randomblob(6)))),
            ends_at, ends_at, local_date, slots.time_zone, slots.city, iif(seats = 1, NULL, slots.id), 1, accounts.id, accounts.id, service_id, 1
          FROM slots, accounts WHERE slots.id = ? AND username = ?`)
        .bind(id, username)
        .run();
    }
  }
}
const timesOf = async ({ id }: Service) =>
  (
    await daybook.d1
      .prepare('SELECT state, seats, taken FROM slots WHERE service_id = ? ORDER BY starts_at')
      .bind(id)
      .all<{ state: number; seats: number; taken: number }>()
  ).results.map(({ state, seats, taken }) => `${state ? 'booked' : 'open'}, ${taken} of ${seats}`);

describe('Create', () => {
  test('makes a service with what is usual where nothing is said, and lists it last', async () => {
    const ana = await newProvider();
    const answer = await create(ana, { name: '  Cut ', minutes: 30 });
    const usual = { gap: 0, price: null, description: null, seats: 1, templateId: null, isOffered: true };
    const cut = { id: expect.any(String), name: 'Cut', minutes: 30, ...usual };
    expect([answer.status, answer.json]).toEqual([201, cut]);
    const templateId = await publishQuestions(ana, questions);
    const words = { name: 'Vinyāsa', price: '12 € / 10 € reduced', description: 'For all.\nBring a mat.' };
    const full = { ...words, minutes: 75, gap: 15, seats: 8, templateId, isOffered: false };
    expect((await create(ana, full)).json).toEqual({ id: expect.any(String), ...full });
    expect(await servicesOf(ana)).toEqual([cut, { id: expect.any(String), ...full }]);
  });

  test('names each fault', async () => {
    const ana = await newProvider();
    expect(complaints(await create(ana, {}))).toEqual(['Name is missing.', 'Minutes are missing.']);
    const words = { name: 'x'.repeat(81), price: 'x'.repeat(41), description: 'x'.repeat(501) };
    const wrong = { ...words, minutes: 4, gap: 241, seats: 501, templateId: 7, isOffered: 'perhaps' };
    expect(complaints(await create(ana, wrong))).toHaveLength(8);
    for (const minutes of [1441, 0, -5, 7.5, '', null, [30], 'half']) {
      expect(complaints(await create(ana, serviceDraft({ minutes })))).toHaveLength(1);
    }
    expect(complaints(await create(ana, serviceDraft({ seats: 0 })))).toHaveLength(1);
    expect(await servicesOf(ana)).toEqual([]);
  });

  test('stops at thirty, also of those sent at once', async () => {
    const ana = await newProvider();
    for (let many = 0; many < 28; many++) await createService(ana);
    const sent = await several(5, () => create(ana, serviceDraft()));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
    expect(complaints(await create(ana, serviceDraft()))).toEqual(['You can have at most 30 services.']);
  });

  test('takes no questions of somebody else’s, and none that were deleted', async () => {
    const [ana, lea] = [await newProvider(), await newProvider()];
    const theirs = await publishQuestions(lea, questions);
    expect(await create(ana, serviceDraft({ templateId: theirs }))).toMatchObject(nothing);
    const own = await publishQuestions(ana, questions);
    await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${own}`);
    expect(await create(ana, serviceDraft({ templateId: own }))).toMatchObject(nothing);
  });

  test('makes one for one key', async () => {
    const ana = await newProvider();
    const headers = { 'Idempotency-Key': 'one' };
    const draft = serviceDraft();
    const first = await create(ana, draft, headers);
    expect(await create(ana, draft, headers)).toMatchObject({ status: 201, json: first.json });
    expect(await servicesOf(ana)).toEqual([first.json]);
  });
});

describe('Edit', () => {
  test('changes what is given, and clears what is null', async () => {
    const ana = await newProvider();
    const cut = await createService(ana, { price: '25 €', description: 'With a wash', gap: 10, seats: 2 });
    const long = { ...cut, name: 'Long cut', minutes: 45 };
    expect(await edit(ana, cut.id, { name: 'Long cut', minutes: 45 })).toMatchObject({ status: 200, json: long });
    const cleared = { price: null, description: null, isOffered: false };
    expect((await edit(ana, cut.id, { ...cleared, description: '' })).json).toEqual({ ...long, ...cleared });
    expect((await edit(ana, cut.id, {})).json).toEqual((await servicesOf(ana))[0]);
    expect(complaints(await edit(ana, cut.id, { minutes: null, name: '' }))).toHaveLength(2);
  });

  test('asks the questions as they were edited last, and none once they are deleted', async () => {
    const ana = await newProvider();
    const old = await publishQuestions(ana, questions);
    await createService(ana, { templateId: old });
    const { json } = await editTemplate(ana, old, [{ questionText: 'Why now?', questionType: openEnded }]);
    const { id } = (json as { template: { id: string } }).template;
    expect(await servicesOf(ana)).toMatchObject([{ templateId: id }]);
    await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${id}`);
    expect(await servicesOf(ana)).toMatchObject([{ templateId: null }]);
  });

  test('gives coming times the new seats, open them where there is room, and refuses fewer than are taken', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { seats: 3 });
    await writeTimes(ana, yoga, [3, 1, 0]);
    const setSeats = (seats: number) => edit(ana, yoga.id, { seats });
    const ofThree = ['booked, 3 of 3', 'open, 1 of 3', 'open, 0 of 3'];
    expect(await setSeats(2)).toMatchObject({
      status: 409,
      json: "3 people are booked into a coming time of this service, so it can't be for fewer.",
    });
    expect(await timesOf(yoga)).toEqual(ofThree);
    expect(await setSeats(4)).toMatchObject({ status: 200, json: { seats: 4 } });
    expect(await timesOf(yoga)).toEqual(['open, 3 of 4', 'open, 1 of 4', 'open, 0 of 4']);
    expect((await setSeats(3)).status).toBe(200);
    expect(await timesOf(yoga)).toEqual(ofThree);
  });
});

test('Order brings them into that order, those that are not named after it', async () => {
  const ana = await newProvider();
  const [a, b, c] = [
    await createService(ana, { name: 'A' }),
    await createService(ana, { name: 'B' }),
    await createService(ana, { name: 'C' }),
  ];
  const answer = await order(ana, [c.id, a.id]);
  expect([answer.status, names(answer.json as Service[])]).toEqual([200, ['C', 'A', 'B']]);
  await order(ana, [b.id]);
  expect(names(await servicesOf(ana))).toEqual(['B', 'C', 'A']);
  await createService(ana, { name: 'D' });
  expect(names(await servicesOf(ana))).toEqual(['B', 'C', 'A', 'D']);
  expect(complaints(await order(ana, [a.id, a.id]))).toEqual(['Each service can be in the list once.']);
  expect(complaints(await order(ana, { ids: [] }))).toEqual(['Send a list of ids.']);
  expect(await order(ana, [a.id, 'none'])).toMatchObject(nothing);
  expect(names(await servicesOf(ana))).toEqual(['B', 'C', 'A', 'D']);
});

test('Delete is refused with the number of coming times, and done once there are none', async () => {
  const ana = await newProvider();
  const cut = await createService(ana);
  await writeTimes(ana, cut, [0, 0]);
  expect(await remove(ana, cut.id)).toMatchObject({
    status: 409,
    json: '2 coming times are for this service. Remove or cancel them first, or switch the service off.',
  });
  await daybook.d1.prepare('DELETE FROM slots WHERE service_id = ?').bind(cut.id).run();
  expect(await remove(ana, cut.id)).toMatchObject({ status: 204 });
  expect(await remove(ana, cut.id)).toMatchObject(nothing);
  expect(await servicesOf(ana)).toEqual([]);
});

test('Public/Services lists what is offered, in order, for anybody', async () => {
  const ana = await newProvider();
  const cut = await createService(ana, { name: 'Cut' });
  const dye = await createService(ana, { name: 'Dye' });
  await createService(ana, { name: 'Wig', isOffered: false });
  await order(ana, [dye.id, cut.id]);
  const stranger = daybook.visitor();
  const read = (username: string) => stranger.api('GET', `/api/Public/Services?provider=${username}`);
  expect(await read(ana.username.toUpperCase())).toMatchObject({ status: 200, json: [dye, cut] });
  expect(await read('nobody')).toMatchObject({ status: 200, json: [] });
  expect(complaints(await stranger.api('GET', '/api/Public/Services'))).toEqual(['Provider is missing.']);
});
