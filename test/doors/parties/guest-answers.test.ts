import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { askedOf } from '../../support/asked';
import { complaints } from '../../support/complaints';
import { type Person, password, peopleAt, publishOne, several } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { partyPath } from '../../support/letters';
import {
  answersIn,
  closeAnswers,
  createParty,
  endParty,
  goingTo,
  type Party,
  partyDraft,
  partyOf,
  publishQuestions,
  rsvp,
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import { type Page, titleOf } from '../../support/visit';
import { weightOf } from '../../support/weight';
import { useWorld } from '../../support/world';

/* Parties that anyone may answer: by name on the letter, and later by the personal link of that answer. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

const forAnyone = (details: object = {}) => createParty(host, { openTo: 'anyone', ...details });
const edit = (party: Party, change: object, who = host) => who.api('PUT', `/api/Party/EditParty/${party.id}`, change);
const letter = (party: Party) => daybook.visitor().get(partyPath(party));
const typedIn = (page: Page, name: string) => page.$(`main [name=${name}]`)?.getAttribute('value') ?? '';
const byName = (page: Page) => page.$('main form[action$="?guest"]');
const no = 'main form[action$="?guest"] [name=accepted][value=false]';
const yes = 'main form[action$="?guest"] [name=accepted][value=true]';
const keyPattern = /^\/answer\/[\w-]{22}$/;

describe('who may answer', () => {
  test('is accounts only, unless the host says anyone; and can be changed', async () => {
    const party = await createParty(host);
    expect(party.openTo).toBe('accounts');
    expect((await forAnyone()).openTo).toBe('anyone');
    expect((await edit(party, { openTo: 'anyone' })).json).toMatchObject({ openTo: 'anyone' });
    expect((await edit(party, { title: 'Same' })).json).toMatchObject({ openTo: 'anyone' });
    expect((await partyOf(maya, party)).openTo).toBe('anyone');
    expect((await edit(party, { openTo: null })).json).toMatchObject({ openTo: 'accounts' });
    expect(complaints(await edit(party, { openTo: 'friends' }))).toHaveLength(1);
    const refused = await host.api('POST', '/api/Party/CreateParty', partyDraft({ openTo: 'friends' }));
    expect(complaints(refused)).toHaveLength(1);
  });

  test('is on the forms that create and edit a party', async () => {
    const form = await host.browser.get('/create-party');
    const made = await form.submit('Create party', { title: 'Open evening', date: '2031-05-01', openTo: 'anyone' });
    const id = new URL(made.url).searchParams.get('party') ?? '';
    expect((await partyOf(host, { id })).openTo).toBe('anyone');
    const before = await host.browser.get(`/edit-party/${id}`);
    expect(before.$('[name=openTo] option[selected]')?.getAttribute('value')).toBe('anyone');
    await before.submit('Submit party', { openTo: 'accounts' });
    expect((await partyOf(host, { id })).openTo).toBe('accounts');
  });

  test('a guest may answer by the call where anyone may, and gets a link', async () => {
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
    const party = await createParty(host);
    const guest = await newGuest(daybook);
    const refused = await rsvp(guest, party);
    expect([refused.status, refused.json]).toEqual([403, expect.stringContaining('account')]);
    expect(await answersIn(host, party)).toEqual([]);
    const open = await forAnyone();
    await rsvp(guest, open);
    await edit(open, { openTo: 'accounts' });
    expect((await rsvp(guest, open, { guests: 0 })).status).toBe(403);
    expect((await rsvp(guest, open, { accepted: false })).status).toBe(200);
    expect(await goingTo(host, open)).toBe(0);
  });
});

describe('the letter of a party for anyone', () => {
  test('has a form with a name beside the login, and leads to the answer’s link', async () => {
    const party = await forAnyone({ plusOnes: 3 });
    const page = await letter(party);
    expect(page.$('form[action^="/login"]')).not.toBeNull();
    const done = await page.submit(yes, { displayName: 'Zoë', guests: '2' });
    expect([done.status, done.path]).toEqual([200, expect.stringMatching(keyPattern)]);
    expect(done.words).toContain('You are going, and bring 2 more.');
    expect(await answersIn(host, party)).toEqual([['Zoë', true]]);
    expect(await goingTo(host, party)).toBe(3);
  });

  test('takes a no as well, and one answer from a form sent twice', async () => {
    const party = await forAnyone();
    const page = await letter(party);
    const sent = await Promise.all([1, 2].map(() => page.submit(no, { displayName: 'Zoë' })));
    expect(sent.map(({ path }) => path)).toEqual([sent[0]?.path, sent[0]?.path]);
    expect(await answersIn(host, party)).toEqual([['Zoë', false]]);
  });

  test('has no such form where only accounts may answer, nor for whoever is logged in', async () => {
    const party = await createParty(host);
    expect(byName(await letter(party))).toBeNull();
    expect(byName(await maya.browser.get(partyPath(await forAnyone())))).toBeNull();
    const guest = await newGuest(daybook);
    const page = await guest.browser.get(partyPath(party));
    expect(page.words).toContain('Only people with an account can answer this party.');
    const before = await dump(daybook.d1);
    const posted = await daybook.visitor().post(`${partyPath(party)}?guest`, { displayName: 'Zoë', accepted: 'true' });
    expect(posted.status).toBe(400);
    expect(await dump(daybook.d1)).toEqual(before);
  });

  test('says all faults at once and keeps what was typed, and nobody is made', async () => {
    const template = await publishQuestions(host, [
      { questionText: 'What do you eat?', questionType: openEnded, required: true },
    ]);
    const party = await forAnyone({ template, plusOnes: 1 });
    const page = await letter(party);
    const before = await dump(daybook.d1);
    const refused = await page.submit(yes, { displayName: ' ', guests: '7' });
    expect(refused.status).toBe(400);
    for (const words of ['Name is missing.', 'needs an answer.', 'You can bring at most 1.']) {
      expect(refused.words).toContain(words);
    }
    expect(typedIn(refused, 'guests')).toBe('7');
    expect(await dump(daybook.d1)).toEqual(before);
    const field = refused.$('main textarea')?.getAttribute('name') ?? '';
    const done = await refused.submit(yes, { displayName: 'Zoë', guests: '1', [field]: 'Fish' });
    expect(done.path).toMatch(keyPattern);
    expect((await partyOf(host, party)).formData).toEqual([[{ question: 'What do you eat?', answer: 'Fish' }]]);
  });

  test('takes no sending without its word, with that of another letter, or with a field that nobody sees', async () => {
    const [party, other] = [await forAnyone(), await forAnyone()];
    const [own, copied] = [typedIn(await letter(party), 'shown'), typedIn(await letter(other), 'shown')];
    for (const [shown, website] of [
      ['', ''],
      [copied, ''],
      [own, 'x'],
    ] as [string, string][]) {
      const body = { displayName: 'Robot', accepted: 'true', shown, website };
      const page = await daybook.visitor().post(`${partyPath(party)}?guest`, body);
      expect([page.status, typedIn(page, 'displayName')]).toEqual([400, 'Robot']);
    }
    expect(await answersIn(host, party)).toEqual([]);
  });

  test('is never fuller than its capacity, however many answer at once', async () => {
    const party = await forAnyone({ capacity: 3 });
    const pages = await several(12, () => letter(party));
    const done = await Promise.all(pages.map((page, place) => page.submit(yes, { displayName: `Runner ${place}` })));
    expect(done.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(3).fill(200),
      ...Array<number>(9).fill(409),
    ]);
    expect(await goingTo(host, party)).toBe(3);
    const late = done.find(({ status }) => status === 409) as Page;
    expect(late.words).toContain('This party is full.');
    expect(typedIn(late, 'displayName')).toMatch(/^Runner/);
  });
});

describe('the link of an answer', () => {
  const answered = async (party: Party) => (await letter(party)).submit(yes, { displayName: 'Zoë' });

  test('shows the answer to whoever has it, without cookies, and changes nothing', async () => {
    const party = await forAnyone();
    const { path } = await answered(party);
    const before = await dump(daybook.d1);
    const page = await daybook.visitor().get(path);
    expect([page.status, titleOf(page)]).toEqual([200, "You're Invited!"]);
    expect(page.words).toContain('Hi Zoë,');
    expect(page.$('meta[name=robots]')?.getAttribute('content')).toContain('noindex');
    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
    const { requests, bytes } = await weightOf(daybook.visitor(), page);
    expect([requests, bytes <= 10_000 ? 'light' : bytes]).toEqual([1, 'light']);
    expect(await dump(daybook.d1)).toEqual(before);
  });

  test('changes the answer on another device, and takes it back', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const { path } = await answered(party);
    const page = await daybook.visitor().get(path);
    const changed = await page.submit('Save my answer', { guests: '2' });
    expect([changed.path, changed.words]).toEqual([
      `${path}?saved=yes`,
      expect.stringContaining('Your answer is saved.'),
    ]);
    expect(await goingTo(host, party)).toBe(3);
    const refused = await page.submit('Save my answer', { guests: '3' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('You can bring at most 2.')]);
    expect((await page.submit("I can't come")).words).toContain('You said no.');
    expect(await answersIn(host, party)).toEqual([['Zoë', false]]);
  });

  test('of a stranger’s making is nothing', async () => {
    const { path } = await answered(await forAnyone());
    for (const key of [path.slice(8, -1), `${path.slice(8)}A`, 'A'.repeat(22)]) {
      expect((await daybook.visitor().get(`/answer/${key}`)).status).toBe(404);
      expect((await daybook.visitor().post(`/answer/${key}`, { accepted: 'false' })).status).toBe(404);
    }
  });

  test('says that the party is called off, and takes no answer then', async () => {
    const party = await forAnyone();
    const { path } = await answered(party);
    await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`, { reason: 'The roof leaks' });
    const page = await daybook.visitor().get(path);
    expect([page.status, titleOf(page)]).toEqual([404, 'Called off']);
    expect(page.words).toContain('has called off this party. We are sorry. The roof leaks');
    expect((await daybook.visitor().post(path, { accepted: 'true' })).location).toBe(path);
  });

  test('says so to a stranger too whose letter was open', async () => {
    const party = await forAnyone();
    const open = await letter(party);
    await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
    for (const displayName of ['Zoë', '']) {
      const page = await open.submit(yes, { displayName });
      expect([page.status, page.path, titleOf(page)]).toEqual([404, partyPath(party), 'Called off']);
      expect(page.words).toContain('has called off this party');
    }
  });

  test('leads to the map, and to calendars elsewhere, without saying where it was', async () => {
    const page = await answered(await forAnyone({ address: 'Rua da Rosa 5' }));
    const outside = page.$$('a[href^=http]').filter((link) => !link.getAttribute('href')?.startsWith(daybook.url));
    expect(outside.map((link) => link.getAttribute('rel'))).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('noreferrer')),
    );
  });

  test('is too late for a guest as for everyone: after the last day to answer, and after the end', async () => {
    const [closed, over] = [await forAnyone(), await forAnyone()];
    const letters = await Promise.all([closed, over].map(letter));
    const links = await Promise.all([closed, over].map(answered));
    await closeAnswers(daybook.d1, closed);
    await endParty(daybook.d1, over);
    for (const page of letters) expect((await page.submit(yes, { displayName: 'Late' })).status).toBe(409);
    for (const page of links) expect((await page.submit("I can't come")).status).toBe(409);
    for (const party of [closed, over]) {
      expect(await answersIn(host, party)).toEqual([['Zoë', true]]);
      expect((await rsvp(await newGuest(daybook), party)).status).toBe(409);
    }
  });

  test('says in words that only accounts may say yes by now', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const page = await answered(party);
    await edit(party, { openTo: 'accounts' });
    const refused = await page.submit('Save my answer', { guests: '1' });
    expect([refused.status, refused.words]).toEqual([409, expect.stringContaining('Only people with an account')]);
    expect((await page.submit("I can't come")).words).toContain('You said no.');
  });

  test('goes along where the guest joins an account, and the later answer stays', async () => {
    const [first, second] = [await forAnyone(), await forAnyone()];
    const [guest, account] = [await newGuest(daybook), await newConsumer()];
    await rsvp(account, first, { accepted: false });
    await rsvp(guest, first);
    await rsvp(guest, second);
    await rsvp(account, second, { accepted: false });
    await guest.api('POST', '/api/Account/Login?join=true', { username: account.username, password });
    expect(await answersIn(host, first)).toEqual([[account.username, true]]);
    expect(await answersIn(host, second)).toEqual([[account.username, false]]);
  });
});

describe("a provider's page", () => {
  const listed = async (provider: Person) => {
    const page = await daybook.visitor().get(`/with/${provider.username}`);
    return page.$$('main a[href^="/party/"]').map(({ text }) => text);
  };

  test('lists the parties that are to be shown there, until they are over or called off', async () => {
    const eva = await newProvider();
    const party = await createParty(eva, { title: 'Tasting', showOnPage: true });
    await createParty(eva, { title: 'Private' });
    expect(await listed(eva)).toEqual(['Tasting']);
    await publishOne(eva);
    expect(await listed(eva)).toEqual(['Tasting']);
    const form = await eva.browser.get(`/edit-party/${party.id}`);
    expect(form.$('[name=showOnPage]')?.hasAttribute('checked')).toBe(true);
    await eva.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
    expect(await listed(eva)).toEqual([]);
  });
});
