import { describe, expect, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { raceForStanding, raceOfSeries } from '../../habits/series-races';
import { raceForSeats, raceOfLengths } from '../../habits/service-races';
import { agenda } from '../../support/appointment-calls';
import { dayAhead, type Person, peopleAt, publish, type Row, registerCrowd, rowsOf } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf, type Page } from '../../support/visit';

/*
 * Services where clients with an account book and move, and where a time is gone, full or off by the time a form is sent. `npm run
 * races` has more rounds of each race.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const bookedBy = async (who: Person) =>
  (await agenda(who)).map(({ startTime, endTime }) => `${startTime} to ${endTime}`);
const timesOn = (page: Page) => page.$$('.slots button').map(({ text }) => text.trim().slice(0, 14));
const take = async (who: Person, slot: Row, query = '') => {
  const answer = await who.api('PUT', `/api/Appointment/Book?id=${slot.id}${query}`);
  if (answer.status !== 200) throw new Error(`Not booked: ${answer.status} ${answer.text}`);
  return answer.json as Row;
};

/** A provider with a cut of half an hour and a colour of 90 minutes, whose morning in two days is free. */
async function aSalon() {
  const ana = await newProvider({ displayName: 'Ana Lima' });
  const cut = await createService(ana, { name: 'Cut', minutes: 30 });
  const colour = await createService(ana, { name: 'Colour', minutes: 90, price: '90 €' });
  const slots = (await publish(ana, { start: '09:00', end: '12:00', dates: [dayAhead(2)] })) as [
    Row,
    Row,
    Row,
    Row,
    Row,
    Row,
  ];
  return { ana, cut, colour, slots };
}
async function aClass(seats: number, days = [2]) {
  const asha = await newProvider({ displayName: 'Asha Rao' });
  const yoga = await createService(asha, { name: 'Yoga', minutes: 60, seats });
  const dates = days.map((ahead) => dayAhead(ahead));
  const classes = (await publish(asha, { start: '18:30', end: '19:30', dates, serviceId: yoga.id })) as [Row, Row, Row];
  return { asha, yoga, classes };
}

describe('the way of a client', () => {
  test('asks what for, shows where it fits, and books it', async () => {
    const { ana, colour } = await aSalon();
    const maya = await newConsumer();
    const asked = await maya.browser.get(`/view?provider=${ana.username}`);
    expect(asked.words).toMatch(/What do you come for\?.*Cut.*30 minutes.*Colour.*90 € 1 hour 30 minutes/s);
    expect(askedOf(asked.headers).trips).toBe(1);
    const days = await asked.click('Colour 90 € 1 hour 30 minutes');
    const times = await maya.browser.get(`/view?provider=${ana.username}&service=${colour.id}&dates=${dayAhead(2)}`);
    expect(days.words).toContain('Which days suit you?');
    expect(askedOf(times.headers).trips).toBe(1);
    const links = times.$$('.slots a').map((one) => one.getAttribute('href') ?? '');
    expect(links).toHaveLength(4);
    const form = await maya.browser.get(links[1] ?? '');
    expect(form.words).toMatch(/Colour · 90 €.*09:30.*11:00/s);
    const done = await form.submit('Book this appointment');
    expect(done.words).toContain('Booked: Ana Lima');
    expect(await bookedBy(maya)).toEqual(['09:30 to 11:00']);
  });

  test('is offered what is left of a class, and says when it is full, with the next ones', async () => {
    const { asha, classes } = await aClass(3, [2, 3]);
    const [first, next] = classes;
    const [maya, tomas] = [await newConsumer(), await newConsumer()];
    const form = await maya.browser.get(`/details/${first.id}`);
    await take(tomas, first, '&people=2');
    const refused = await form.submit('Book this appointment', { people: '3' });
    expect([refused.status, refused.words]).toEqual([
      409,
      expect.stringContaining('There is only one place left. You can book that one.'),
    ]);
    expect(refused.$$('[name=people] option')).toHaveLength(0);
    await refused.submit('Book this appointment');
    const guest = await newConsumer();
    const late = await guest.browser.get(`/details/${first.id}`);
    expect([late.status, late.words]).toEqual([409, expect.stringContaining('This class is full.')]);
    const booked = await late.submit('Book');
    expect(booked.words).toContain('Booked: Asha Rao');
    expect((await agenda(guest))[0]?.slotId).toBe(next.id);
    const page = await daybook.visitor().visit(`/with/${asha.username}?dates=${dayAhead(2)}`);
    expect(page.words).toMatch(/18:30 to 19:30 Yoga Full/);
    const gone = await daybook.visitor().visit(page.$('#times a')?.getAttribute('href') ?? '');
    expect([gone.status, gone.words]).toEqual([409, expect.stringContaining('This class is full.')]);
    // The page of whoever has a place is that of their booking, and the class itself is nobody's.
    expect((await maya.browser.get(`/details-cancel/${first.id}`)).words).not.toContain('Your appointment');
  });
});

