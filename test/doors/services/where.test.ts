import { beforeAll, describe, expect, test } from 'vitest';
import { agenda } from '../../support/appointment-calls';
import { readCalendar } from '../../support/calendars';
import { complaints } from '../../support/complaints';
import {
  dayAhead,
  isoAhead,
  localDate,
  look,
  type Person,
  peopleAt,
  publish,
  type Row,
  rowsOf,
} from '../../support/factories';
import { confirmAddress, entryAt, mailTo, newAddress } from '../../support/mails';
import { cardsOf, createCard, importTable } from '../../support/people';
import { weekdayOf } from '../../support/series';
import { createService, type Service } from '../../support/services';
import { useServer } from '../../support/use-server';
import { typedIn, type Visitor } from '../../support/visit';
import { add, only, takeOffer, type Wish } from '../../support/waitlist';

/* Where a service takes place: at the provider's, by phone, by video, or at the client's. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const link = 'https://video.test/room-of-karla';
const address = 'Linden 5, 2nd floor';
const video = { where: 'video', link };

type World = { host: Person; client: Person; service: Service; slots: Row[] };

/** A provider whose service takes place there, with times of two weeks, and a client. */
async function offered(place: object): Promise<World> {
  const [host, client] = await Promise.all([newProvider(), newConsumer()]);
  const service = await createService(host, place);
  const slots = await publish(host, { start: '09:00', end: '11:00', dates: [dayAhead(7), dayAhead(14)] });
  return { host, client, service, slots };
}

type Asked = { client: { api: Visitor['api'] }; service: Service };
const bookAt = ({ client, service }: Asked, slot: Row | undefined, given: Record<string, string> = {}) =>
  client.api(
    'PUT',
    `/api/Appointment/Book?${new URLSearchParams({ id: slot?.id ?? '', service: service.id, ...given })}`,
  );

async function booked(place: object, given: Record<string, string> = {}): Promise<World & { row: Row }> {
  const world = await offered(place);
  const response = await bookAt(world, world.slots[0], given);
  if (response.status !== 200) throw new Error(`Nothing was booked: ${response.text}`);
  return { ...world, row: response.json as Row };
}

const edit = (host: Person, { id }: Service, change: object) => host.api('PUT', `/api/Service/Edit?id=${id}`, change);
const formOf = (visitor: Visitor, { host, service, slots: [slot] }: World) =>
  visitor.get(`/with/${host.username}/${slot?.id}?service=${service.id}`);

/** Somebody who waits, for whom a time is held that another client had booked. */
async function held(place: object, given: Record<string, string> = {}) {
  const { host, client, service, slots } = await offered(place);
  const waiting = await newConsumer();
  for (const slot of slots.slice(0, 4)) await bookAt({ client, service }, slot, given);
  await add(waiting, host, { service: service.id, from: dayAhead(7), to: dayAhead(7) });
  await client.api('PUT', `/api/Appointment/Cancel?id=${slots[0]?.id}`);
  return { waiting, offer: (await only(waiting)).offer };
}
const openOffer = (offer: Wish['offer']) => daybook.visitor().get(new URL(offer?.link ?? '', daybook.url).pathname);

