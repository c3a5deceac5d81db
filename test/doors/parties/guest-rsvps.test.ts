import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { complaints } from '../../support/complaints';
import { isoAhead, type Person, password, peopleAt, several } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { partyPath } from '../../support/letters';
import { edit, remove } from '../../support/party-calls';
import {
  createMeetup,
  createParty,
  goingTo,
  type Invitation,
  linkOf,
  type Party,
  partyOf,
  publishQuestions,
  readParty,
  reply,
  rsvp,
  rsvpsIn,
} from '../../support/party-factories';
import { openEnded } from '../../support/template-factories';
import { storedRows, useServer, useWorld } from '../../support/use-server';
import { askedOf, contentOf, type Page, typedIn } from '../../support/visit';

/*
 * Parties that anyone may answer: by name on the letter, and later by the personal link of that RSVP. And what a host
 * asks of whoever comes: an e-mail address and a phone number.
 */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host, maya } = useWorld(daybook, { host: {}, maya: {} });

const forAnyone = (details: object = {}) => createParty(host, { openTo: 'anyone', ...details });
const letterOf = (party: Party) => daybook.visitor().get(partyPath(party));
const yesAsGuest = 'main form[action*="?guest"] [name=accepted][value=true]';
/** Says yes on the letter, and gives the page of that RSVP. */
const rsvpAsZoe = async (party: Party) => (await letterOf(party)).submit(yesAsGuest, { displayName: 'Zoë' });
/** The party that a form has made. */
const madeBy = ({ url }: Page) => ({ id: new URL(url).searchParams.get('party') ?? '' });
const rsvpLink = /^\/answer\/[\w-]{22}$/;

describe('who may answer', () => {
  test('is accounts alone unless the host says otherwise', async () => {
    expect((await createParty(host)).openTo).toBe('accounts');
  });

  test.each<[string, change: object, openTo: string]>([
    ['is changed by the call', { openTo: 'anyone' }, 'anyone'],
    ['stays where the call says nothing of it', { title: 'Same' }, 'accounts'],
  ])('%s', async (_, change, openTo) => {
    const party = await createParty(host);

    expect((await edit(host, party, change)).json).toMatchObject({ openTo });
  });

  test('is accounts again where the call clears it', async () => {
    const party = await forAnyone();
    await edit(host, party, { title: 'Same' });
    expect(await partyOf(host, party)).toMatchObject({ openTo: 'anyone' });

    expect((await edit(host, party, { openTo: null })).json).toMatchObject({ openTo: 'accounts' });
  });

  test('is chosen on the form that creates a party', async () => {
    const form = await host.browser.get('/create-party');

    const made = await form.submit('Create party', { title: 'Open', date: isoAhead(9), openTo: 'anyone' });

    expect((await partyOf(maya, madeBy(made))).openTo).toBe('anyone');
  });

  test('stands on the form that edits a party, which changes it', async () => {
    const party = await forAnyone();
    const form = await host.browser.get(`/edit-party/${party.id}`);
    expect(form.$('[name=openTo] option[selected]')?.getAttribute('value')).toBe('anyone');

    await form.submit('Submit party', { openTo: 'accounts' });

    expect((await partyOf(host, party)).openTo).toBe('accounts');
  });
});

describe('a guest', () => {
  test('answers a party for anyone by the call, and gets a link', async () => {
    const guest = await newGuest(daybook, { displayName: 'Zoë' });

    const { status, json } = await rsvp(guest, await forAnyone());

    expect(status).toBe(200);
    expect(json).toMatchObject({ accepted: true, link: expect.stringMatching(rsvpLink) });
  });

  test('gets the same link for the same RSVP', async () => {
    const party = await forAnyone();
    const guest = await newGuest(daybook);
    const first = await rsvp(guest, party);

    expect((await rsvp(guest, party)).json).toEqual(first.json);
  });

  test('has a link that no account gets', async () => {
    expect((await rsvp(maya, await forAnyone())).json).not.toHaveProperty('link');
  });

  test('has a link that the host doesn’t read', async () => {
    const party = await forAnyone();
    await rsvp(await newGuest(daybook, { displayName: 'Zoë' }), party);
    await rsvp(maya, party);

    const { invitations } = await partyOf(host, party);

    expect(invitations.map(({ username }) => username).sort()).toEqual([maya.username, 'Zoë'].sort());
    for (const invitation of invitations) expect(invitation).not.toHaveProperty('link');
  });

  test('is refused in words where only accounts may answer', async () => {
    const response = await rsvp(await newGuest(daybook), await createParty(host));

    expect(response).toMatchObject({ status: 403, json: expect.stringContaining('account') });
  });

  test('is made by no form where only accounts may answer', async () => {
    const closed = await createParty(host);
    const before = await storedRows(daybook);

    const posted = await daybook.visitor().post(`${partyPath(closed)}?guest`, { displayName: 'Zoë', accepted: 'true' });

    expect(posted.status).toBe(400);
    expect(await storedRows(daybook)).toEqual(before);
  });
});

