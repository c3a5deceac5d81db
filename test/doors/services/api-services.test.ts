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
import { deleteTemplate, editTemplate, openEnded, type Template } from '../../support/template-factories';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const create = (who: Person, body: unknown, headers?: Record<string, string>) =>
  who.api('POST', '/api/Service/Create', body, headers);
const edit = (who: Person, id: string, body: object) => who.api('PUT', `/api/Service/Edit?id=${id}`, body);
const remove = (who: Person, id: string) => who.api('DELETE', `/api/Service/Delete?id=${id}`);
const order = (who: Person, ids: unknown) => who.api('PUT', '/api/Service/Order', ids);
const namesOf = (services: Service[]) => services.map(({ name }) => name);
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
  test('makes a service with what is usual where nothing is said', async () => {
    const ana = await newProvider();

    const response = await create(ana, { name: 'Cut', minutes: 30 });

    const usual = {
      gap: 0,
      price: null,
      deposit: null,
      description: null,
      seats: 1,
      templateId: null,
      isOffered: true,
      where: 'here',
      link: null,
    };
    expect(response.status).toBe(201);
    expect(response.json).toEqual({ id: expect.any(String), name: 'Cut', minutes: 30, ...usual });
    expect(await servicesOf(ana)).toEqual([response.json]);
  });

  test('makes a service with all that is said', async () => {
    const ana = await newProvider();
    const templateId = await publishQuestions(ana, questions);
    const words = {
      name: 'Vinyāsa',
      price: '12 € / 10 € reduced',
      deposit: '5 €',
      description: 'For all.\nBring a mat.',
    };
    const details = { ...words, minutes: 75, gap: 15, seats: 8, templateId, isOffered: false };
    const place = { where: 'video', link: 'https://video.test/vinyasa' };

    const response = await create(ana, { ...details, ...place });

    expect(response.json).toEqual({ ...place, id: expect.any(String), ...details });
    expect(await servicesOf(ana)).toEqual([response.json]);
  });

  test('trims the name', async () => {
    const ana = await newProvider();

    expect(await create(ana, { name: '  Cut ', minutes: 30 })).toMatchObject({ json: { name: 'Cut' } });
  });

  test('makes one service for one key', async () => {
    const ana = await newProvider();
    const send = () => create(ana, { name: 'Cut', minutes: 30 }, { 'Idempotency-Key': 'one' });

    const first = await send();
    const second = await send();

    expect(second).toMatchObject({ status: 201, json: first.json });
    expect(await servicesOf(ana)).toHaveLength(1);
  });

  test('lists a new service last', async () => {
    const ana = await newProvider();

    await createService(ana, { name: 'Cut' });
    await createService(ana, { name: 'Beard' });

    expect(namesOf(await servicesOf(ana))).toEqual(['Cut', 'Beard']);
  });

  test('takes questions of a template that exists only', async () => {
    const ana = await newProvider();
    const templateId = await publishQuestions(ana, questions);
    await deleteTemplate(ana, templateId);

    expect(await create(ana, serviceDraft({ templateId }))).toMatchObject(nothing);
  });

  test('stops at thirty services', async () => {
    const ana = await newProvider();
    for (let many = 0; many < 28; many++) await createService(ana);

    const atOnce = await several(5, () => create(ana, serviceDraft()));
    const later = await create(ana, serviceDraft());

    expect(atOnce.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
    expect(complaints(later)).toEqual(['You can have at most 30 services.']);
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

  test.each(numbers)('take the least and the most as $field', async ({ field, least, most }) => {
    const smallest = await create(ana, serviceDraft({ [field]: least }));
    const largest = await create(ana, serviceDraft({ [field]: most }));

    expect(smallest).toMatchObject({ status: 201, json: { [field]: least } });
    expect(largest).toMatchObject({ status: 201, json: { [field]: most } });
  });

  test.each(numbers)('refuse less and more than that as $field', async ({ field, least, most, tooLittle, tooMuch }) => {
    for (const wrong of [tooLittle, tooMuch]) {
      const response = await create(ana, serviceDraft({ [field]: wrong }));

      expect(complaints(response)).toEqual([
        expect.stringContaining(`must be a whole number from ${least} to ${most}.`),
      ]);
    }
  });

  test.each(texts)('take $most characters as $field', async ({ field, most }) => {
    const longest = '🌱'.repeat(most);

    const response = await create(ana, serviceDraft({ [field]: longest }));

    expect(response).toMatchObject({ status: 201, json: { [field]: longest } });
  });

  test.each(texts)('refuse more than $most characters as $field', async ({ field, most }) => {
    const response = await create(ana, serviceDraft({ [field]: 'x'.repeat(most + 1) }));

    expect(complaints(response)).toEqual([expect.stringContaining(`can have at most ${most} characters.`)]);
  });

  test.each(['name', 'minutes'])('want a %s', async (field) => {
    const response = await create(ana, serviceDraft({ [field]: undefined }));

    expect(complaints(response)).toEqual([expect.stringMatching(/^(Name is|Minutes are) missing\.$/)]);
  });
});

describe('Edit', () => {
  test('changes what is given', async () => {
    const ana = await newProvider();
    const cut = await createService(ana, { price: '25 €', description: 'With a wash', gap: 10, seats: 2 });

    const response = await edit(ana, cut.id, { name: 'Long cut', minutes: 45, isOffered: false });

    const changed = { ...cut, name: 'Long cut', minutes: 45, isOffered: false };
    expect(response).toMatchObject({ status: 200, json: changed });
    expect(await servicesOf(ana)).toEqual([changed]);
  });

  test.each([
    ['price', null],
    ['description', null],
    ['description', ''],
  ])('clears the %s by %j', async (field, cleared) => {
    const ana = await newProvider();
    const cut = await createService(ana, { price: '25 €', description: 'With a wash' });

    const response = await edit(ana, cut.id, { [field]: cleared });

    expect(response.json).toEqual({ ...cut, [field]: null });
  });

  test('changes nothing where nothing is given', async () => {
    const ana = await newProvider();
    const cut = await createService(ana);

    expect((await edit(ana, cut.id, {})).json).toEqual(cut);
    expect(await servicesOf(ana)).toEqual([cut]);
  });

  test('refuses each field that may not be empty', async () => {
    const ana = await newProvider();
    const cut = await createService(ana);

    expect(complaints(await edit(ana, cut.id, { minutes: null, name: '' }))).toHaveLength(2);
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

  describe('of the seats of a class', () => {
    /** Three classes for three: a full one, one with a single person, an empty one. */
    async function classesForThree() {
      const ana = await newProvider();
      const yoga = await createService(ana, { seats: 3 });
      const [full, begun] = (await publish(ana, { end: '10:30', serviceId: yoga.id })) as [Row, Row, Row];
      for (const guest of await several(3, () => newConsumer())) await book(guest, full);
      await book(await newConsumer(), begun);
      return { yoga, setSeats: (seats: number) => edit(ana, yoga.id, { seats }) };
    }
    const before = ['09:00 booked, 3 of 3', '09:30 open, 1 of 3', '10:00 open, 0 of 3'];

    test('refuses fewer than are taken', async () => {
      const { yoga, setSeats } = await classesForThree();

      const response = await setSeats(2);

      expect(response).toMatchObject({
        status: 409,
        json: "3 people are booked into a coming time of this service, so it can't be for fewer.",
      });
      expect(await timesOf(yoga)).toEqual(before);
    });

    test('opens a full class that gets more', async () => {
      const { yoga, setSeats } = await classesForThree();

      const response = await setSeats(4);

      expect(response).toMatchObject({ status: 200, json: { seats: 4 } });
      expect(await timesOf(yoga)).toEqual(['09:00 open, 3 of 4', '09:30 open, 1 of 4', '10:00 open, 0 of 4']);
    });

    test('closes a class that has no more than are taken', async () => {
      const { yoga, setSeats } = await classesForThree();
      await setSeats(4);

      const response = await setSeats(3);

      expect(response.status).toBe(200);
      expect(await timesOf(yoga)).toEqual(before);
    });
  });
});

describe('the questions of a service', () => {
  async function asking() {
    const ana = await newProvider();
    const templateId = await publishQuestions(ana, questions);
    await createService(ana, { templateId });
    return { ana, templateId };
  }

  test('are those that were edited last', async () => {
    const { ana, templateId } = await asking();

    const { json } = await editTemplate(ana, templateId, [{ questionText: 'Why now?', questionType: openEnded }]);

    const { template } = json as Template;
    expect(await servicesOf(ana)).toMatchObject([{ templateId: template.id }]);
  });

  test('are none once they are deleted', async () => {
    const { ana, templateId } = await asking();

    await deleteTemplate(ana, templateId);

    expect(await servicesOf(ana)).toMatchObject([{ templateId: null }]);
  });
});

describe('Order', () => {
  /** A, B and C, which is switched off. */
  async function threeServices() {
    const ana = await newProvider();
    const a = await createService(ana, { name: 'A' });
    const b = await createService(ana, { name: 'B' });
    const c = await createService(ana, { name: 'C', isOffered: false });
    return { ana, a, b, c };
  }

  test('brings what is not named after what is', async () => {
    const { ana, a, b, c } = await threeServices();

    const response = await order(ana, [c.id, b.id]);

    expect(response).toMatchObject({ status: 200, json: [c, b, a] });
    expect(await servicesOf(ana)).toEqual([c, b, a]);
  });

  test('keeps the order among what is not named', async () => {
    const { ana, a, b, c } = await threeServices();
    await order(ana, [c.id, b.id]);

    await order(ana, [a.id]);

    expect(await servicesOf(ana)).toEqual([a, c, b]);
  });

  test('leaves a new service last', async () => {
    const { ana, c } = await threeServices();
    await order(ana, [c.id]);

    await createService(ana, { name: 'D' });

    expect(namesOf(await servicesOf(ana))).toEqual(['C', 'A', 'B', 'D']);
  });

  test('refuses what is no list of services', async () => {
    const { ana, a } = await threeServices();

    expect(complaints(await order(ana, [a.id, a.id]))).toEqual(['Each service can be in the list once.']);
    expect(complaints(await order(ana, { ids: [] }))).toEqual(['Send a list of ids.']);
    expect(await order(ana, [a.id, 'none'])).toMatchObject(nothing);
    expect(namesOf(await servicesOf(ana))).toEqual(['A', 'B', 'C']);
  });
});

describe('Public/Services', () => {
  const read = (query: string) => daybook.visitor().api('GET', `/api/Public/Services${query}`);
  /** A service as everybody sees it. */
  const shown = ({ link: _, ...service }: Service) => service;

  test('lists what is offered, in the order of its provider', async () => {
    const ana = await newProvider();
    const a = await createService(ana, { name: 'A' });
    const b = await createService(ana, { name: 'B' });
    await createService(ana, { name: 'C', isOffered: false });
    await order(ana, [b.id, a.id]);

    expect((await read(`?provider=${ana.username}`)).json).toEqual([shown(b), shown(a)]);
  });

  test('knows a provider in capitals', async () => {
    const ana = await newProvider();
    const cut = await createService(ana);

    expect((await read(`?provider=${ana.username.toUpperCase()}`)).json).toEqual([shown(cut)]);
  });

  test('is empty for a provider that nobody is', async () => {
    expect(await read('?provider=nobody')).toMatchObject({ status: 200, json: [] });
  });

  test('wants a provider', async () => {
    expect(complaints(await read(''))).toEqual(['Provider is missing.']);
  });
});

/** Publishes three hours of tomorrow for a service. */
const publishFor = (ana: Person, serviceId: unknown, query = '') =>
  ana.api(
    'POST',
    `/api/Appointment/CreateAppointment?${query}`,
    publication({ end: '12:00', dates: [dayAhead(1)], serviceId }),
  );

describe('CreateAppointment for a service', () => {
  test('cuts times by its length and gap, with its seats', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 60, gap: 15, seats: 8 });

    const response = await publishFor(ana, yoga.id);

    expect(response.json).toEqual({ created: 2, skipped: 0 });
    expect(await timesOf(yoga)).toEqual(['09:00 open, 0 of 8', '10:15 open, 0 of 8']);
  });

  test('takes its own length only', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 60 });

    const other = await publishFor(ana, yoga.id, 'len=30');
    const same = await publishFor(ana, yoga.id, 'len=60');

    expect(complaints(other)).toEqual(['The length is that of the service, 1 hour. Leave it out.']);
    expect(same.status).toBe(201);
  });

  test('wants a service that exists', async () => {
    const ana = await newProvider();

    expect((await publishFor(ana, 'none')).status).toBe(404);
    expect((await publishFor(ana, 7)).status).toBe(400);
  });
});

describe('Delete', () => {
  test('is refused while coming times are for the service', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 90 });
    await publishFor(ana, yoga.id);

    const response = await remove(ana, yoga.id);

    expect(response).toMatchObject({
      status: 409,
      json: '2 coming times are for this service. Remove or cancel them first, or switch the service off.',
    });
    expect(await servicesOf(ana)).toEqual([yoga]);
  });

  test('removes a service once its times are canceled', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 90 });
    await publishFor(ana, yoga.id);
    for (const slot of await openSlotsOf(ana, ana)) await cancel(ana, slot);

    const response = await remove(ana, yoga.id);

    expect(response.status).toBe(204);
    expect(await servicesOf(ana)).toEqual([]);
  });

  test('finds no service a second time', async () => {
    const ana = await newProvider();
    const cut = await createService(ana);
    await remove(ana, cut.id);

    expect(await remove(ana, cut.id)).toMatchObject(nothing);
  });
});
