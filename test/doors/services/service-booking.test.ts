import { beforeAll, describe, expect, test } from 'vitest';
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

const bookedTimes = async (who: Person) =>
  (await agenda(who)).map(({ startTime, endTime }) => `${startTime} to ${endTime}`);
const bookService = async (who: Person, slot: Row, service: Service) => {
  const response = await who.api('PUT', `/api/Appointment/Book?id=${slot.id}&service=${service.id}`);
  if (response.status !== 200) throw new Error(`Not booked: ${response.status} ${response.text}`);
  return response;
};

/** A provider with a cut of half an hour and a colour of 90 minutes, whose morning in two days is free. */
async function aSalon() {
  const ana = await newProvider({ displayName: 'Ana Lima' });
  const cut = await createService(ana, { name: 'Cut', minutes: 30 });
  const colour = await createService(ana, { name: 'Colour', minutes: 90, price: '90 €' });
  const slots = await publish(ana, { end: '12:00', dates: [dayAhead(2)] });
  return { ana, cut, colour, slots: slots as [Row, Row, Row, Row, Row, Row] };
}
/** A provider whose evening in two days is a class, and on other days if they are given. */
async function aClass(seats: number, days = [2]) {
  const asha = await newProvider({ displayName: 'Asha Rao' });
  const yoga = await createService(asha, { name: 'Yoga', minutes: 60, seats });
  const dates = days.map((ahead) => dayAhead(ahead));
  const classes = await publish(asha, { start: '18:30', end: '19:30', dates, serviceId: yoga.id });
  return { asha, yoga, classes: classes as [Row, Row] };
}
const bookPlaces = (who: Person, { id }: Row, people: number) =>
  who.api('PUT', `/api/Appointment/Book?id=${id}&people=${people}`);
const changeService = (who: Person, { id }: Service, details: object) =>
  who.api('PUT', `/api/Service/Edit?id=${id}`, details);
const deleteService = (who: Person, { id }: Service) => who.api('DELETE', `/api/Service/Delete?id=${id}`);
/** A provider's page, as a stranger opens it. */
const strangersPageOf = ({ username }: Person, rest = '') => daybook.visitor().visit(`/with/${username}${rest}`);
const linksOn = (page: Page, selector: string) => page.$$(selector).map((link) => link.getAttribute('href') ?? '');

describe('a client', () => {
  test('is asked what they come for', async () => {
    const { ana } = await aSalon();
    const maya = await newConsumer();

    const asked = await maya.browser.get(`/view?provider=${ana.username}`);

    expect(asked.words).toMatch(/What do you come for\?.*Cut.*30 minutes.*Colour.*90 € 1 hour 30 minutes/s);
    expect(tripsOf(asked)).toBe(1);
    expect((await asked.click('Colour 90 € 1 hour 30 minutes')).words).toContain('Which days suit you?');
  });

  test('is shown the times at which the service fits', async () => {
    const { ana, colour } = await aSalon();
    const maya = await newConsumer();

    const times = await maya.browser.get(`/view?provider=${ana.username}&service=${colour.id}&dates=${dayAhead(2)}`);

    expect(linksOn(times, '.slots a')).toHaveLength(4);
    expect(tripsOf(times)).toBe(1);
  });

  test('books a service from the list of its times', async () => {
    const { ana, colour } = await aSalon();
    const maya = await newConsumer();
    const times = await maya.browser.get(`/view?provider=${ana.username}&service=${colour.id}&dates=${dayAhead(2)}`);

    const form = await maya.browser.get(linksOn(times, '.slots a')[0] ?? '');
    const done = await form.submit('Book this appointment');

    expect(form.words).toMatch(/Colour · 90 €.*09:00.*10:30/s);
    expect(done.words).toContain('Booked: Ana Lima');
    expect(await bookedTimes(maya)).toEqual(['09:00 to 10:30']);
  });

  /** Maya has a colour at nine. */
  async function aColourAtNine() {
    const { colour, slots } = await aSalon();
    const maya = await newConsumer();
    await bookService(maya, slots[0], colour);
    const [row] = await agenda(maya);
    return { maya, page: await maya.browser.get(`/move/${row?.id}`) };
  }

  test('may move a service to each time where it fits, its own among it', async () => {
    const { page } = await aColourAtNine();

    const times = page.$$('.slots button').map(({ text }) => text.trim().slice(0, 14));

    expect(times).toEqual(['09:30 to 11:00', '10:00 to 11:30', '10:30 to 12:00']);
    expect(tripsOf(page)).toBe(1);
  });

  test('moves a service once they have seen how it will be', async () => {
    const { maya, page } = await aColourAtNine();

    const confirm = await maya.browser.get(page.$('.slots button')?.getAttribute('formaction') ?? '');
    await confirm.submit('Move it');

    expect(confirm.words).toMatch(/As it will be.*09:30.*11:00/s);
    expect(await bookedTimes(maya)).toEqual(['09:30 to 11:00']);
  });
});

