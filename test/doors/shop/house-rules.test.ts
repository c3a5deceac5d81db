import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { type Person, password, peopleAt, publish, writeSlot } from '../../support/factories';
import { bringIn, invite, leave, openShop, shopOf } from '../../support/shops';
import { idOf, one, writeTemplate } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { timesOn } from '../../support/visit';

/* What the house sets holds for all its people, who have their own rules back when it no longer does. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const setHouse = (who: Person, rules: object) => who.api('PUT', '/api/Shop/SetRules', rules);
const rulesOf = async (who: Person) => (await who.api('GET', '/api/Account/GetRules')).json as Record<string, unknown>;
const remindersOf = async (who: Person) => (await who.api('GET', '/api/Account/GetReminders')).json;
const houseOf = async (who: Person) => ((await shopOf(who)).json as { rules: Record<string, unknown> }).rules;
const remove = (owner: Person, { username }: Person) => owner.api('PUT', `/api/Shop/Remove?username=${username}`);

const none = {
  openTo: null,
  askEmail: null,
  askPhone: null,
  notice: null,
  cancelUntil: null,
  horizonDays: null,
  perPerson: null,
  perDay: null,
  keepAnswersDays: null,
  waitlist: null,
  reminders: null,
};
const shopName = 'Casa do Fado';

/** A shop with an owner and one colleague, who has a notice of their own. */
async function newShop(house: object = {}) {
  const [owner, colleague] = await Promise.all([newProvider(), newProvider()]);
  const shop = await openShop(owner, { displayName: shopName });
  await setRules(colleague, { notice: 15 });
  await bringIn(owner, [colleague]);
  await setHouse(owner, house);
  return { owner, colleague, shop };
}

describe('a rule of the house', () => {
  test('holds for the owner and for every colleague', async () => {
    const { owner, colleague } = await newShop();

    const set = await setHouse(owner, { notice: 120, perPerson: 2, openTo: 'accounts' });

    expect(set.status).toBe(200);
    const house = { notice: 120, perPerson: 2, openTo: 'accounts' };
    expect(await rulesOf(owner)).toMatchObject(house);
    expect(await rulesOf(colleague)).toMatchObject(house);
  });

  test('on whom it takes is told of the shop', async () => {
    const { shop, owner } = await newShop({ openTo: 'accounts' });
    const told = async () =>
      (await daybook.visitor().api('GET', `/api/Public/Provider?username=${shop.username}`)).json as { openTo: string };
    const of = (await told()).openTo;

    await setHouse(owner, { openTo: null });

    expect([of, (await told()).openTo]).toEqual(['accounts', 'anyone']);
  });

  test('is told to everybody in the shop, and null where each has their own', async () => {
    const { colleague } = await newShop({ notice: 120, reminders: [60] });

    expect(await houseOf(colleague)).toEqual({ ...none, notice: 120, reminders: [60] });
  });

  test('may be when people are reminded, and that they are not', async () => {
    const { owner, colleague } = await newShop({ reminders: [60, 2880] });
    expect(await remindersOf(colleague)).toEqual({ reminders: [2880, 60] });

    await setHouse(owner, { reminders: [] });

    expect(await remindersOf(colleague)).toEqual({ reminders: [] });
  });

  test('stays when another is set', async () => {
    const { owner, colleague } = await newShop({ notice: 120 });

    await setHouse(owner, { perDay: 3 });

    expect(await rulesOf(colleague)).toMatchObject({ notice: 120, perDay: 3 });
  });

  test('holds for whoever joins later', async () => {
    const { owner } = await newShop({ notice: 120 });
    const late = await newProvider();

    await bringIn(owner, [late]);

    expect(await rulesOf(late)).toMatchObject({ notice: 120 });
  });

  test('decides what strangers see on the page of a colleague, at once', async () => {
    const { owner, colleague } = await newShop();
    const { freeOn } = await colleagueWithTimes(colleague);
    const before = await freeOn();

    await setHouse(owner, { notice: 43_200 });

    expect(before).toBeGreaterThan(0);
    expect(await freeOn()).toBe(0);
  });

  test('to keep answers for some days deletes what is older, of all', async () => {
    const { owner, colleague } = await newShop();
    const booker = await newConsumer();
    const template = idOf(await writeTemplate(colleague, one()));
    const { id } = await answeredLongAgo(colleague, booker, template);

    await setHouse(owner, { keepAnswersDays: 30 });

    expect(await storedAnswers(id)).toBe('[]');
  });

  test.each([
    ['notice', -1],
    ['openTo', 'nobody'],
    ['perPerson', 0],
    ['reminders', [1]],
  ])('is refused where %s is %j', async (name, value) => {
    const { owner, colleague } = await newShop();

    const refused = await setHouse(owner, { [name]: value });

    expect(refused.status).toBe(400);
    expect(await houseOf(colleague)).toEqual(none);
  });

  test.each(['colour', 'head', 'embedOn', 'partiesBlock'])('is never %s', async (name) => {
    const { owner, colleague } = await newShop();
    const before = await rulesOf(colleague);

    await setHouse(owner, { [name]: { colour: 'blue', head: 'festive', embedOn: [], partiesBlock: false }[name] });

    expect(await rulesOf(colleague)).toEqual(before);
  });
});