describe('a service', () => {
  test.each([
    [{ where: 'video' }, 'A video call needs its link.'],
    [{ where: 'video', link: 'http://video.test' }, 'The link must begin with https:// and have no name before an @.'],
    [
      { where: 'video', link: 'javascript:alert(1)' },
      'The link must begin with https:// and have no name before an @.',
    ],
    [
      { where: 'video', link: 'https://me@video.test' },
      'The link must begin with https:// and have no name before an @.',
    ],
    [{ where: 'moon' }, 'Where it takes place is one of here, phone, video, theirs.'],
  ])('is not at %j', async (place, words) => {
    const host = await newProvider();

    const response = await host.api('POST', '/api/Service/Create', { name: 'Talk', minutes: 30, ...place });

    expect(response.status).toBe(400);
    expect(complaints(response)).toEqual([words]);
  });

  test('by video keeps its link when only the rest changes', async () => {
    const { host, service } = await offered(video);

    expect((await edit(host, service, { minutes: 45 })).json).toMatchObject({ ...video, minutes: 45 });
  });

  test('by video does not lose its link', async () => {
    const { host, service } = await offered(video);

    expect((await edit(host, service, { link: null })).status).toBe(400);
  });

  test('does not become one by video without a link', async () => {
    const { host, service } = await offered({});

    expect((await edit(host, service, { where: 'video' })).status).toBe(400);
  });

  test('takes place where the form says', async () => {
    const host = await newProvider();

    await (await host.browser.get('/services')).submit('Add service', { name: 'Talk', minutes: '30', ...video });

    expect((await host.api('GET', '/api/Service/GetMy')).json).toMatchObject([video]);
  });

  test('keeps in the form what was typed when its link is refused', async () => {
    const host = await newProvider();
    const typed = { name: 'Talk', minutes: '30', where: 'video', link: 'http://video.test' };

    const page = await (await host.browser.get('/services')).submit('Add service', typed);

    expect(page.status).toBe(400);
    expect(page.words).toContain('The link must begin with https://');
    expect(typedIn(page, 'link')).toBe('http://video.test');
    expect(page.$('option[value=video][selected]')).not.toBeNull();
  });

  test.each([
    [{ where: 'phone' }, 'By phone'],
    [video, 'By video'],
    [{ where: 'theirs' }, 'At your address'],
  ])('says on the page of its provider that it is at %j', async (place, words) => {
    const { host } = await offered(place);

    expect((await daybook.visitor().get(`/with/${host.username}`)).words).toContain(words);
  });

  test('says nothing of the place on the page where it is at its provider’s', async () => {
    const { host } = await offered({});

    expect((await daybook.visitor().get(`/with/${host.username}`)).words).not.toMatch(/By phone|By video|At your/);
  });
});

describe('a booking by phone', () => {
  test('is refused without a number', async () => {
    const world = await offered({ where: 'phone' });

    const response = await bookAt(world, world.slots[0]);

    expect(response.status).toBe(400);
    expect(complaints(response)).toEqual(['Please give a phone number: you are called at it.']);
  });

  test('has its number for the provider, though they ask for none', async () => {
    const { host, row } = await booked({ where: 'phone' }, { phone: '+351 910 000 001' });

    expect((await look(host, row)).json).toMatchObject({
      where: 'phone',
      place: null,
      bookerPhone: '+351 910 000 001',
    });
  });

  test('is asked for its number in the form of a guest, beside the field', async () => {
    const world = await offered({ where: 'phone' });

    const page = await (await formOf(daybook.visitor(), world)).submit('Book', { displayName: 'Wanda', phone: '' });

    expect(page.status).toBe(400);
    expect(page.words).toContain('Please give a phone number: you are called at it.');
    expect(typedIn(page, 'displayName')).toBe('Wanda');
  });

  test('says on its page who calls whom', async () => {
    const { host, client, row } = await booked({ where: 'phone' }, { phone: '+351 910 000 001' });

    expect((await client.browser.get(`/details-cancel/${row.id}`)).words).toContain('By phone: you are called');
    expect((await host.browser.get(`/details-provider/${row.id}`)).words).toContain('By phone: you call');
  });
});