describe('a class', () => {
  test('says how many places are left', async () => {
    const { asha } = await aClass(3);

    expect((await strangersPageOf(asha, `?dates=${dayAhead(2)}`)).words).toContain('3 places left');
  });

  test('lets a stranger choose among the places that are left', async () => {
    const { asha, classes } = await aClass(3);

    const form = await strangersPageOf(asha, `/${classes[0].id}`);

    expect(form.$$('[name=people] option').map(({ text }) => text)).toEqual(['1', '2', '3']);
  });

  test('is booked by a stranger from the list of times', async () => {
    const { asha } = await aClass(3);
    const times = await strangersPageOf(asha, `?dates=${dayAhead(2)}`);

    const form = await daybook.visitor().visit(linksOn(times, '#times a')[0] ?? '');
    const booked = await form.submit('Book', { displayName: 'Gus', people: '2' });

    expect(booked.words).toMatch(/Booked for Gus.*Yoga/s);
  });

  test('leads whoever has booked it to their booking', async () => {
    const { asha, classes } = await aClass(3);
    const stranger = daybook.visitor();
    const form = await stranger.visit(`/with/${asha.username}/${classes[0].id}`);
    const booked = await form.submit('Book', { displayName: 'Gus', people: '2' });

    const sentAgain = await form.submit('Book', { displayName: 'Gus', people: '2' });
    const openedAgain = await stranger.visit(new URL(form.url).pathname);

    expect(sentAgain.path).toBe(booked.path);
    expect(openedAgain.path).toBe(booked.path);
    expect(await agenda(asha)).toHaveLength(1);
  });

  test('offers the last place to whoever wanted more', async () => {
    const { classes } = await aClass(3);
    const [maya, june] = [await newConsumer(), await newConsumer()];
    const form = await maya.browser.get(`/details/${classes[0].id}`);
    await bookPlaces(june, classes[0], 2);

    const refused = await form.submit('Book this appointment', { people: '3' });
    await refused.submit('Book this appointment');

    expect(refused.status).toBe(409);
    expect(refused.words).toContain('There is only one place left. You can book that one.');
    expect(refused.$$('[name=people] option')).toHaveLength(0);
    expect(await agenda(maya)).toMatchObject([{ people: 1 }]);
  });

  test('that is full says so in the list of times', async () => {
    const { asha, classes } = await aClass(3);
    await bookPlaces(await newConsumer(), classes[0], 3);

    const page = await strangersPageOf(asha, `?dates=${dayAhead(2)}`);

    expect(page.words).toMatch(/18:30 to 19:30 Yoga Full/);
  });

  /** The lines of the first page of a service. */
  const firstPageOf = async (provider: Person, { id }: Service) =>
    (await strangersPageOf(provider, `?service=${id}`)).$$('#times a').map(({ text }) => text.trim());

  test('that is full stands on the first page of its service, before and after what is free', async () => {
    const { asha, yoga, classes } = await aClass(2, [2, 3, 4]);
    await createService(asha, { name: 'Talk', minutes: 30 });
    await publish(asha, { dates: [dayAhead(1)], start: '09:00', end: '12:00' });
    const maya = await newConsumer();
    for (const full of classes.filter((_, place) => place !== 1)) await bookPlaces(maya, full, 2);

    const lines = await firstPageOf(asha, yoga);

    expect(lines).toEqual([/Full/, /2 places left/, /Full/].map((words) => expect.stringMatching(words)));
  });

  test('that is full does not stand there when it is more than two weeks off', async () => {
    const { asha, yoga, classes } = await aClass(2, [2, 16]);
    await bookPlaces(await newConsumer(), classes[1], 2);

    expect(await firstPageOf(asha, yoga)).toEqual([expect.stringMatching(/2 places left/)]);
  });

  test('that is full stands there as long as nothing comes before it', async () => {
    const { asha, yoga, classes } = await aClass(2, [20, 21]);
    await bookPlaces(await newConsumer(), classes[0], 2);

    expect(await firstPageOf(asha, yoga)).toEqual(
      [/Full/, /2 places left/].map((words) => expect.stringMatching(words)),
    );
  });

  test('that is full stands there beside more free times than a page has', async () => {
    const { asha, yoga, classes } = await aClass(2, [3]);
    await bookPlaces(await newConsumer(), classes[0], 2);
    await publish(asha, { dates: [dayAhead(2)], start: '00:00', end: '23:00', serviceId: yoga.id });

    const lines = await firstPageOf(asha, yoga);

    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toMatch(/Full/);
  });

  test('that is full says so to a stranger who opens it', async () => {
    const { asha, classes } = await aClass(3);
    await bookPlaces(await newConsumer(), classes[0], 3);
    const list = await strangersPageOf(asha, `?dates=${dayAhead(2)}`);

    const page = await daybook.visitor().visit(linksOn(list, '#times a')[0] ?? '');

    expect(page.status).toBe(409);
    expect(page.words).toContain('This class is full.');
  });

  test('that is full leads a client to the next', async () => {
    const { classes } = await aClass(3, [2, 3]);
    const [full, next] = classes;
    await bookPlaces(await newConsumer(), full, 3);
    const maya = await newConsumer();

    const page = await maya.browser.get(`/details/${full.id}`);
    const done = await page.submit('Book');

    expect(page.status).toBe(409);
    expect(page.words).toContain('This class is full.');
    expect(done.words).toContain('Booked: Asha Rao');
    expect(await agenda(maya)).toMatchObject([{ slotId: next.id }]);
  });

  test('is nobody’s appointment by itself', async () => {
    const { classes } = await aClass(3);
    const maya = await newConsumer();
    await bookPlaces(maya, classes[0], 1);

    const page = await maya.browser.get(`/details-cancel/${classes[0].id}`);

    expect(page.words).not.toContain('Your appointment');
  });
});

