import { describe, expect, test } from 'vitest';
import { complaints, nothing } from '../../support/complaints';
import { dayAhead, type Person, peopleAt, publish } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { createService, type Service, servicesOf } from '../../support/services';
import { deleteTemplate, editTemplate, openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { tripsOf } from '../../support/visit';

/* The services of a shop: what it says of them holds in the lists of all who do them. */

const daybook = useServer();
const { newConsumer, newProvider } = peopleAt(daybook);
const questions = [{ questionText: 'Why?', questionType: openEnded }];

type Offering = { username: string; displayName: string; minutes: number; price: string | null };
type HouseService = Service & { who: Offering[] };
type House = { ana: Person; ben: Person; shop: string };

let shops = 0;
/** A shop of Ana's, in which Ben works. */
async function aShop(): Promise<House> {
  shops += 1;
  const shop = `house-${shops}`;
  const [ana, ben] = await Promise.all([newProvider({ displayName: 'Ana' }), newProvider({ displayName: 'Ben' })]);
  await ana.api('POST', '/api/Shop/Open', { username: shop, displayName: 'The House', location: 'Lisbon' });
  await join({ ana }, ben, 'colleague');
  return { ana, ben, shop };
}
async function join({ ana }: Pick<House, 'ana'>, who: Person, role: string) {
  const { link } = (await ana.api('POST', '/api/Shop/Invite', { role })).json as { link: string };
  const { status, text } = await who.api('POST', '/api/Shop/Join', { key: link.split('/').at(-1) });
  if (status !== 201) throw new Error(`${who.username} did not join: ${status} ${text}`);
}

const cut = { name: 'Cut', minutes: 30, price: '20 €', deposit: '5 €' };
const createIn = (shop: string, who: Person, body: object = cut) =>
  who.api('POST', `/api/Service/Create?of=${shop}`, body);
const editIn = (shop: string, who: Person, id: string, body: object) =>
  who.api('PUT', `/api/Service/Edit?of=${shop}&id=${id}`, body);
const deleteIn = (shop: string, who: Person, id: string) =>
  who.api('DELETE', `/api/Service/Delete?of=${shop}&id=${id}`);
const offerIn = (shop: string, who: Person, id: string, body: object) =>
  who.api('PUT', `/api/Service/Offer?of=${shop}&id=${id}`, body);
const houseOf = async (shop: string, who: Person) =>
  (await who.api('GET', `/api/Service/GetMy?of=${shop}`)).json as HouseService[];
const editOwn = (who: Person, id: string, body: object) => who.api('PUT', `/api/Service/Edit?id=${id}`, body);
const serviceOf = async (who: Person) => (await servicesOf(who))[0];
const namesOf = (services: Service[]) => services.map(({ name }) => name);

/** A shop with a cut, which Ben does. */
async function aCut(details: object = {}, offered: object = {}) {
  const house = await aShop();
  const { id } = (await createIn(house.shop, house.ana, { ...cut, ...details })).json as Service;
  const response = await offerIn(house.shop, house.ana, id, {
    username: house.ben.username,
    offered: true,
    ...offered,
  });
  expect(response.status).toBe(200);
  return { ...house, id };
}

describe("a shop's services", () => {
  test('are made by an owner', async () => {
    const { ana, shop } = await aShop();

    const response = await createIn(shop, ana);

    expect(response.status).toBe(201);
    expect(await houseOf(shop, ana)).toEqual([expect.objectContaining({ ...cut, who: [] })]);
  });

  test('are made by the desk', async () => {
    const { ana, shop } = await aShop();
    const dora = await newProvider();
    await join({ ana }, dora, 'desk');

    const response = await createIn(shop, dora);

    expect(response.status).toBe(201);
  });

  test('are nobody else’s: for a colleague and a stranger there is no such shop', async () => {
    const { ben, shop } = await aShop();
    const stranger = await newProvider();

    expect(await createIn(shop, ben)).toMatchObject(nothing);
    expect(await createIn(shop, stranger)).toMatchObject(nothing);
  });

  test('are not among those of whoever made them', async () => {
    const { ana, shop } = await aShop();

    await createIn(shop, ana);

    expect(await servicesOf(ana)).toEqual([]);
  });

  test('are sorted for the shop alone', async () => {
    const { ana, ben, shop, id } = await aCut();
    const { id: beard } = (await createIn(shop, ana, { name: 'Beard', minutes: 15 })).json as Service;
    await offerIn(shop, ana, beard, { username: ben.username, offered: true });

    await ana.api('PUT', `/api/Service/Order?of=${shop}`, [beard, id]);

    expect(namesOf(await houseOf(shop, ana))).toEqual(['Beard', 'Cut']);
    expect(namesOf(await servicesOf(ben))).toEqual(['Cut', 'Beard']);
  });
});

describe('Offer', () => {
  test('puts the service into the list of whoever does it', async () => {
    const { ben, id } = await aCut();

    expect(await serviceOf(ben)).toMatchObject({ id, ...cut });
  });

  test('answers with all who do it, in the order of the page', async () => {
    const { ana, ben, shop, id } = await aCut();

    const response = await offerIn(shop, ana, id, { username: ana.username, offered: true, minutes: 45, price: null });

    expect((response.json as HouseService).who).toEqual([
      { username: ana.username, displayName: 'Ana', minutes: 45, price: null },
      { username: ben.username, displayName: 'Ben', minutes: 30, price: '20 €' },
    ]);
  });

  test('gives somebody a length and price of their own', async () => {
    const { ben } = await aCut({}, { minutes: 40, price: '25 €' });

    expect(await serviceOf(ben)).toMatchObject({ minutes: 40, price: '25 €', deposit: '5 €' });
  });

  test('leaves a length and price that it does not name', async () => {
    const { ana, ben, shop, id } = await aCut({}, { minutes: 40, price: '25 €' });

    await offerIn(shop, ana, id, { username: ben.username, offered: true, minutes: 50 });

    expect(await serviceOf(ben)).toMatchObject({ minutes: 50, price: '25 €' });
  });

  test('sent twice puts it there once', async () => {
    const { ana, ben, shop, id } = await aCut();

    await offerIn(shop, ana, id, { username: ben.username, offered: true });

    expect(await servicesOf(ben)).toHaveLength(1);
  });

  test('takes the service out of a list again', async () => {
    const { ana, ben, shop, id } = await aCut();

    const response = await offerIn(shop, ana, id, { username: ben.username, offered: false });

    expect((response.json as HouseService).who).toEqual([]);
    expect(await servicesOf(ben)).toEqual([]);
  });

  test('leaves whoever has coming times for it', async () => {
    const { ana, ben, shop, id } = await aCut();
    await publish(ben, { end: '10:00', serviceId: id });

    const response = await offerIn(shop, ana, id, { username: ben.username, offered: false });

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('in the book of Ben') });
    expect(await servicesOf(ben)).toHaveLength(1);
  });

  test('knows nobody who is not in the shop', async () => {
    const { ana, shop, id } = await aCut();
    const stranger = await newProvider();

    const response = await offerIn(shop, ana, id, { username: stranger.username, offered: true });

    expect(response).toMatchObject({ status: 404, json: 'There is no such provider.' });
    expect(await servicesOf(stranger)).toEqual([]);
  });

  test('knows no service that is not the shop’s', async () => {
    const { ana, ben, shop } = await aCut();
    const { id } = await createService(ben);

    const response = await offerIn(shop, ana, id, { username: ana.username, offered: true });

    expect(response).toMatchObject({ status: 404, json: 'There is no such service.' });
  });

  test('is not for colleagues', async () => {
    const { ben, shop, id } = await aCut();

    expect(await offerIn(shop, ben, id, { username: ben.username, offered: false })).toMatchObject(nothing);
    expect(await servicesOf(ben)).toHaveLength(1);
  });

  test('refuses a name that is taken in the list of whoever is to do it', async () => {
    const { ana, shop, id } = await aCut();
    await createService(ana, { name: 'cut' });

    const response = await offerIn(shop, ana, id, { username: ana.username, offered: true });

    expect(complaints(response)).toEqual(['There is another service of that name in the list of Ana.']);
  });

  test('refuses a wrong length', async () => {
    const { ana, ben, shop, id } = await aCut();

    const response = await offerIn(shop, ana, id, { username: ben.username, offered: true, minutes: 0 });

    expect(complaints(response)[0]).toMatch(/^Minutes must be/);
  });
});

