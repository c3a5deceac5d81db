import { describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import { setRules } from '../../support/account-calls';
import { idsOf } from '../../support/appointment-calls';
import { complaints, nothing } from '../../support/complaints';
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
  rowsOf,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { useServer, useWorld } from '../../support/use-server';

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
const anyMore = { status: 409, json: "This appointment can't be booked any more." };
const yet = { status: 409, json: "This appointment can't be booked yet." };

describe('SetRules', () => {
  test('sets what is given, and all the rest stays', async () => {
    const host = await newProvider();
    expect(await getRules(host)).toEqual(usual);
    const all = { ...usual, notice: 120, cancelUntil: 1440, horizonDays: 30, perPerson: 2, perDay: 8 };
    expect(await setRules(host, all)).toMatchObject({ status: 200, json: all });
    for (const _ of ['once', 'twice']) {
      expect((await setRules(host, { perDay: null, notice: 0 })).json).toEqual({ ...all, perDay: null, notice: 0 });
    }
  });

  test('refuses what is no such choice or past a limit, and changes nothing', async () => {
    const host = await ruled({ notice: 15 });
    const wrong = {
      notice: [-1, 43_201, null, 1.5, '2h'],
      cancelUntil: [43_201, null],
      horizonDays: [0, 1096],
      perPerson: [0, 1001],
      perDay: [0, true],
      partiesBlock: ['maybe', 1],
      keepAnswersDays: [0, -1, 3651, 1.5, 'soon', true],
      openTo: ['friends', null],
      askEmail: ['maybe'],
      colour: ['pink'],
      head: ['hat'],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const answer = await setRules(host, { askPhone: 'required', [name]: value });
        expect([name, value, complaints(answer).length]).toEqual([name, value, 1]);
      }
    }
    expect(await getRules(host)).toEqual({ ...usual, notice: 15 });
  });
});

describe('a time that is too near or too far', () => {
  // That the lists leave it out, and what bounds them: test/domain/bookings/bookable.test.ts.
  test('can’t be booked, and says so, by nobody but the provider', async () => {
    const host = await ruled({ notice: 120, horizonDays: 3 }, { displayName: 'Rita' });
    const write = (startsIn: number) => writeSlot(daybook.d1, host, { startsIn, length: 5 });
    const [near, first, far] = [await write(60), await write(125), await write(3 * 1440 + 60)];
    expect(idsOf(rowsOf(await maya.api('GET', `/api/Appointment/GetPage?provider=${host.username}`)))).toEqual([
      first.id,
    ]);
    for (const who of [maya, await newGuest(daybook)]) {
      expect(await book(who, near)).toMatchObject(anyMore);
      expect(await book(who, far)).toMatchObject(yet);
    }
    const page = await maya.browser.get(`/details/${near.id}`);
    expect([page.status, page.words]).toEqual([409, expect.stringContaining(anyMore.json)]);
    for (const slot of [near, far]) {
      const row = (await look(host, slot)).json as Row;
      const own = await host.browser.get(`/view-open?day=${localDate(row)}`);
      expect(own.$(`input[name=id][value="${slot.id}"]`)).not.toBeNull();
      const answer = await host.api('POST', `/api/Appointment/BookFor?id=${slot.id}`, { displayName: 'Walk-in' });
      expect(answer.status).toBe(201);
    }
    expect((await book(maya, first)).status).toBe(200);
  });
});