describe('a guest of a party that is for accounts alone since', () => {
  test('changes nothing of a yes by the call', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const guest = await newGuest(daybook);
    await rsvp(guest, party);
    await edit(host, party, { openTo: 'accounts' });

    expect((await rsvp(guest, party, { guests: 1 })).status).toBe(403);
    expect(await goingTo(host, party)).toBe(1);
  });

  test('changes nothing of a yes at the link', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const page = await rsvpAsZoe(party);
    await edit(host, party, { openTo: 'accounts' });

    const refused = await page.submit('Save my answer', { guests: '1' });

    expect(refused.status).toBe(409);
    expect(refused.words).toContain('Only people with an account');
  });

  test('takes it back by the call and at the link', async () => {
    const party = await forAnyone();
    const guest = await newGuest(daybook);
    await rsvp(guest, party);
    const page = await rsvpAsZoe(party);
    await edit(host, party, { openTo: 'accounts' });

    expect((await rsvp(guest, party, { accepted: false })).status).toBe(200);
    await page.submit("I can't come");

    expect(await goingTo(host, party)).toBe(0);
  });
});

describe('the letter of a party for anyone', () => {
  /** A party that asks what its guests eat, and its letter after an RSVP with three faults. */
  async function refusedLetter() {
    const question = { questionText: 'What do you eat?', questionType: openEnded, required: true };
    const party = await forAnyone({ template: await publishQuestions(host, [question]), plusOnes: 1 });
    const page = await letterOf(party);
    const before = await storedRows(daybook);
    return { party, before, refused: await page.submit(yesAsGuest, { displayName: ' ', guests: '7' }) };
  }

  test('says all faults at once', async () => {
    const { refused } = await refusedLetter();

    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/Name is missing\..*needs an answer\..*You can bring at most 1\./s);
  });

  test('keeps what was typed where it is refused', async () => {
    const { refused } = await refusedLetter();

    expect(typedIn(refused, 'guests')).toBe('7');
  });

  test('makes nobody where it is refused', async () => {
    const { before } = await refusedLetter();

    expect(await storedRows(daybook)).toEqual(before);
  });

  test('sent twice at once is one RSVP', async () => {
    const { party, refused } = await refusedLetter();
    const field = refused.$('main textarea')?.getAttribute('name') ?? '';
    const reply = { displayName: 'Zoë', guests: '1', [field]: 'Fish' };

    const pages = await Promise.all([1, 2].map(() => refused.submit(yesAsGuest, reply)));

    for (const { path } of pages) expect(path).toMatch(rsvpLink);
    const formData = [[{ question: 'What do you eat?', answer: 'Fish' }]];
    expect(await partyOf(host, party)).toMatchObject({ formData, going: 2, invitations: [{ username: 'Zoë' }] });
  });

  test('is never fuller than its capacity, however many answer at once', async () => {
    const party = await forAnyone({ capacity: 3 });
    const pages = await several(8, () => letterOf(party));

    const done = await Promise.all(
      pages.map((page, place) => page.submit(yesAsGuest, { displayName: `Runner ${place}` })),
    );

    expect(await goingTo(host, party)).toBe(3);
    const late = done.filter(({ status }) => status === 409);
    expect(late).toHaveLength(5);
    for (const { words } of late) expect(words).toContain('This party is full.');
  });
});

