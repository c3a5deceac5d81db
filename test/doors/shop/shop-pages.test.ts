import { describe, expect, test } from 'vitest';
import { profileOf } from '../../support/account-calls';
import { type Person, password, peopleAt, publishOne, several } from '../../support/factories';
import { bringIn, invite, join, namesIn, openShop, rolesIn, shopDraft, shopOf } from '../../support/shops';
import { useServer } from '../../support/use-server';
import { titleOf, typedIn, valuesOf } from '../../support/visit';

/* Working with colleagues, by the screens and without script. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const shopPage = (who: Person) => who.browser.visit('/shop');
const erase = (who: Person) => who.api('DELETE', '/api/Account/Delete', { password });
const moveTo = (who: Person, timeZone: string) => who.api('PUT', '/api/Account/SetProfile', { timeZone });

/** A shop with an owner and one colleague. */
async function newShop(role = 'colleague') {
  const [owner, colleague] = (await several(2, () => newProvider())) as [Person, Person];
  const shop = await openShop(owner);
  await bringIn(owner, [colleague], role);
  return { owner, colleague, shop };
}

describe('the page of one’s shop', () => {
  test('is found in the profile by a provider alone', async () => {
    const ana = await newProvider();

    const page = await (await ana.browser.visit('/profile')).click('Work with colleagues?');

    expect(page.words).toContain('Open a shop');
  });

  test('is named in the profile of its people', async () => {
    const { colleague, shop } = await newShop();

    const page = await (await colleague.browser.visit('/profile')).click(shop.displayName);

    expect(page.path).toBe('/shop');
  });

  test('opens a shop where its owner is', async () => {
    const ana = await newProvider({ location: 'Porto' });
    const { username } = shopDraft();

    const page = await (await shopPage(ana)).submit('Open the shop', { displayName: 'Chez Ana', username });

    expect(page.words).toContain('Your shop is open.');
    expect((await shopOf(ana)).json).toMatchObject({ username, displayName: 'Chez Ana', location: 'Porto' });
  });

  test('keeps what was typed where the name is taken', async () => {
    const ana = await newProvider();

    const page = await (await shopPage(ana)).submit('Open the shop', { displayName: 'A', username: ana.username });

    expect(page.status).toBe(409);
    expect(typedIn(page, 'displayName')).toBe('A');
    expect(page.words).toContain(`The username "${ana.username}" is already taken.`);
  });

  test('changes what the public page says', async () => {
    const { owner, shop } = await newShop();

    await (await shopPage(owner)).submit('Save the page', { displayName: 'Chez Ana', phone: '+351 21 123' });

    const page = await daybook.visitor().get(`/with/${shop.username}`);
    expect(page.words).toContain('Chez Ana');
    expect(page.words).toContain('+351 21 123');
  });

  test('moves a person up', async () => {
    const { owner, colleague } = await newShop();

    await (await shopPage(owner)).submit(`Up, ${colleague.displayName}`);

    expect(await namesIn(owner)).toEqual([colleague.username, owner.username]);
  });

  test('changes what a person is', async () => {
    const { owner, colleague } = await newShop();

    await owner.browser.post('/shop', { intent: 'colleague', username: colleague.username, role: 'desk' });

    expect((await shopOf(owner)).json).toMatchObject({
      people: [{ takes: true }, { username: colleague.username, role: 'desk', takes: false }],
    });
  });

  test('removes a person', async () => {
    const { owner, colleague } = await newShop();

    const page = await (await shopPage(owner)).submit(`Remove ${colleague.displayName} from the shop`);

    expect(page.words).toContain('They are no longer in the shop.');
    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test('has nothing to change for a colleague', async () => {
    const { colleague, owner } = await newShop();

    const page = await shopPage(colleague);

    expect(page.words).toContain(owner.displayName);
    expect(page.$$('main form button').map(({ text }) => text)).toEqual(['Yes, leave the shop']);
  });

  test('shows the link of an invitation once', async () => {
    const { owner } = await newShop();

    const made = await (await shopPage(owner)).submit('Make the link', { role: 'desk', email: 'ben@mail.test' });
    const later = await shopPage(owner);

    const link = made.$$('main input').map((field) => field.getAttribute('value'))[0] ?? '';
    expect(link).toMatch(/\/join\/[\w-]{20,}$/);
    expect(later.words).toContain('ben@mail.test');
    expect(later.text).not.toContain(link.split('/').at(-1));
  });

  test('takes an invitation back', async () => {
    const { owner } = await newShop();
    const { link } = await invite(owner, { email: 'ben@mail.test' });

    await (await shopPage(owner)).submit('Take it back: ben@mail.test');

    expect((await daybook.visitor().get(link)).status).toBe(404);
  });

  test('lets a colleague leave', async () => {
    const { owner, colleague } = await newShop();

    const page = await (await shopPage(colleague)).submit('Yes, leave the shop');

    expect(page.words).toContain('You have left the shop.');
    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test('says why the last owner stays', async () => {
    const { owner } = await newShop();

    const page = await (await shopPage(owner)).submit('Yes, leave the shop');

    expect(page.status).toBe(409);
    expect(page.words).toContain('A shop needs an owner. Make somebody else an owner first.');
  });

  test('closes with the password', async () => {
    const owner = await newProvider();
    const { username } = await openShop(owner);

    const refused = await (await shopPage(owner)).submit('Yes, close it for good', { password: 'Not the password 1' });
    const closed = await refused.submit('Yes, close it for good', { password });

    expect(refused.status).toBe(400);
    expect(closed.words).toContain('The shop is closed.');
    expect((await daybook.visitor().get(`/with/${username}`)).status).toBe(404);
  });

  test('is for providers', async () => {
    expect((await (await newConsumer()).browser.get('/shop')).status).toBe(403);
  });
});

describe('the page of an invitation', () => {
  test('says who invites to what, and who sees what', async () => {
    const { owner, shop } = await newShop();
    const { link } = await invite(owner, { role: 'desk' });

    const page = await daybook.visitor().get(link);

    expect(page.status).toBe(200);
    expect(titleOf(page)).toBe(`Join ${shop.displayName}`);
    expect(page.words).toContain(`${owner.displayName} invites you to ${shop.displayName}. Your role there: Desk.`);
    expect(page.words).toContain('Desk and owners see and change your appointments');
    expect(page.words).toContain('Nobody there sees your password');
  });

  test('lets a provider join', async () => {
    const { owner, shop } = await newShop();
    const ben = await newProvider();

    const page = await (await ben.browser.visit((await invite(owner)).link)).submit('Join');

    expect(page.path).toBe('/shop?saved=join');
    expect(page.words).toContain(shop.displayName);
    expect(await namesIn(owner)).toContain(ben.username);
  });

  test('says what to do about another time zone', async () => {
    const { owner } = await newShop();
    const ben = await newProvider({ timeZone: 'Europe/Berlin' });

    const page = await (await ben.browser.visit((await invite(owner)).link)).submit('Join');

    expect(page.status).toBe(409);
    expect(page.words).toContain('Change your time zone in your profile first.');
  });

  test('lets a stranger register where the shop is, and join', async () => {
    const owner = await newProvider({ timeZone: 'Europe/Lisbon' });
    await openShop(owner, { location: 'Porto' });
    const stranger = daybook.visitor();
    const typed = { displayName: 'Ben', username: `${owner.username}.ben`, password };

    const page = await (await stranger.visit((await invite(owner)).link)).submit('Register and join', typed);

    expect(page.words).toContain('You are in the shop now.');
    expect(await rolesIn(owner)).toMatchObject({ [typed.username]: 'colleague' });
    expect(await profileOf({ api: stranger.api.bind(stranger) })).toMatchObject({
      role: 'Provider',
      location: 'Porto',
      timeZone: 'Europe/Lisbon',
    });
  });

  test('lets a stranger in once who sends the form twice', async () => {
    const { owner } = await newShop();
    const stranger = daybook.visitor();
    const form = await stranger.visit((await invite(owner)).link);
    const typed = { displayName: 'Ben', username: `${owner.username}.twice`, password };

    const pages = [await form.submit('Register and join', typed), await form.submit('Register and join', typed)];

    expect(pages.map(({ path }) => path)).toEqual(['/shop?saved=join', '/shop?saved=join']);
    expect(await namesIn(owner)).toHaveLength(3);
  });

  test('registers nobody by a link that somebody else has used', async () => {
    const { owner } = await newShop();
    const made = await invite(owner);
    const form = await daybook.visitor().visit(made.link);
    await join(await newProvider(), made);
    const username = `${owner.username}.late`;

    const page = await form.submit('Register and join', { displayName: 'Ben', username, password });

    expect(page.status).toBe(404);
    expect(page.words).toContain('Ask the owner of the shop for a new one.');
    const { status } = await daybook.visitor().api('POST', '/api/Account/Login', { username, password });
    expect(status).toBe(401);
  });

  test('leads somebody with an account to the login and back', async () => {
    const { owner } = await newShop();
    const { link } = await invite(owner);
    const ben = await newProvider();
    const browser = daybook.visitor();

    const login = await (await browser.visit(link)).click('main a[href^="/login"]');
    const page = await login.submit('Log in', { username: ben.username, password });

    expect(page.path).toBe(link);
  });

  test('says how to get a new link where it is used', async () => {
    const { owner, colleague } = await newShop();
    await owner.api('PUT', `/api/Shop/Remove?username=${colleague.username}`);
    const made = await invite(owner);
    await join(colleague, made);

    const page = await daybook.visitor().get(made.link);

    expect(page.status).toBe(404);
    expect(page.words).toContain('Ask the owner of the shop for a new one.');
  });

  test('has no list of the people of the shop', async () => {
    const { owner, colleague } = await newShop();

    const page = await daybook.visitor().get((await invite(owner)).link);

    expect(page.words).not.toContain(colleague.displayName);
    expect(valuesOf(page, 'location')).toEqual([]);
  });
});

describe('somebody in a shop', () => {
  test('keeps their time zone while others are in it', async () => {
    const { colleague } = await newShop();

    const response = await moveTo(colleague, 'Europe/Berlin');

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('Your shop goes by one clock') });
    expect(await profileOf(colleague)).toMatchObject({ timeZone: 'UTC' });
  });

  test('saves the rest of the profile', async () => {
    const { colleague } = await newShop();

    expect(await moveTo(colleague, 'UTC')).toMatchObject({ status: 200 });
  });

  test('takes the shop along to another time zone when alone in it', async () => {
    const owner = await newProvider();
    await openShop(owner);

    expect(await moveTo(owner, 'Europe/Berlin')).toMatchObject({ status: 200 });

    expect((await shopOf(owner)).json).toMatchObject({ timeZone: 'Europe/Berlin' });
  });

  test('has it in the export of their data', async () => {
    const { colleague, shop } = await newShop('desk');

    const { json } = await colleague.api('GET', '/api/Account/Export');

    expect(json).toMatchObject({
      shop: { name: shop.displayName, role: 'desk', joinedAt: expect.stringMatching(/^\d{4}-/) },
    });
  });

  test('leaves it with the account', async () => {
    const { owner, colleague } = await newShop();
    await publishOne(colleague);

    expect((await erase(colleague)).status).toBe(204);

    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test('keeps the account while others have no other owner', async () => {
    const { owner } = await newShop();

    const response = await erase(owner);

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('needs an owner') });
    expect(await namesIn(owner)).toHaveLength(2);
  });

  test('closes it with the account when alone in it', async () => {
    const owner = await newProvider();
    const { username } = await openShop(owner);
    await daybook.visitor().get(`/with/${username}`);

    expect((await erase(owner)).status).toBe(204);

    expect((await daybook.visitor().get(`/with/${username}`)).status).toBe(404);
    expect(await openShop(await newProvider(), { username })).toMatchObject({ username });
  });
});
