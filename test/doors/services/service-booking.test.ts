import { describe, expect, test } from 'vitest';
import { Chance } from '../../habits/chance';
import { raceForStanding, raceOfSeries } from '../../habits/series-races';
import { raceForSeats, raceOfLengths } from '../../habits/service-races';
import { agenda } from '../../support/appointment-calls';
import { dayAhead, type Person, peopleAt, publish, type Row, registerCrowd } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService, type Service } from '../../support/services';
import { useServer } from '../../support/use-server';
import { askedOf, type Page, tripsOf } from '../../support/visit';

/*
 * Services where clients with an account book and move, and where a time is gone, full or off by the time a form is sent. `npm run
 * races` has more rounds of each race.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const bookedBy = async (who: Person) =>
  (await agenda(who)).map(({ startTime, endTime }) => `${startTime} to ${endTime}`);
const take = async (who: Person, slot: Row, query: string) => {
  const answer = await who.api('PUT', `/api/Appointment/Book?id=${slot.id}${query}`);
  if (answer.status !== 200) throw new Error(`Not booked: ${answer.status} ${answer.text}`);
  return answer;
};

/** A provider with a cut of half an hour and a colour of 90 minutes, whose morning in two days is free. */
async function aSalon() {
  const ana = await newProvider({ displayName: 'Ana Lima' });
  const cut = await createService(ana, { name: 'Cut', minutes: 30 });
  const colour = await createService(ana, { name: 'Colour', minutes: 90, price: '90 €' });
  const slots = await publish(ana, { end: '12:00', dates: [dayAhead(2)] });
  return { ana, cut, colour, slots: slots as [Row, Row, Row, Row, Row, Row] };
}
async function aClass(seats: number, days = [2]) {
  const asha = await newProvider({ displayName: 'Asha Rao' });
  const yoga = await createService(asha, { name: 'Yoga', minutes: 60, seats });
  const dates = days.map((ahead) => dayAhead(ahead));
  const classes = await publish(asha, { start: '18:30', end: '19:30', dates, serviceId: yoga.id });
  return { asha, yoga, classes: classes as [Row, Row] };
}
const changeBy =
  (who: Person, { id }: Service) =>
  (details: object | null) =>
    details ? who.api('PUT', `/api/Service/Edit?id=${id}`, details) : who.api('DELETE', `/api/Service/Delete?id=${id}`);

test('a client is asked what for, shown where it fits, books it, and moves it to where it fits, its own time among it', async () => {
  const { ana, colour } = await aSalon();
  const maya = await newConsumer();
  const asked = await maya.browser.get(`/view?provider=${ana.username}`);
  expect(asked.words).toMatch(/What do you come for\?.*Cut.*30 minutes.*Colour.*90 € 1 hour 30 minutes/s);
  const days = await asked.click('Colour 90 € 1 hour 30 minutes');
  expect(days.words).toContain('Which days suit you?');
  const times = await maya.browser.get(`/view?provider=${ana.username}&service=${colour.id}&dates=${dayAhead(2)}`);
  const links = times.$$('.slots a').map((one) => one.getAttribute('href') ?? '');
  expect(links).toHaveLength(4);
  const form = await maya.browser.get(links[0] ?? '');
  expect(form.words).toMatch(/Colour · 90 €.*09:00.*10:30/s);
  const done = await form.submit('Book this appointment');
  expect(done.words).toContain('Booked: Ana Lima');
  const [row] = await agenda(maya);
  const page = await maya.browser.get(`/move/${row?.id}`);
  const later = page.$$('.slots button');
  expect(later.map(({ text }) => text.trim().slice(0, 14))).toEqual([
    '09:30 to 11:00',
    '10:00 to 11:30',
    '10:30 to 12:00',
  ]);
  const confirm = await maya.browser.get(later[0]?.getAttribute('formaction') ?? '');
  expect(confirm.words).toMatch(/As it will be.*09:30.*11:00/s);
  await confirm.submit('Move it');
  expect(await bookedBy(maya)).toEqual(['09:30 to 11:00']);
  expect([asked, times, page].map(tripsOf)).toEqual([1, 1, 1]);
});

