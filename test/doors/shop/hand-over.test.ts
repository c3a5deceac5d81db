import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../habits/invariants';
import { newsOf, newsTexts, setRules } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import { readCalendar } from '../../support/calendars';
import {
  book,
  cancel,
  dayAhead,
  type Person,
  peopleAt,
  type Row,
  registerCrowd,
  several,
} from '../../support/factories';
import { bringIn, houseService, leave, shopWith } from '../../support/shops';
import { useServer } from '../../support/use-server';

/* A colleague is ill, moves somebody to another, or leaves. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const date = dayAhead(2);
const keepsItsRules = async () => expect(await brokenRules(daybook.d1, { texts: false })).toEqual([]);

type ToHandOver = { id: string; asked: string | null; takers: string[]; phone: string | null; told: string };

/** A shop of three with the same half hours, all of which cut for 20 €, and somebody at the desk. */
async function aShop(end = '12:00') {
  const house = await shopWith((await several(3, () => newProvider())) as [Person, ...Person[]], {
    end,
    dates: [date],
  });
  const [owner, ana, ben] = house.people as [Person, Person, Person];
  const cut = await houseService(owner, house.shop, house.people, { minutes: 30, price: '20 €' });
  const desk = await newProvider();
  await bringIn(owner, [desk], 'desk');
  return { ...house, owner, ana, ben, desk, cut, ofAna: house.slots[1] as Row[], ofBen: house.slots[2] as Row[] };
}
type House = Awaited<ReturnType<typeof aShop>>;

async function cutBy({ cut }: House, slot: Row | undefined, client?: Person): Promise<Row> {
  const who = client ?? (await newConsumer());
  return (await who.api('PUT', `/api/Appointment/Book?id=${slot?.id}&service=${cut.id}`)).json as Row;
}
const preview = (who: Person, { username: of }: Person) =>
  who.api('POST', '/api/Shop/PreviewHandOver', { of, from: date, to: date });
const handOver = (who: Person, moves: { id: string; to: string }[], reason: string | null = null) =>
  who.api('POST', '/api/Shop/HandOver', { moves, reason });
const toBen = ({ ben }: House, rows: { id: string }[]) => rows.map(({ id }) => ({ id, to: ben.username }));
const pageOf = (who: Person, { username }: Person) => who.browser.get(`/shop/hand-over?of=${username}&date=${date}`);