describe('a booking at the client’s', () => {
  const theirs = { where: 'theirs' };

  test('is refused without an address', async () => {
    const world = await offered(theirs);

    const response = await bookAt(world, world.slots[0]);

    expect(response.status).toBe(400);
    expect(complaints(response)).toEqual(['Please give the address: the appointment takes place there.']);
  });

  test('is refused with an address of more than 200 characters', async () => {
    const world = await offered(theirs);

    expect((await bookAt(world, world.slots[0], { address: 'x'.repeat(201) })).status).toBe(400);
  });

  test('has its address for its two, and for nobody else', async () => {
    const { host, client, row } = await booked(theirs, { address });
    const [stranger, other] = await Promise.all([newConsumer(), newProvider()]);

    expect((await look(client, row)).json).toMatchObject({ where: 'theirs', place: address });
    expect((await look(host, row)).json).toMatchObject({ where: 'theirs', place: address });
    for (const who of [stranger, other]) expect((await look(who, row)).text).not.toContain('Linden');
  });

  test('takes a guest’s address in the form, and shows it on the personal link', async () => {
    const world = await offered(theirs);

    const letter = await (await formOf(daybook.visitor(), world)).submit('Book', { displayName: 'Wanda', address });

    expect(letter.words).toContain(`At your address: ${address}`);
  });

  test('keeps what a guest typed when the address is missing', async () => {
    const world = await offered(theirs);

    const page = await (await formOf(daybook.visitor(), world)).submit('Book', { displayName: 'Wanda', address: '' });

    expect(page.status).toBe(400);
    expect(page.words).toContain('Please give the address: the appointment takes place there.');
    expect(typedIn(page, 'displayName')).toBe('Wanda');
  });

  test('is on the day sheet, and in the list of the provider', async () => {
    const { host, row } = await booked(theirs, { address });
    const date = localDate(row);

    expect((await host.browser.get(`/day?date=${date}`)).words).toContain(address);
    expect((await host.browser.get(`/view-booked/bookings.csv?from=${date}&to=${date}`)).text).toMatch(
      /At the client’s,"Linden 5/,
    );
  });

  test('is at the client’s for the provider', async () => {
    const { host, row } = await booked(theirs, { address });

    expect((await host.browser.get(`/details-provider/${row.id}`)).words).toContain(`At the client’s: ${address}`);
  });

  test('takes its address along when it moves', async () => {
    const { client, row, slots } = await booked(theirs, { address });

    const moved = await client.api('PUT', `/api/Appointment/Move?id=${row.id}&to=${slots[2]?.id}`);

    expect(moved.json).toMatchObject({ where: 'theirs', place: address });
  });

  test('is made by the provider with the address alone', async () => {
    const { host, service, slots } = await offered(theirs);
    const path = `/api/Appointment/BookFor?id=${slots[0]?.id}&service=${service.id}`;

    expect((await host.api('POST', path, { displayName: 'Wanda' })).status).toBe(400);
    expect((await host.api('POST', path, { displayName: 'Wanda', address })).json).toMatchObject({ place: address });
  });

  test('is made at any time with the address alone', async () => {
    const { host, service } = await offered(theirs);
    const path = `/api/Appointment/BookFor?service=${service.id}`;
    const time = { displayName: 'Wanda', date: dayAhead(3), start: '20:00', over: true };

    const refused = await host.api('POST', path, time);

    expect(complaints(refused)).toEqual(['Please give the address: the appointment takes place there.']);
    expect((await host.api('POST', path, { ...time, address })).json).toMatchObject({ place: address });
  });

  test('is a series at one address', async () => {
    const { client, service, slots } = await offered(theirs);
    const series = { ids: [slots[0]?.id, slots[4]?.id], service: service.id };

    expect((await client.api('POST', '/api/Appointment/BookSeries', series)).status).toBe(400);
    const made = await client.api('POST', '/api/Appointment/BookSeries', { ...series, address });
    expect((made.json as Row[]).map(({ place }) => place)).toEqual([address, address]);
  });

  test('is forgotten with its client', async () => {
    const { host, client, row } = await booked(theirs, { address });

    await client.api('DELETE', '/api/Account/Delete', { password: 'Correct horse 1' });

    expect((await look(host, row)).text).not.toContain('Linden');
    expect((await host.api('GET', '/api/Account/Export')).text).not.toContain('Linden');
  });

  test('is in the client’s export', async () => {
    const { client } = await booked(theirs, { address });

    expect((await client.api('GET', '/api/Account/Export')).text).toContain(address);
  });
});