describe('Edit of a service of the shop', () => {
  test('changes its words for all who do it', async () => {
    const { ana, ben, shop, id } = await aCut();
    const words = { name: 'Dry cut', description: 'Without washing', gap: 10, isOffered: false };

    const response = await editIn(shop, ana, id, words);

    expect(response).toMatchObject({ status: 200, json: words });
    expect(await serviceOf(ben)).toMatchObject(words);
  });

  test('changes a length and prices that were the shop’s', async () => {
    const { ana, ben, shop, id } = await aCut();
    const prices = { minutes: 35, price: '22 €', deposit: null };

    await editIn(shop, ana, id, prices);

    expect(await serviceOf(ben)).toMatchObject(prices);
  });

  test('leaves a length and price that are somebody’s own', async () => {
    const { ana, ben, shop, id } = await aCut({}, { minutes: 40, price: '25 €' });

    await editIn(shop, ana, id, { minutes: 35, price: '22 €' });

    expect(await serviceOf(ben)).toMatchObject({ minutes: 40, price: '25 €' });
  });

  test('changes the places of coming times of all who do it', async () => {
    const { ana, ben, shop, id } = await aCut({ seats: 4 });
    await publish(ben, { end: '10:00', dates: [dayAhead(2)], serviceId: id });

    await editIn(shop, ana, id, { seats: 6 });

    const { results } = await daybook.d1.prepare('SELECT seats FROM slots WHERE service_id = ?').bind(id).all();
    expect(results).toEqual([{ seats: 6 }, { seats: 6 }]);
  });

  test('refuses fewer places than are taken with somebody who does it', async () => {
    const { ana, ben, shop, id } = await aCut({ seats: 4 });
    const [slot] = await publish(ben, { end: '09:30', dates: [dayAhead(2)], serviceId: id });
    const maya = await newConsumer();
    await maya.api('PUT', `/api/Appointment/Book?id=${slot?.id}&people=3`);

    const response = await editIn(shop, ana, id, { seats: 2, name: 'Small class' });

    expect(response).toMatchObject({ status: 409, json: expect.stringMatching(/^3 people are booked/) });
    expect(await serviceOf(ben)).toMatchObject({ seats: 4, name: 'Cut' });
  });

  test('refuses a name that is taken in the list of somebody who does it', async () => {
    const { ana, ben, shop, id } = await aCut();
    await createService(ben, { name: 'Beard' });

    const response = await editIn(shop, ana, id, { name: 'Beard' });

    expect(complaints(response)).toEqual(['There is another service of that name in the list of Ben.']);
    expect(namesOf(await houseOf(shop, ana))).toEqual(['Cut']);
  });

  test('leaves an own service of the same name alone where nobody shares it', async () => {
    const { ana, shop, id } = await aCut();
    await createService(ana, { name: 'Beard' });

    const response = await editIn(shop, ana, id, { name: 'Beard' });

    expect(response.status).toBe(200);
  });

  test('leaves an own service of somebody in the shop', async () => {
    const { ana, ben, shop } = await aCut();
    const { id } = await createService(ben, { name: 'Beard' });

    const response = await editIn(shop, ana, id, { name: 'Shave' });

    expect(response.status).toBe(404);
    expect(namesOf(await servicesOf(ben))).toEqual(['Cut', 'Beard']);
  });
});