describe('the call that hands over', () => {
  test('says before to whom each can go, and how its client is told', async () => {
    const house = await aShop();
    const { id } = await cutBy(house, house.ofAna[0]);

    const { json } = await preview(house.desk, house.ana);

    expect(json).toMatchObject([
      { id, asked: null, takers: [house.owner.username, house.ben.username], phone: null, told: 'news' },
    ] satisfies Partial<ToHandOver>[]);
  });

  test('keeps service and price, and tells the client who has it now', async () => {
    const house = await aShop();
    const client = await newConsumer();
    const { id } = await cutBy(house, house.ofAna[0], client);

    await handOver(house.desk, toBen(house, [{ id }]), 'Ana is ill.');

    expect(await agenda(client)).toMatchObject([
      { provider: house.ben.username, service: { id: house.cut.id, price: '20 €' } },
    ]);
    expect((await client.browser.get('/news')).text).toContain('Ana is ill.');
  });

  test('tells whoever has it now, and whoever had it, whose it is', async () => {
    const house = await aShop();
    const client = await newConsumer();
    const { id } = await cutBy(house, house.ofAna[0], client);

    await handOver(house.desk, toBen(house, [{ id }]), 'Ana is ill.');

    const [gained, lost] = await Promise.all([newsTexts(house.ben), newsTexts(house.ana)]);
    expect(gained[0]).toContain(
      `moved the appointment with ${client.displayName} from ${house.ana.displayName} to you`,
    );
    expect(lost[0]).toContain(`moved your appointment with ${client.displayName} on`);
  });

  test('names all who have some of them now to whoever had them', async () => {
    const house = await aShop();
    const rows = [await cutBy(house, house.ofAna[0]), await cutBy(house, house.ofAna[1])] as [Row, Row];
    const [first, second] = rows;

    const { status } = await handOver(house.desk, [
      { id: first.id, to: house.ben.username },
      { id: second.id, to: house.owner.username },
    ]);

    expect(status).toBe(200);
    const [news] = await newsTexts(house.ana);
    const { displayName: ben } = house.ben;
    const { displayName: owner } = house.owner;
    expect([`${ben} and ${owner}`, `${owner} and ${ben}`].filter((names) => news?.includes(names))).toHaveLength(1);
  });

  test('is refused to a colleague and to another shop', async () => {
    const house = await aShop();
    const { id } = await cutBy(house, house.ofAna[0]);
    const other = await aShop();

    expect((await handOver(house.ben, toBen(house, [{ id }]))).status).toBe(404);
    expect((await handOver(other.owner, toBen(house, [{ id }]))).status).toBe(404);
    expect((await preview(other.owner, house.ana)).status).toBe(404);
  });

  test('gives nothing to who does it for another price', async () => {
    const house = await aShop();
    const { id } = await cutBy(house, house.ofAna[0]);
    const change = { username: house.ben.username, offered: true, price: '30 €' };
    await house.owner.api('PUT', `/api/Service/Offer?of=${house.shop}&id=${house.cut.id}`, change);

    expect((await handOver(house.desk, toBen(house, [{ id }]))).status).toBe(409);
  });

  test('sent twice at once, moves once', async () => {
    const house = await aShop();
    const rows = await several(4, (place) => cutBy(house, house.ofAna[place]));

    const responses = await Promise.all([1, 2].map(() => handOver(house.desk, toBen(house, rows))));

    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await agenda(house.ben)).toHaveLength(4);
    await keepsItsRules();
  });

  test('is whole or nothing while clients cancel', async () => {
    const house = await aShop();
    const crowd = await registerCrowd(daybook, 4);
    const rows = await several(4, (place) => cutBy(house, house.ofAna[place], crowd[place]));

    const [handed, canceled] = await Promise.all([
      handOver(house.desk, toBen(house, rows)),
      cancel(crowd[2] as Person, rows[2] as Row),
    ]);

    const [ofAna, ofBen] = [await agenda(house.ana), await agenda(house.ben)];
    expect([handed.status === 200 ? ofBen.length : 0, ofAna.length]).toEqual(
      handed.status === 200 ? [4, 0] : [0, canceled.status === 200 ? 3 : 4],
    );
    await keepsItsRules();
  });

  test('books nobody over who books the taker meanwhile', async () => {
    const house = await aShop();
    const row = await cutBy(house, house.ofAna[0]);
    const client = await newConsumer();

    const [handed, booked] = await Promise.all([
      handOver(house.desk, toBen(house, [row])),
      book(client, house.ofBen[0] as Row),
    ]);

    expect([handed.status, booked.status].sort()).toEqual([200, 409]);
    await keepsItsRules();
  });
});

test('the same appointment is handed over once', async () => {
  const house = await aShop();
  const row = await cutBy(house, house.ofAna[0]);

  const refused = await handOver(house.desk, toBen(house, [row, row]));

  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining('Each appointment can go to one person.'),
  ]);
  expect(await agenda(house.ana)).toHaveLength(1);
});

describe('what has gone to a colleague', () => {
  /** A client's series of two with Ana, whose first the desk has handed over. */
  async function aSeriesHandedOver() {
    const house = await aShop();
    const client = await newConsumer();
    const ids = [0, 2].map((place) => house.ofAna[place]?.id);
    const booked = await client.api('POST', `/api/Appointment/BookSeries?service=${house.cut.id}`, { ids });
    const [first, later] = booked.json as [Row, Row];
    expect((await handOver(house.desk, toBen(house, [first]))).status).toBe(200);
    return { house, client, first, later };
  }

  test.each(['', '&following=true'])(
    "is not canceled by the id that it had, and nor is what follows ('%s')",
    async (more) => {
      const { house, client, first, later } = await aSeriesHandedOver();

      const refused = await client.api('PUT', `/api/Appointment/Cancel?id=${first.id}${more}`);

      expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('is with somebody else now')]);
      expect(await agenda(house.ben)).toHaveLength(1);
      expect((await agenda(house.ana)).map(({ id }) => id)).toEqual([later.id]);
      expect((await newsOf(house.ana)).filter(({ kind }) => kind === 'canceled')).toEqual([]);
      await keepsItsRules();
    },
  );
});

