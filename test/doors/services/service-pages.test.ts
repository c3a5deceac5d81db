import { describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { dayAhead, type Person, peopleAt, publication, publish } from '../../support/factories';
import { createService, servicesOf } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf, type Page, tripsOf } from '../../support/visit';

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
    await publish(ana, { start: '09:00', end: '12:00', dates: [dayAhead(2)] });
    const stranger = daybook.visitor();
    const first = await pageOf(ana);
    expect(first.words).toMatch(/What do you come for\?.*Cut.*25 €.*30 minutes.*Colour.*1 hour 30 minutes/s);
    const page = await pageOf(ana, `?service=${colour.id}`);
    expect(tripsOf(page)).toBe(1);
    const times = linksOn(page, '#times a');
    expect(times).toHaveLength(4);
    expect(times.every((one) => one.endsWith(`?service=${colour.id}`))).toBe(true);
    const form = await stranger.visit(times[1] ?? '');
    expect(form.words).toMatch(/09:30.*11:00/s);
    await form.submit('Book', { displayName: 'Gus' });
    expect(await bookedBy(ana)).toEqual(['09:30 to 11:00, Gus']);
    const after = await pageOf(ana, `?service=${colour.id}`);
    expect(after.words).toContain('No free stretch is long enough for Colour at the moment.');
  });

  test('shows the days on which the only service fits, as if somebody had chosen it, and costs no more', async () => {
    const ana = await newProvider();
    const { id } = await createService(ana, { minutes: 90 });
    const year = new Date().getUTCFullYear() + 1;
    const [short, long, other, later] = [`05-04-${year}`, `05-05-${year}`, `06-03-${year}`, `06-04-${year}`];
    await publish(ana, { start: '09:00', end: '10:00', dates: [short, long, other] });
    await publish(ana, { start: '14:00', end: '16:00', dates: [long, later] });
    const read = async (query: string) => {
      // Nothing is kept for a browser that has a cookie of ours.
      const page = await daybook.visitor().get(`/with/${ana.username}?${query}`, { cookie: 'daybook-device=none' });
      const days = linksOn(page, '#month td a:not(.full)');
      const dates = days.map((link) => new URLSearchParams(link.split(/[?#]/)[1]).get('dates'));
      return { dates, ...askedOf(page.headers) };
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
    // A class has times of its own, so each free day counts.
    await ana.api('PUT', `/api/Service/Edit?id=${id}`, { seats: 4 });
    expect((await read('')).dates).toEqual([short, long]);
  });
});

test('the screen of a service changes it, switches it off and deletes it', async () => {
  const ana = await newProvider();
  const cut = await createService(ana, { name: 'Cut' });
  const form = await ana.browser.visit(`/services/${cut.id}`);
  const saved = await form.submit('Save', { name: 'Long cut', isOffered: [] });
  expect(saved.words).toContain('switched off');
  expect(await servicesOf(ana)).toEqual([{ ...cut, name: 'Long cut', isOffered: false }]);
  const deleted = await (await ana.browser.visit(`/services/${cut.id}`)).submit('Delete', {});
  expect(deleted.words).toContain('The service is deleted.');
  expect(await servicesOf(ana)).toEqual([]);
});

test('times for a service are cut by its length and gap, with its seats', async () => {
  const ana = await newProvider();
  const create = (details: object, query = '') =>
    ana.api('POST', `/api/Appointment/CreateAppointment?${query}`, publication({ end: '12:00', ...details }));
  const yoga = await createService(ana, { minutes: 60, gap: 15, seats: 8 });
  expect((await create({ serviceId: yoga.id })).json).toEqual({ created: 2, skipped: 0 });
  const { results } = await daybook.d1
    .prepare("SELECT seats, strftime('%H:%M', starts_at / 1000, 'unixepoch') AS at FROM slots WHERE service_id = ?")
    .bind(yoga.id)
    .all();
  expect(results).toEqual(['09:00', '10:15'].map((at) => ({ seats: 8, at })));
  expect(await create({ serviceId: yoga.id }, 'len=30')).toMatchObject({
    status: 400,
    json: ['The length is that of the service, 1 hour. Leave it out.'],
  });
  expect((await create({ serviceId: 'none' })).status).toBe(404);
});