describe('moving what takes longer than a slot', () => {
  test('offers only where it fits, its own time among it, and keeps what it is', async () => {
    const { ana, colour, slots } = await aSalon();
    const maya = await newConsumer();
    const row = await take(maya, slots[0], `&service=${colour.id}`);
    const page = await maya.browser.get(`/move/${row.id}`);
    expect(timesOn(page)).toEqual(['09:30 to 11:00', '10:00 to 11:30', '10:30 to 12:00']);
    expect(askedOf(page.headers).trips).toBe(1);
    const ownLater = page.$$('.slots button')[0]?.getAttribute('formaction') ?? '';
    const confirm = await maya.browser.get(ownLater);
    expect(confirm.words).toMatch(/As it will be.*09:30.*11:00/s);
    await confirm.submit('Move it');
    expect(await bookedBy(maya)).toEqual(['09:30 to 11:00']);
    expect((await agenda(ana))[0]?.service).toMatchObject({ name: 'Colour' });
  });
});

describe('a service that changes while a form is open', () => {
  test.each([
    ['is switched off', { isOffered: false }, 'This service is not offered at this time any more.'],
    ['is deleted', null, 'This service is not offered at this time any more.'],
    ['takes longer than what is free', { minutes: 600 }, 'There is not enough free time here any more.'],
  ])('%s: nothing is booked, and the page says so', async (_, change, words) => {
    const { ana, colour, slots } = await aSalon();
    const maya = await newConsumer();
    const path = `?service=${colour.id}`;
    const form = await maya.browser.get(`/details/${slots[0].id}${path}`);
    const strange = await daybook.visitor().visit(`/with/${ana.username}/${slots[0].id}${path}`);
    await (change
      ? ana.api('PUT', `/api/Service/Edit?id=${colour.id}`, change)
      : ana.api('DELETE', `/api/Service/Delete?id=${colour.id}`));
    const ends = [
      await form.submit('Book this appointment'),
      await strange.submit('Book', { displayName: 'Gus' }),
      await maya.browser.get(`/details/${slots[0].id}${path}`),
    ];
    for (const end of ends) expect([end.status, end.words]).toEqual([409, expect.stringContaining(words)]);
    expect(await bookedBy(ana)).toEqual([]);
  });

  test('takes longer or shorter than the form said: it is shown again, with what was typed, and booked at the next try', async () => {
    const { ana, slots, colour } = await aSalon();
    const template = await publishQuestions(ana, [{ questionText: 'Which colour?' }]);
    const change = (details: object) => ana.api('PUT', `/api/Service/Edit?id=${colour.id}`, details);
    const maya = await newConsumer();
    const own = await maya.browser.visit(`/details/${slots[0].id}?service=${colour.id}`);
    await change({ minutes: 60, templateId: template });
    const asked = await maya.browser.visit(`/details/${slots[4].id}?service=${colour.id}&step=questions`);
    await change({ minutes: 30, templateId: null });
    const guest = await daybook.visitor().visit(`/with/${ana.username}/${slots[2].id}?service=${colour.id}`);
    await change({ minutes: 45, templateId: template });
    const answerOf = (page: Page) => ({ [page.$('textarea')?.getAttribute('name') ?? '']: 'Red' });
    for (const [form, button, typed] of [
      [own, 'Book this appointment', {}],
      [asked, 'Book', answerOf(asked)],
      [guest, 'Book', { displayName: 'Gus' }],
    ] as const) {
      const refused = await form.submit(button, typed);
      expect([refused.status, refused.words]).toEqual([
        400,
        expect.stringMatching(/length or the price of this service has changed.*(09:45|10:45|11:45)/s),
      ]);
      const again = () => refused.submit('Book', answerOf(refused));
      const [one, other] = await Promise.all([again(), again()]);
      expect(one.path).toBe(other.path);
    }
    expect(await bookedBy(maya)).toEqual(['09:00 to 09:45', '11:00 to 11:45']);
    expect(await bookedBy(ana)).toEqual(['09:00 to 09:45', '10:00 to 10:45', '11:00 to 11:45']);
  });
});