describe('the page that hands over', () => {
  test('leaves who asked by name unticked, and hands over what is ticked', async () => {
    const house = await aShop();
    const client = await newConsumer();
    const { id } = await cutBy(house, house.ofAna[0], client);
    const page = await pageOf(house.desk, house.ana);

    const nothing = await page.submit('Hand over what is ticked');
    const done = await page.submit('Hand over what is ticked', { id, [`to.${id}`]: house.ben.username });

    expect(nothing.status).toBe(400);
    expect(done.text).toContain('1 appointment is with somebody else now.');
    expect(await agenda(house.ben)).toHaveLength(1);
  });

  test('names whom to call', async () => {
    const house = await aShop();
    const form = await daybook
      .visitor()
      .get(`/with/${house.ana.username}/${house.ofAna[0]?.id}?service=${house.cut.id}`);
    await form.submit('Book', { displayName: 'Zoë' });
    const [row] = await agenda(house.ana);

    await handOver(house.desk, toBen(house, [row as Row]));

    expect((await pageOf(house.desk, house.ana)).text).toMatch(/Zoë.*please call/s);
  });

  test('is not for a colleague', async () => {
    const house = await aShop();

    expect((await pageOf(house.ben, house.ana)).status).toBe(404);
  });
});

describe('moving with somebody else', () => {
  test('is offered to the client, and keeps the appointment theirs', async () => {
    const house = await aShop();
    const client = await newConsumer();
    const { id } = await cutBy(house, house.ofAna[0], client);
    const page = await client.browser.get(`/move/${id}`);
    expect(page.text).toContain('With somebody else');
    const there = await client.browser.get(`/move/${id}?with=${house.ben.username}`);
    const [, to = ''] = new RegExp(`/move/${id}/([\\w-]+)`).exec(there.text) ?? [];

    const moved = await client.api('PUT', `/api/Appointment/Move?id=${id}&to=${to}`, []);

    expect(moved.json).toMatchObject({ provider: house.ben.username, service: { id: house.cut.id } });
    expect(await agenda(house.ana)).toEqual([]);
  });

  test('keeps its entry in the client’s calendar, as a later version', async () => {
    const house = await aShop();
    const client = await newConsumer();
    const { id } = await cutBy(house, house.ofAna[0], client);
    const { link } = (await client.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const entries = async () => [...readCalendar((await daybook.visitor().get(link)).text).events.entries()];
    const [before] = await entries();

    const moved = await client.api('PUT', `/api/Appointment/Move?id=${id}&to=${house.ofBen[1]?.id}`, []);

    const after = await entries();
    expect(moved.status).toBe(200);
    expect(before).toEqual([`${id}@daybook`, expect.objectContaining({ sequence: 0 })]);
    expect(after).toEqual([[`${id}@daybook`, expect.objectContaining({ sequence: 1 })]]);
    expect(after[0]?.[1].summary).toContain(house.ben.displayName);
  });

  test('opens under the personal link that it had', async () => {
    const house = await aShop();
    const visitor = daybook.visitor();
    const form = await visitor.get(`/with/${house.ana.username}/${house.ofAna[0]?.id}?service=${house.cut.id}`);
    const letter = await form.submit('Book', { displayName: 'Zoë' });
    const path = new URL(letter.url).pathname;
    const [row] = await agenda(house.ana);

    await house.desk.api(
      'PUT',
      `/api/Appointment/Move?of=${house.ana.username}&id=${row?.id}&to=${house.ofBen[1]?.id}`,
      [],
    );

    expect((await visitor.get(path)).text).toContain(house.ben.displayName);
    expect(await agenda(house.ben)).toHaveLength(1);
  });
});

describe('a guest who moves their own', () => {
  /** Zoë has Ana's first time by her link, and Ben takes people with an account only. */
  async function guestOfAna() {
    const house = await aShop();
    const visitor = daybook.visitor();
    const form = await visitor.get(`/with/${house.ana.username}/${house.ofAna[0]?.id}?service=${house.cut.id}`);
    const path = new URL((await form.submit('Book', { displayName: 'Zoë' })).url).pathname;
    await setRules(house.ben, { openTo: 'accounts' });
    return { house, visitor, path };
  }

  test('is not shown a colleague who takes people with an account only', async () => {
    const { house, visitor, path } = await guestOfAna();

    const choice = await visitor.get(`${path}/move`);

    expect(choice.text).toContain(house.owner.displayName);
    expect(choice.text).not.toContain(house.ben.displayName);
    const there = await visitor.get(`${path}/move?with=${house.ben.username}`);
    expect(there.$$('a').filter((link) => link.getAttribute('href')?.includes(house.ofBen[1]?.id ?? ''))).toEqual([]);
  });

  test('is told why, where they try it', async () => {
    const { house, visitor, path } = await guestOfAna();
    const key = path.split('/').at(-1);

    const refused = await visitor.api('PUT', `/api/Public/MoveBooking?key=${key}&to=${house.ofBen[1]?.id}`, []);

    const why = `${house.ben.displayName} takes bookings of people with an account only. Log in, or register.`;
    expect(refused).toMatchObject({ status: 403, json: why });
    expect(await agenda(house.ben)).toEqual([]);
  });
});

describe('leaving', () => {
  const leaveWith = (who: Person, appointments: string) => who.api('PUT', '/api/Shop/Leave', { appointments });

  test('hands each appointment over, in the step in which they leave', async () => {
    const house = await aShop();
    await several(2, (place) => cutBy(house, house.ofAna[place]));

    expect((await leaveWith(house.ana, 'handOver')).status).toBe(204);

    expect((await Promise.all([house.owner, house.ben].map(agenda))).flat()).toHaveLength(2);
    expect((await house.ana.api('GET', '/api/Shop/Get')).status).toBe(404);
    await keepsItsRules();
  });

  test('names what nobody can take, and nothing happens', async () => {
    const house = await aShop();
    for (const slots of house.slots) await book(await newConsumer(), slots[0] as Row);

    const refused = await leaveWith(house.ana, 'handOver');

    expect(refused.status).toBe(409);
    expect(refused.text).toContain('nobody can take this over');
    expect((await house.ana.api('GET', '/api/Shop/Get')).status).toBe(200);
  });

  test('names each of them on a line of its own, and the form keeps the choice', async () => {
    const house = await aShop();
    for (const slots of house.slots) await book(await newConsumer(), slots[0] as Row);

    const page = await (await house.ana.browser.get('/shop')).submit('Yes, leave the shop', {
      appointments: 'handOver',
    });

    expect(page.status).toBe(409);
    expect(page.$$('[data-faults] li').map((line) => line.text.replace(/^.*: /, ''))).toEqual([
      'nobody can take this over.',
      'Nothing has changed.',
    ]);
    expect(page.$('main input[name=appointments][checked]')?.getAttribute('value')).toBe('handOver');
  });

  test('cancels them, by the form', async () => {
    const house = await aShop();
    const client = await newConsumer();
    await cutBy(house, house.ofAna[0], client);

    await (await house.ana.browser.get('/shop')).submit('Yes, leave the shop', { appointments: 'cancel' });

    expect(await agenda(house.ana)).toEqual([]);
    expect((await house.ana.api('GET', '/api/Shop/Get')).status).toBe(404);
  });

  test('by an owner who cancels tells whoever is removed once, with how many', async () => {
    const house = await aShop();
    for (const place of [0, 1]) await cutBy(house, house.ofAna[place]);

    const path = `/api/Shop/Remove?username=${house.ana.username}`;
    expect((await house.owner.api('PUT', path, { appointments: 'cancel' })).status).toBe(204);

    const told = (await newsOf(house.ana)).filter(({ kind }) => kind === 'canceled');
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('canceled 2 appointments')]);
  });

  test('while the desk books for them leaves no booking of theirs in the shop', async () => {
    const house = await aShop();
    const path = `/api/Appointment/BookFor?of=${house.ana.username}&id=${house.ofAna[0]?.id}`;

    const [left, booked] = await Promise.all([
      leaveWith(house.ana, 'handOver'),
      house.desk.api('POST', path, { displayName: 'Gus' }),
    ]);

    expect([204, 409]).toContain(left.status);
    expect([201, 401, 404]).toContain(booked.status);
    if (left.status === 204) expect(await agenda(house.ana)).toEqual([]);
    await keepsItsRules();
  });

  test('as before lets them stay', async () => {
    const house = await aShop();
    await cutBy(house, house.ofAna[0]);

    await leave(house.ana);

    expect(await agenda(house.ana)).toHaveLength(1);
  });
});