test('strangers and clients are offered what is left of a class, and read when it is full, with the next ones', async () => {
  const { asha, classes } = await aClass(3, [2, 3]);
  const [first, next] = classes;
  const [maya, late, stranger] = [await newConsumer(), await newConsumer(), daybook.visitor()];
  const form = await maya.browser.get(`/details/${first.id}`);
  const offers = await stranger.visit(`/with/${asha.username}?dates=${dayAhead(2)}`);
  expect(offers.words).toContain('3 places left');
  const theirs = await stranger.visit(offers.$('#times a')?.getAttribute('href') ?? '');
  expect(theirs.$$('[name=people] option').map(({ text }) => text)).toEqual(['1', '2', '3']);
  const typed = { displayName: 'Gus', people: '2' };
  const booked = await theirs.submit('Book', typed);
  expect(booked.words).toMatch(/Booked for Gus.*Yoga/s);
  const again = [await theirs.submit('Book', typed), await stranger.visit(new URL(theirs.url).pathname)];
  expect(again.map(({ path }) => path)).toEqual([booked.path, booked.path]);
  const refused = await form.submit('Book this appointment', { people: '3' });
  const left = expect.stringContaining('There is only one place left. You can book that one.');
  expect([refused.status, refused.words]).toEqual([409, left]);
  expect(refused.$$('[name=people] option')).toHaveLength(0);
  await refused.submit('Book this appointment');
  const isFull = [409, expect.stringContaining('This class is full.')];
  const full = await late.browser.get(`/details/${first.id}`);
  expect([full.status, full.words]).toEqual(isFull);
  expect((await full.submit('Book')).words).toContain('Booked: Asha Rao');
  expect(await agenda(late)).toMatchObject([{ slotId: next.id }]);
  const page = await daybook.visitor().visit(`/with/${asha.username}?dates=${dayAhead(2)}`);
  expect(page.words).toMatch(/18:30 to 19:30 Yoga Full/);
  const gone = await daybook.visitor().visit(page.$('#times a')?.getAttribute('href') ?? '');
  expect([gone.status, gone.words]).toEqual(isFull);
  // The page of whoever has a place is that of their booking, and the class itself is nobody's.
  expect((await maya.browser.get(`/details-cancel/${first.id}`)).words).not.toContain('Your appointment');
});

describe('a service that changes while a form is open', () => {
  test.each([
    ['is switched off', { isOffered: false }, 'This service is not offered at this time any more.'],
    ['is deleted', null, 'This service is not offered at this time any more.'],
    ['takes longer than what is free', { minutes: 600 }, 'There is not enough free time here any more.'],
  ])('%s: nothing is booked, and the page says so', async (_, change, words) => {
    const { ana, colour, slots } = await aSalon();
    const maya = await newConsumer();
    const path = `${slots[0].id}?service=${colour.id}`;
    const form = await maya.browser.get(`/details/${path}`);
    const strange = await daybook.visitor().visit(`/with/${ana.username}/${path}`);
    await changeBy(ana, colour)(change);
    const ends = [
      await form.submit('Book this appointment'),
      await strange.submit('Book', { displayName: 'Gus' }),
      await maya.browser.get(`/details/${path}`),
    ];
    for (const end of ends) expect([end.status, end.words]).toEqual([409, expect.stringContaining(words)]);
    expect(await bookedBy(ana)).toEqual([]);
  });

  test('takes longer or shorter than the form said: it is shown again, with what was typed, and booked at the next try', async () => {
    const { ana, slots, colour } = await aSalon();
    const template = await publishQuestions(ana, [{ questionText: 'Which colour?' }]);
    const change = changeBy(ana, colour);
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
      expect(refused.status).toBe(400);
      expect(refused.words).toMatch(/length or the price of this service has changed.*(09:45|10:45|11:45)/s);
      const again = () => refused.submit('Book', answerOf(refused));
      const [one, other] = await Promise.all([again(), again()]);
      expect(one.path).toBe(other.path);
    }
    expect(await bookedBy(ana)).toEqual(['09:00 to 09:45', '10:00 to 10:45', '11:00 to 11:45']);
  });

  test('costs something else: the new price is shown before anything is booked, for a class too', async () => {
    const { ana, slots, colour } = await aSalon();
    const { asha, yoga, classes } = await aClass(3);
    for (const [provider, slot, service, query] of [
      [ana, slots[0], colour, `?service=${colour.id}`],
      [asha, classes[0], yoga, ''],
      [asha, classes[0], yoga, `?service=${yoga.id}`],
    ] as const) {
      const form = await daybook.visitor().visit(`/with/${provider.username}/${slot.id}${query}`);
      const price = `${100 + query.length} €`;
      await changeBy(provider, service)({ price });
      const refused = await form.submit('Book', { displayName: 'Gus' });
      expect(refused.status).toBe(400);
      expect(refused.words).toMatch(new RegExp(`the price of this service has changed.*${price}`, 's'));
      expect((await refused.submit('Book')).words).toContain(price);
    }
    expect(await bookedBy(ana)).toEqual(['09:00 to 10:30']);
  });
});