describe('questions of a service of the shop', () => {
  test('are of whoever writes it, and asked by all who do it', async () => {
    const { ana, ben, shop, id } = await aCut();
    const templateId = await publishQuestions(ana, questions);

    await editIn(shop, ana, id, { templateId });

    expect(await serviceOf(ben)).toMatchObject({ templateId });
  });

  test('of another one are refused', async () => {
    const { ana, ben, shop, id } = await aCut();
    const templateId = await publishQuestions(ben, questions);

    const response = await editIn(shop, ana, id, { templateId });

    expect(response.status).toBe(404);
  });

  test('stay where another owner changes something else', async () => {
    const { ana, ben, shop, id } = await aCut();
    const templateId = await publishQuestions(ana, questions);
    await editIn(shop, ana, id, { templateId });
    await ana.api('PUT', `/api/Shop/SetColleague?username=${ben.username}`, { role: 'desk' });

    const response = await editIn(shop, ben, id, { name: 'Dry cut', templateId });

    expect(response).toMatchObject({ status: 200, json: { templateId } });
  });

  test('are asked everywhere as they were last edited', async () => {
    const { ana, ben, shop, id } = await aCut();
    const templateId = await publishQuestions(ana, questions);
    await editIn(shop, ana, id, { templateId });

    const edited = await editTemplate(ana, templateId, [{ questionText: 'Since when?', questionType: openEnded }]);

    const { id: newest } = (edited.json as { template: { id: string } }).template;
    expect((await houseOf(shop, ana))[0]).toMatchObject({ templateId: newest });
    expect(await serviceOf(ben)).toMatchObject({ templateId: newest });
  });

  test('are asked nowhere once they are deleted', async () => {
    const { ana, ben, shop, id } = await aCut();
    const templateId = await publishQuestions(ana, questions);
    await editIn(shop, ana, id, { templateId });

    await deleteTemplate(ana, templateId);

    expect((await houseOf(shop, ana))[0]).toMatchObject({ templateId: null });
    expect(await serviceOf(ben)).toMatchObject({ templateId: null });
  });
});

