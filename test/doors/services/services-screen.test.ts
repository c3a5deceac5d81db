import { describe, expect, test } from 'vitest';
import { dayAhead, type Person, peopleAt, publish, rowsOf } from '../../support/factories';
import { createService, type Service } from '../../support/services';
import { useServer } from '../../support/use-server';

/* The screens for services, and those that publish times for one, with scripts off. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const mine = async (who: Person) => (await who.api('GET', '/api/Service/GetMy')).json as Service[];
const names = async (who: Person) => (await mine(who)).map(({ name }) => name);

describe('/services', () => {
  test('says what services are for where there are none, and takes the first', async () => {
    const ana = await newProvider();
    const page = await ana.browser.visit('/services');
    expect(page.words).toContain('With services people choose what they come for');
    const refused = await page.submit('Add service', { name: 'Cut', minutes: '3' });
    expect([refused.status, refused.words]).toEqual([
      400,
      expect.stringContaining('Minutes must be a whole number from 5 to 1440.'),
    ]);
    const saved = await refused.submit('Add service', { minutes: '30', price: '25 €', seats: '' });
    expect([saved.path, saved.words]).toEqual([
      '/services?saved=yes',
      expect.stringMatching(/Your services are saved\..*Cut.*30 minutes · 25 €/s),
    ]);
    expect(await mine(ana)).toMatchObject([{ name: 'Cut', minutes: 30, price: '25 €', seats: 1, isOffered: true }]);
  });

  test('lists them in their order, which buttons change', async () => {
    const ana = await newProvider();
    for (const name of ['A', 'B', 'C']) await createService(ana, { name });
    const page = await ana.browser.visit('/services');
    await page.submit('Up, C');
    expect(await names(ana)).toEqual(['A', 'C', 'B']);
    await page.submit('Down, A');
    expect(await names(ana)).toEqual(['C', 'A', 'B']);
    expect(page.words).not.toContain('Up, A');
  });

  test('changes, switches off and deletes one', async () => {
    const ana = await newProvider();
    const cut = await createService(ana, { name: 'Cut' });
    const form = await ana.browser.visit(`/services/${cut.id}`);
    const saved = await form.submit('Save', { name: 'Long cut', isOffered: [] });
    expect(saved.words).toContain('switched off');
    expect(await mine(ana)).toEqual([{ ...cut, name: 'Long cut', isOffered: false }]);
    await publish(ana, { serviceId: cut.id });
    // What is switched off is in no list.
    const slot = await daybook.d1.prepare('SELECT id FROM slots WHERE service_id = ?').bind(cut.id).first<string>('id');
    const refused = await (await ana.browser.visit(`/services/${cut.id}`)).submit('Delete', {});
    expect([refused.status, refused.words]).toEqual([
      409,
      expect.stringContaining('1 coming time is for this service.'),
    ]);
    await ana.api('PUT', `/api/Appointment/Cancel?id=${slot}`);
    const deleted = await (await ana.browser.visit(`/services/${cut.id}`)).submit('Delete', {});
    expect(deleted.words).toContain('The service is deleted.');
    expect(await mine(ana)).toEqual([]);
  });
});

describe('CreateAppointment', () => {
  const create = (who: Person, details: object, query = '') =>
    who.api('POST', `/api/Appointment/CreateAppointment?${query}`, {
      start: '09:00',
      end: '12:00',
      dates: [dayAhead(1)],
      ...details,
    });

  test('cuts time for a service by its length and gap, with its seats', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 60, gap: 15, seats: 8 });
    expect((await create(ana, { serviceId: yoga.id })).json).toEqual({ created: 2, skipped: 0 });
    const { results } = await daybook.d1
      .prepare(
        "SELECT service_id, seats, strftime('%H:%M', starts_at / 1000, 'unixepoch') AS at FROM slots WHERE service_id = ?",
      )
      .bind(yoga.id)
      .all();
    expect(results).toEqual(['09:00', '10:15'].map((at) => ({ service_id: yoga.id, seats: 8, at })));
    expect(await create(ana, { serviceId: yoga.id }, 'len=60')).toMatchObject({ status: 201 });
    expect(await create(ana, { serviceId: yoga.id }, 'len=30')).toMatchObject({
      status: 400,
      json: ['The length is that of the service, 1 hour. Leave it out.'],
    });
    expect(await create(ana, { serviceId: 'none' })).toMatchObject({ status: 404 });
    expect(await create(ana, { serviceId: 7 })).toMatchObject({ status: 400 });
  });

  test('is done on the screen by choosing the service', async () => {
    const ana = await newProvider();
    expect((await ana.browser.visit('/create')).$('[name=serviceId]')).toBeNull();
    const cut = await createService(ana, { minutes: 90 });
    const page = await ana.browser.visit('/create');
    const day = page.$$('[name=dates]:not([disabled])').at(-1)?.getAttribute('value') ?? '';
    const done = await page.submit('Create appointments', { dates: [day], serviceId: cut.id, end: '12:00' });
    expect(done.path).toMatch(/^\/\?published=/);
    const stored = await daybook.d1
      .prepare('SELECT count(*) AS many FROM slots WHERE service_id = ? AND ends_at - starts_at = 5400000')
      .bind(cut.id)
      .first<number>('many');
    expect(stored).toBeGreaterThan(0);
  });
});

describe('/hours', () => {
  test('takes a service for a range, and keeps it through its buttons', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { minutes: 60, seats: 8 });
    let page = await ana.browser.visit('/hours');
    page = await page.submit('main button[value="break:6"]', { open: ['1', '6'], 'service-6': yoga.id });
    expect(page.$$('[name="service-6"] option[selected]').map((one) => one.getAttribute('value'))).toEqual([
      yoga.id,
      yoga.id,
    ]);
    page = await page.submit('main button[name=press][value=save]');
    expect(page.words).toContain('Your hours are saved.');
    expect((await ana.api('GET', '/api/Appointment/GetHours')).json).toMatchObject({
      hours: [
        { day: 1, start: '09:00', end: '17:00' },
        { day: 6, start: '09:00', end: '12:00', serviceId: yoga.id },
        { day: 6, start: '13:00', end: '17:00', serviceId: yoga.id },
      ],
    });
    const open = rowsOf(await ana.api('GET', `/api/Appointment/GetPage?provider=${ana.username}`));
    expect(open.length).toBeGreaterThan(0);
  });
});