describe('a service that is switched off', () => {
  test('is booked by its provider for somebody, and by nobody else', async () => {
    const { ana, cut, slots } = await aSalon();
    await changeService(ana, cut, { isOffered: false });

    const path = `id=${slots[1].id}&service=${cut.id}`;
    const own = await (await newConsumer()).api('PUT', `/api/Appointment/Book?${path}`);
    const made = await ana.api('POST', `/api/Appointment/BookFor?${path}`, { displayName: 'Gus' });

    expect([own.status, made.status]).toEqual([409, 201]);
    expect(made.json).toMatchObject({ service: { id: cut.id, name: 'Cut' } });
  });
});

describe('a service that changes while a form is open', () => {
  type Change = (ana: Person, colour: Service) => Promise<unknown>;
  test.each<[what: string, change: Change, words: string]>([
    [
      'is switched off',
      (ana, colour) => changeService(ana, colour, { isOffered: false }),
      'This service is not offered at this time any more.',
    ],
    ['is deleted', deleteService, 'This service is not offered at this time any more.'],
    [
      'takes longer than what is free',
      (ana, colour) => changeService(ana, colour, { minutes: 600 }),
      'There is not enough free time here any more.',
    ],
  ])('and %s is not booked', async (_, change, words) => {
    const { ana, colour, slots } = await aSalon();
    const maya = await newConsumer();
    const path = `${slots[0].id}?service=${colour.id}`;
    const clientForm = await maya.browser.get(`/details/${path}`);
    const strangerForm = await strangersPageOf(ana, `/${path}`);

    await change(ana, colour);
    const pages = {
      client: await clientForm.submit('Book this appointment'),
      stranger: await strangerForm.submit('Book', { displayName: 'Gus' }),
      opened: await maya.browser.get(`/details/${path}`),
    };

    for (const [reader, page] of Object.entries(pages)) {
      expect(page.status, reader).toBe(409);
      expect(page.words, reader).toContain(words);
    }
    expect(await bookedTimes(ana)).toEqual([]);
  });

  const answersIn = (page: Page) => ({ [page.$('textarea')?.getAttribute('name') ?? '']: 'Red' });

  describe.each([
    ['longer', 30, 45, '09:45'],
    ['shorter', 60, 45, '09:45'],
  ])('and takes %s than the form said', (_, before, after, end) => {
    /** A form of a client for nine o'clock, and what it says once it is sent. */
    async function refusedForm() {
      const { ana, colour, slots } = await aSalon();
      const template = await publishQuestions(ana, [{ questionText: 'Which colour?' }]);
      await changeService(ana, colour, { minutes: before });
      const maya = await newConsumer();
      const form = await maya.browser.visit(`/details/${slots[0].id}?service=${colour.id}`);
      await changeService(ana, colour, { minutes: after, templateId: template });
      return { ana, refused: await form.submit('Book this appointment') };
    }

    test('is shown as it is now', async () => {
      const { ana, refused } = await refusedForm();

      expect(refused.status).toBe(400);
      expect(refused.words).toMatch(new RegExp(`the deposit of this service has changed.*${end}`, 's'));
      expect(await bookedTimes(ana)).toEqual([]);
    });

    test('is booked once at the next try', async () => {
      const { ana, refused } = await refusedForm();

      const sendAgain = () => refused.submit('Book', answersIn(refused));
      const [one, other] = await Promise.all([sendAgain(), sendAgain()]);

      expect(one.path).toBe(other.path);
      expect(await bookedTimes(ana)).toEqual([`09:00 to ${end}`]);
    });
  });

  test('and takes longer keeps the answers that a client has typed', async () => {
    const { ana, colour, slots } = await aSalon();
    const templateId = await publishQuestions(ana, [{ questionText: 'Which colour?' }]);
    await changeService(ana, colour, { minutes: 30, templateId });
    const maya = await newConsumer();
    const form = await maya.browser.visit(`/details/${slots[4].id}?service=${colour.id}&step=questions`);
    await changeService(ana, colour, { minutes: 45 });

    const refused = await form.submit('Book', answersIn(form));
    await refused.submit('Book');

    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/the deposit of this service has changed.*11:45/s);
    expect(await agenda(ana)).toMatchObject([{ formData: [{ answer: 'Red' }] }]);
  });

  test('and takes longer keeps the name that a stranger has typed', async () => {
    const { ana, colour, slots } = await aSalon();
    await changeService(ana, colour, { minutes: 30 });
    const templateId = await publishQuestions(ana, [{ questionText: 'Which colour?' }]);
    const form = await strangersPageOf(ana, `/${slots[2].id}?service=${colour.id}`);
    await changeService(ana, colour, { minutes: 45, templateId });

    const refused = await form.submit('Book', { displayName: 'Gus' });
    await refused.submit('Book', answersIn(refused));

    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/the deposit of this service has changed.*10:45/s);
    expect(await agenda(ana)).toMatchObject([{ startTime: '10:00', endTime: '10:45', bookerName: 'Gus' }]);
  });

  type PricedForm = { provider: Person; service: Service; form: Page };
  const priced: [what: string, open: () => Promise<PricedForm>][] = [
    [
      'in free time',
      async () => {
        const { ana, colour, slots } = await aSalon();
        return {
          provider: ana,
          service: colour,
          form: await strangersPageOf(ana, `/${slots[0].id}?service=${colour.id}`),
        };
      },
    ],
    [
      'as a class',
      async () => {
        const { asha, yoga, classes } = await aClass(3);
        return { provider: asha, service: yoga, form: await strangersPageOf(asha, `/${classes[0].id}`) };
      },
    ],
    [
      'as a class that the address names',
      async () => {
        const { asha, yoga, classes } = await aClass(3);
        const form = await strangersPageOf(asha, `/${classes[0].id}?service=${yoga.id}`);
        return { provider: asha, service: yoga, form };
      },
    ],
  ];
  test.each(priced)('and costs something else shows the new price before it is booked %s', async (_, open) => {
    const { provider, service, form } = await open();
    await changeService(provider, service, { price: '117 €' });

    const refused = await form.submit('Book', { displayName: 'Gus' });
    const bookedAtFirst = await agenda(provider);
    const done = await refused.submit('Book');

    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/The length, the price or the deposit of this service has changed.*117 €/s);
    expect(bookedAtFirst).toEqual([]);
    expect(done.words).toContain('117 €');
  });

  test.each(priced)('and asks another deposit shows the new one before it is booked %s', async (_, open) => {
    const { provider, service, form } = await open();
    await changeService(provider, service, { deposit: '17 €' });

    const refused = await form.submit('Book', { displayName: 'Gus' });
    const bookedAtFirst = await agenda(provider);
    await refused.submit('Book');

    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/the deposit of this service has changed.*17 €/s);
    expect(bookedAtFirst).toEqual([]);
    expect(await agenda(provider)).toMatchObject([{ service: { deposit: '17 €' } }]);
  });
});

