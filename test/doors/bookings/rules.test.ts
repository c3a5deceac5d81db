import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { bookFor } from '../../support/appointment-calls';
import { complaints } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  localDate,
  look,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  registerCrowd,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer, useWorld } from '../../support/use-server';
import { typedIn } from '../../support/visit';
import { add, fullyBooked, only } from '../../support/waitlist';

/* The rules by which a provider lets people book. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya, rival: unruled } = useWorld(daybook, { maya: {}, rival: {} });

const rulesOf = async (who: Person) => (await who.api('GET', '/api/Account/GetRules')).json;
const usual = {
  waitlist: 'on',
  openTo: 'anyone',
  askEmail: 'optional',
  askPhone: 'no',
  notice: 0,
  cancelUntil: 0,
  horizonDays: null,
  perPerson: null,
  perDay: null,
  partiesBlock: true,
  colour: 'red',
  head: 'plain',
  keepAnswersDays: null,
  embedOn: [],
};

/** A provider with these rules. */
async function providerWith(rules: object, details: object = {}): Promise<Person> {
  const host = await newProvider(details);
  expect((await setRules(host, rules)).status).toBe(200);
  return host;
}

describe('SetRules', () => {
  test('answers with all rules', async () => {
    const changed = await setRules(await newProvider(), { notice: 15 });

    expect(changed).toMatchObject({ status: 200, json: { ...usual, notice: 15 } });
  });

  test('leaves the rules that are not given', async () => {
    const host = await providerWith({ notice: 15, perDay: 3 });

    await setRules(host, { perDay: null });

    expect(await rulesOf(host)).toEqual({ ...usual, notice: 15 });
  });

  test.each<[string, unknown]>([
    ['notice', -1],
    ['notice', 43_201],
    ['notice', null],
    ['notice', 1.5],
    ['notice', '2h'],
    ['cancelUntil', 43_201],
    ['horizonDays', 1096],
    ['perPerson', 1001],
    ['perDay', 0],
    ['partiesBlock', 'maybe'],
    ['keepAnswersDays', 0],
    ['keepAnswersDays', 3651],
    ['openTo', 'friends'],
    ['askEmail', 'maybe'],
    ['colour', 'pink'],
    ['head', 'hat'],
  ])('with %s of %j changes nothing', async (name, value) => {
    const refused = await setRules(unruled, { askPhone: 'required', [name]: value });

    expect(complaints(refused)).toHaveLength(1);
    expect(await rulesOf(unruled)).toEqual(usual);
  });
});

// That the lists leave it out, and what bounds them: test/domain/bookings/bookable.test.ts.
describe.each([
  ['too near', 60, "This appointment can't be booked any more."],
  ['too far', 3 * 1440 + 60, "This appointment can't be booked yet."],
])('a time that is %s', (_, startsIn, words) => {
  async function unbookable() {
    const host = await providerWith({ notice: 120, horizonDays: 3 });
    return { host, slot: await writeSlot(daybook.d1, host, { startsIn, length: 5 }) };
  }

  test('can’t be booked by a client', async () => {
    const { slot } = await unbookable();

    expect(await book(maya, slot)).toMatchObject({ status: 409, json: words });
  });

  test('can’t be booked by a guest', async () => {
    const { slot } = await unbookable();

    expect(await book(await newGuest(daybook), slot)).toMatchObject({ status: 409, json: words });
  });

  test('says so on its page', async () => {
    const { slot } = await unbookable();

    const page = await maya.browser.get(`/details/${slot.id}`);

    expect(page.status).toBe(409);
    expect(page.words).toContain(words);
  });

  test('is among the provider’s own open times', async () => {
    const { host, slot } = await unbookable();
    const row = (await look(host, slot)).json as Row;

    const own = await host.browser.get(`/view-open?day=${localDate(row)}`);

    expect(own.$(`input[name=id][value="${slot.id}"]`)).not.toBeNull();
  });

  test('can be booked by the provider for somebody', async () => {
    const { host, slot } = await unbookable();

    expect((await bookFor(host, slot, { displayName: 'Walk-in' })).status).toBe(201);
  });
});

