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
import { add, fullyBooked, only } from '../../support/waitlist';

/* The rules by which a provider lets people book. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { maya } = useWorld(daybook, { maya: {} });

const getRules = async (who: Person) => (await who.api('GET', '/api/Account/GetRules')).json;
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
};

/** A provider with these rules. */
async function ruled(rules: object, details: object = {}): Promise<Person> {
  const host = await newProvider(details);
  expect((await setRules(host, rules)).status).toBe(200);
  return host;
}

test('SetRules leaves what is not given, refuses what is no such choice or past a limit, and then changes nothing', async () => {
  const host = await ruled({ notice: 15, perDay: 3 });
  expect((await setRules(host, { perDay: null })).json).toEqual({ ...usual, notice: 15 });
  const wrong = {
    notice: [-1, 43_201, null, 1.5, '2h'],
    cancelUntil: [43_201],
    horizonDays: [1096],
    perPerson: [1001],
    perDay: [0],
    partiesBlock: ['maybe'],
    keepAnswersDays: [0, 3651],
    openTo: ['friends'],
    askEmail: ['maybe'],
    colour: ['pink'],
    head: ['hat'],
  };
  for (const [name, values] of Object.entries(wrong))
    for (const value of values)
      expect(complaints(await setRules(host, { askPhone: 'required', [name]: value })), name).toHaveLength(1);
  expect(await getRules(host)).toEqual({ ...usual, notice: 15 });
});

// That the lists leave it out, and what bounds them: test/domain/bookings/bookable.test.ts.
test('a time that is too near or too far can’t be booked, and says so, by nobody but the provider', async () => {
  const host = await ruled({ notice: 120, horizonDays: 3 });
  const write = (startsIn: number) => writeSlot(daybook.d1, host, { startsIn, length: 5 });
  const [near, far] = [await write(60), await write(3 * 1440 + 60)];
  const [anyMore, yet] = ['any more', 'yet'].map((until) => `This appointment can't be booked ${until}.`);
  for (const who of [maya, await newGuest(daybook)]) {
    expect(await book(who, near)).toMatchObject({ status: 409, json: anyMore });
    expect(await book(who, far)).toMatchObject({ status: 409, json: yet });
  }
  const page = await maya.browser.get(`/details/${near.id}`);
  expect([page.status, page.words]).toEqual([409, expect.stringContaining(anyMore as string)]);
  for (const slot of [near, far]) {
    const row = (await look(host, slot)).json as Row;
    const own = await host.browser.get(`/view-open?day=${localDate(row)}`);
    expect(own.$(`input[name=id][value="${slot.id}"]`)).not.toBeNull();
    expect((await bookFor(host, slot, { displayName: 'Walk-in' })).status).toBe(201);
  }
});