describe('Delete of a service of the shop', () => {
  test('takes it out of all lists', async () => {
    const { ana, ben, shop, id } = await aCut();

    const response = await deleteIn(shop, ana, id);

    expect(response.status).toBe(204);
    expect(await houseOf(shop, ana)).toEqual([]);
    expect(await servicesOf(ben)).toEqual([]);
  });

  test('is refused while anybody has coming times for it', async () => {
    const { ana, ben, shop, id } = await aCut();
    await publish(ben, { end: '10:00', serviceId: id });

    const response = await deleteIn(shop, ana, id);

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('in the book of Ben') });
    expect(await houseOf(shop, ana)).toHaveLength(1);
  });

  test('leaves an own service of somebody in the shop', async () => {
    const { ana, ben, shop } = await aCut();
    const { id } = await createService(ben);

    const response = await deleteIn(shop, ana, id);

    expect(response.status).toBe(404);
    expect(await servicesOf(ben)).toHaveLength(2);
  });
});

describe('a service that two do in their own way', () => {
  const tileOf = async (shop: string) => (await daybook.visitor().get(`/with/${shop}`)).$$('main .offers a')[0]?.text;
  const publicService = async (shop: string) =>
    (await daybook.visitor().api('GET', `/api/Public/Services?provider=${shop}`)).json;

  test('says from which to which length, and each price', async () => {
    const { ana, shop, id } = await aCut({}, { minutes: 45, price: '25 €' });
    await offerIn(shop, ana, id, { username: ana.username, offered: true });

    expect(await tileOf(shop)).toMatch(/20 € \/ 25 €.*30 minutes to 45 minutes/);
    expect(await publicService(shop)).toMatchObject([{ minutes: 30, minutesTo: 45, prices: ['20 €', '25 €'] }]);
  });

  test('says one length and one price where they are the same', async () => {
    const { ana, shop, id } = await aCut();
    await offerIn(shop, ana, id, { username: ana.username, offered: true });

    expect(await tileOf(shop)).toMatch(/^Cut 20 € 30 minutes/);
    const [service] = (await publicService(shop)) as object[];
    expect(service).not.toHaveProperty('prices');
    expect(service).not.toHaveProperty('minutesTo');
  });
});

