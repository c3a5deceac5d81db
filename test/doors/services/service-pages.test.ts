import { beforeAll, describe, expect, test } from 'vitest';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import { cancel, dayAhead, type Person, peopleAt, publish, type Row } from '../../support/factories';
import { createService, type Service, servicesOf } from '../../support/services';
import { deleteTemplate, idOf, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { askedOf, type Page, type Sent, tripsOf } from '../../support/visit';
import { weightsOf } from '../../support/weight';

/* A provider's page where there are services, and the provider's own screens of them, with scripts off. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const bookedBy = async (who: Person) =>
  (await agenda(who)).map(({ startTime, endTime, bookerName }) => `${startTime} to ${endTime}, ${bookerName}`);
const linksOn = (page: Page, selector: string) => page.$$(selector).map((link) => link.getAttribute('href') ?? '');
/** A provider's page, as a stranger opens it. */
const pageOf = ({ username }: Person, query = '') => daybook.visitor().visit(`/with/${username}${query}`);

/** Nothing is cached for a browser that has a cookie of ours. */
const fresh: Sent = { cookie: 'daybook-device=none' };

describe('/with/{username} with services', () => {
  /** A provider of a short and a long service, who is free from nine to noon. */
  async function salon() {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut', price: '25 €', description: 'With a wash' });
    const colour = await createService(ana, { name: 'Colour', minutes: 90, description: 'All of it' });
    await publish(ana, { end: '12:00', dates: [dayAhead(2)] });
    return { ana, colour };
  }

  /** The only stretch that is long enough for a colour is booked for one. */
  async function bookedSalon() {
    const { ana, colour } = await salon();
    const times = linksOn(await pageOf(ana, `?service=${colour.id}`), '#times a');
    await (await daybook.visitor().visit(times[1] ?? '')).submit('Book', { displayName: 'Gus' });
    return { ana, colour };
  }

  test('asks what for', async () => {
    const { ana } = await salon();

    const page = await pageOf(ana);

    expect(page.words).toMatch(/What do you come for\?.*Cut.*25 €.*30 minutes.*Colour.*1 hour 30 minutes/s);
  });

  test('shows where the chosen service fits', async () => {
    const { ana, colour } = await salon();

    const page = await pageOf(ana, `?service=${colour.id}`);

    expect(page.words).toContain('All of it');
    expect(linksOn(page, '#times a')).toEqual(Array(4).fill(expect.stringContaining(`?service=${colour.id}`)));
  });

  test('keeps the chosen service as a tile', async () => {
    const { ana, colour } = await salon();

    expect((await pageOf(ana, `?service=${colour.id}`)).$('.chosen')?.text).toMatch(/Colour.*1 hour 30 minutes/);
  });

  test('says on which days a class is and how many places it has', async () => {
    const { ana } = await salon();
    const yoga = await createService(ana, { name: 'Yoga', minutes: 60, seats: 8 });
    const range = { start: '18:00', end: '19:00', serviceId: yoga.id };
    const hours = [
      { day: 2, ...range },
      { day: 4, ...range },
    ];
    await ana.api('PUT', '/api/Appointment/SetHours', { hours });

    expect((await pageOf(ana)).words).toContain('1 hour · Tuesdays and Thursdays, 8 places');
  });

  test('shows a chosen service in one round trip', async () => {
    const { ana, colour } = await salon();

    expect(tripsOf(await pageOf(ana, `?service=${colour.id}`))).toBe(1);
  });

  test('books the chosen service in one step', async () => {
    const { ana } = await bookedSalon();

    expect(await bookedBy(ana)).toEqual(['09:30 to 11:00, Gus']);
  });

  test('says where no stretch is long enough', async () => {
    const { ana, colour } = await bookedSalon();

    const page = await pageOf(ana, `?service=${colour.id}`);

    expect(page.words).toContain('Nothing is free for Colour at the moment.');
  });

  test('tells its provider which service fits nowhere', async () => {
    const { ana } = await bookedSalon();

    const { words } = await ana.browser.visit('/services');

    expect(words.match(/None of your free stretches is long enough for it\./g)).toHaveLength(1);
  });
});

describe('/with/{username} with 30 services and two months of times', () => {
  let full: Person;
  let service: string;
  beforeAll(async () => {
    const description = 'Ein langer Text über mich. '.repeat(70);
    full = await newProvider({ displayName: 'W'.repeat(80), description });
    const profile = { address: 'Rua das Flores 3, Lisboa', phone: '+351 900 111 222' };
    await full.api('PUT', '/api/Account/SetProfile', profile);
    const words = 'wash cut colour beard long short dry hair for a party and brows by hand'.split(' ');
    const services = [];
    for (let nth = 0; nth < 30; nth++) {
      const name = words.map((_, place) => words[(nth * (place + 3)) % words.length]).join(' ');
      const texts = { name: `${nth} ${name}`.slice(0, 80), description: `${name}. `.repeat(20).slice(0, 500) };
      services.push(
        await createService(full, { ...texts, minutes: 30 * (1 + (nth % 4)), price: `${20 + nth} € with all` }),
      );
    }
    service = services[3]?.id ?? '';
    const dates = Array.from({ length: 60 }, (_, day) => dayAhead(day + 1));
    await publish(full, { dates, start: '08:00', end: '20:00' });
  });

  const views = [
    { view: 'the services', query: () => '', items: '.offers a', atLeast: 30 },
    { view: 'the times of one', query: () => `?service=${service}`, items: '#times a', atLeast: 20 },
    {
      view: 'the times of one on a day',
      query: () => `?service=${service}&dates=${dayAhead(5)}`,
      items: '#times a',
      atLeast: 20,
    },
  ];
  describe.each(views)('shows $view', ({ query, items, atLeast }) => {
    const read = (sent?: Sent) => daybook.visitor().get(`/with/${full.username}${query()}`, sent);

    test('in one round trip', async () => {
      expect(tripsOf(await read(fresh))).toBe(1);
    });

    test('without a round trip once it is cached', async () => {
      await read();

      expect(tripsOf(await read())).toBe(0);
    });

    test.each([
      ['from the book', fresh],
      ['cached', undefined],
    ])('in one request of at most 10 kB, %s', async (_, sent) => {
      const page = await read(sent);

      const weights = await weightsOf(page, sent);

      expect(page.$$(items).length).toBeGreaterThanOrEqual(atLeast);
      for (const { language, requests, bytes } of weights) {
        expect(requests).toBe(1);
        expect(bytes, language).toBeLessThanOrEqual(10_000);
      }
    });

    test('without a script', async () => {
      expect((await read()).$$('script, link[rel=modulepreload]')).toEqual([]);
    });
  });
});

describe('/with/{username} with one service', () => {
  const year = new Date().getUTCFullYear() + 1;
  const [short, long, other, later] = [`05-04-${year}`, `05-05-${year}`, `06-03-${year}`, `06-04-${year}`] as const;

  /** A provider whose only service fits on one day of May and one of June, and not on another day of each. */
  async function ofOneService() {
    const ana = await newProvider();
    const { id } = await createService(ana, { minutes: 90 });
    await publish(ana, { end: '10:00', dates: [short, long, other] });
    await publish(ana, { start: '14:00', end: '16:00', dates: [long, later] });
    const read = (query: string) => daybook.visitor().get(`/with/${ana.username}?${query}`, fresh);
    return { ana, id, read };
  }

  /** The days of the month that can be chosen. */
  const datesOn = (page: Page) =>
    linksOn(page, '#month td a:not(.full)').map((link) => new URLSearchParams(link.split(/[?#]/)[1]).get('dates'));

  describe.each([
    { view: 'the first page', query: '', dates: [long] },
    { view: 'a month', query: `month=${year}-06`, dates: [later] },
    { view: 'a day', query: `dates=${short}`, dates: [long] },
  ])('$view', ({ query, dates }) => {
    test('shows the days on which it fits', async () => {
      const { read } = await ofOneService();

      expect(datesOn(await read(query))).toEqual(dates);
    });

    test('shows the same days where it is chosen', async () => {
      const { read, id } = await ofOneService();

      expect(datesOn(await read(`${query}&service=${id}`))).toEqual(dates);
    });

    test('costs no more than where it is chosen, but for a look whether there is another', async () => {
      const { read, id } = await ofOneService();

      const only = askedOf((await read(query)).headers);
      const chosen = askedOf((await read(`${query}&service=${id}`)).headers);

      expect(only.trips).toBe(1);
      expect(only.read).toBeLessThanOrEqual(chosen.read + 1);
    });
  });

  test('leads from a month in which it fits nowhere to the next day on which it does', async () => {
    const { ana, read } = await ofOneService();
    await publish(ana, { end: '10:00', dates: [`08-03-${year}`] });
    await publish(ana, { end: '11:00', dates: [`08-05-${year}`] });

    const page = await read(`month=${year}-07`);

    const instead = linksOn(page, '#times a').find((link) => link.includes('dates='));
    expect(instead).toContain(`dates=08-05-${year}`);
  });

  test('shows no days once there are two to choose from', async () => {
    const { ana, read } = await ofOneService();
    await createService(ana);

    expect(datesOn(await read(''))).toEqual([]);
  });

  test('shows its days once the other one is switched off', async () => {
    const { ana, read } = await ofOneService();
    const second = await createService(ana);
    await ana.api('PUT', `/api/Service/Edit?id=${second.id}`, { isOffered: false });

    expect(datesOn(await read(''))).toEqual([long]);
  });

  test('shows each free day where it is a class, which has times of its own', async () => {
    const { ana, id, read } = await ofOneService();
    await ana.api('PUT', `/api/Service/Edit?id=${id}`, { seats: 4 });

    expect(datesOn(await read(''))).toEqual([short, long]);
  });
});

describe('/with/{username}/{slot} in free time', () => {
  /** A provider of two services and a class, and their first free time. */
  async function freeTime() {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut' });
    await createService(ana, { name: 'Colour', minutes: 90 });
    await createService(ana, { name: 'Yoga', seats: 8 });
    const [slot] = await publish(ana, { end: '12:00', dates: [dayAhead(2)] });
    return { ana, asking: () => pageOf(ana, `/${slot?.id}`) };
  }

  test('asks what for where several services are offered', async () => {
    const { asking } = await freeTime();

    const page = await asking();

    expect(page.words).toMatch(/What do you come for\?.*09:00.*Cut.*Colour/s);
    expect(page.$('form')).toBeNull();
  });

  test('offers no class', async () => {
    const { asking } = await freeTime();

    expect((await asking()).words).not.toContain('Yoga');
  });

  test('books the service that is chosen', async () => {
    const { ana, asking } = await freeTime();

    const form = await (await asking()).click('Colour 1 hour 30 minutes');
    await form.submit('Book', { displayName: 'Gus' });

    expect(await bookedBy(ana)).toEqual(['09:00 to 10:30, Gus']);
  });

  test('takes the only service as chosen', async () => {
    const ana = await newProvider();
    const colour = await createService(ana, { name: 'Colour', minutes: 90 });
    const [slot] = await publish(ana, { end: '12:00', dates: [dayAhead(2)] });

    const form = await pageOf(ana, `/${slot?.id}`);

    expect(form.path).toBe(`/with/${ana.username}/${slot?.id}?service=${colour.id}`);
    expect(form.words).toMatch(/Colour.*09:00.*10:30/s);
  });

  test('asks for no service where the slot is for one', async () => {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut' });
    const colour = await createService(ana, { name: 'Colour', minutes: 90 });
    const [slot] = await publish(ana, { end: '12:00', dates: [dayAhead(2)], serviceId: colour.id });

    expect((await pageOf(ana, `/${slot?.id}`)).words).toMatch(/Book a time.*Colour/s);
  });
});

describe('/services', () => {
  async function ofThree() {
    const ana = await newProvider();
    for (const name of ['A', 'B', 'C']) await createService(ana, { name });
    const [first] = (await servicesOf(ana)) as [Service];
    const screen = () => ana.browser.visit(`/services/${first.id}`);
    return { ana, first, screen };
  }
  const namesOf = async (who: Person) => (await servicesOf(who)).map(({ name }) => name);

  test('moves a service up by a button', async () => {
    const { ana } = await ofThree();

    await (await ana.browser.visit('/services')).submit('Up, C');

    expect(await namesOf(ana)).toEqual(['A', 'C', 'B']);
  });

  test('moves a service down by a button of a page that shows an older order', async () => {
    const { ana } = await ofThree();
    const page = await ana.browser.visit('/services');
    await page.submit('Up, C');

    await page.submit('Down, A');

    expect(await namesOf(ana)).toEqual(['C', 'A', 'B']);
  });

  test('changes a service', async () => {
    const { ana, first, screen } = await ofThree();

    const saved = await (await screen()).submit('Save', { name: 'Long cut', isOffered: [] });

    expect(saved.words).toContain('switched off');
    expect((await servicesOf(ana))[0]).toEqual({ ...first, name: 'Long cut', isOffered: false });
  });

  test('keeps a service that coming times are for', async () => {
    const { ana, first, screen } = await ofThree();
    await publish(ana, { serviceId: first.id });

    const refused = await (await screen()).submit('Delete');

    expect(refused.status).toBe(409);
    expect(refused.words).toContain('1 coming time is for this service.');
    expect(await namesOf(ana)).toEqual(['A', 'B', 'C']);
  });

  test('deletes a service once its coming time is withdrawn', async () => {
    const { ana, first, screen } = await ofThree();
    const [slot] = (await publish(ana, { serviceId: first.id })) as [Row];
    await cancel(ana, slot);

    const deleted = await (await screen()).submit('Delete');

    expect(deleted.words).toContain('The service is deleted.');
    expect(await namesOf(ana)).toEqual(['B', 'C']);
  });

  test('deletes a service that is switched off once its coming time is withdrawn', async () => {
    const { ana, first, screen } = await ofThree();
    await publish(ana, { serviceId: first.id });
    await ana.api('PUT', `/api/Service/Edit?id=${first.id}`, { isOffered: false });
    // What is switched off is in no list.
    const find = daybook.d1.prepare('SELECT id FROM slots WHERE service_id = ?').bind(first.id);
    await ana.api('PUT', `/api/Appointment/Cancel?id=${await find.first<string>('id')}`);

    const deleted = await (await screen()).submit('Delete');

    expect(deleted.words).toContain('The service is deleted.');
    expect(await namesOf(ana)).toEqual(['B', 'C']);
  });
});

describe('/hours with a service', () => {
  /** A provider who has saved Monday, and Saturday for a class with a break, by the screen's buttons. */
  async function savedHours() {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 60, seats: 8 });
    const page = await ana.browser.visit('/hours');
    const withBreak = await page.submit('main button[value="break:6"]', { open: ['1', '6'], 'service-6': yoga.id });
    const saved = await withBreak.submit('main button[name=press][value=save]');
    return { ana, yoga, saved };
  }

  test('keeps the service of a day in both parts around a break', async () => {
    const { ana, yoga, saved } = await savedHours();

    expect(saved.words).toContain('Your hours are saved.');
    expect((await ana.api('GET', '/api/Appointment/GetHours')).json).toMatchObject({
      hours: [
        { day: 1, start: '09:00', end: '17:00' },
        { day: 6, start: '09:00', end: '12:00', serviceId: yoga.id },
        { day: 6, start: '13:00', end: '17:00', serviceId: yoga.id },
      ],
    });
  });

  test('publishes times', async () => {
    const { ana } = await savedHours();

    expect((await openSlotsOf(ana, ana)).length).toBeGreaterThan(0);
  });
});

describe('questions that are deleted', () => {
  const said = 'The questions “Before we begin” were deleted, so no questions are asked.';

  /** A provider one of whose services asks questions. */
  async function serviceThatAsks() {
    const ana = await newProvider();
    const asked = idOf(await writeTemplate(ana));
    const cut = await createService(ana, { name: 'Cut', templateId: asked });
    return { ana, asked, form: `/services/${cut.id}` };
  }

  /** A provider who has deleted the questions that their hours asked. */
  async function hoursWithoutTheirQuestions() {
    const ana = await newProvider();
    const templateId = idOf(await writeTemplate(ana));
    const hours = { hours: [{ day: 1, start: '09:00', end: '10:00' }] };
    await ana.api('PUT', '/api/Appointment/SetHours', { ...hours, templateId });
    await deleteTemplate(ana, templateId);
    return { ana, hours };
  }

  test('are not said to be deleted before they are', async () => {
    const { ana } = await serviceThatAsks();

    expect((await ana.browser.get('/services')).words).not.toContain(said);
  });

  test('are said in the list of services', async () => {
    const { ana, asked } = await serviceThatAsks();
    await deleteTemplate(ana, asked);

    expect((await ana.browser.get('/services')).words).toContain(said);
  });

  test('are said in the form of the service', async () => {
    const { ana, asked, form } = await serviceThatAsks();
    await deleteTemplate(ana, asked);

    expect((await ana.browser.get(form)).words).toContain(said);
  });

  test('are said no more once the service is saved', async () => {
    const { ana, asked, form } = await serviceThatAsks();
    await deleteTemplate(ana, asked);

    const saved = await (await ana.browser.get(form)).submit('Save');

    expect(saved.words).not.toContain(said);
  });

  test('are said where hours asked them', async () => {
    const { ana } = await hoursWithoutTheirQuestions();

    expect((await ana.browser.get('/hours')).words).toContain(said);
  });

  test('are said no more once the hours are saved', async () => {
    const { ana, hours } = await hoursWithoutTheirQuestions();
    await ana.api('PUT', '/api/Appointment/SetHours', hours);

    expect((await ana.browser.get('/hours')).words).not.toContain(said);
  });

  test('say before what asks them', async () => {
    const ana = await newProvider();
    const asked = idOf(await writeTemplate(ana));
    await createService(ana, { name: 'Cut', templateId: asked });

    const { words } = await ana.browser.get(`/details-template/${asked}`);

    expect(words).toContain('Asked by “Cut”. Once you delete these questions, nothing is asked there.');
  });
});
