import { beforeAll, describe, expect, test } from 'vitest';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import { complaints, nothing } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  peopleAt,
  publication,
  publish,
  type Row,
  several,
} from '../../support/factories';
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

type Limit = { field: keyof Service; least: unknown; most: unknown; tooLittle: unknown; tooMuch: unknown };

describe('limits of a service', () => {
  let ana: Person;
  beforeAll(async () => {
    ana = await newProvider();
  });

  const numbers: Limit[] = [
    { field: 'minutes', least: 5, most: 1440, tooLittle: 4, tooMuch: 1441 },
    { field: 'gap', least: 0, most: 240, tooLittle: -1, tooMuch: 241 },
    { field: 'seats', least: 1, most: 500, tooLittle: 0, tooMuch: 501 },
  ];
  const texts: { field: keyof Service; most: number }[] = [
    { field: 'name', most: 80 },
    { field: 'price', most: 40 },
    { field: 'description', most: 500 },
  ];

  test.each(numbers)('take from $least to $most as $field', async ({ field, least, most }) => {
    const smallest = await create(ana, serviceDraft({ [field]: least }));
    const largest = await create(ana, serviceDraft({ [field]: most }));

    expect(smallest).toMatchObject({ status: 201, json: { [field]: least } });
    expect(largest).toMatchObject({ status: 201, json: { [field]: most } });
  });

  test.each(numbers)('refuse $tooLittle and $tooMuch as $field', async ({ field, least, most, tooLittle, tooMuch }) => {
    for (const wrong of [tooLittle, tooMuch]) {
      const answer = await create(ana, serviceDraft({ [field]: wrong }));

      expect(complaints(answer)).toEqual([expect.stringContaining(`must be a whole number from ${least} to ${most}.`)]);
    }
  });

  test.each(texts)('take $most characters as $field', async ({ field, most }) => {
    const longest = '🌱'.repeat(most);

    const answer = await create(ana, serviceDraft({ [field]: longest }));

    expect(answer).toMatchObject({ status: 201, json: { [field]: longest } });
  });

  test.each(texts)('refuse more than $most characters as $field', async ({ field, most }) => {
    const answer = await create(ana, serviceDraft({ [field]: 'x'.repeat(most + 1) }));

    expect(complaints(answer)).toEqual([expect.stringContaining(`can have at most ${most} characters.`)]);
  });

  test.each(['name', 'minutes'])('want a %s', async (field) => {
    const answer = await create(ana, serviceDraft({ [field]: undefined }));

    expect(complaints(answer)).toEqual([expect.stringMatching(/^(Name is|Minutes are) missing\.$/)]);
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

  describe('of the seats, while somebody has a time of the service alone', () => {
    async function alone() {
      const [ana, maya] = [await newProvider(), await newConsumer()];
      const yoga = await createService(ana, { minutes: 60 });
      const [slot] = (await publish(ana, { end: '10:00', serviceId: yoga.id })) as [Row];
      await book(maya, slot);
      return { ana, maya, yoga };
    }

    test('makes the first of a class of them', async () => {
      const { ana, maya, yoga } = await alone();

      await edit(ana, yoga.id, { seats: 3 });

      expect(await timesOf(yoga)).toEqual(['09:00 open, 1 of 3']);
      expect(await agenda(maya)).toMatchObject([{ seats: 3, free: 2, slotId: expect.any(String) }]);
    });

    test('shows them in the class that others book', async () => {
      const { ana, maya, yoga } = await alone();
      const june = await newConsumer();

      await edit(ana, yoga.id, { seats: 3 });
      const [yogaClass] = (await openSlotsOf(june, ana)) as [Row];
      await book(june, yogaClass);

      const { words } = await ana.browser.get(`/details-provider/${yogaClass.id}`);
      expect(words).toContain(maya.displayName);
      expect(words).toContain(june.displayName);
    });

    test('cancels them with the class', async () => {
      const { ana, maya, yoga } = await alone();

      await edit(ana, yoga.id, { seats: 3 });
      const [yogaClass] = (await openSlotsOf(maya, ana)) as [Row];
      await cancel(ana, yogaClass);

      expect(await agenda(maya)).toEqual([]);
    });
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
