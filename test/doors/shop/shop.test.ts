import { describe, expect, test } from 'vitest';
import { accountCalls, consumer } from '../../support/account-calls';
import { complaints, nothing, refusal } from '../../support/complaints';
import { book, type Person, password, peopleAt, publishOne, several } from '../../support/factories';
import {
  bringIn,
  invite,
  join,
  namesIn,
  openShop,
  peopleOf,
  rolesIn,
  type Shop,
  shopDraft,
  shopOf,
} from '../../support/shops';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { register, logIn } = accountCalls(daybook);

const open = (who: Person, body: unknown, sent?: Record<string, string>) =>
  who.api('POST', '/api/Shop/Open', body, sent);
const edit = (who: Person, body: object) => who.api('PUT', '/api/Shop/Edit', body);
const order = (who: Person, names: unknown) => who.api('PUT', '/api/Shop/Order', names);
const setColleague = (who: Person, username: string, change: object) =>
  who.api('PUT', `/api/Shop/SetColleague?username=${username}`, change);
const invitationsOf = (who: Person) => who.api('GET', '/api/Shop/Invitations');
const uninvite = (who: Person, id: string) => who.api('DELETE', `/api/Shop/Uninvite?id=${id}`);
const leave = (who: Person) => who.api('PUT', '/api/Shop/Leave');
const remove = (who: Person, username: string) => who.api('PUT', `/api/Shop/Remove?username=${username}`);
const close = (who: Person, word = password) => who.api('DELETE', '/api/Shop/Close', { password: word });
const page = (username: string) => daybook.visitor().get(`/with/${username}`);

/** A shop with an owner and one colleague. */
async function newShop(role = 'colleague') {
  const [owner, colleague] = await Promise.all([newProvider(), newProvider()]);
  const shop = await openShop(owner);
  await bringIn(owner, [colleague], role);
  return { owner, colleague, shop };
}

describe('Open', () => {
  test('opens a shop with its maker as the owner', async () => {
    const ana = await newProvider();
    const draft = shopDraft({ address: 'Rua 1', phone: '+351 21 123', description: 'Cuts' });

    const { status, json } = await open(ana, draft);

    expect(status).toBe(201);
    expect(json).toEqual({
      ...draft,
      timeZone: 'UTC',
      rules: expect.any(Object),
      people: [
        {
          username: ana.username,
          displayName: ana.displayName,
          role: 'owner',
          takes: true,
          joinedAt: expect.any(String),
        },
      ],
    });
  });

  test('opens one shop for one key', async () => {
    const ana = await newProvider();
    const draft = shopDraft();
    const send = () => open(ana, draft, { 'Idempotency-Key': 'one' });

    const first = await send();
    const second = await send();

    expect(second).toMatchObject({ status: 201, json: first.json });
  });

  test.each([
    ['of another provider', () => newProvider()],
    ['of a client', () => newConsumer()],
  ])('refuses the username %s, in any case', async (_, newOther) => {
    const [ana, other] = await Promise.all([newProvider(), newOther()]);

    const response = await open(ana, shopDraft({ username: other.username.toUpperCase() }));

    expect(complaints(response, 409)).toEqual([`The username "${other.username.toUpperCase()}" is already taken.`]);
  });

  test('refuses the username of another shop', async () => {
    const [ana, ben] = await Promise.all([newProvider(), newProvider()]);
    const { username } = await openShop(ana);

    expect(await open(ben, shopDraft({ username: username.toUpperCase() }))).toMatchObject({ status: 409 });
  });

  test('refuses a second shop of the same person', async () => {
    const ana = await newProvider();
    await openShop(ana);

    const response = await open(ana, shopDraft());

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('in a shop already') });
  });

  test('names every fault at once', async () => {
    const ana = await newProvider();

    expect(complaints(await open(ana, { username: 'a b', displayName: '', location: '' }))).toHaveLength(3);
  });

  test('lets one of two at once have the name', async () => {
    const owners = await several(2, () => newProvider());
    const draft = shopDraft();

    const statuses = await Promise.all(owners.map(async (owner) => (await open(owner, draft)).status));

    expect(statuses.toSorted()).toEqual([201, 409]);
  });

  test('takes the name from everybody who registers', async () => {
    const { username } = await openShop(await newProvider());

    expect(await register(consumer({ username: username.toUpperCase() }))).toMatchObject({ status: 409 });
  });

  test('makes nothing to log in to', async () => {
    const { username } = await openShop(await newProvider());

    expect(await logIn({ username, password })).toMatchObject({ status: 401 });
  });

  test('is for providers', async () => {
    expect(refusal(await open(await newConsumer(), shopDraft()))).toBe(403);
  });
});

