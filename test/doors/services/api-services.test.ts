import { describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import { book, cancel, dayAhead, type Person, peopleAt, publication, publish, several } from '../../support/factories';
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

/** The times of a service, which are in no list when they are full. */
const timesOf = async ({ id }: Service) =>
  (
    await daybook.d1
      .prepare(`SELECT strftime('%H:%M', starts_at / 1000, 'unixepoch') AS at, state, seats, taken FROM slots
                WHERE service_id = ? ORDER BY starts_at`)
      .bind(id)
      .all<{ at: string; state: number; seats: number; taken: number }>()
  ).results.map(({ at, state, seats, taken }) => `${at} ${state ? 'booked' : 'open'}, ${taken} of ${seats}`);

describe('Create', () => {
  test('makes a service with what is usual where nothing is said, once for one key, and lists it last', async () => {
    const ana = await newProvider();
    const usual = { gap: 0, price: null, description: null, seats: 1, templateId: null, isOffered: true };
    const cut = { id: expect.any(String), name: 'Cut', minutes: 30, ...usual };
    const first = await create(ana, { name: '  Cut ', minutes: 30 }, { 'Idempotency-Key': 'one' });
    expect(first).toMatchObject({ status: 201, json: cut });
    const again = await create(ana, { name: '  Cut ', minutes: 30 }, { 'Idempotency-Key': 'one' });
    expect(again).toMatchObject({ status: 201, json: first.json });
    const templateId = await publishQuestions(ana, questions);
    const words = { name: 'Vinyāsa', price: '12 € / 10 € reduced', description: 'For all.\nBring a mat.' };
    const full = { ...words, minutes: 75, gap: 15, seats: 8, templateId, isOffered: false };
    expect((await create(ana, full)).json).toEqual({ id: expect.any(String), ...full });
    expect(await servicesOf(ana)).toEqual([cut, { id: expect.any(String), ...full }]);
  });

  test('stops at thirty, also of those sent at once', async () => {
    const ana = await newProvider();
    for (let many = 0; many < 28; many++) await createService(ana);
    const sent = await several(5, () => create(ana, serviceDraft()));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
    expect(complaints(await create(ana, serviceDraft()))).toEqual(['You can have at most 30 services.']);
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
    const { id: templateId } = (json as { template: { id: string } }).template;
    expect(await servicesOf(ana)).toMatchObject([{ templateId }]);
    await ana.api('DELETE', `/api/Checkin/DeleteTemplate?id=${templateId}`);
    expect(await servicesOf(ana)).toMatchObject([{ templateId: null }]);
    expect(await create(ana, serviceDraft({ templateId }))).toMatchObject(nothing);
  });

  test('gives coming times the new seats, open them where there is room, and refuses fewer than are taken', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { seats: 3 });
    const [full, other] = await publish(ana, { end: '10:30', serviceId: yoga.id });
    for (const guest of await several(3, () => newConsumer())) await book(guest, full as { id: string });
    await book(await newConsumer(), other as { id: string });
    const setSeats = (seats: number) => edit(ana, yoga.id, { seats });
    const ofThree = ['09:00 booked, 3 of 3', '09:30 open, 1 of 3', '10:00 open, 0 of 3'];
    expect(await setSeats(2)).toMatchObject({
      status: 409,
      json: "3 people are booked into a coming time of this service, so it can't be for fewer.",
    });
    expect(await timesOf(yoga)).toEqual(ofThree);
    expect(await setSeats(4)).toMatchObject({ status: 200, json: { seats: 4 } });
    expect(await timesOf(yoga)).toEqual(['09:00 open, 3 of 4', '09:30 open, 1 of 4', '10:00 open, 0 of 4']);
    expect((await setSeats(3)).status).toBe(200);
    expect(await timesOf(yoga)).toEqual(ofThree);
  });
});

test('Order brings them into that order, those that are not named after it, and strangers see what is offered in it', async () => {
  const ana = await newProvider();
  const [a, b, c] = [
    await createService(ana, { name: 'A' }),
    await createService(ana, { name: 'B' }),
    await createService(ana, { name: 'C', isOffered: false }),
  ];
  expect(await order(ana, [c.id, b.id])).toMatchObject({ status: 200, json: [c, b, a] });
  await order(ana, [a.id]);
  await createService(ana, { name: 'D' });
  expect(complaints(await order(ana, [a.id, a.id]))).toEqual(['Each service can be in the list once.']);
  expect(complaints(await order(ana, { ids: [] }))).toEqual(['Send a list of ids.']);
  expect(await order(ana, [a.id, 'none'])).toMatchObject(nothing);
  expect(names(await servicesOf(ana))).toEqual(['A', 'C', 'B', 'D']);
  const stranger = daybook.visitor();
  const read = (username: string) => stranger.api('GET', `/api/Public/Services?provider=${username}`);
  expect(names((await read(ana.username.toUpperCase())).json as Service[])).toEqual(['A', 'B', 'D']);
  expect(await read('nobody')).toMatchObject({ status: 200, json: [] });
  expect(complaints(await stranger.api('GET', '/api/Public/Services'))).toEqual(['Provider is missing.']);
});

test('CreateAppointment cuts its times by its length and gap, with its seats, and Delete is refused while it has some', async () => {
  const ana = await newProvider();
  const publishFor = (serviceId: unknown, query = '') => {
    const body = publication({ end: '12:00', dates: [dayAhead(1)], serviceId });
    return ana.api('POST', `/api/Appointment/CreateAppointment?${query}`, body);
  };
  const yoga = await createService(ana, { minutes: 60, gap: 15, seats: 8 });
  expect((await publishFor(yoga.id)).json).toEqual({ created: 2, skipped: 0 });
  expect(await timesOf(yoga)).toEqual(['09:00 open, 0 of 8', '10:15 open, 0 of 8']);
  expect((await publishFor(yoga.id, 'len=60')).status).toBe(201);
  const message = 'The length is that of the service, 1 hour. Leave it out.';
  expect(complaints(await publishFor(yoga.id, 'len=30'))).toEqual([message]);
  expect((await publishFor('none')).status).toBe(404);
  expect((await publishFor(7)).status).toBe(400);
  expect(await remove(ana, yoga.id)).toMatchObject({
    status: 409,
    json: '2 coming times are for this service. Remove or cancel them first, or switch the service off.',
  });
  const { results } = await daybook.d1.prepare('SELECT id FROM slots WHERE service_id = ?').bind(yoga.id).all();
  for (const slot of results) await cancel(ana, slot as { id: string });
  expect(await remove(ana, yoga.id)).toMatchObject({ status: 204 });
  expect(await remove(ana, yoga.id)).toMatchObject(nothing);
  expect(await servicesOf(ana)).toEqual([]);
});