describe('only an owner', () => {
  test.each(['colleague', 'desk'])('sets a rule of the house: a %s is refused', async (role) => {
    const owner = await newProvider();
    const other = await newProvider();
    await openShop(owner);
    await bringIn(owner, [other], role);

    const refused = await setHouse(other, { notice: 120 });

    expect(refused.status).toBe(403);
    expect(await houseOf(owner)).toEqual(none);
  });

  test('sets a rule of the house: whoever is in no shop has none', async () => {
    expect((await setHouse(await newProvider(), { notice: 120 })).status).toBe(404);
  });

  test('sees the screen of the rules of the shop', async () => {
    const { owner, colleague } = await newShop();

    expect((await owner.browser.get('/shop/rules')).status).toBe(200);
    expect((await colleague.browser.get('/shop/rules')).status).toBe(403);
  });
});

test('of two owners at once, each rule has the value of one of them, for all', async () => {
  const { owner, colleague } = await newShop();
  const second = await newProvider();
  await bringIn(owner, [second], 'owner');

  await Promise.all([setHouse(owner, { notice: 60, perDay: 4 }), setHouse(second, { notice: 120, perPerson: 2 })]);

  const house = await houseOf(owner);
  expect([60, 120]).toContain(house.notice);
  expect(house).toMatchObject({ perDay: 4, perPerson: 2 });
  for (const who of [owner, second, colleague])
    expect(await rulesOf(who)).toMatchObject({ notice: house.notice, perDay: 4, perPerson: 2 });
});

describe('a colleague', () => {
  const refusal = `Booked at least this long before: ${shopName} sets this for everybody in it.`;

  test('cannot change what the house sets', async () => {
    const { colleague } = await newShop({ notice: 120 });

    const refused = await setRules(colleague, { notice: 15, perDay: 5 });

    expect(refused).toMatchObject({ status: 409, json: refusal });
    expect(await rulesOf(colleague)).toMatchObject({ notice: 120, perDay: null });
  });

  test('cannot change when people are reminded, where the house says it', async () => {
    const { colleague } = await newShop({ reminders: [60] });

    const refused = await colleague.api('PUT', '/api/Account/SetReminders', { reminders: [1440] });

    expect(refused).toMatchObject({
      status: 409,
      json: `People are reminded before the start: ${shopName} sets this for everybody in it.`,
    });
    expect(await remindersOf(colleague)).toEqual({ reminders: [60] });
  });

  test('may send what the house sets along, unchanged', async () => {
    const { colleague } = await newShop({ notice: 120 });

    const saved = await setRules(colleague, { ...(await rulesOf(colleague)), perDay: 5 });

    expect(saved).toMatchObject({ status: 200, json: { notice: 120, perDay: 5 } });
  });

  test('keeps and changes what the house leaves to them', async () => {
    const { colleague } = await newShop({ perPerson: 2 });

    await setRules(colleague, { notice: 30 });

    expect(await rulesOf(colleague)).toMatchObject({ notice: 30, perPerson: 2 });
  });

  test('reads on the screen of their rules who sets one, in place of its field', async () => {
    const { colleague } = await newShop({ notice: 120, openTo: 'accounts' });

    const page = await colleague.browser.get('/rules');

    expect(page.$('[name=notice], [name=openTo]')).toBeNull();
    expect(page.words).toContain('Booked at least this long before 2 hours Set by Casa do Fado');
    expect(page.words).toContain('Open to People with an account Set by Casa do Fado');
    expect(page.$('[name=perDay]')).not.toBeNull();
  });

  test('saves the others on that screen', async () => {
    const { colleague } = await newShop({ notice: 120 });
    const page = await colleague.browser.get('/rules');

    const saved = await page.submit('Save rules', { perDay: '5' });

    expect(saved.words).toContain('Your rules are saved.');
    expect(await rulesOf(colleague)).toMatchObject({ notice: 120, perDay: 5 });
  });

  test('is told by a form that was open before, which keeps what else they typed', async () => {
    const { owner, colleague } = await newShop();
    const old = await colleague.browser.get('/rules');
    await setHouse(owner, { notice: 120 });

    const refused = await old.submit('Save rules', { notice: '30', perDay: '5' });

    expect(refused.status).toBe(409);
    expect(refused.words).toContain(refusal);
    expect(refused.$('[name=notice]')).toBeNull();
    expect(refused.$('[name=perDay]')?.getAttribute('value')).toBe('5');
    const saved = await refused.submit('Save rules');
    expect(saved.words).toContain('Your rules are saved.');
    expect(await rulesOf(colleague)).toMatchObject({ notice: 120, perDay: 5 });
  });
});