describe('Get', () => {
  test('shows the shop to all its people', async () => {
    const { owner, colleague } = await newShop();

    expect((await shopOf(colleague)).json).toEqual((await shopOf(owner)).json);
  });

  test('shows no shop to others', async () => {
    await newShop();

    expect(await shopOf(await newProvider())).toMatchObject(nothing);
  });
});

describe('Edit', () => {
  test('changes what is given, and leaves the rest', async () => {
    const owner = await newProvider();
    const shop = await openShop(owner, { phone: '+351 21 123' });

    const { status, json } = await edit(owner, { displayName: 'Chez Ana', location: 'Porto' });

    expect(status).toBe(200);
    expect(json).toEqual({ ...shop, displayName: 'Chez Ana', location: 'Porto' });
  });

  test('empties what is given as null', async () => {
    const owner = await newProvider();
    await openShop(owner, { phone: '+351 21 123', address: 'Rua 1' });

    expect(await edit(owner, { phone: null, address: null })).toMatchObject({ json: { phone: null, address: null } });
  });

  test('shows at once on the page', async () => {
    const owner = await newProvider();
    const { username } = await openShop(owner);
    await page(username);

    await edit(owner, { displayName: 'Chez Benedita' });

    expect((await page(username)).text).toContain('Chez Benedita');
  });

  test('is for owners', async () => {
    const { owner, colleague, shop } = await newShop('desk');

    expect(refusal(await edit(colleague, { displayName: 'Mine' }))).toBe(403);
    expect((await shopOf(owner)).json).toMatchObject({ displayName: shop.displayName });
  });

  test('finds no shop of others', async () => {
    expect(await edit(await newProvider(), { displayName: 'Mine' })).toMatchObject(nothing);
  });
});

describe('Order', () => {
  test('sorts the people, and leaves those who are not named behind', async () => {
    const [ana, ben, cem] = (await several(3, () => newProvider())) as [Person, Person, Person];
    await openShop(ana);
    await bringIn(ana, [ben, cem]);

    const response = await order(ana, [cem.username.toUpperCase()]);

    expect(response.status).toBe(200);
    expect(await namesIn(ana)).toEqual([cem.username, ana.username, ben.username]);
  });

  test('changes nothing where somebody is not in the shop', async () => {
    const { owner, colleague } = await newShop();
    const stranger = await newProvider();

    expect(await order(owner, [colleague.username, stranger.username])).toMatchObject(nothing);
    expect(await namesIn(owner)).toEqual([owner.username, colleague.username]);
  });

  test('is for owners', async () => {
    const { owner, colleague } = await newShop('desk');

    expect(refusal(await order(colleague, [colleague.username]))).toBe(403);
    expect(await namesIn(owner)).toEqual([owner.username, colleague.username]);
  });
});

describe('SetColleague', () => {
  test('changes the role and whether they take appointments', async () => {
    const { owner, colleague } = await newShop();

    await setColleague(owner, colleague.username, { role: 'desk', takes: false });

    expect(await peopleOf(owner)).toContainEqual(
      expect.objectContaining({ username: colleague.username, role: 'desk', takes: false }),
    );
  });

  test('leaves the role where only the other is given', async () => {
    const { owner, colleague } = await newShop('desk');

    await setColleague(owner, colleague.username, { takes: false });

    expect(await rolesIn(owner)).toMatchObject({ [colleague.username]: 'desk' });
  });

  test('keeps the last owner', async () => {
    const { owner } = await newShop();

    const response = await setColleague(owner, owner.username, { role: 'desk' });

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('needs an owner') });
    expect(await rolesIn(owner)).toMatchObject({ [owner.username]: 'owner' });
  });

  test('lets one of two owners become a colleague', async () => {
    const { owner, colleague } = await newShop('owner');

    expect(await setColleague(colleague, owner.username, { role: 'colleague' })).toMatchObject({ status: 200 });
  });

  test('lets one of two owners step down', async () => {
    const { owner, colleague } = await newShop('owner');

    const response = await setColleague(owner, owner.username, { role: 'desk' });

    expect(response.status).toBe(200);
    expect(await rolesIn(colleague)).toMatchObject({ [owner.username]: 'desk' });
  });

  test('keeps an owner when two step down at once', async () => {
    const { owner, colleague } = await newShop('owner');

    const both = await Promise.all(
      [owner, colleague].map((who) => setColleague(who, who.username, { role: 'colleague' })),
    );

    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(Object.values(await rolesIn(owner)).toSorted()).toEqual(['colleague', 'owner']);
  });

  test('refuses a role that is none', async () => {
    const { owner, colleague } = await newShop();

    expect(complaints(await setColleague(owner, colleague.username, { role: 'boss' }))).toEqual([
      'Choose a role: owner, desk or colleague.',
    ]);
  });

  test('finds nobody outside of the shop', async () => {
    const { owner } = await newShop();
    const stranger = await newProvider();

    expect(await setColleague(owner, stranger.username, { takes: false })).toMatchObject(nothing);
  });

  test.each(['colleague', 'desk'])('is not for a %s', async (role) => {
    const { owner, colleague } = await newShop(role);

    expect(refusal(await setColleague(colleague, colleague.username, { role: 'owner' }))).toBe(403);
    expect(await rolesIn(owner)).toMatchObject({ [colleague.username]: role });
  });
});

