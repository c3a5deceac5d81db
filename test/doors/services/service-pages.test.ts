import { describe, expect, test } from 'vitest';
import { agenda, openSlotsOf } from '../../support/appointment-calls';
import { dayAhead, type Person, peopleAt, publish } from '../../support/factories';
import { createService, servicesOf } from '../../support/services';
import { deleteTemplate, idOf, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { askedOf, type Page, tripsOf } from '../../support/visit';
import { weightOf } from '../../support/weight';

/* A provider's page where there are services, and the provider's own screens of them, with scripts off. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const bookedBy = async (who: Person) =>
  (await agenda(who)).map(({ startTime, endTime, bookerName }) => `${startTime} to ${endTime}, ${bookerName}`);
const linksOn = (page: Page, selector: string) => page.$$(selector).map((link) => link.getAttribute('href') ?? '');
/** A provider's page, as a stranger opens it. */
const pageOf = ({ username }: Person, query = '') => daybook.visitor().visit(`/with/${username}${query}`);

describe('/with/{username} with services', () => {
  test('asks what for, then shows where it fits, and books it in one step', async () => {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut', price: '25 €', description: 'With a wash' });
    const colour = await createService(ana, { name: 'Colour', minutes: 90, description: 'All of it' });
    await publish(ana, { end: '12:00', dates: [dayAhead(2)] });
    const first = await pageOf(ana);
    expect(first.words).toMatch(/What do you come for\?.*Cut.*25 €.*30 minutes.*Colour.*1 hour 30 minutes/s);
    const page = await pageOf(ana, `?service=${colour.id}`);
    expect([page.words, tripsOf(page)]).toEqual([expect.stringContaining('All of it'), 1]);
    const times = linksOn(page, '#times a');
    expect(times).toEqual(Array(4).fill(expect.stringContaining(`?service=${colour.id}`)));
    const form = await daybook.visitor().visit(times[1] ?? '');
    await form.submit('Book', { displayName: 'Gus' });
    expect(await bookedBy(ana)).toEqual(['09:30 to 11:00, Gus']);
    const after = await pageOf(ana, `?service=${colour.id}`);
    expect(after.words).toContain('No free stretch is long enough for Colour at the moment.');
    const own = await ana.browser.visit('/services');
    expect(own.words.match(/None of your free stretches is long enough for it\./g)).toHaveLength(1);
  });

  test('weighs at most 10 kB in one round trip with 30 services and two months of times, kept or not', async () => {
    const description = 'Ein langer Text über mich. '.repeat(70);
    const full = await newProvider({ displayName: 'W'.repeat(80), description });
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
    const dates = Array.from({ length: 60 }, (_, day) => dayAhead(day + 1));
    await publish(full, { dates, start: '08:00', end: '20:00' });
    const queries = ['', `?service=${services[3]?.id}`, `?service=${services[3]?.id}&dates=${dayAhead(5)}`];
    for (const [query, trips] of queries.flatMap((query) => [1, 0].map((trips) => [query, trips] as const))) {
      const page = await daybook.visitor().get(`/with/${full.username}${query}`);
      expect(page.$$(query ? '#times a' : '.offers a').length).toBeGreaterThanOrEqual(query ? 20 : 30);
      expect(page.$$('script, link[rel=modulepreload]')).toEqual([]);
      const { requests, bytes } = await weightOf(daybook.visitor(), page);
      expect([tripsOf(page), requests, bytes <= 10_000 ? 'light' : bytes]).toEqual([trips, 1, 'light']);
    }
  });

  test('shows the days on which the only service fits, as if somebody had chosen it, and costs no more', async () => {
    const ana = await newProvider();
    const { id } = await createService(ana, { minutes: 90 });
    const year = new Date().getUTCFullYear() + 1;
    const [short, long, other, later] = [`05-04-${year}`, `05-05-${year}`, `06-03-${year}`, `06-04-${year}`];
    await publish(ana, { end: '10:00', dates: [short, long, other] });
    await publish(ana, { start: '14:00', end: '16:00', dates: [long, later] });
    const read = async (query: string) => {
      // Nothing is kept for a browser that has a cookie of ours.
      const page = await daybook.visitor().get(`/with/${ana.username}?${query}`, { cookie: 'daybook-device=none' });
      const days = linksOn(page, '#month td a:not(.full)');
      const dates = days.map((link) => new URLSearchParams(link.split(/[?#]/)[1]).get('dates'));
      const instead = linksOn(page, '#times a').find((link) => link.includes('dates='));
      return { dates, instead, ...askedOf(page.headers) };
    };
    for (const [query, dates] of [
      ['', [long]],
      [`month=${year}-06`, [later]],
      [`dates=${short}`, [long]],
    ] as const) {
      const [only, chosen] = [await read(query), await read(`${query}&service=${id}`)];
      expect([query, only.dates, chosen.dates]).toEqual([query, dates, dates]);
      expect([query, only.trips, only.read <= chosen.read]).toEqual([query, 1, true]);
    }
    // The page of a month without one leads to the next day on which it fits.
    await publish(ana, { end: '10:00', dates: [`08-03-${year}`] });
    await publish(ana, { end: '11:00', dates: [`08-05-${year}`] });
    expect((await read(`month=${year}-07`)).instead).toContain(`dates=08-05-${year}`);
    // Of two somebody has to choose one first, until one of them is left.
    const second = await createService(ana);
    expect((await read('')).dates).toEqual([]);
    await ana.api('PUT', `/api/Service/Edit?id=${second.id}`, { isOffered: false });
    expect((await read('')).dates).toEqual([long]);
    // A class has times of its own, so each free day counts.
    await ana.api('PUT', `/api/Service/Edit?id=${id}`, { seats: 4 });
    expect((await read('')).dates).toEqual([short, long]);
  });
});

describe('/with/{username}/{slot} in free time', () => {
  test('asks what for where several services are offered, and then books the chosen one', async () => {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut' });
    await createService(ana, { name: 'Colour', minutes: 90 });
    await createService(ana, { name: 'Yoga', seats: 8 });
    const [slot] = await publish(ana, { end: '12:00', dates: [dayAhead(2)] });

    const asked = await pageOf(ana, `/${slot?.id}`);
    const form = await asked.click('Colour 1 hour 30 minutes');
    await form.submit('Book', { displayName: 'Gus' });

    expect(asked.words).toMatch(/What do you come for\?.*09:00.*Cut.*Colour/s);
    expect(asked.words).not.toContain('Yoga');
    expect(asked.$('form')).toBeNull();
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

test('/services lists them in their order, which buttons change, and one is changed, switched off and deleted', async () => {
  const ana = await newProvider();
  for (const name of ['A', 'B', 'C']) await createService(ana, { name });
  const names = async () => (await servicesOf(ana)).map(({ name }) => name).join('');
  const page = await ana.browser.visit('/services');
  await page.submit('Up, C');
  expect(await names()).toBe('ACB');
  await page.submit('Down, A');
  expect(await names()).toBe('CAB');
  const [cut] = await servicesOf(ana);
  const screen = () => ana.browser.visit(`/services/${cut?.id}`);
  const saved = await (await screen()).submit('Save', { name: 'Long cut', isOffered: [] });
  expect(saved.words).toContain('switched off');
  expect((await servicesOf(ana))[0]).toEqual({ ...cut, name: 'Long cut', isOffered: false });
  await publish(ana, { serviceId: cut?.id });
  const refused = await (await screen()).submit('Delete');
  expect([refused.status, refused.words]).toEqual([409, expect.stringContaining('1 coming time is for this service.')]);
  // What is switched off is in no list.
  const slot = await daybook.d1.prepare('SELECT id FROM slots WHERE service_id = ?').bind(cut?.id).first<string>('id');
  await ana.api('PUT', `/api/Appointment/Cancel?id=${slot}`);
  expect((await (await screen()).submit('Delete')).words).toContain('The service is deleted.');
  expect(await names()).toBe('AB');
});

test('hours publish times for a service in a range that is for it, which their buttons keep', async () => {
  const ana = await newProvider();
  const yoga = await createService(ana, { minutes: 60, seats: 8 });
  let page = await ana.browser.visit('/hours');
  page = await page.submit('main button[value="break:6"]', { open: ['1', '6'], 'service-6': yoga.id });
  page = await page.submit('main button[name=press][value=save]');
  expect(page.words).toContain('Your hours are saved.');
  expect((await ana.api('GET', '/api/Appointment/GetHours')).json).toMatchObject({
    hours: [
      { day: 1, start: '09:00', end: '17:00' },
      { day: 6, start: '09:00', end: '12:00', serviceId: yoga.id },
      { day: 6, start: '13:00', end: '17:00', serviceId: yoga.id },
    ],
  });
  expect((await openSlotsOf(ana, ana)).length).toBeGreaterThan(0);
});

describe('questions that are deleted', () => {
  const said = 'The questions “Before we begin” were deleted, so no questions are asked.';

  test('are said where a service asked them, until its provider chooses again', async () => {
    const ana = await newProvider();
    const asked = idOf(await writeTemplate(ana));
    const cut = await createService(ana, { name: 'Cut', templateId: asked });
    const [list, form] = ['/services', `/services/${cut.id}`];
    expect((await ana.browser.get(list)).words).not.toContain(said);

    await deleteTemplate(ana, asked);
    const shown = await Promise.all([list, form].map((path) => ana.browser.get(path)));
    const saved = await (await ana.browser.get(form)).submit('Save');

    expect(shown.map(({ words }) => words.includes(said))).toEqual([true, true]);
    expect(saved.words).not.toContain(said);
  });

  test('are said where hours asked them, until they are saved', async () => {
    const ana = await newProvider();
    const templateId = idOf(await writeTemplate(ana));
    const hours = { hours: [{ day: 1, start: '09:00', end: '10:00' }] };
    await ana.api('PUT', '/api/Appointment/SetHours', { ...hours, templateId });

    await deleteTemplate(ana, templateId);

    expect((await ana.browser.get('/hours')).words).toContain(said);
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