describe('the link of an RSVP', () => {
  test('shows the RSVP to whoever has it, without cookies', async () => {
    const { path } = await rsvpAsZoe(await forAnyone());

    const page = await daybook.visitor().get(path);

    expect(page.status).toBe(200);
    expect(page.words).toContain('Hi Zoë,');
    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
  });

  test('is for no search engine', async () => {
    const { path } = await rsvpAsZoe(await forAnyone());

    expect(contentOf(await daybook.visitor().get(path), 'name=robots')).toContain('noindex');
  });

  test('changes nothing when it is opened, in one trip', async () => {
    const { path } = await rsvpAsZoe(await forAnyone());
    const before = await storedRows(daybook);

    const page = await daybook.visitor().get(path);

    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('can’t be made up', async () => {
    const { path } = await rsvpAsZoe(await forAnyone());
    const before = await storedRows(daybook);

    for (const madeUp of [path.slice(0, -1), `/answer/${'A'.repeat(22)}`]) {
      expect((await daybook.visitor().post(madeUp, { accepted: 'false' })).status).toBe(404);
    }
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('changes the RSVP on another device', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const page = await daybook.visitor().get((await rsvpAsZoe(party)).path);

    await page.submit('Save my answer', { guests: '2' });

    expect(await goingTo(host, party)).toBe(3);
  });

  test('refuses more guests than are allowed', async () => {
    const party = await forAnyone({ plusOnes: 2 });
    const page = await rsvpAsZoe(party);

    expect((await page.submit('Save my answer', { guests: '3' })).status).toBe(400);
    expect(await goingTo(host, party)).toBe(1);
  });

  test('takes the RSVP back', async () => {
    const party = await forAnyone();
    const page = await rsvpAsZoe(party);

    expect((await page.submit("I can't come")).words).toContain('You said no.');
    expect(await rsvpsIn(host, party)).toEqual([['Zoë', false]]);
  });
});

describe('a guest who joins an account', () => {
  const join = (guest: Person, { username }: Person) =>
    guest.api('POST', '/api/Account/Login?join=true', { username, password });

  test('brings the RSVP, if it is the later one', async () => {
    const party = await forAnyone();
    const [guest, account] = [await newGuest(daybook), await newConsumer()];
    await rsvp(account, party, { accepted: false });
    await rsvp(guest, party);

    await join(guest, account);

    expect(await rsvpsIn(host, party)).toEqual([[account.username, true]]);
  });

  test('leaves the RSVP of the account, if that is the later one', async () => {
    const party = await forAnyone();
    const [guest, account] = [await newGuest(daybook), await newConsumer()];
    await rsvp(guest, party);
    await rsvp(account, party, { accepted: false });

    await join(guest, account);

    expect(await rsvpsIn(host, party)).toEqual([[account.username, false]]);
  });
});

describe('the page of a provider', () => {
  const partiesShownBy = async ({ username }: Person) =>
    (await daybook.visitor().get(`/with/${username}`)).$$('main a[href^="/party/"]').map(({ text }) => text);

  test('lists the parties that are to be shown there', async () => {
    const eva = await newProvider();

    await createParty(eva, { title: 'Tasting', showOnPage: true });
    await createParty(eva, { title: 'Private' });

    expect(await partiesShownBy(eva)).toEqual(['Tasting']);
  });

  test('lists no party that was called off', async () => {
    const eva = await newProvider();
    const party = await createParty(eva, { title: 'Tasting', showOnPage: true });

    await remove(eva, party);

    expect(await partiesShownBy(eva)).toEqual([]);
  });
});

const guestsOf = async (party: Party) =>
  (await partyOf(host, party)).invitations.map(({ id: _, meetupId: __, ...guest }) => guest);

describe('what a host asks of whoever comes', () => {
  test('is not said of a party that asks the usual', async () => {
    const party = await forAnyone();

    expect(party).not.toHaveProperty('askEmail');
    expect(party).not.toHaveProperty('askPhone');
  });

  test('is changed by the call', async () => {
    const asking = { askEmail: 'no', askPhone: 'required' };

    expect((await edit(host, await forAnyone(), asking)).json).toMatchObject(asking);
  });

  test('stays where the call says nothing of it', async () => {
    const asking = { askEmail: 'no', askPhone: 'required' };
    const party = await forAnyone(asking);

    expect((await edit(host, party, { title: 'Same' })).json).toMatchObject(asking);
  });

  test('is one of three words', async () => {
    expect(complaints(await edit(host, await forAnyone(), { askPhone: 'maybe' }))).toHaveLength(1);
  });

  test('goes along with a copy, whose form changes it', async () => {
    const party = await forAnyone({ askEmail: 'no', askPhone: 'required' });
    const copy = await host.browser.get(`/create-party?copy=${party.id}`);

    const made = await copy.submit('Create party', { date: isoAhead(9), askEmail: 'required' });

    expect(await partyOf(host, madeBy(made))).toMatchObject({ askEmail: 'required', askPhone: 'required' });
  });

  test('is changed on the form of a meetup', async () => {
    const meetup = await createMeetup(host, { askPhone: 'optional' });
    const form = await host.browser.get(`/manage-meetup/${meetup.id}`);

    await form.submit('Save meetup', { askEmail: 'required' });

    expect(await partyOf(host, meetup)).toMatchObject({ askEmail: 'required', askPhone: 'optional' });
  });

  test('is asked of a stranger on the letter', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });

    const refused = await (await letterOf(party)).submit(yesAsGuest, { displayName: 'Zoë', phone: 'call me' });

    expect(refused.status).toBe(400);
    expect(refused.words).toMatch(/Please give an e-mail address.*A phone number has/s);
  });

  test('is kept with the RSVP', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });
    const contact = { email: 'zoe@mail.test', phone: '+351 (21) 555-01' };

    await (await letterOf(party)).submit(yesAsGuest, { displayName: 'Zoë', ...contact });

    expect(await guestsOf(party)).toEqual([{ username: 'Zoë', accepted: true, ...contact }]);
  });

  test('is in the table file, a number with a plus as no formula', async () => {
    const party = await forAnyone({ askPhone: 'required' });
    const contact = { email: 'zoe@mail.test', phone: '+351 (21) 555-01' };
    await (await letterOf(party)).submit(yesAsGuest, { displayName: 'Zoë', ...contact });

    const { text } = await host.browser.get(`/view-party/${party.id}/guests.csv`);

    expect(text).toMatch(/\nZoë,,Yes,.*,zoe@mail\.test,'\+351 \(21\) 555-01/);
  });
});