describe('a limit', () => {
  test('of one person counts what is to come with this provider, and says so', async () => {
    const host = await ruled({ perPerson: 2 }, { displayName: 'Rita' });
    const [one, two, three] = (await publish(host, { end: '10:30' })) as [Row, Row, Row];
    const client = await newConsumer();
    for (const slot of [one, two]) expect((await book(client, slot)).status).toBe(200);
    const refused = await book(client, three);
    expect(refused).toMatchObject({
      status: 409,
      json: expect.stringMatching(/at most 2 coming appointments with Rita/),
    });
    expect((await book(client, two)).status).toBe(200);
    expect((await book(await newConsumer(), three)).status).toBe(200);
    await cancel(client, one);
    const [again] = rowsOf(await client.api('GET', `/api/Appointment/GetPage?provider=${host.username}`));
    expect((await book(client, again as Row)).status).toBe(200);
  });

  test('of a day counts what is booked on the provider’s own day, and says so', async () => {
    const host = await ruled({ perDay: 2 }, { displayName: 'Rita', timeZone: 'Pacific/Auckland' });
    const days = [dayAhead(3), dayAhead(4)];
    const slots = await publish(host, { start: '00:00', end: '00:00', dates: days }, 'len=360');
    const [first, last, middle, another] = [slots[0], slots[3], slots[1], slots[4]] as [Row, Row, Row, Row];
    expect([first.date, last.date, another.date]).toEqual([days[0], days[0], days[1]]);
    for (const slot of [first, last]) expect((await book(await newConsumer(), slot)).status).toBe(200);
    expect(await book(maya, middle)).toMatchObject({
      status: 409,
      json: expect.stringMatching(/Rita takes at most 2 appointments a day/),
    });
    const offered = async () => (await maya.api('GET', `/api/Appointment/GetDates?provider=${host.username}`)).json;
    expect(await offered()).toEqual([days[1]]);
    const form = await maya.browser.get(`/details/${middle.id}`);
    const words = expect.stringMatching(/Rita takes at most 2 appointments a day, and .* is full/);
    expect([form.status, form.words]).toEqual([409, words]);
    const month = await daybook.visitor().get(`/with/${host.username}?month=${localDate(first).slice(0, 7)}`);
    expect([month.text.includes(middle.id), month.text.includes(another.id)]).toEqual([false, true]);
    expect((await book(maya, another)).status).toBe(200);
    const forOne = await host.api('POST', `/api/Appointment/BookFor?id=${middle.id}`, { displayName: 'Walk-in' });
    expect(forOne.status).toBe(201);
    await cancel(host, first);
    expect(await offered()).toEqual([days[1]]);
    await setRules(host, { perDay: 3 });
    expect(await offered()).toEqual(days);
  });

  test('of one person is said on both forms before their button, to whom it concerns', async () => {
    const host = await ruled({ perPerson: 1 }, { displayName: 'Rita' });
    const other = await ruled({ perPerson: 1 }, { displayName: 'Otto' });
    const [one, two] = (await publish(host, { end: '10:00' })) as [Row, Row];
    const elsewhere = await publishOne(other);
    const sentence = 'You can have at most one coming appointment with Rita, and you have it.';
    const [client, guest] = [await newConsumer(), await newGuest(daybook)];
    await book(client, one);
    const form = `/with/${host.username}/${two.id}`;
    const isSaidAbove = async (who: Person, path = form, button = 'Book') => {
      const page = await who.browser.get(path);
      expect(page.status).toBe(200);
      return page.words.lastIndexOf(sentence) >= 0 && page.words.indexOf(sentence) < page.words.lastIndexOf(button);
    };
    expect(await isSaidAbove(client)).toBe(true);
    expect(await isSaidAbove(client, `/details/${two.id}`, 'Book this appointment')).toBe(true);
    expect([await isSaidAbove(maya), await isSaidAbove(guest)]).toEqual([false, false]);
    expect(await isSaidAbove(client, `/with/${other.username}/${elsewhere.id}`)).toBe(false);
    await cancel(client, one);
    const [again] = rowsOf(await guest.api('GET', `/api/Appointment/GetPage?provider=${host.username}`));
    await book(guest, again as Row);
    expect([await isSaidAbove(guest), await isSaidAbove(client)]).toEqual([true, false]);
  });

  test('is never passed, however many book at once', async () => {
    const crowd = await registerCrowd(daybook, 20);
    const host = await ruled({ perDay: 5, perPerson: 2 });
    const slots = await publish(host, { end: '10:40' }, 'len=5');
    const answers = await Promise.all(slots.map((slot, place) => book(crowd[place] as Person, slot)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(15);
    const other = await ruled({ perPerson: 3 });
    const ten = await publish(other, { end: '09:50' }, 'len=5');
    const mine = await Promise.all(ten.map((slot) => book(maya, slot)));
    expect(mine.filter(({ status }) => status === 200)).toHaveLength(3);
  });
});

describe('a deadline', () => {
  test('keeps the booker from cancelling later, names the time and the provider, and never binds the provider', async () => {
    const host = await ruled({ cancelUntil: 120 }, { displayName: 'Rita', timeZone: 'Europe/Lisbon' });
    const [late, early] = [
      await writeSlot(daybook.d1, host, { startsIn: 100 }),
      await writeSlot(daybook.d1, host, { startsIn: 300 }),
    ];
    for (const slot of [late, early]) expect((await book(maya, slot)).status).toBe(200);
    const refused = await cancel(maya, late);
    expect(refused).toMatchObject({
      status: 409,
      json: expect.stringMatching(/until \w+, \d+ \w+ \d{4}, \d\d:\d\d Lisbon time\. Please ask Rita\.$/),
    });
    const page = await maya.browser.get(`/details-cancel/${late.id}`);
    const [untilWhen = ''] = (refused.json as string).split('. Please');
    expect([page.words.includes(untilWhen), page.$$('dialog').length]).toEqual([true, 0]);
    expect((await maya.browser.get(`/details-cancel/${early.id}`)).words).toContain('You can cancel or move it until');
    expect((await cancel(maya, early)).status).toBe(200);
    expect((await cancel(await newConsumer(), late)).status).toBe(nothing.status);
    expect((await cancel(host, late)).status).toBe(200);
  });

  const letterOf = (host: Person, { id }: { id: string }) => `/with/${host.username}/${id}`;
  test('is said on both forms before booking: until when, or that there is no way back', async () => {
    const host = await ruled({ cancelUntil: 1440 });
    const [near, far] = [
      await writeSlot(daybook.d1, host, { startsIn: 600 }),
      await writeSlot(daybook.d1, host, { startsIn: 3000 }),
    ];
    const pages = (slot: { id: string }) =>
      Promise.all([maya.browser.get(`/details/${slot.id}`), daybook.visitor().get(letterOf(host, slot))]);
    for (const page of await pages(near)) expect(page.words).toContain("It can't be canceled or moved.");
    for (const page of await pages(far)) {
      const { full } = dateWords(new Date(Date.now() + (3000 - 1440) * 60_000).toISOString().slice(0, 10));
      expect(page.words).toMatch(new RegExp(`It can be canceled or moved until ${full}, \\d\\d:\\d\\d UTC`));
      expect(page.words).not.toContain("can't be canceled");
    }
  });

  test('that is over is said with the confirmed address of the provider, and never without', async () => {
    const host = await ruled({ cancelUntil: 1440 }, { displayName: 'Rita' });
    const slot = await writeSlot(daybook.d1, host, { startsIn: 600 });
    await host.api('PUT', '/api/Account/SetEmail', { email: 'rita@example.org', password });
    const guest = await newGuest(daybook);
    const row = (await book(guest, slot)).json as Row;
    const confirm = (at: number | null) =>
      daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = ? WHERE username = ?').bind(at, host.username).run();
    for (const [at, phone, ending] of [
      [null, null, 'Please ask Rita.'],
      [1, null, 'Please ask Rita: rita@example.org.'],
      [1, '555 01', 'Please ask Rita: 555 01, rita@example.org.'],
    ] as const) {
      await confirm(at);
      await host.api('PUT', '/api/Account/SetProfile', { phone });
      const pages = [
        await guest.browser.get(`/details-cancel/${slot.id}`),
        await daybook.visitor().get(row.link ?? ''),
      ];
      for (const page of pages) {
        expect(page.words).toContain(ending);
        expect(page.words).toContain("can't be canceled or moved any more");
        expect(page.words).toContain('that is possible up to 1 day before, until ');
        expect(page.words).not.toContain('You can cancel');
        expect(page.words.includes('rita@example.org')).toBe(at !== null);
      }
      expect((await cancel(guest, slot)).json).toMatch(new RegExp(`${ending}$`));
    }
    const open = await writeSlot(daybook.d1, host, { startsIn: 700 });
    for (const path of [`/details/${open.id}`, letterOf(host, open)]) {
      expect((await maya.browser.get(path)).words).not.toContain('rita@example.org');
    }
  });

  test('is the one that stood when the time was booked', async () => {
    const host = await newProvider();
    const before = await writeSlot(daybook.d1, host, { startsIn: 60, length: 5 });
    const after = await writeSlot(daybook.d1, host, { startsIn: 70, length: 5 });
    await book(maya, before);
    await setRules(host, { cancelUntil: 120 });
    await book(maya, after);
    await setRules(host, { cancelUntil: 0 });
    expect([(await cancel(maya, before)).status, (await cancel(maya, after)).status]).toEqual([200, 409]);
  });
});

describe('the screen of the rules', () => {
  test('says what each means, saves all at once, and keeps what was typed where something is wrong', async () => {
    const host = await newProvider();
    const page = await host.browser.get('/rules');
    expect(page.words).toContain('Someone who opens your page at 10:00 can book a time at 10:05.');
    const chosen = { openTo: 'accounts', askEmail: 'no', askPhone: 'optional', waitlist: 'off' };
    const typed = { notice: '120', cancelUntil: '1440', horizonDays: '30', perPerson: '2', keepAnswersDays: '90' };
    const saved = await page.submit('Save rules', { ...chosen, ...typed, perDay: '' });
    expect([saved.status, saved.words]).toEqual([200, expect.stringContaining('Your rules are saved.')]);
    expect(saved.words).toContain('Someone who opens your page at 10:00 sees times from 12:00.');
    expect(saved.words).toContain('can be canceled or moved until 15:00 of the day before');
    const numbers = { notice: 120, cancelUntil: 1440, horizonDays: 30, perPerson: 2, keepAnswersDays: 90 };
    const kept = { ...usual, ...chosen, ...numbers };
    expect(await getRules(host)).toEqual(kept);
    const wrong = await saved.submit('Save rules', { horizonDays: '0', perPerson: '3' });
    expect([wrong.status, wrong.$('[name=horizonDays]')?.getAttribute('value')]).toEqual([400, '0']);
    expect(wrong.$('[name=horizonDays]')?.getAttribute('aria-invalid')).toBe('true');
    expect(await getRules(host)).toEqual(kept);
  });
});