describe('a limit of one person', () => {
  const most = 'at most one coming appointment with Rita';

  /** Rita takes one coming appointment of a person, and the client has it. */
  async function reachedLimit() {
    const host = await providerWith({ perPerson: 1 }, { displayName: 'Rita' });
    const [booked, free] = (await publish(host, { end: '10:00' })) as [Row, Row];
    const client = await newConsumer();
    await book(client, booked);
    return { host, client, booked, free };
  }
  const forms = [
    ['a client', (_: Person, { id }: Row) => `/details/${id}`],
    ['everybody', ({ username }: Person, { id }: Row) => `/with/${username}/${id}`],
  ] as const;

  test('refuses one appointment more', async () => {
    const { client, free } = await reachedLimit();

    expect(await book(client, free)).toMatchObject({ status: 409, json: expect.stringContaining(most) });
  });

  test('leaves what was booked as it is when that is sent again', async () => {
    const { client, booked } = await reachedLimit();

    expect((await book(client, booked)).status).toBe(200);
  });

  test.each(forms)('is said before the button on the form for %s', async (_, formOf) => {
    const { host, client, free } = await reachedLimit();

    const form = await client.browser.get(formOf(host, free));

    expect(form.words).toMatch(new RegExp(`${most}.*Book`));
  });

  test.each(forms)('is not said to anybody else on the form for %s', async (_, formOf) => {
    const { host, free } = await reachedLimit();

    const form = await maya.browser.get(formOf(host, free));

    expect(form.status).toBe(200);
    expect(form.words).not.toContain(most);
  });

  test('counts nothing that is canceled', async () => {
    const { client, booked, free } = await reachedLimit();
    await cancel(client, booked);

    expect((await book(client, free)).status).toBe(200);
  });

  test('counts no appointment that is over', async () => {
    const host = await newProvider();
    const client = await newConsumer();
    for (const startsIn of [-120, -60]) await writeSlot(daybook.d1, host, { startsIn, booker: client });
    await setRules(host, { perPerson: 1 });
    const slot = await publishOne(host);

    const form = await client.browser.get(`/details/${slot.id}`);

    expect(form.words).not.toContain('at most one coming appointment');
    expect((await book(client, slot)).status).toBe(200);
  });

  test('keeps nobody whose appointments are over from being offered a time', async () => {
    const { host, booker, booked } = await fullyBooked({ newProvider, newConsumer });
    const client = await newConsumer();
    await writeSlot(daybook.d1, host, { startsIn: -60, booker: client });
    await setRules(host, { perPerson: 1 });
    await add(client, host);

    await cancel(booker, booked);

    const { offer } = await only(client);
    expect(offer).toMatchObject({ startsAt: booked.startsAt });
  });

  test('is never passed, however many times one person books at once', async () => {
    const host = await providerWith({ perPerson: 3 });
    const slots = await publish(host, { end: '09:50' }, 'len=5');

    const responses = await Promise.all(slots.map((slot) => book(maya, slot)));

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

describe('a limit of a day', () => {
  const most = 'Rita takes at most 2 appointments a day';

  /** The day of Rita, in Auckland, in four parts, of which the first and the last are booked; and a time of the next day. */
  async function fullDay() {
    const host = await providerWith({ perDay: 2 }, { displayName: 'Rita', timeZone: 'Pacific/Auckland' });
    const dates = [dayAhead(3), dayAhead(4)];
    const slots = await publish(host, { start: '00:00', end: '00:00', dates }, 'len=360');
    const [first, free, , last, nextDay] = slots as [Row, Row, Row, Row, Row];
    for (const slot of [first, last]) expect((await book(await newConsumer(), slot)).status).toBe(200);
    return { host, free, nextDay };
  }

  test('refuses one more on the provider’s own day', async () => {
    const { free } = await fullDay();

    expect(await book(maya, free)).toMatchObject({ status: 409, json: expect.stringContaining(most) });
  });

  test('says so on the page of the time', async () => {
    const { free } = await fullDay();

    const page = await maya.browser.get(`/details/${free.id}`);

    expect(page.status).toBe(409);
    expect(page.words).toContain(most);
  });

  test('leaves the next day as it is', async () => {
    const { nextDay } = await fullDay();

    expect((await book(maya, nextDay)).status).toBe(200);
  });

  test('does not bind the provider', async () => {
    const { host, free } = await fullDay();

    expect((await bookFor(host, free, { displayName: 'Walk-in' })).status).toBe(201);
  });

  test('is never passed, however many people book at once', async () => {
    const crowd = await registerCrowd(daybook, 20);
    const host = await providerWith({ perDay: 5, perPerson: 2 });
    const slots = await publish(host, { end: '10:40' }, 'len=5');

    const responses = await Promise.all(slots.map((slot, place) => book(crowd[place] as Person, slot)));

    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(409)]);
  });
});

const formForAll = (host: Person, { id }: { id: string }) => `/with/${host.username}/${id}`;

describe('a deadline', () => {
  /** Books a time of Rita's that starts in so many minutes, under a deadline of so many. */
  async function bookedUnder(cancelUntil: number, startsIn: number) {
    const host = await providerWith({ cancelUntil }, { displayName: 'Rita', timeZone: 'Europe/Lisbon' });
    const slot = await writeSlot(daybook.d1, host, { startsIn });
    expect((await book(maya, slot)).status).toBe(200);
    return { host, slot };
  }

  test('lets the booker cancel before it', async () => {
    const { slot } = await bookedUnder(120, 300);

    expect((await cancel(maya, slot)).status).toBe(200);
  });

  test('keeps the booker from cancelling after it, with whom to ask', async () => {
    const { slot } = await bookedUnder(120, 100);

    const deadline = /until \w+, \d+ \w+ \d{4}, \d\d:\d\d Lisbon time\. Please ask Rita\.$/;
    expect(await cancel(maya, slot)).toMatchObject({ status: 409, json: expect.stringMatching(deadline) });
  });

  test('takes the button from the page of the booking', async () => {
    const { slot } = await bookedUnder(120, 100);

    const page = await maya.browser.get(`/details-cancel/${slot.id}`);

    expect(page.status).toBe(200);
    expect(page.$$('dialog')).toEqual([]);
  });

  test('that comes later does not bind what was booked before', async () => {
    const { host, slot } = await bookedUnder(0, 60);
    await setRules(host, { cancelUntil: 120 });

    expect((await cancel(maya, slot)).status).toBe(200);
  });

  test('that is taken away still binds what was booked under it', async () => {
    const { host, slot } = await bookedUnder(120, 100);
    await setRules(host, { cancelUntil: 0 });

    expect((await cancel(maya, slot)).status).toBe(409);
  });

  test('never binds the provider', async () => {
    const { host, slot } = await bookedUnder(120, 100);

    expect((await cancel(host, slot)).status).toBe(200);
  });

  test.each([
    ['is said before booking', 3000, /It can be canceled or moved until .* UTC/],
    ['that is over already is said before booking', 600, /It can't be canceled or moved\./],
  ])('%s', async (_, startsIn, words) => {
    const host = await providerWith({ cancelUntil: 1440 });
    const slot = await writeSlot(daybook.d1, host, { startsIn });

    expect((await maya.browser.get(`/details/${slot.id}`)).words).toMatch(words);
    expect((await daybook.visitor().get(formForAll(host, slot))).words).toMatch(words);
  });
});

describe('a deadline that is over', () => {
  /** A guest who can't cancel any more at Rita's, whose address is not confirmed, and what they read. */
  async function lateGuest() {
    const host = await providerWith({ cancelUntil: 1440 }, { displayName: 'Rita' });
    const slot = await writeSlot(daybook.d1, host, { startsIn: 600 });
    await host.api('PUT', '/api/Account/SetEmail', { email: 'rita@example.org', password });
    const guest = await newGuest(daybook);
    const row = (await book(guest, slot)).json as Row;
    const readAll = async () => ({
      page: (await guest.browser.get(`/details-cancel/${slot.id}`)).words,
      link: (await daybook.visitor().get(row.link ?? '')).words,
      refusal: (await cancel(guest, slot)).json as string,
    });
    return { host, readAll };
  }
  async function confirmAddress({ username }: Person) {
    const confirm = daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE username = ?');
    await confirm.bind(username).run();
  }

  test('is said with whom to ask', async () => {
    const { readAll } = await lateGuest();

    for (const words of Object.values(await readAll())) expect(words).toContain('Please ask Rita.');
  });

  test('is said without an address that is not confirmed', async () => {
    const { readAll } = await lateGuest();

    for (const words of Object.values(await readAll())) expect(words).not.toContain('rita@example.org');
  });

  test('is said with the number of the provider before their confirmed address', async () => {
    const { host, readAll } = await lateGuest();
    await confirmAddress(host);
    await host.api('PUT', '/api/Account/SetProfile', { phone: '555 01' });

    for (const words of Object.values(await readAll()))
      expect(words).toContain('Please ask Rita: 555 01, rita@example.org.');
  });

  test('shows the address to nobody who has not booked', async () => {
    const { host } = await lateGuest();
    await confirmAddress(host);
    const open = await writeSlot(daybook.d1, host, { startsIn: 700 });

    for (const path of [`/details/${open.id}`, formForAll(host, open)]) {
      const page = await maya.browser.get(path);
      expect(page.status).toBe(200);
      expect(page.words).not.toContain('rita@example.org');
    }
  });
});

describe('the screen of the booking page', () => {
  test('saves its colour and flags', async () => {
    const host = await newProvider();
    const page = await host.browser.visit('/your-page');

    const saved = await page.submit('Save the look', { colour: 'plum', head: 'festive' });

    expect(saved.words).toContain('It stands on your page.');
    expect(await rulesOf(host)).toEqual({ ...usual, colour: 'plum', head: 'festive' });
  });

  test('stays a step of the set-up while its look is saved', async () => {
    const page = await (await newProvider()).browser.visit('/your-page?start=yes');

    const saved = await page.submit('Save the look', { colour: 'gold' });

    expect(saved.words).toContain('Done: go to today');
  });

  test('saves its flags alone', async () => {
    const host = await newProvider();

    await host.browser.post('/your-page', { intent: 'look', head: 'festive' });

    expect(await rulesOf(host)).toEqual({ ...usual, head: 'festive' });
  });

  test('takes no colour that there is not', async () => {
    const host = await newProvider();

    const refused = await host.browser.post('/your-page', { intent: 'look', colour: 'beige' });

    expect(refused.status).toBe(400);
    expect(await rulesOf(host)).toEqual(usual);
  });
});

describe('the screen of the rules', () => {
  const chosen = { openTo: 'accounts', askEmail: 'no', askPhone: 'optional', waitlist: 'off' };
  const numbers = { notice: 120, cancelUntil: 1440, horizonDays: 30, perPerson: 2, keepAnswersDays: 90 };
  async function savedRules() {
    const host = await newProvider();
    const page = await host.browser.get('/rules');
    const typed = Object.fromEntries(Object.entries(numbers).map(([name, number]) => [name, `${number}`]));
    return { host, saved: await page.submit('Save rules', { ...chosen, ...typed, perDay: '' }) };
  }

  test('saves all at once', async () => {
    const { host, saved } = await savedRules();

    expect(saved.words).toContain('Your rules are saved.');
    expect(await rulesOf(host)).toEqual({ ...usual, ...chosen, ...numbers });
  });

  test('leads to each group of them by a link', async () => {
    const page = await (await newProvider()).browser.get('/rules');

    const anchors = page.$$('main nav a[href^="#"]').map((link) => link.getAttribute('href'));
    expect(anchors).toEqual(['#who', '#when', '#limits', '#reminders']);
    for (const anchor of anchors) expect(page.$(`h2${anchor}`)).not.toBeNull();
  });

  test('leaves colour and flags to the screen of the booking page', async () => {
    const page = await (await newProvider()).browser.get('/rules');

    expect(page.$('[name=colour], [name=head]')).toBeNull();
    expect(page.$('main a[href="/your-page#look"]')).not.toBeNull();
  });

  test('takes colour and flags from a form that was opened before they moved', async () => {
    const host = await newProvider();

    await host.browser.post('/rules', { colour: 'plum', head: 'festive' });

    expect(await rulesOf(host)).toEqual({ ...usual, colour: 'plum', head: 'festive' });
  });

  test('says what a rule means', async () => {
    const { saved } = await savedRules();

    expect(saved.words).toContain('Someone who opens your page at 10:00 sees times from 12:00.');
  });

  test('saves nothing where something is wrong', async () => {
    const { host, saved } = await savedRules();

    const refused = await saved.submit('Save rules', { horizonDays: '0', perPerson: '3' });

    expect(refused.status).toBe(400);
    expect(await rulesOf(host)).toEqual({ ...usual, ...chosen, ...numbers });
  });

  test('keeps what was typed where something is wrong', async () => {
    const { saved } = await savedRules();

    const refused = await saved.submit('Save rules', { horizonDays: '0', perPerson: '3' });

    expect(typedIn(refused, 'horizonDays')).toBe('0');
    expect(typedIn(refused, 'perPerson')).toBe('3');
  });
});