describe('an address and a number that a guest gave', () => {
  const contact = { email: 'seen@mail.test', phone: '555 987 01' };
  const eitherOf = /seen@mail\.test|555 987 01/;

  /** A guest who gave both to a party that asks for them. */
  async function guestWithContact(given = contact) {
    const party = await forAnyone({ askPhone: 'optional' });
    const guest = await newGuest(daybook, { displayName: 'Zoë' });
    await rsvp(guest, party, {}, given);
    return { party, guest };
  }

  test('are asked by no letter where the host wants none', async () => {
    const page = await letterOf(await forAnyone({ askEmail: 'no' }));

    expect(page.$('[name=email]')).toBeNull();
    expect(page.$('[name=phone]')).toBeNull();
  });

  test('are not kept where the host wants none', async () => {
    const party = await forAnyone({ askEmail: 'no' });

    await rsvp(await newGuest(daybook, { displayName: 'Zoë' }), party, {}, contact);

    expect(await guestsOf(party)).toEqual([{ username: 'Zoë', accepted: true }]);
  });

  test('are shown to the host', async () => {
    const { party } = await guestWithContact();

    expect(await guestsOf(party)).toMatchObject([contact]);
  });

  test('are shown to nobody else', async () => {
    const { party } = await guestWithContact();

    for (const { text } of [await readParty(maya, party), await letterOf(party)]) expect(text).not.toMatch(eitherOf);
  });

  test('are in the export of both sides', async () => {
    const { guest } = await guestWithContact();

    for (const who of [host, guest]) {
      const { text } = await who.api('GET', '/api/Account/Export');
      expect(text).toContain(contact.email);
      expect(text).toContain(contact.phone);
    }
  });

  test('go with the guest', async () => {
    const { guest } = await guestWithContact({ email: 'quollfern@mail.test', phone: '555 135 79' });

    expect((await guest.api('DELETE', '/api/Account/Delete', {})).status).toBe(204);

    expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(/quollfern@mail\.test|555 135 79/);
  });
});