describe('whoever does a service of the shop', () => {
  test('changes its length and prices for themselves', async () => {
    const { ana, ben, shop, id } = await aCut();

    const response = await editOwn(ben, id, { minutes: 50, price: '30 €' });

    expect(response.status).toBe(200);
    expect((await houseOf(shop, ana))[0]).toMatchObject({ minutes: 30, who: [{ minutes: 50, price: '30 €' }] });
  });

  test.each([{ name: 'My cut' }, { gap: 5 }, { description: 'Mine' }, { seats: 2 }, { isOffered: false }])(
    'changes nothing else of it: %o',
    async (change) => {
      const { ben, id } = await aCut();

      const response = await editOwn(ben, id, change);

      expect(complaints(response)).toEqual(['This is a service of the shop. It is changed there.']);
      expect(await serviceOf(ben)).toMatchObject(cut);
    },
  );

  test('may send what it is along with what is their own', async () => {
    const { ben, id } = await aCut();

    const response = await editOwn(ben, id, { ...cut, gap: 0, isOffered: true, minutes: 50 });

    expect(response).toMatchObject({ status: 200, json: { minutes: 50 } });
  });

  test('does not delete it', async () => {
    const { ben, id } = await aCut();

    const response = await ben.api('DELETE', `/api/Service/Delete?id=${id}`);

    expect(complaints(response)).toEqual(['This is a service of the shop. It is changed there.']);
    expect(await servicesOf(ben)).toHaveLength(1);
  });

  test('keeps it as their own when they leave', async () => {
    const { ana, ben, shop, id } = await aCut();

    await ben.api('PUT', '/api/Shop/Leave');

    expect((await houseOf(shop, ana))[0]).toMatchObject({ who: [] });
    expect(await editOwn(ben, id, { name: 'My cut' })).toMatchObject({ status: 200, json: { id, name: 'My cut' } });
  });

  test('keeps it as it is for them when it changes after they left', async () => {
    const { ana, ben, shop, id } = await aCut();
    await ana.api('PUT', `/api/Shop/Remove?username=${ben.username}`);

    await editIn(shop, ana, id, { name: 'Dry cut', price: '22 €' });

    expect(await serviceOf(ben)).toMatchObject({ name: 'Cut', price: '20 €' });
  });

  test('keeps it as their own when the shop closes', async () => {
    const { ana, ben, shop, id } = await aCut();
    await offerIn(shop, ana, id, { username: ana.username, offered: true });
    await ben.api('PUT', '/api/Shop/Leave');

    await ana.api('DELETE', '/api/Shop/Close', { password: 'Correct horse 1' });

    expect(await editOwn(ana, id, { name: 'My cut' })).toMatchObject({ status: 200 });
  });
});

describe('a cached page', () => {
  const pageFor = (username: string) => daybook.visitor().get(`/with/${username}`);
  /** Trips to the database of the page, which was cached before. */
  // One to find whose books they are, and one to read these.
  const tripsOfShop = 2;
  async function tripsAfter(username: string, change: () => Promise<unknown>) {
    await pageFor(username);
    expect(tripsOf(await pageFor(username))).toBe(0);
    await change();
    return tripsOf(await pageFor(username));
  }

  test('of somebody who does a service is dropped when the shop changes it', async () => {
    const { ana, ben, shop, id } = await aCut();

    expect(await tripsAfter(ben.username, () => editIn(shop, ana, id, { name: 'Dry cut' }))).toBe(1);
  });

  test('of somebody is dropped when they are to do a service', async () => {
    const { ana, shop, id } = await aCut();

    const change = () => offerIn(shop, ana, id, { username: ana.username, offered: true });

    expect(await tripsAfter(ana.username, change)).toBe(1);
  });

  test('of somebody is dropped when a service is deleted', async () => {
    const { ana, ben, shop, id } = await aCut();

    expect(await tripsAfter(ben.username, () => deleteIn(shop, ana, id))).toBe(1);
  });

  test('of somebody is dropped when the page of the shop changes', async () => {
    const { ana, ben } = await aCut();

    const change = () => ana.api('PUT', '/api/Shop/Edit', { address: 'Rua da Rosa 7' });

    expect(await tripsAfter(ben.username, change)).toBe(1);
  });

  test('of the shop is dropped when its service changes', async () => {
    const { ana, shop, id } = await aCut();

    expect(await tripsAfter(shop, () => editIn(shop, ana, id, { name: 'Dry cut' }))).toBe(tripsOfShop);
  });

  test('of the shop is dropped when somebody else does its service', async () => {
    const { ana, shop, id } = await aCut();

    const change = () => offerIn(shop, ana, id, { username: ana.username, offered: true });

    expect(await tripsAfter(shop, change)).toBe(tripsOfShop);
  });
});