describe('a booking by video', () => {
  test('has the link for its two', async () => {
    const { host, client, row } = await booked(video);

    expect((await look(client, row)).json).toMatchObject({ where: 'video', place: link });
    expect((await look(host, row)).json).toMatchObject({ where: 'video', place: link });
    expect((await client.browser.get(`/details-cancel/${row.id}`)).$(`a[href="${link}"]`)).not.toBeNull();
  });

  test('keeps its link when the service gets another', async () => {
    const { host, client, row, service } = await booked(video);

    await edit(host, service, { link: 'https://video.test/new' });

    expect((await look(client, row)).json).toMatchObject({ place: link });
  });

  test('stays by video when the service is at its provider’s from then on', async () => {
    const { host, client, row, service } = await booked(video);

    await edit(host, service, { where: 'here' });

    expect((await look(client, row)).json).toMatchObject({ where: 'video', place: link });
  });

  test('has the link in both feeds', async () => {
    const { host, client, row } = await booked(video);

    for (const who of [host, client]) {
      const { json } = await who.api('POST', '/api/Account/MakeFeed');
      const { text } = await daybook.visitor().get((json as { link: string }).link);
      expect(readCalendar(text).events.get(`${row.id}@daybook`)).toMatchObject({ location: link });
      expect(text.replaceAll('\r\n ', '')).toMatch(new RegExp(`CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=.*:${link}`));
    }
  });

  test('has the link in the guest’s mail', async () => {
    const world = await offered(video);
    await confirmAddress(daybook.d1, world.host);
    const email = newAddress();

    await (await formOf(daybook.visitor(), world)).submit('Book', { displayName: 'Wanda', email });

    expect((await mailTo(daybook.visitor(), email, /./)).text).toContain(link);
  });

  test('has the link on the provider’s sheet', async () => {
    const { host, row } = await booked(video);

    const sheet = await host.browser.get(`/day?date=${localDate(row)}`);

    expect(sheet.$(`a[href="${link}"]`)).not.toBeNull();
  });
});

describe('the link of a video call', () => {
  let world: World & { row: Row };
  let other: Person;
  let rival: Person;
  beforeAll(async () => {
    world = await booked(video);
    [other, rival] = await Promise.all([newConsumer(), newProvider()]);
  });

  test('is on no page of strangers', async () => {
    const { host, slots, service } = world;
    const pages = [`/with/${host.username}`, `/with/${host.username}?service=${service.id}`];
    const forms = slots.slice(0, 3).map(({ id }) => `/with/${host.username}/${id}?service=${service.id}`);

    for (const path of [...pages, ...forms, `/with/${host.username}/embed`]) {
      expect((await daybook.visitor().get(path)).text).not.toContain('room-of-karla');
    }
  });

  test('is in no call of strangers', async () => {
    const { host, service, row } = world;
    const asked = [
      `Public/Provider?username=${host.username}`,
      `Public/Services?provider=${host.username}`,
      `Public/Slots?provider=${host.username}`,
      `Public/Times?provider=${host.username}&service=${service.id}`,
      `Appointment/Get?id=${row.id}`,
    ];

    for (const path of asked) {
      expect((await daybook.visitor().api('GET', `/api/${path}`)).text).not.toContain('room-of-karla');
    }
  });

  test('is in no page and no call of another client or another provider', async () => {
    const { host, row, slots, service } = world;
    const paths = [
      `/with/${host.username}`,
      `/details-cancel/${row.id}`,
      `/details/${slots[2]?.id}?service=${service.id}`,
    ];

    for (const who of [other, rival]) {
      for (const path of paths) expect((await who.browser.get(path)).text).not.toContain('room-of-karla');
      expect((await look(who, row)).text).not.toContain('room-of-karla');
      expect((await who.api('GET', '/api/Account/Export')).text).not.toContain('room-of-karla');
    }
  });

  test('is not in the offer of a time, and comes with the booking', async () => {
    const { waiting, offer } = await held(video);

    expect((await openOffer(offer)).text).not.toContain('room-of-karla');
    expect((await waiting.api('GET', '/api/Account/Export')).text).not.toContain('room-of-karla');
    expect((await takeOffer(waiting.browser, offer)).json).toMatchObject({ where: 'video', place: link });
  });
});