describe('an invitation', () => {
  test('is made with a link that is good for fourteen days', async () => {
    const owner = await newProvider();
    await openShop(owner);

    const made = await invite(owner, { role: 'desk', email: 'ben@mail.test' });

    expect(made).toMatchObject({ role: 'desk', email: 'ben@mail.test' });
    expect(made.link).toMatch(/^\/join\/[\w-]{20,}$/);
    expect(Date.parse(made.until) - Date.parse(made.madeAt)).toBe(14 * 24 * 3600_000);
  });

  test('shows its link once', async () => {
    const owner = await newProvider();
    await openShop(owner);
    const { link, ...rest } = await invite(owner);

    const { json, text } = await invitationsOf(owner);

    expect(json).toEqual([rest]);
    expect(text).not.toContain(link.split('/').at(-1));
  });

  test.each(['colleague', 'desk'])('is not made, seen or taken back by a %s', async (role) => {
    const { owner, colleague } = await newShop(role);
    const { id } = await invite(owner);

    expect(refusal(await colleague.api('POST', '/api/Shop/Invite', { role: 'owner' }))).toBe(403);
    expect(refusal(await invitationsOf(colleague))).toBe(403);
    expect(refusal(await uninvite(colleague, id))).toBe(403);
    expect((await invitationsOf(owner)).json).toHaveLength(1);
  });

  test('can be taken back, and then opens nothing', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await openShop(owner);
    const made = await invite(owner);

    expect((await uninvite(owner, made.id)).status).toBe(204);

    expect(await join(ben, made)).toMatchObject(nothing);
    expect((await invitationsOf(owner)).json).toEqual([]);
  });

  test('of another shop can’t be taken back', async () => {
    const [owner, rival] = (await several(2, () => newProvider())) as [Person, Person];
    await Promise.all([openShop(owner), openShop(rival)]);
    const made = await invite(owner);

    expect(await uninvite(rival, made.id)).toMatchObject(nothing);
    expect((await invitationsOf(owner)).json).toHaveLength(1);
  });

  test('is no longer open once it is used', async () => {
    const { owner } = await newShop();

    expect((await invitationsOf(owner)).json).toEqual([]);
  });
});

describe('Join', () => {
  test('makes a colleague with the role of the invitation, last in the order', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await openShop(owner);

    const { status, json } = await join(ben, await invite(owner, { role: 'desk' }));

    expect(status).toBe(201);
    expect((json as Shop).people.at(-1)).toMatchObject({ username: ben.username, role: 'desk', takes: true });
  });

  test('brings the whole book along', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    const maya = await newConsumer();
    const slot = await publishOne(ben);
    await book(maya, slot);
    await openShop(owner);

    await join(ben, await invite(owner));

    const { json } = await ben.api('GET', `/api/Appointment/Get?id=${slot.id}`);
    expect(json).toMatchObject({ id: slot.id, status: 1 });
  });

  test('is the same when it is sent again', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await openShop(owner);
    const made = await invite(owner);

    const first = await join(ben, made);
    const second = await join(ben, made);

    expect(second).toMatchObject({ status: first.status, json: first.json });
  });

  test('takes a link once', async () => {
    const [owner, ben, cem] = (await several(3, () => newProvider())) as [Person, Person, Person];
    await openShop(owner);
    const made = await invite(owner);
    await join(ben, made);

    expect(await join(cem, made)).toMatchObject(nothing);
  });

  test('takes a link once from two at once', async () => {
    const [owner, ...both] = (await several(3, () => newProvider())) as [Person, Person, Person];
    await openShop(owner);
    const made = await invite(owner);

    const statuses = await Promise.all(both.map(async (who) => (await join(who, made)).status));

    expect(statuses.toSorted()).toEqual([201, 404]);
    expect(await namesIn(owner)).toHaveLength(2);
  });

  test('takes no link that is over', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await openShop(owner);
    const made = await invite(owner);
    await daybook.d1.prepare('UPDATE shop_invitations SET ends_at = ? WHERE id = ?').bind(Date.now(), made.id).run();

    expect(await join(ben, made)).toMatchObject(nothing);
  });

  test('takes no link again from somebody who has left', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await openShop(owner);
    const made = await invite(owner);
    await join(ben, made);
    await leave(ben);

    expect(await join(ben, made)).toMatchObject(nothing);
  });

  test('refuses somebody who is in a shop', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await Promise.all([openShop(owner), openShop(ben)]);

    const response = await join(ben, await invite(owner));

    expect(response).toMatchObject({ status: 409, json: expect.stringContaining('in a shop already') });
  });

  test('refuses another time zone, and says what to do', async () => {
    const [owner, ben] = await Promise.all([newProvider(), newProvider({ timeZone: 'Europe/Berlin' })]);
    await openShop(owner);

    const response = await join(ben, await invite(owner));

    expect(response).toMatchObject({
      status: 409,
      json: "The shop's clock is that of UTC, and yours is another. Change your time zone in your profile first.",
    });
    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test('refuses the twenty-first', async () => {
    const owner = await newProvider();
    await openShop(owner);
    await bringIn(owner, await several(18, () => newProvider()));
    const lastTwo = await several(2, () => newProvider());
    const links = [await invite(owner), await invite(owner)];

    const statuses = await Promise.all(lastTwo.map(async (who, at) => (await join(who, links[at] as never)).status));

    expect(statuses.toSorted()).toEqual([201, 409]);
    expect(await namesIn(owner)).toHaveLength(20);
  });

  test('is for providers', async () => {
    const owner = await newProvider();
    await openShop(owner);

    expect(refusal(await join(await newConsumer(), await invite(owner)))).toBe(403);
  });
});