describe('/services of a shop', () => {
  test('shows the name of the shop, and who does what', async () => {
    const { ana, shop } = await aCut();

    const page = await ana.browser.visit(`/services?of=${shop}`);

    expect(page.words).toMatch(/The House.*Cut.*30 minutes.*Ben/s);
  });

  test('is not there for a colleague', async () => {
    const { ben, shop } = await aCut();

    const page = await ben.browser.get(`/services?of=${shop}`);

    expect(page.status).toBe(404);
  });

  test('adds a service to the shop', async () => {
    const { ana, shop } = await aShop();

    const saved = await (await ana.browser.visit(`/services?of=${shop}`)).submit('Add service', {
      name: 'Beard',
      minutes: '15',
    });

    expect(saved.path).toBe(`/services?saved=yes&of=${shop}`);
    expect(saved.words).toMatch(/Beard.*Nobody does it yet\./s);
    expect(namesOf(await houseOf(shop, ana))).toEqual(['Beard']);
  });

  test('sorts the shop’s', async () => {
    const { ana, shop } = await aCut();
    await createIn(shop, ana, { name: 'Beard', minutes: 15 });

    await (await ana.browser.visit(`/services?of=${shop}`)).submit('Up, Beard');

    expect(namesOf(await houseOf(shop, ana))).toEqual(['Beard', 'Cut']);
  });

  test('changes a service of the shop', async () => {
    const { ana, ben, shop, id } = await aCut();

    const saved = await (await ana.browser.visit(`/services/${id}?of=${shop}`)).submit('Save', { name: 'Dry cut' });

    expect(saved.path).toBe(`/services?saved=yes&of=${shop}`);
    expect(await serviceOf(ben)).toMatchObject({ name: 'Dry cut', isOffered: true });
  });

  test('says who does a service, and how', async () => {
    const { ana, ben, shop, id } = await aCut();

    const page = await ana.browser.visit(`/services/${id}?of=${shop}`);
    const saved = await page.submit('Save who does it', {
      does: [ana.username],
      [`minutes-${ana.username}`]: '45',
    });

    expect(saved.words).toContain('It is saved who does it.');
    expect(await serviceOf(ana)).toMatchObject({ minutes: 45, price: '20 €' });
    expect(await servicesOf(ben)).toEqual([]);
  });

  test('saves all of who does a service, or nothing', async () => {
    const { ana, ben, shop, id } = await aCut();
    await publish(ben, { end: '10:00', serviceId: id });

    const page = await ana.browser.visit(`/services/${id}?of=${shop}`);
    const refused = await page.submit('Save who does it', { does: [ana.username] });

    expect(refused.status).toBe(409);
    expect(refused.words).toContain('in the book of Ben');
    expect(await servicesOf(ana)).toEqual([]);
  });

  test('shows a wrong length at whom it is for', async () => {
    const { ana, ben, shop, id } = await aCut();

    const page = await ana.browser.visit(`/services/${id}?of=${shop}`);
    const refused = await page.submit('Save who does it', { [`minutes-${ben.username}`]: '1' });

    expect(refused.status).toBe(400);
    expect(refused.root.querySelector(`#field-minutes-${ben.username}`)?.getAttribute('aria-invalid')).toBe('true');
  });

  test('lets whoever does a service change the length and prices on their own screen', async () => {
    const { ben, id } = await aCut();

    const page = await ben.browser.visit(`/services/${id}`);
    await page.submit('Save', { minutes: '55' });

    expect(page.words).toContain('A service of The House');
    expect(await serviceOf(ben)).toMatchObject({ ...cut, minutes: 55 });
  });
});