describe('a call that says yes to a party that requires both', () => {
  const phone = '12345';
  const email = 'g@mail.test';
  const visitors = {
    'an account': async () => maya,
    'a guest': () => newGuest(daybook),
    'a guest whose address is known': () => newGuest(daybook, { email: 'known@mail.test' }),
  };

  test.each<[keyof typeof visitors, string, contact: object | undefined, status: number]>([
    ['an account', 'nothing', undefined, 400],
    ['a guest', 'a number', { phone }, 400],
  ])('of %s with %s is refused', async (who, _, contact, status) => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });

    expect((await rsvp(await visitors[who](), party, {}, contact)).status).toBe(status);
    expect(await guestsOf(party)).toEqual([]);
  });

  test.each<[keyof typeof visitors, string, contact: object, kept: object]>([
    ['an account', 'a number, and no address of its own', { phone, email: 'other@mail.test' }, { phone }],
    ['a guest', 'both', { phone, email }, { email, phone }],
    ['a guest whose address is known', 'a number', { phone }, { email: 'known@mail.test', phone }],
  ])('of %s keeps %s', async (who, _, contact, kept) => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });

    expect((await rsvp(await visitors[who](), party, {}, contact)).status).toBe(200);

    const [{ username: __, accepted: ___, ...given } = {} as Record<string, unknown>] = await guestsOf(party);
    expect(given).toEqual(kept);
  });

  test('may leave out what was given before', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });
    const guest = await newGuest(daybook);
    await rsvp(guest, party, {}, { phone, email });

    expect((await rsvp(guest, party)).status).toBe(200);
    expect(await guestsOf(party)).toMatchObject([{ email, phone }]);
  });

  test('may leave out an address that is known where the host has questions too', async () => {
    const templateId = await publishQuestions(host, [{ questionText: 'Diet?', questionType: openEnded }]);
    const party = await forAnyone({ askEmail: 'required', templateId });

    const answers = [{ question: 'Diet?', answer: 'Vegan' }];
    const response = await rsvp(await newGuest(daybook, { email: 'known@mail.test' }), party, {}, answers);

    expect(response.status).toBe(200);
    expect(await guestsOf(party)).toMatchObject([{ accepted: true, email: 'known@mail.test' }]);
  });

  test('is asked for nothing where it says no', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });

    expect((await rsvp(await newGuest(daybook), party, { accepted: false })).status).toBe(200);
  });
});

describe('a personal link to a meetup that requires an address', () => {
  const askingMeetup = () => createMeetup(host, { askEmail: 'required', askPhone: 'optional' });
  const accept = ({ id, meetupId }: Invitation, body?: object) =>
    daybook.visitor().api('PUT', `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}&accepted=true`, body);

  test('asks for it on the letter', async () => {
    const ada = linkOf(await askingMeetup(), 'Ada');

    const refused = await (await daybook.visitor().get(`/meetup-rsvp/${ada.id}`)).submit('Accept');

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('Please give an e-mail address');
  });

  test('keeps what was typed on the letter', async () => {
    const meetup = await askingMeetup();
    const page = await daybook.visitor().get(`/meetup-rsvp/${linkOf(meetup, 'Ada').id}`);
    const contact = { email: 'ada@mail.test', phone: '555 02' };

    await page.submit('Accept', contact);

    expect(await guestsOf(meetup)).toContainEqual(
      expect.objectContaining({ username: 'Ada', accepted: true, ...contact }),
    );
  });

  test('asks for it by the call', async () => {
    const ben = linkOf(await askingMeetup(), 'Ben');

    expect(complaints(await accept(ben))).toHaveLength(1);
  });

  test('keeps what the call has given, for the next call too', async () => {
    const meetup = await askingMeetup();
    const ben = linkOf(meetup, 'Ben');

    expect((await accept(ben, { email: 'ben@mail.test' })).json).toEqual({ ...ben, accepted: true });
    expect((await accept(ben)).status).toBe(200);

    const kept = { username: 'Ben', accepted: true, email: 'ben@mail.test' };
    expect(await guestsOf(meetup)).toContainEqual(expect.objectContaining(kept));
  });

  test('asks for nothing where it says no', async () => {
    const ben = linkOf(await askingMeetup(), 'Ben');

    expect((await reply(daybook.visitor(), ben, { accepted: false })).status).toBe(200);
  });
});