describe('a limit', () => {
  test('of one person counts what is to come with this provider, and both forms say so before their button', async () => {
    const host = await ruled({ perPerson: 1 }, { displayName: 'Rita' });
    const [one, two] = (await publish(host, { end: '10:00' })) as [Row, Row];
    const client = await newConsumer();
    await book(client, one);
    const most = 'at most one coming appointment with Rita';
    expect(await book(client, two)).toMatchObject({ status: 409, json: expect.stringContaining(most) });
    expect((await book(client, one)).status).toBe(200);
    const form = `/with/${host.username}/${two.id}`;
    for (const path of [form, `/details/${two.id}`])
      expect((await client.browser.get(path)).words).toMatch(new RegExp(`${most}.*Book`));
    expect((await maya.browser.get(form)).words).not.toContain(most);
    await cancel(client, one);
    expect((await book(client, two)).status).toBe(200);
  });

  test('of one person counts no appointment that is over', async () => {
    const host = await newProvider();
    const client = await newConsumer();
    for (const startsIn of [-120, -60]) await writeSlot(daybook.d1, host, { startsIn, booker: client });
    await setRules(host, { perPerson: 1 });
    const slot = await publishOne(host);

    const form = await client.browser.get(`/details/${slot.id}`);

    expect(form.words).not.toContain('at most one coming appointment');
    expect((await book(client, slot)).status).toBe(200);
  });

  test('of one person keeps nobody whose appointments are over from being offered a time', async () => {
    const { host, booker, booked } = await fullyBooked({ newProvider, newConsumer });
    const client = await newConsumer();
    await writeSlot(daybook.d1, host, { startsIn: -60, booker: client });
    await setRules(host, { perPerson: 1 });
    await add(client, host);

    await cancel(booker, booked);

    const { offer } = await only(client);
    expect(offer).toMatchObject({ startsAt: booked.startsAt });
  });

  test('of a day counts what is booked on the provider’s own day, and says so', async () => {
    const host = await ruled({ perDay: 2 }, { displayName: 'Rita', timeZone: 'Pacific/Auckland' });
    const days = [dayAhead(3), dayAhead(4)];
    const slots = await publish(host, { start: '00:00', end: '00:00', dates: days }, 'len=360');
    const [first, middle, , last, another] = slots as [Row, Row, Row, Row, Row];
    for (const slot of [first, last]) expect((await book(await newConsumer(), slot)).status).toBe(200);
    const full = 'Rita takes at most 2 appointments a day';
    expect(await book(maya, middle)).toMatchObject({ status: 409, json: expect.stringContaining(full) });
    const form = await maya.browser.get(`/details/${middle.id}`);
    expect([form.status, form.words]).toEqual([409, expect.stringContaining(full)]);
    expect((await book(maya, another)).status).toBe(200);
    expect((await bookFor(host, middle, { displayName: 'Walk-in' })).status).toBe(201);
  });

  test('is never passed, however many book at once', async () => {
    const crowd = await registerCrowd(daybook, 20);
    const host = await ruled({ perDay: 5, perPerson: 2 });
    const slots = await publish(host, { end: '10:40' }, 'len=5');
    const answers = await Promise.all(slots.map((slot, place) => book(crowd[place] as Person, slot)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(15).fill(409)]);
    const other = await ruled({ perPerson: 3 });
    const ten = await publish(other, { end: '09:50' }, 'len=5');
    const mine = await Promise.all(ten.map((slot) => book(maya, slot)));
    expect(mine.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

describe('a deadline', () => {
  test('keeps the booker from cancelling later than said when the time was booked, and never binds the provider', async () => {
    const host = await newProvider({ displayName: 'Rita', timeZone: 'Europe/Lisbon' });
    const bookIn = async (startsIn: number) => {
      const slot = await writeSlot(daybook.d1, host, { startsIn });
      await book(maya, slot);
      return slot;
    };
    const before = await bookIn(60);
    await setRules(host, { cancelUntil: 120 });
    const [late, early] = [await bookIn(100), await bookIn(300)];
    await setRules(host, { cancelUntil: 0 });
    for (const slot of [before, early]) expect((await cancel(maya, slot)).status).toBe(200);
    const deadline = /until \w+, \d+ \w+ \d{4}, \d\d:\d\d Lisbon time\. Please ask Rita\.$/;
    expect(await cancel(maya, late)).toMatchObject({ status: 409, json: expect.stringMatching(deadline) });
    expect((await maya.browser.get(`/details-cancel/${late.id}`)).$$('dialog')).toEqual([]);
    expect((await cancel(host, late)).status).toBe(200);
  });

  const formOf = (host: Person, { id }: { id: string }) => `/with/${host.username}/${id}`;

  test('is said on both forms before booking: until when, or that there is no way back', async () => {
    const host = await ruled({ cancelUntil: 1440 });
    for (const [startsIn, words] of [
      [600, /It can't be canceled or moved\./],
      [3000, /It can be canceled or moved until .* UTC/],
    ] as const) {
      const slot = await writeSlot(daybook.d1, host, { startsIn });
      expect((await maya.browser.get(`/details/${slot.id}`)).words).toMatch(words);
      expect((await daybook.visitor().get(formOf(host, slot))).words).toMatch(words);
    }
  });

  test('that is over is said with the confirmed address of the provider, and never without', async () => {
    const host = await ruled({ cancelUntil: 1440 }, { displayName: 'Rita' });
    const slot = await writeSlot(daybook.d1, host, { startsIn: 600 });
    await host.api('PUT', '/api/Account/SetEmail', { email: 'rita@example.org', password });
    const guest = await newGuest(daybook);
    const row = (await book(guest, slot)).json as Row;
    const said = async () => [
      (await guest.browser.get(`/details-cancel/${slot.id}`)).words,
      (await daybook.visitor().get(row.link ?? '')).words,
      (await cancel(guest, slot)).json,
    ];
    for (const words of await said()) {
      expect(words).toContain('Please ask Rita.');
      expect(words).not.toContain('rita@example.org');
    }
    const confirm = daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE username = ?');
    await confirm.bind(host.username).run();
    await host.api('PUT', '/api/Account/SetProfile', { phone: '555 01' });
    for (const words of await said()) expect(words).toContain('Please ask Rita: 555 01, rita@example.org.');
    const open = await writeSlot(daybook.d1, host, { startsIn: 700 });
    for (const path of [`/details/${open.id}`, formOf(host, open)])
      expect((await maya.browser.get(path)).words).not.toContain('rita@example.org');
  });
});

test('the screen of the rules says what each means, saves all at once, and keeps what was typed where something is wrong', async () => {
  const host = await newProvider();
  const page = await host.browser.get('/rules');
  const chosen = { openTo: 'accounts', askEmail: 'no', askPhone: 'optional', waitlist: 'off' };
  const typed = { notice: '120', cancelUntil: '1440', horizonDays: '30', perPerson: '2', keepAnswersDays: '90' };
  const saved = await page.submit('Save rules', { ...chosen, ...typed, perDay: '' });
  expect(saved.words).toContain('Your rules are saved.');
  expect(saved.words).toContain('Someone who opens your page at 10:00 sees times from 12:00.');
  const numbers = { notice: 120, cancelUntil: 1440, horizonDays: 30, perPerson: 2, keepAnswersDays: 90 };
  const kept = { ...usual, ...chosen, ...numbers };
  expect(await getRules(host)).toEqual(kept);
  const wrong = await saved.submit('Save rules', { horizonDays: '0', perPerson: '3' });
  expect([wrong.status, wrong.$('[name=horizonDays]')?.getAttribute('value')]).toEqual([400, '0']);
  expect(await getRules(host)).toEqual(kept);
});