/** The client of a booking also has a standing time of the same service, of which a date is booked a week later. */
async function standing(place: object, given: Record<string, string> = {}) {
  const world = await booked(place, given);
  const { host, client, service } = world;
  await confirmAddress(daybook.d1, host);
  const { email } = await confirmAddress(daybook.d1, client);
  const weekly = { day: weekdayOf(dayAhead(14)), start: '10:00', every: 7, from: dayAhead(14), service: service.id };
  const [card] = await cardsOf(host);
  const saved = await host.api('PUT', `/api/People/SetStanding?id=${card?.id}`, [weekly]);
  if (saved.status !== 200) throw new Error(`There is no standing time: ${saved.text}`);
  const date = (await agenda(client)).find((row) => row.date === dayAhead(14)) as Row;
  return { ...world, email, date };
}

describe.each<[string, object, Record<string, string>, object, string]>([
  ['by video', video, {}, { where: 'video', place: link }, link],
  ['at the client’s', { where: 'theirs' }, { address }, { where: 'theirs', place: address }, address],
])('a date of a standing time %s', (_, place, given, kept, words) => {
  let world: Awaited<ReturnType<typeof standing>>;
  beforeAll(async () => {
    world = await standing(place, given);
  });

  test('has the place of the last booking', () => {
    expect(world.date).toMatchObject(kept);
  });

  test('has it on the page of its client and on the sheet of its provider', async () => {
    const { host, client, date } = world;

    expect((await client.browser.get(`/details-cancel/${date.id}`)).text).toContain(words);
    expect((await host.browser.get(`/day?date=${localDate(date)}`)).text).toContain(words);
  });

  test('has it in the mail to its client', async () => {
    const { text } = await mailTo(daybook.visitor(), world.email, /./);

    expect(text).toContain(words);
  });

  test('has it in the entry', async () => {
    const { client, date } = world;

    expect(await entryAt(client.browser, `/appointments/${date.id}`)).toMatchObject({ location: words });
  });
});

test('a standing time at the client’s needs an address that is known from a booking', async () => {
  const { host, service, slots } = await offered({ where: 'theirs' });
  const { id } = await createCard(host, { name: 'Otto' });
  const weekly = { day: weekdayOf(dayAhead(14)), start: '10:00', every: 7, from: dayAhead(14), service: service.id };
  const keep = () => host.api('PUT', `/api/People/SetStanding?id=${id}`, [weekly]);

  const before = await keep();
  const query = new URLSearchParams({ id: slots[0]?.id ?? '', service: service.id });
  const first = await host.api('POST', `/api/Appointment/BookFor?${query}`, { personId: id, address });
  const after = await keep();

  expect(complaints(before)).toEqual([
    'Book it once with their address first. A standing time goes where it was the last time.',
  ]);
  expect([before.status, first.status, after.status]).toEqual([400, 201, 200]);
  expect((await agenda(host)).find(({ date }) => date === dayAhead(14))).toMatchObject({ place: address });
});

test('a standing time that is there already needs no address when its service moves to the client', async () => {
  const { host, service } = await offered({});
  const { id } = await createCard(host, { name: 'Otto' });
  const keep = (...list: object[]) => host.api('PUT', `/api/People/SetStanding?id=${id}`, list);
  const weekly = { day: weekdayOf(dayAhead(14)), start: '10:00', every: 7, from: dayAhead(14) };
  const old = { ...weekly, service: service.id };
  await keep(old);
  await edit(host, service, { where: 'theirs' });

  const withAnother = await keep(old, { ...weekly, start: '14:00' });
  const later = await keep({ ...old, start: '10:30' });

  expect([withAnother.status, later.status]).toEqual([200, 400]);
});