describe('Leave', () => {
  test('takes the person out, and leaves them their book', async () => {
    const { owner, colleague } = await newShop();
    const slot = await publishOne(colleague);

    expect((await leave(colleague)).status).toBe(204);

    expect(await namesIn(owner)).toEqual([owner.username]);
    expect(await shopOf(colleague)).toMatchObject(nothing);
    expect(await colleague.api('GET', `/api/Appointment/Get?id=${slot.id}`)).toMatchObject({ status: 200 });
  });

  test('keeps the last owner', async () => {
    const { owner } = await newShop();

    expect(await leave(owner)).toMatchObject({ status: 409, json: expect.stringContaining('needs an owner') });
  });

  test('tells the owner alone to close the shop', async () => {
    const owner = await newProvider();
    await openShop(owner);

    expect(await leave(owner)).toMatchObject({ status: 409, json: expect.stringContaining('Close it instead') });
    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test('keeps one of two owners who leave at once', async () => {
    const { owner, colleague } = await newShop('owner');

    const both = await Promise.all([leave(owner), leave(colleague)]);

    expect(both.map(({ status }) => status).toSorted()).toEqual([204, 409]);
  });

  test('lets the person open a shop of their own', async () => {
    const { colleague } = await newShop();
    await leave(colleague);

    expect(await open(colleague, shopDraft())).toMatchObject({ status: 201 });
  });
});

describe('Remove', () => {
  test('takes a colleague out', async () => {
    const { owner, colleague } = await newShop();

    expect((await remove(owner, colleague.username.toUpperCase())).status).toBe(204);

    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test.each(['colleague', 'desk'])('is not for a %s', async (role) => {
    const { owner, colleague } = await newShop(role);

    expect(refusal(await remove(colleague, owner.username))).toBe(403);
    expect(await namesIn(owner)).toHaveLength(2);
  });

  test('finds nobody outside of the shop', async () => {
    const { owner } = await newShop();
    const other = await newShop();

    expect(await remove(owner, other.colleague.username)).toMatchObject(nothing);
    expect(await namesIn(other.owner)).toHaveLength(2);
  });
});

describe('Close', () => {
  test('frees the name and ends the page', async () => {
    const owner = await newProvider();
    const { username } = await openShop(owner);
    await page(username);

    expect((await close(owner)).status).toBe(204);

    expect((await page(username)).status).toBe(404);
    expect(await shopOf(owner)).toMatchObject(nothing);
    expect(await register(consumer({ username }))).toMatchObject({ status: 201 });
  });

  test('ends open invitations', async () => {
    const [owner, ben] = (await several(2, () => newProvider())) as [Person, Person];
    await openShop(owner);
    const made = await invite(owner);
    await close(owner);

    expect(await join(ben, made)).toMatchObject(nothing);
  });

  test('asks for the password', async () => {
    const owner = await newProvider();
    await openShop(owner);

    expect(complaints(await close(owner, 'Not the password 1'))).toEqual(['That is not your current password.']);
    expect(await namesIn(owner)).toEqual([owner.username]);
  });

  test('waits until the others have left', async () => {
    const { owner } = await newShop();

    expect(await close(owner)).toMatchObject({ status: 409, json: expect.stringContaining('still in the shop') });
    expect(await namesIn(owner)).toHaveLength(2);
  });

  test('is for owners', async () => {
    const { owner, colleague } = await newShop('desk');

    expect(refusal(await close(colleague))).toBe(403);
    expect(await namesIn(owner)).toHaveLength(2);
  });
});
