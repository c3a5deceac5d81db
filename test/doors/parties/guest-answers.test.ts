import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { complaints } from '../../support/complaints';
import { isoAhead, password, peopleAt, several } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { partyPath } from '../../support/letters';
import { edit, remove } from '../../support/party-calls';
import {
  answersIn,
  createMeetup,
  createParty,
  goingTo,
  linkOf,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { held, useServer, useWorld } from '../../support/use-server';
import { askedOf, contentOf, type Page, typedIn } from '../../support/visit';

/*
 * Parties that anyone may answer: by name on the letter, and later by the personal link of that answer. And what a host
 * asks of whoever comes: an e-mail address and a phone number.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

const forAnyone = (details: object = {}) => createParty(host, { openTo: 'anyone', ...details });
const letter = (party: Party) => daybook.visitor().get(partyPath(party));
const answered = async (party: Party) => (await letter(party)).submit(yes, { displayName: 'Zoë' });
/** The party that a form has made. */
const madeBy = ({ url }: Page) => ({ id: new URL(url).searchParams.get('party') ?? '' });
const yes = 'main form[action$="?guest"] [name=accepted][value=true]';
const keyPattern = /^\/answer\/[\w-]{22}$/;

describe('who may answer', () => {
  test('is accounts only, unless the host says anyone, by the call or on the forms; and can be changed', async () => {
    const party = await createParty(host);
    expect(party.openTo).toBe('accounts');
    for (const [change, openTo] of [
      [{ openTo: 'anyone' }, 'anyone'],
      [{ title: 'Same' }, 'anyone'],
      [{ openTo: null }, 'accounts'],
    ] as const) {
      expect((await edit(host, party, change)).json).toMatchObject({ openTo });
    }
    const form = await host.browser.get('/create-party');
    const made = await form.submit('Create party', { title: 'Open', date: isoAhead(9), openTo: 'anyone' });
    expect((await partyOf(maya, madeBy(made))).openTo).toBe('anyone');
    const again = await host.browser.get(`/edit-party/${madeBy(made).id}`);
    expect(again.$('[name=openTo] option[selected]')?.getAttribute('value')).toBe('anyone');
    await again.submit('Submit party', { openTo: 'accounts' });
    expect((await partyOf(host, madeBy(made))).openTo).toBe('accounts');
  });

  test('a guest may answer by the call where anyone may, and gets a link that nobody else reads', async () => {
    const party = await forAnyone();
    const guest = await newGuest(daybook, { displayName: 'Zoë' });
    const { status, json } = await rsvp(guest, party);
    expect([status, json]).toMatchObject([200, { accepted: true, link: expect.stringMatching(keyPattern) }]);
    expect((await rsvp(guest, party)).json).toEqual(json);
    expect((await rsvp(maya, party)).json).not.toHaveProperty('link');
    const { invitations } = await partyOf(host, party);
    expect(invitations.map(({ username }) => username).sort()).toEqual([maya.username, 'Zoë'].sort());
    for (const invitation of invitations) expect(invitation).not.toHaveProperty('link');
  });

  test('a guest is refused where only accounts may, in words, and can only take back what they said', async () => {
    const guest = await newGuest(daybook);
    const closed = await createParty(host);
    expect(await rsvp(guest, closed)).toMatchObject({ status: 403, json: expect.stringContaining('account') });
    const before = await held(daybook);
    const posted = await daybook.visitor().post(`${partyPath(closed)}?guest`, { displayName: 'Zoë', accepted: 'true' });
    expect([posted.status, await held(daybook)]).toEqual([400, before]);

    const open = await forAnyone({ plusOnes: 2 });
    const link = await answered(open);
    await rsvp(guest, open);
    await edit(host, open, { openTo: 'accounts' });
    const refused = await link.submit('Save my answer', { guests: '1' });
    expect([refused.status, refused.words]).toEqual([409, expect.stringContaining('Only people with an account')]);
    expect((await rsvp(guest, open, { guests: 1 })).status).toBe(403);
    expect((await rsvp(guest, open, { accepted: false })).status).toBe(200);
    await link.submit("I can't come");
    expect(await goingTo(host, open)).toBe(0);
  });
});

describe('the letter of a party for anyone', () => {
  test('says all faults at once, keeps what was typed and makes nobody; sent right twice, it is one answer', async () => {
    const question = { questionText: 'What do you eat?', questionType: openEnded, required: true };
    const party = await forAnyone({ template: await publishQuestions(host, [question]), plusOnes: 1 });
    const page = await letter(party);
    const before = await held(daybook);
    const refused = await page.submit(yes, { displayName: ' ', guests: '7' });
    expect([refused.status, typedIn(refused, 'guests')]).toEqual([400, '7']);
    expect(refused.words).toMatch(/Name is missing\..*needs an answer\..*You can bring at most 1\./s);
    expect(await held(daybook)).toEqual(before);
    const field = refused.$('main textarea')?.getAttribute('name') ?? '';
    const answer = { displayName: 'Zoë', guests: '1', [field]: 'Fish' };
    const twice = await Promise.all([1, 2].map(() => refused.submit(yes, answer)));
    for (const { path } of twice) expect(path).toMatch(keyPattern);
    const formData = [[{ question: 'What do you eat?', answer: 'Fish' }]];
    expect(await partyOf(host, party)).toMatchObject({ formData, going: 2, invitations: [{ username: 'Zoë' }] });
  });

  test('is never fuller than its capacity, however many answer at once', async () => {
    const party = await forAnyone({ capacity: 3 });
    const pages = await several(8, () => letter(party));
    const done = await Promise.all(pages.map((page, place) => page.submit(yes, { displayName: `Runner ${place}` })));
    const late = done.filter(({ status }) => status === 409);
    expect([late.length, await goingTo(host, party)]).toEqual([5, 3]);
    for (const { words } of late) expect(words).toContain('This party is full.');
  });
});

describe('the link of an answer', () => {
  test('shows the answer to whoever has it, without cookies, and changes nothing', async () => {
    const { path } = await answered(await forAnyone({ address: 'Rua da Rosa 5' }));
    const before = await held(daybook);
    const page = await daybook.visitor().get(path);
    expect([page.status, page.words]).toEqual([200, expect.stringContaining('Hi Zoë,')]);
    expect(contentOf(page, 'name=robots')).toContain('noindex');
    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
    expect(await held(daybook)).toEqual(before);
    for (const made of [path.slice(0, -1), `/answer/${'A'.repeat(22)}`]) {
      expect((await daybook.visitor().post(made, { accepted: 'false' })).status).toBe(404);
    }
  });

  test('changes the answer on another device, and takes it back', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const page = await daybook.visitor().get((await answered(party)).path);
    await page.submit('Save my answer', { guests: '2' });
    expect((await page.submit('Save my answer', { guests: '3' })).status).toBe(400);
    expect(await goingTo(host, party)).toBe(3);
    expect((await page.submit("I can't come")).words).toContain('You said no.');
    expect(await answersIn(host, party)).toEqual([['Zoë', false]]);
  });

  test('goes along where the guest joins an account, and the later answer stays', async () => {
    const [first, second] = [await forAnyone(), await forAnyone()];
    const [guest, account] = [await newGuest(daybook), await newConsumer()];
    await rsvp(account, first, { accepted: false });
    for (const party of [first, second]) await rsvp(guest, party);
    await rsvp(account, second, { accepted: false });
    await guest.api('POST', '/api/Account/Login?join=true', { username: account.username, password });
    expect(await answersIn(host, first)).toEqual([[account.username, true]]);
    expect(await answersIn(host, second)).toEqual([[account.username, false]]);
  });
});