describe('free time', () => {
  /** The salon, with an hour more on the next day. */
  async function aSalonOfTwoDays() {
    const salon = await aSalon();
    await publish(salon.ana, { end: '10:00', dates: [dayAhead(3)] });
    const maya = await newConsumer();
    const read = (call: string, service: string) =>
      maya.api('GET', `/api/${call}?provider=${salon.ana.username}&service=${service}`);
    return { ...salon, read };
  }

  test.each(['Public/Dates', 'Appointment/GetDates'])('has the days on which a service fits: %s', async (call) => {
    const { colour, cut, read } = await aSalonOfTwoDays();

    const ofColour = await read(call, colour.id);
    const ofCut = await read(call, cut.id);

    expect(ofColour.json).toEqual([dayAhead(2)]);
    expect(ofCut.json).toEqual([dayAhead(2), dayAhead(3)]);
    expect(tripsOf(ofColour)).toBe(1);
    expect(tripsOf(ofCut)).toBe(1);
  });

  test('has the times at which a service fits', async () => {
    const { colour, read } = await aSalonOfTwoDays();

    const response = await read('Public/Times', colour.id);

    const times = (response.json as Row[]).map(({ startTime, endTime }) => `${startTime} to ${endTime}`);
    expect(times).toEqual(['09:00 to 10:30', '09:30 to 11:00', '10:00 to 11:30', '10:30 to 12:00']);
    expect(tripsOf(response)).toBe(1);
  });

  test('has no times for a service that nobody offers', async () => {
    const { read } = await aSalonOfTwoDays();

    const response = await read('Public/Times', 'none');

    expect(response.json).toEqual([]);
    expect(tripsOf(response)).toBe(1);
  });
});