test('days and times of a service are those on which it fits, for strangers and clients', async () => {
  const { ana, colour, cut } = await aSalon();
  await publish(ana, { end: '10:00', dates: [dayAhead(3)] });
  const maya = await newConsumer();
  const read = async (call: string, service: string) => {
    const answer = await maya.api('GET', `/api/${call}?provider=${ana.username}&service=${service}`);
    expect(tripsOf(answer)).toBe(1);
    return answer.json;
  };
  for (const call of ['Public/Dates', 'Appointment/GetDates']) {
    expect([call, await read(call, colour.id)]).toEqual([call, [dayAhead(2)]]);
    expect([call, await read(call, cut.id)]).toEqual([call, [dayAhead(2), dayAhead(3)]]);
  }
  const times = (await read('Public/Times', colour.id)) as Row[];
  expect(times.map(({ startTime, endTime }) => `${startTime} to ${endTime}`)).toEqual([
    ...['09:00 to 10:30', '09:30 to 11:00', '10:00 to 11:30', '10:30 to 12:00'],
  ]);
  expect(await read('Public/Times', 'none')).toEqual([]);
});

test('to book several slots in one step costs one trip, and at most two rows more for each after the first', async () => {
  const ana = await newProvider();
  const asked = [];
  for (const [day, minutes] of [30, 60, 240].entries()) {
    const service = await createService(ana, { minutes });
    const [slot] = (await publish(ana, { end: '17:00', dates: [dayAhead(2 + day)] })) as [Row];
    const booked = await take(await newConsumer(), slot, `&service=${service.id}`);
    asked.push({ ...askedOf(booked.headers), slots: minutes / 30 });
  }
  const ofOne = asked[0]?.written ?? 0;
  for (const { trips, written, slots } of asked)
    expect([slots, trips, written <= ofOne + 2 * (slots - 1)]).toEqual([slots, 1, true]);
});

test('races for the last place of a class, for half an hour that is in all that is wanted, for series that cross, and for a standing time have one winner each', {
  timeout: 180_000,
}, async () => {
  const crowd = await registerCrowd(daybook, 5);
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);
  const race = async (seed: number, rounds: number) => ({
    host: await newProvider(),
    crowd,
    rounds,
    chance: new Chance(seed),
  });
  const seats = await raceForSeats(daybook.d1, await race(31, 12));
  expect([seats['1 won the last place'], sum(seats)]).toEqual([8, 12]);
  expect(sum(await raceOfLengths(daybook.d1, await race(32, 12)))).toBe(12);
  const series = await raceOfSeries(daybook.d1, await race(33, 16));
  expect([series['series 201'], series['series 409'], series['one 409']].every((many = 0) => many > 0)).toBe(true);
  expect(sum(await raceForStanding(daybook.d1, await race(34, 4)))).toBe(4);
});