describe('the same time again', () => {
  const theirs = { where: 'theirs', deposit: '8 €' };
  const kept = { where: 'theirs', place: address, service: { deposit: '8 €' } };
  const later = async (who: { api: Visitor['api'] }) => (await agenda(who)).filter(({ date }) => date === dayAhead(14));
  const twice = 'every=7&ends=times&times=2';

  test('of a client is at the address of the first, with its deposit', async () => {
    const { client, row } = await booked(theirs, { address });

    await (await client.browser.get(`/again/${row.id}?${twice}`)).submit('main form[method=post]');

    expect(await later(client)).toMatchObject([kept]);
  });

  test('by a provider is at the address of the first, with its deposit', async () => {
    const { host, row } = await booked(theirs, { address });

    await (await host.browser.get(`/again/${row.id}?${twice}`)).submit('main form[method=post]');

    expect(await later(host)).toMatchObject([kept]);
  });

  test('by a guest’s link is at the address of the first, with its deposit', async () => {
    const world = await offered(theirs);
    const guest = daybook.visitor();
    const letter = await (await formOf(guest, world)).submit('Book', { displayName: 'Wanda', address });

    const again = await guest.get(`${new URL(letter.url).pathname}/again?${twice}`);
    await again.submit('main form[method=post]');

    expect(await later(world.host)).toMatchObject([kept]);
  });

  test('by video has the link of the first', async () => {
    const { client, row } = await booked(video);

    await (await client.browser.get(`/again/${row.id}?${twice}`)).submit('main form[method=post]');

    expect(await later(client)).toMatchObject([{ where: 'video', place: link }]);
  });
});

describe('booking again from a card at the client’s', () => {
  async function openCard() {
    const { host, service } = await booked({ where: 'theirs', deposit: '8 €' }, { address });
    const [card] = await cardsOf(host);
    const form = await (await host.browser.get(`/people/${card?.id}`)).click('Book again');
    return { host, service, form };
  }

  test('asks for the address', async () => {
    const { form } = await openCard();

    const refused = await form.submit('button[name=slot]', { address: '' });

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Please give the address: the appointment takes place there.');
  });

  test('is at that address, with the deposit of the service', async () => {
    const { host, form } = await openCard();

    await form.submit('button[name=slot]', { address: 'Elsewhere 1' });

    expect(await agenda(host)).toContainEqual(
      expect.objectContaining({
        where: 'theirs',
        place: 'Elsewhere 1',
        service: expect.objectContaining({ deposit: '8 €' }),
      }),
    );
  });
});

describe('an offer of a time at the client’s', () => {
  test('asks for the address in its letter', async () => {
    const { offer } = await held({ where: 'theirs' }, { address: 'Elsewhere 1' });
    const letter = await openOffer(offer);

    const refused = await letter.submit('Take it', { address: '' });
    const taken = await letter.submit('Take it', { address });

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Please give the address: the appointment takes place there.');
    expect(taken.words).toContain(`At your address: ${address}`);
  });

  test('asks for the number where they are called', async () => {
    const { offer } = await held({ where: 'phone' }, { phone: '+351 910 000 001' });
    const letter = await openOffer(offer);

    const refused = await letter.submit('Take it', { phone: '' });
    const taken = await letter.submit('Take it', { phone: '+351 910 000 002' });

    expect(refused.status).toBe(400);
    expect(taken.words).toContain('By phone: you are called');
  });
});

test('a class in a list of times says where it takes place, without the link', async () => {
  const host = await newProvider();
  const { id } = await createService(host, { ...video, seats: 4 });
  await publish(host, { start: '12:00', end: '12:30', dates: [dayAhead(3)], serviceId: id });

  const rows = rowsOf(await daybook.visitor().api('GET', `/api/Public/Slots?provider=${host.username}`));

  expect(rows.map(({ where, place }) => [where, place])).toEqual([['video', null]]);
});

test('an import keeps where an appointment takes place', async () => {
  const host = await newProvider();
  const date = isoAhead(9);
  const table = `Name,Date,Start,Minutes,Location\nMaya,${date},09:00,30,Linden 5\nTomas,${date},10:00,30,${link}`;

  await importTable(host, table);

  expect((await agenda(host)).map(({ where, place }) => [where, place])).toEqual([
    ['here', 'Linden 5'],
    ['video', link],
  ]);
});
