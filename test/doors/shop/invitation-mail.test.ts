import { describe, expect, test } from 'vitest';
import { type Person, peopleAt, several } from '../../support/factories';
import { confirmAddress, newAddress } from '../../support/mails';
import { invite, join, namesIn, openShop } from '../../support/shops';
import { useMail } from '../../support/use-mail';

/* An invitation to a shop that goes by mail, and a form that is sent twice. */

const { mailServer, daybook } = useMail();
const { newProvider } = peopleAt(daybook);
const subject = /^An invitation of /;

const stored = async (query: string) => (await daybook.d1.prepare(query).all()).results;

type Listed = { id: string; mailHeld?: string };
const listed = async (owner: Person) => (await owner.api('GET', '/api/Shop/Invitations')).json as Listed[];
const inviteBy = (owner: Person, body: object, key: string) =>
  owner.api('POST', '/api/Shop/Invite', body, { 'Idempotency-Key': key });

/** An owner with a confirmed address. */
async function anOwner() {
  const owner = await confirmAddress(daybook.d1, await newProvider({ displayName: 'Ana Lima' }));
  await openShop(owner, { displayName: 'Salão Sol' });
  return owner;
}

describe('an invitation with an address', () => {
  test('is mailed, with who invites, where, as what and the link', async () => {
    const [owner, email] = [await anOwner(), newAddress()];

    const { link } = await invite(owner, { role: 'desk', email });

    const { mail } = await mailServer.got(email, subject);
    expect(mail.subject).toBe('An invitation of Ana Lima: Salão Sol');
    expect(mail.text).toContain('Ana Lima invites you to work under the name Salão Sol');
    expect(mail.text).toContain('Your role there: Desk.');
    expect(mail.text).toContain(link);
    expect(mail.replyTo?.text).toContain(owner.email);
  });

  test('lets its reader join by the link in the mail', async () => {
    const [owner, ben, email] = [await anOwner(), await newProvider(), newAddress()];
    await invite(owner, { email });
    const { mail } = await mailServer.got(email, subject);

    await join(ben, { link: /\/join\/[\w-]+/.exec(mail.text ?? '')?.[0] ?? '' });

    expect(await namesIn(owner)).toContain(ben.username);
  });

  test('leaves no key of the link in the database', async () => {
    const [owner, email] = [await anOwner(), newAddress()];

    const { link } = await invite(owner, { email });

    const key = link.split('/').at(-1) ?? '';
    const rows = await Promise.all(
      ['shop_invitations', 'messages', 'one_time_keys'].map((table) => stored(`SELECT * FROM ${table}`)),
    );
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  test('forgets the address in the outbox once it is sent', async () => {
    const [owner, email] = [await anOwner(), newAddress()];

    await invite(owner, { email });

    await mailServer.got(email, subject);
    await expect
      .poll(() => stored(`SELECT id FROM messages WHERE email = '${email}'`), { timeout: 10_000 })
      .toEqual([]);
  });

  test('is held back where its owner has no confirmed address, and says so at once', async () => {
    const owner = await newProvider();
    await openShop(owner);

    const made = await invite(owner, { email: newAddress() });

    expect(made).toMatchObject({ mailHeld: 'sender' });
    expect(await listed(owner)).toMatchObject([{ id: made.id, mailHeld: 'sender' }]);
  });

  test('says on its screen that the mail is held back, and sends it once the owner has confirmed', async () => {
    const [owner, email] = [await newProvider(), newAddress()];
    await openShop(owner);
    const made = await (await owner.browser.visit('/shop')).submit('Make the link', { email });
    expect(made.words).toContain('Not mailed: confirm your own e-mail address first.');
    await confirmAddress(daybook.d1, owner);

    await (await owner.browser.visit('/shop')).submit('Send it now');

    expect((await mailServer.got(email, subject)).to).toBe(email);
  });

  test('goes three times a day to one address', async () => {
    const [owner, email] = [await anOwner(), newAddress()];
    for (const _ of [1, 2, 3]) await invite(owner, { email });

    expect(await invite(owner, { email })).toMatchObject({ mailHeld: 'often' });
  });

  test('goes to nobody who wants no more mail of the owner', async () => {
    const [owner, email] = [await anOwner(), newAddress()];
    await invite(owner, { email });
    const { mail } = await mailServer.got(email, subject);
    const end = /https?:\/\/[^/]+(\/unsubscribe\/[\w.-]+)/.exec(mail.text ?? '')?.[1] ?? '';
    await (await daybook.visitor().visit(end)).submit('No more mails from this sender');

    expect(await invite(owner, { email })).toMatchObject({ mailHeld: 'ended' });
  });

  test('leaves no address in the outbox once it is taken back', async () => {
    const [owner, email] = [await newProvider(), newAddress()];
    await openShop(owner);
    const { id } = await invite(owner, { email });

    await owner.api('DELETE', `/api/Shop/Uninvite?id=${id}`);

    expect(await stored(`SELECT id FROM messages WHERE email = '${email}'`)).toEqual([]);
  });
});

test('an invitation without an address is mailed to nobody', async () => {
  const owner = await anOwner();

  const { id } = await invite(owner);

  expect(await stored(`SELECT id FROM messages WHERE id = 'join-shop:${id}'`)).toEqual([]);
});

describe('an invitation that is sent twice', () => {
  test('is one, with the same link', async () => {
    const [owner, email] = [await anOwner(), newAddress()];
    const first = await inviteBy(owner, { role: 'colleague', email }, 'one');

    const second = await inviteBy(owner, { role: 'colleague', email }, 'one');

    expect(second).toMatchObject({ status: 201, json: first.json });
    expect(await listed(owner)).toHaveLength(1);
  });

  test('at once is one', async () => {
    const owner = await anOwner();

    const all = await several(4, () => inviteBy(owner, { role: 'colleague' }, 'one'));

    expect(new Set(all.map(({ json }) => (json as Listed).id)).size).toBe(1);
    expect(await listed(owner)).toHaveLength(1);
  });

  test('is nowhere once it was taken back', async () => {
    const owner = await anOwner();
    const { json } = await inviteBy(owner, { role: 'colleague' }, 'one');
    await owner.api('DELETE', `/api/Shop/Uninvite?id=${(json as Listed).id}`);

    expect((await inviteBy(owner, { role: 'colleague' }, 'one')).status).toBe(404);
  });

  test('by the form is one', async () => {
    const owner = await anOwner();
    const form = await owner.browser.visit('/shop');

    await form.submit('Make the link');
    await form.submit('Make the link');

    expect(await listed(owner)).toHaveLength(1);
  });
});