test('a service of several slots costs one trip, with at most two rows more for each slot after the first', async () => {
  const ana = await newProvider();
  const costOf = async (minutes: number, day: number) => {
    const service = await createService(ana, { minutes });
    const [slot] = (await publish(ana, { end: '17:00', dates: [dayAhead(day)] })) as [Row];
    const booked = await bookService(await newConsumer(), slot, service);
    return askedOf(booked.headers);
  };

  const ofOne = await costOf(30, 2);
  const ofTwo = await costOf(60, 3);
  const ofEight = await costOf(240, 4);

  for (const { trips } of [ofOne, ofTwo, ofEight]) expect(trips).toBe(1);
  expect(ofTwo.written).toBeLessThanOrEqual(ofOne.written + 2);
  expect(ofEight.written).toBeLessThanOrEqual(ofOne.written + 14);
});

describe('in a race', { timeout: 180_000 }, () => {
  let crowd: Person[];
  beforeAll(async () => {
    crowd = await registerCrowd(daybook, 5);
  });

  const race = async (seed: number, rounds: number) => ({
    host: await newProvider(),
    crowd,
    rounds,
    chance: new Chance(seed),
  });
  const roundsIn = (counts: Record<string, number>) => Object.values(counts).reduce((all, one) => all + one, 0);

  test('one wins the last place of a class', async () => {
    const counts = await raceForSeats(daybook.d1, await race(31, 12));

    expect(counts['1 won the last place']).toBe(8);
    expect(roundsIn(counts)).toBe(12);
  });

  test('one wins the half hour that is in all that is wanted', async () => {
    const counts = await raceOfLengths(daybook.d1, await race(32, 12));

    expect(roundsIn(counts)).toBe(12);
  });

  test('of series that cross, each is booked whole or not at all', async () => {
    const counts = await raceOfSeries(daybook.d1, await race(33, 16));

    expect(counts['series 201']).toBeGreaterThan(0);
    expect(counts['series 409']).toBeGreaterThan(0);
    expect(counts['one 409']).toBeGreaterThan(0);
  });

  test('one wins what is published for a standing time', async () => {
    const counts = await raceForStanding(daybook.d1, await race(34, 4));

    expect(roundsIn(counts)).toBe(4);
  });
});
