import { describe, expect, test } from 'vitest';
import { askedOf, tripsOf } from '../../support/asked';
import { dayAhead, type Person, peopleAt, publish, rowsOf } from '../../support/factories';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { weightOf } from '../../support/weight';

/* A provider's page where there are services, as a stranger sees it, with scripts off. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

const bookedBy = async (who: Person) =>
  rowsOf(await who.api('GET', '/api/Appointment/GetBooked')).map(({ startTime, endTime, bookerName }) => [
    startTime,
    endTime,
    bookerName,
  ]);

describe('/with/{username} with services', () => {
  test('asks what for, then shows where it fits, and books it in one step', async () => {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut', price: '25 €', description: 'With a wash' });
    const colour = await createService(ana, { name: 'Colour', minutes: 90, description: 'All of it' });
    await publish(ana, { start: '09:00', end: '12:00', dates: [dayAhead(2)] });
    const stranger = daybook.visitor();
    const first = await stranger.visit(`/with/${ana.username}`);
    expect(first.words).toMatch(/What do you come for\?.*Cut.*25 €.*30 minutes.*Colour.*1 hour 30 minutes/s);
    expect(first.words).not.toContain('With a wash');
    expect(first.$$('main a[href*="service="]')).toHaveLength(2);
    const page = await stranger.visit(`/with/${ana.username}?service=${colour.id}`);
    expect(page.words).toContain('All of it');
    expect(page.headers.get('server-timing')).toContain('trips=1 ');
    expect(page.$$('script')).toEqual([]);
    const times = page.$$('#times a').map((one) => one.getAttribute('href') ?? '');
    expect(times).toHaveLength(4);
    expect(times.every((one) => one.endsWith(`?service=${colour.id}`))).toBe(true);
    const form = await stranger.visit(times[1] ?? '');
    expect(form.words).toMatch(/09:30.*11:00/s);
    await form.submit('Book', { displayName: 'Gus' });
    expect(await bookedBy(ana)).toEqual([['09:30', '11:00', 'Gus']]);
    const after = await daybook.visitor().visit(`/with/${ana.username}?service=${colour.id}`);
    expect(after.words).toContain('No free stretch is long enough for Colour at the moment.');
    const own = await ana.browser.visit('/services');
    expect(own.words.match(/None of your free stretches is long enough for it\./g)).toHaveLength(1);
  });

  test('of one that is offered no more leads to what is', async () => {
    const ana = await newProvider();
    const [gone, cut] = [await createService(ana), await createService(ana, { name: 'Cut' })];
    await publish(ana, { start: '09:00', end: '10:00', dates: [dayAhead(2)] });
    await ana.api('DELETE', `/api/Service/Delete?id=${gone.id}`);
    const page = await daybook.visitor().visit(`/with/${ana.username}?service=${gone.id}`);
    expect([page.path, page.words]).toEqual([`/with/${ana.username}`, expect.stringContaining('Cut')]);
    const times = page.$$('#times a').map((link) => link.getAttribute('href') ?? '');
    expect(times.map((link) => link.split('?service=')[1])).toEqual([cut.id, cut.id]);
  });

  test('shows the times of a later month too, from its first day on which the service fits', async () => {
    const ana = await newProvider();
    await createService(ana, { name: 'Cut' });
    const colour = await createService(ana, { name: 'Colour', minutes: 90 });
    // More times before that month than a page has.
    const soon = [2, 3, 4, 5, 6].map((ahead) => dayAhead(ahead));
    await publish(ana, { start: '09:00', end: '14:00', dates: soon });
    const year = new Date().getUTCFullYear() + 1;
    await publish(ana, { start: '09:00', end: '10:00', dates: [`05-04-${year}`] });
    await publish(ana, { start: '09:00', end: '11:00', dates: [`05-06-${year}`] });
    const page = await daybook.visitor().visit(`/with/${ana.username}?service=${colour.id}&month=${year}-05`);
    expect(page.$$('#times time').map((time) => time.getAttribute('datetime')?.slice(0, 16))).toEqual([
      `${year}-05-06T09:00`,
      `${year}-05-06T09:30`,
    ]);
    expect(page.headers.get('server-timing')).toContain('trips=1 ');
    expect(page.words).not.toContain('Nothing is free');
    expect(page.words).toContain('Next free:');
  });

  test('weighs at most 10 kB in one round trip with 30 services and two months of times, kept or not', async () => {
    const full = await newProvider({
      displayName: 'W'.repeat(80),
      description: 'Ein langer Text über mich. '.repeat(70),
    });
    await full.api('PUT', '/api/Account/SetProfile', {
      address: 'Rua das Flores 3, Lisboa',
      phone: '+351 900 111 222',
    });
    const words = 'wash cut colour beard long short dry hair for a party and brows by hand'.split(' ');
    const services = [];
    for (let nth = 0; nth < 30; nth++) {
      const name = words.map((_, place) => words[(nth * (place + 3)) % words.length]).join(' ');
      const details = {
        name: `${nth} ${name}`.slice(0, 80),
        minutes: 30 * (1 + (nth % 4)),
        price: `${20 + nth} € with all`,
      };
      services.push(await createService(full, { ...details, description: `${name}. `.repeat(20).slice(0, 500) }));
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

  test('asks nothing where one thing is offered, and books that', async () => {
    const ana = await newProvider();
    await createService(ana, { name: 'Long talk', minutes: 60 });
    await publish(ana, { start: '09:00', end: '11:00', dates: [dayAhead(2)] });
    const page = await daybook.visitor().visit(`/with/${ana.username}`);
    expect(page.words).toContain('Long talk');
    expect(page.words).not.toContain('What do you come for?');
    const times = page.$$('#times a');
    expect(times.map(({ text }) => text)).toEqual([
      expect.stringContaining('to 10:00'),
      expect.stringContaining('to 10:30'),
      expect.stringContaining('to 11:00'),
    ]);
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
      const links = (selector: string) => page.$$(selector).map((one) => one.getAttribute('href') ?? '');
      const dates = links('#month td a:not(.full)').map((link) =>
        new URLSearchParams(link.split(/[?#]/)[1]).get('dates'),
      );
      return { dates, instead: links('#times a').find((link) => link.includes('dates=')), ...askedOf(page.headers) };
    };
    for (const [query, dates] of [
      ['', [long]],
      [`month=${year}-05`, [long]],
      [`month=${year}-06`, [later]],
      [`dates=${short}`, [long]],
    ] as const) {
      const [only, chosen] = [await read(query), await read(`${query}&service=${id}`)];
      expect([query, only.dates, chosen.dates]).toEqual([query, dates, dates]);
      expect([query, only.trips, only.read <= chosen.read]).toEqual([query, 1, true]);
    }
    await publish(ana, { start: '09:00', end: '10:00', dates: [`08-03-${year}`] });
    await publish(ana, { start: '09:00', end: '11:00', dates: [`08-05-${year}`] });
    for (const query of [`month=${year}-07`, `month=${year}-07&service=${id}`]) {
      expect((await read(query)).instead).toContain(`dates=08-05-${year}`);
    }
    // Of two somebody has to choose one first, until one of them is left.
    const second = await createService(ana);
    expect((await read('')).dates).toEqual([]);
    await ana.api('PUT', `/api/Service/Edit?id=${second.id}`, { isOffered: false });
    expect((await read('')).dates).toEqual([long]);
    await ana.api('PUT', `/api/Service/Edit?id=${second.id}`, { isOffered: true });
    await ana.api('DELETE', `/api/Service/Delete?id=${second.id}`);
    expect((await read('')).dates).toEqual([long]);
    // A class has times of its own, so each free day counts.
    await ana.api('PUT', `/api/Service/Edit?id=${id}`, { seats: 4 });
    expect((await read('')).dates).toEqual([short, long]);
  });

  test('leads to a time that is long enough, also from days that are chosen', async () => {
    const ana = await newProvider();
    const { id } = await createService(ana, { minutes: 90 });
    const dates = [dayAhead(1), dayAhead(2)];
    await publish(ana, { start: '09:00', end: '10:00', dates });
    await publish(ana, { start: '14:00', end: '15:30', dates: [dates[1]] });
    for (const query of ['?', `?service=${id}`, `?dates=${dates[1]}`, `?service=${id}&dates=${dates[1]}`]) {
      const page = await daybook.visitor().visit(`/with/${ana.username}${query}`);
      const next = page.$$('a').find(({ text }) => text.startsWith('Next free'));
      expect([query, next?.text]).toEqual([query, expect.stringContaining('14:00')]);
      const form = await daybook.visitor().visit(next?.getAttribute('href') ?? '');
      expect([form.status, form.words]).toEqual([200, expect.stringMatching(/14:00 to 15:30/)]);
    }
  });

  test('says how many places of a class are left, and takes several people', async () => {
    const ana = await newProvider();
    const yoga = await createService(ana, { name: 'Yoga', minutes: 60, seats: 3 });
    await publish(ana, { start: '18:30', end: '19:30', dates: [dayAhead(2)], serviceId: yoga.id });
    const stranger = daybook.visitor();
    const page = await stranger.visit(`/with/${ana.username}`);
    expect(page.words).toContain('3 places left');
    const form = await stranger.visit(page.$('#times a')?.getAttribute('href') ?? '');
    expect(form.$$('[name=people] option').map(({ text }) => text)).toEqual(['1', '2', '3']);
    const typed = { displayName: 'Gus', people: '2' };
    const booked = await form.submit('Book', typed);
    expect([booked.status, booked.words]).toEqual([200, expect.stringMatching(/Booked for Gus.*Yoga/s)]);
    const again = [await form.submit('Book', typed), await stranger.visit(new URL(form.url).pathname)];
    expect(again.map(({ path }) => path)).toEqual([booked.path, booked.path]);
    expect(await bookedBy(ana)).toEqual([['18:30', '19:30', 'Gus']]);
    expect((await daybook.visitor().visit(`/with/${ana.username}`)).words).toContain('1 place left');
  });
});