describe('the page of an invitation', () => {
  const pageFor = async (owner: Person) => {
    const { link } = await invite(owner);
    return daybook.visitor().get(new URL(link, daybook.url).pathname);
  };
  const sets = 'The shop sets these rules for everybody in it, and your own come back when you leave:';

  test('says which rules the house sets, by their names', async () => {
    const { owner } = await newShop({ notice: 120, reminders: [] });

    const { words } = await pageFor(owner);

    expect(words).toContain(`${sets} Booked at least this long before People are reminded before the start`);
    expect(words).not.toContain('Open to');
  });

  test('says nothing of rules where each has their own', async () => {
    const { owner } = await newShop();

    expect((await pageFor(owner)).words).not.toContain('The shop sets');
  });
});

describe('their own rule comes back', () => {
  const house = { notice: 120, perPerson: 2, reminders: [60] };
  const own = { notice: 15, perPerson: null };
  const expectOwn = async (who: Person) => {
    expect(await rulesOf(who)).toMatchObject(own);
    expect(await remindersOf(who)).toEqual({ reminders: [1440] });
  };

  test('when the house leaves it to each again', async () => {
    const { owner, colleague } = await newShop(house);

    await setHouse(owner, { notice: null, perPerson: null, reminders: null });

    await expectOwn(colleague);
    expect((await setRules(colleague, { notice: 45 })).status).toBe(200);
  });

  test('as it was before the house set it twice', async () => {
    const { owner, colleague } = await newShop(house);
    await setHouse(owner, { notice: 240 });

    await setHouse(owner, { notice: null });

    expect(await rulesOf(colleague)).toMatchObject({ notice: 15 });
  });

  test('when they leave', async () => {
    const { colleague } = await newShop(house);

    await leave(colleague);

    await expectOwn(colleague);
  });

  test('when they are removed', async () => {
    const { owner, colleague } = await newShop(house);

    await remove(owner, colleague);

    await expectOwn(colleague);
  });

  test('to whoever joined later, when they leave', async () => {
    const { owner } = await newShop(house);
    const late = await newProvider();
    await setRules(late, { notice: 15 });
    await bringIn(owner, [late]);

    await leave(late);

    await expectOwn(late);
  });

  test('to the owner, when the shop closes', async () => {
    const owner = await newProvider();
    await openShop(owner);
    await setRules(owner, { notice: 15 });
    await setHouse(owner, house);

    await owner.api('DELETE', '/api/Shop/Close', { password });

    await expectOwn(owner);
  });

  test('on their page for strangers, at once', async () => {
    const { colleague } = await newShop({ notice: 43_200 });
    const { freeOn } = await colleagueWithTimes(colleague);
    const before = await freeOn();

    await leave(colleague);

    expect(before).toBe(0);
    expect(await freeOn()).toBeGreaterThan(0);
  });
});

test('an account of a colleague under rules of the house can be deleted', async () => {
  const { owner, colleague } = await newShop({ notice: 120 });

  const gone = await colleague.api('DELETE', '/api/Account/Delete', { password });

  expect(gone.status).toBe(204);
  expect(await rulesOf(owner)).toMatchObject({ notice: 120 });
});

describe('the screen of the rules of the shop', () => {
  test('sets what is chosen and leaves the rest to each', async () => {
    const { owner, colleague } = await newShop();
    const page = await owner.browser.get('/shop/rules');

    const saved = await page.submit('Save rules', {
      notice: '120',
      openTo: 'accounts',
      perPerson: '2',
      reminders: '60',
    });

    expect(saved.words).toContain('The rules of the shop are saved.');
    expect(await houseOf(colleague)).toEqual({
      ...none,
      ...{ notice: 120, openTo: 'accounts', perPerson: 2, reminders: [60] },
    });
  });

  test('leaves each rule to each again', async () => {
    const { owner, colleague } = await newShop({ notice: 120, openTo: 'accounts', perPerson: 2, waitlist: 'off' });
    const page = await owner.browser.get('/shop/rules');

    await page.submit('Save rules', { notice: '', openTo: '', perPerson: '', waitlist: '' });

    expect(await houseOf(colleague)).toEqual(none);
    expect(await rulesOf(colleague)).toMatchObject({ notice: 15, openTo: 'anyone', perPerson: null, waitlist: 'on' });
  });

  test('can say that nobody is reminded', async () => {
    const { owner, colleague } = await newShop();
    const page = await owner.browser.get('/shop/rules');

    await page.submit('Save rules', { reminders: 'none' });

    expect(await remindersOf(colleague)).toEqual({ reminders: [] });
  });
});

/** Publishes times of tomorrow; says how many of them a stranger is shown. */
async function colleagueWithTimes(colleague: Person) {
  await publish(colleague);
  const freeOn = async () => timesOn(await daybook.visitor().get(`/with/${colleague.username}`)).length;
  return { freeOn };
}

async function answeredLongAgo(provider: Person, booker: Person, template: string) {
  const slot = await writeSlot(daybook.d1, provider, { startsIn: -100 * 24 * 60, template, booker });
  const answers = JSON.stringify([{ question: 'How are you?', answer: 'Well' }]);
  await daybook.d1
    .prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?')
    .bind(answers, slot.id)
    .run();
  return slot;
}

const storedAnswers = (id: string) =>
  daybook.d1.prepare('SELECT answers FROM bookings WHERE id = ?').bind(id).first<string>('answers');