test("a provider's page lists the parties that are to be shown there, until they are called off", async () => {
  const eva = await newProvider();
  const listed = async () =>
    (await daybook.visitor().get(`/with/${eva.username}`)).$$('main a[href^="/party/"]').map(({ text }) => text);
  const party = await createParty(eva, { title: 'Tasting', showOnPage: true });
  await createParty(eva, { title: 'Private' });
  expect(await listed()).toEqual(['Tasting']);
  await remove(eva, party);
  expect(await listed()).toEqual([]);
});

describe('what a host asks of whoever comes', () => {
  const guestsOf = async (party: Party) =>
    (await partyOf(host, party)).invitations.map(({ id: _, meetupId: __, ...guest }) => guest);

  test('is an e-mail address that may be left out, unless they say otherwise, by the call or on the forms', async () => {
    const party = await forAnyone();
    for (const name of ['askEmail', 'askPhone']) expect(party).not.toHaveProperty(name);
    const asking = { askEmail: 'no', askPhone: 'required' };
    for (const change of [asking, { title: 'Same' }]) {
      expect((await edit(host, party, change)).json).toMatchObject(asking);
    }
    expect(complaints(await edit(host, party, { askPhone: 'maybe' }))).toHaveLength(1);
    const copy = await host.browser.get(`/create-party?copy=${party.id}`);
    const made = await copy.submit('Create party', { date: isoAhead(9), askEmail: 'required' });
    expect(await partyOf(host, madeBy(made))).toMatchObject({ askEmail: 'required', askPhone: 'required' });
    const meetup = await createMeetup(host, { askPhone: 'optional' });
    await (await host.browser.get(`/manage-meetup/${meetup.id}`)).submit('Save meetup', { askEmail: 'required' });
    expect(await partyOf(host, meetup)).toMatchObject({ askEmail: 'required', askPhone: 'optional' });
  });

  test('is asked of a stranger on the letter, and kept with the answer', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });
    const refused = await (await letter(party)).submit(yes, { displayName: 'Zoë', phone: 'call me' });
    const faults = /Please give an e-mail address.*A phone number has/s;
    expect([refused.status, refused.words]).toEqual([400, expect.stringMatching(faults)]);
    const contact = { email: 'zoe@mail.test', phone: '+351 (21) 555-01' };
    await refused.submit(yes, { displayName: 'Zoë', ...contact });
    expect(await guestsOf(party)).toEqual([{ username: 'Zoë', accepted: true, ...contact }]);
    // A number with a plus is no formula.
    const { text } = await host.browser.get(`/view-party/${party.id}/guests.csv`);
    expect(text).toMatch(/\nZoë,,Yes,.*,zoe@mail\.test,'\+351 \(21\) 555-01/);
  });

  test('is all that is kept, is shown to nobody else, is in the export of both sides, and goes with the guest', async () => {
    const contact = { email: 'seen@mail.test', phone: '555 987 01' };
    const told = /seen@mail\.test|555 987 01/;
    const [party, asking] = [await forAnyone({ askEmail: 'no' }), await forAnyone({ askPhone: 'optional' })];
    const page = await letter(party);
    expect([page.$('[name=email]'), page.$('[name=phone]')]).toEqual([null, null]);
    const guest = await newGuest(daybook, { displayName: 'Zoë' });
    for (const one of [party, asking]) await rsvp(guest, one, {}, contact);
    expect(await guestsOf(party)).toEqual([{ username: 'Zoë', accepted: true }]);
    expect(await guestsOf(asking)).toMatchObject([contact]);
    for (const { text } of [await readParty(maya, asking), await letter(asking)]) expect(text).not.toMatch(told);
    for (const who of [host, guest]) {
      const { text } = await who.api('GET', '/api/Account/Export');
      for (const given of Object.values(contact)) expect(text).toContain(given);
    }
    expect((await guest.api('DELETE', '/api/Account/Delete', {})).status).toBe(204);
    expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(told);
  });

  test('is asked by the call too, of accounts for a phone number alone', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });
    const [guest, known] = [await newGuest(daybook), await newGuest(daybook, { email: 'known@mail.test' })];
    const [phone, email] = ['12345', 'g@mail.test'];
    for (const [who, contact, status] of [
      [maya, undefined, 400],
      [maya, { phone, email: 'other@mail.test' }, 200],
      [guest, { phone }, 400],
      [guest, { phone, email }, 200],
      [guest, undefined, 200],
      [known, { phone: '77777' }, 200],
    ] as const) {
      expect([contact, (await rsvp(who, party, {}, contact)).status]).toEqual([contact, status]);
    }
    expect((await rsvp(await newGuest(daybook), party, { accepted: false })).status).toBe(200);
    const kept = (await guestsOf(party)).map((guest) => Object.values(guest).slice(2).join());
    expect(kept.sort()).toEqual(['', '12345', 'g@mail.test,12345', 'known@mail.test,77777']);
  });

  test('is asked of whoever has a personal link to a meetup, on the letter and by the call', async () => {
    const meetup = await createMeetup(host, { askEmail: 'required', askPhone: 'optional' });
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    const refused = await (await daybook.visitor().get(`/meetup-rsvp/${ada.id}`)).submit('Accept');
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('Please give an e-mail address')]);
    await refused.submit('Accept', { email: 'ada@mail.test', phone: '555 02' });
    const change = (body?: object) =>
      daybook.visitor().api('PUT', `/api/meetup/ChangeRsvp?id=${ben.id}&meetupid=${meetup.id}&accepted=true`, body);
    expect(complaints(await change())).toHaveLength(1);
    expect((await reply(daybook.visitor(), ben, { accepted: false })).status).toBe(200);
    expect((await change({ email: 'ben@mail.test' })).json).toEqual({ ...ben, accepted: true });
    expect((await change()).status).toBe(200);
    expect(await guestsOf(meetup)).toMatchObject([
      { username: 'Ada', accepted: true, email: 'ada@mail.test', phone: '555 02' },
      { username: 'Ben', accepted: true, email: 'ben@mail.test' },
    ]);
  });
});