test('a price that changes while a form is open is shown before anything is booked, for a class too', async () => {
  const { ana, slots, colour } = await aSalon();
  const { asha, yoga, classes } = await aClass(3);
  for (const [provider, slot, service, query] of [
    [ana, slots[0], colour, `?service=${colour.id}`],
    [asha, classes[0], yoga, ''],
    [asha, classes[0], yoga, `?service=${yoga.id}`],
  ] as const) {
    const form = await daybook.visitor().visit(`/with/${provider.username}/${slot.id}${query}`);
    const price = `${100 + query.length} €`;
    await provider.api('PUT', `/api/Service/Edit?id=${service.id}`, { price });
    const refused = await form.submit('Book', { displayName: 'Gus' });
    expect([refused.status, refused.words]).toEqual([
      400,
      expect.stringMatching(new RegExp(`the price of this service has changed.*${price}`, 's')),
    ]);
    expect((await refused.submit('Book')).words).toContain(price);
  }
  expect(await bookedBy(ana)).toEqual(['09:00 to 10:30']);
});

describe('days', () => {
  test('and times of a service are those on which it fits, for strangers and clients', async () => {
    const { ana, colour, cut } = await aSalon();
    await publish(ana, { start: '09:00', end: '10:00', dates: [dayAhead(3)] });
    const maya = await newConsumer();
    for (const call of ['Public/Dates', 'Appointment/GetDates']) {
      const daysOf = async ({ id }: { id: string }) =>
        (await maya.api('GET', `/api/${call}?provider=${ana.username}&service=${id}`)).json;
      expect([call, await daysOf(colour)]).toEqual([call, [dayAhead(2)]]);
      expect([call, await daysOf(cut)]).toEqual([call, [dayAhead(2), dayAhead(3)]]);
    }
    const times = (service: string) =>
      daybook.visitor().api('GET', `/api/Public/Times?provider=${ana.username}&service=${service}`);
    expect(rowsOf(await times(colour.id)).map(({ startTime, endTime }) => `${startTime} to ${endTime}`)).toEqual([
      '09:00 to 10:30',
      '09:30 to 11:00',
      '10:00 to 11:30',
      '10:30 to 12:00',
    ]);
    expect(await times('none')).toMatchObject({ status: 200, json: [] });
  });
});

describe('what it costs', () => {
  test('to book several slots in one step: one trip, and at most two rows more for each slot after the first', async () => {
    const ana = await newProvider();
    const asked = [];
    for (const [day, minutes] of [30, 60, 120, 240].entries()) {
      const service = await createService(ana, { minutes });
      const [slot] = (await publish(ana, { start: '09:00', end: '17:00', dates: [dayAhead(2 + day)] })) as [Row];
      const maya = await newConsumer();
      const booked = await maya.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${service.id}`);
      expect(booked.status).toBe(200);
      asked.push({ ...askedOf(booked.headers), slots: minutes / 30 });
    }
    const ofOne = asked[0]?.written ?? 0;
    for (const { trips, written, slots } of asked) {
      expect([slots, trips, written <= ofOne + 2 * (slots - 1)]).toEqual([slots, 1, true]);
    }
  });

  test('to list the times of a service: no more rows than the open slots that they come from, and the services', async () => {
    const ana = await newProvider();
    const dates = [2, 3, 4].map((ahead) => dayAhead(ahead));
    const days = encodeURIComponent(dates.join(' '));
    await publish(ana, { start: '09:00', end: '12:00', dates });
    const stranger = daybook.visitor();
    const read = async (path: string) => {
      const answer = await stranger.api('GET', `/api/Public/${path}provider=${ana.username}&dates=${days}`);
      expect(rowsOf(answer).length).toBeGreaterThan(10);
      return askedOf(answer.headers);
    };
    const open = await read('Slots?');
    const { id } = await createService(ana, { minutes: 60 });
    const times = await read(`Times?service=${id}&`);
    expect(times.trips).toBe(1);
    expect([times.read, open.read, times.read <= open.read + 10]).toEqual([times.read, open.read, true]);
  });
});

describe('races', () => {
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  const race = async (seed: number, rounds: number, crowd: Person[]) => ({
    host: await newProvider(),
    crowd,
    rounds,
    chance: new Chance(seed),
  });

  test('for the last place of a class, and for half an hour that is in all that is wanted, have one winner each', {
    timeout: 120_000,
  }, async () => {
    const crowd = await registerCrowd(daybook, 5);
    const seats = await raceForSeats(daybook.d1, await race(31, 12, crowd));
    expect([seats['1 won the last place'], sum(seats)]).toEqual([8, 12]);
    expect(sum(await raceOfLengths(daybook.d1, await race(32, 12, crowd)))).toBe(12);
  });

  test('of series that cross book them whole or not at all, and a standing time has what others did not book first', {
    timeout: 120_000,
  }, async () => {
    const crowd = await registerCrowd(daybook, 5);
    const series = await raceOfSeries(daybook.d1, await race(33, 16, crowd));
    expect([series['series 201'], series['series 409'], series['one 409']].every((many = 0) => many > 0)).toBe(true);
    expect(sum(await raceForStanding(daybook.d1, await race(34, 4, crowd)))).toBe(4);
  });
});
