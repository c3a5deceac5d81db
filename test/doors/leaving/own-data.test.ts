import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import { inEnglish } from '../../../app/domain/words/english';
import { dump } from '../../../app/local/database';
import { brokenRules } from '../../habits/invariants';
import { accountCalls, newsTexts } from '../../support/account-calls';
import { ask, openSlotsOf } from '../../support/appointment-calls';
import * as factories from '../../support/factories';
import { book, dayAhead, type Person, password, publish, publishOne, type Row, rowsOf } from '../../support/factories';
import { newGuest } from '../../support/guests';
import * as parties from '../../support/party-factories';
import { createMeetup, createParty, rsvp } from '../../support/party-factories';
import { createService } from '../../support/services';
import * as templates from '../../support/template-factories';
import { bookWith, openEnded } from '../../support/template-factories';
import { useServer } from '../../support/use-server';
import type { ApiResponse } from '../../support/visit';

/* Taking along what the product knows of one, and leaving without a trace. */

const daybook = useServer({ vars: { RATE_LIMIT: undefined } });
const { newProvider, newConsumer } = factories.peopleAt(daybook);
const { logIn } = accountCalls(daybook);

/** The tables whose rows hold a word, in any case, anywhere. */
const tablesWith = async (word: string) =>
  Object.entries(await dump(daybook.d1)).flatMap(([name, rows]) =>
    JSON.stringify(rows).toLowerCase().includes(word) ? [name] : [],
  );

const erase = (who: Person, body?: object) => who.api('DELETE', '/api/Account/Delete', body);
const asking = (questionText: string) => [{ questionText, questionType: openEnded }];

describe('an export', () => {
  let provider: Person;
  let consumer: Person;
  let slot: Row;
  let ofConsumer: ApiResponse;
  let ofProvider: ApiResponse;
  beforeAll(async () => {
    provider = await newProvider({ description: 'Cuts hair' });
    consumer = await newConsumer({ displayName: 'Maya' });
    slot = await publishOne(provider, { notes: 'Ring twice' });
    await book(consumer, slot);
    await provider.api('PUT', `/api/Appointment/SetNote?id=${slot.id}`, { note: 'Is often late' });
    await rsvp(consumer, await createParty(provider, { title: 'Open evening' }));
    await createMeetup(provider, { attendees: ['Ada'] });
    await provider.api('PUT', '/api/Appointment/SetHours', { hours: [], notes: 'Bring a towel' });
    await createService(provider, { name: 'Cut', price: '25 €' });
    ofConsumer = await consumer.api('GET', '/api/Account/Export');
    ofProvider = await provider.api('GET', '/api/Account/Export');
  });

  test('is one file from the page of one’s data', async () => {
    const { headers, text } = await (await consumer.browser.visit('/your-data')).click('Download your data');

    expect(headers.get('content-disposition')).toBe('attachment; filename="daybook.json"');
    const { exportedAt: _, ...downloaded } = JSON.parse(text);
    const { exportedAt: __, ...called } = ofConsumer.json as { exportedAt: string };
    expect(downloaded).toEqual(called);
  });

  test('of a consumer has what they typed, booked and answered', () => {
    expect(ofConsumer.json).toMatchObject({
      account: { username: consumer.username, displayName: 'Maya', hasSecondFactor: false },
      sessions: [{ createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }],
      booked: [{ id: slot.id, notes: 'Ring twice', startsAt: slot.startsAt, answers: [] }],
      answered: [{ title: 'Open evening', accepted: true }],
      published: [],
    });
  });

  test('of a consumer has no private note of their provider', () => {
    expect(ofConsumer.text).not.toContain('Is often late');
  });

  test('of a provider has what they typed, published and host', () => {
    expect(ofProvider.json).toMatchObject({
      account: { description: 'Cuts hair' },
      published: [{ id: slot.id, notes: 'Ring twice' }],
      appointments: [{ bookerName: 'Maya', privateNote: 'Is often late' }],
      hours: [{ notes: 'Bring a towel' }],
      services: [{ name: 'Cut', minutes: 30, price: '25 €' }],
      hosted: expect.arrayContaining([expect.objectContaining({ title: 'Open evening' })]),
      invited: expect.arrayContaining([expect.objectContaining({ name: 'Ada' })]),
      messages: expect.arrayContaining([expect.objectContaining({ kind: 'booked' })]),
    });
  });

  test('has no key that opens anything', async () => {
    const hash = await daybook.d1.prepare('SELECT password_hash FROM accounts').first<string>('password_hash');

    for (const { text } of [ofConsumer, ofProvider]) {
      expect(text).not.toContain(hash);
      expect(text).not.toMatch(/Hash|linkSeed|folded/i);
    }
  });
});

describe('a consumer who deletes the account', () => {
  const word = 'quokkafern';
  let provider: Person;
  let past: { id: string };
  let coming: Row;
  let party: parties.Party;
  let before: string[];
  let deletion: ApiResponse;

  /** Somebody whose every text has the word, with a past, a coming and a canceled appointment, and an RSVP to a party. */
  beforeAll(async () => {
    provider = await newProvider();
    const template = await parties.publishQuestions(provider, asking('Why?'));
    const who = await newConsumer({ username: `${word}.c`, displayName: `Ms ${word}`, email: `${word}@mail.test` });
    await who.api('PUT', '/api/Account/SetEmail', { email: `${word}.2@mail.test`, password });
    await who.api('POST', '/api/Account/MakeRecoveryCodes', { password });
    await who.api('POST', '/api/Account/ForgotPassword', { username: who.username });
    await logIn({ username: who.username, password: 'Not the password 1' });

    const says = [{ question: 'Why?', answer: `Because of ${word}` }];
    past = await factories.writeSlot(daybook.d1, provider, { startsIn: -1000, template, booker: who });
    await daybook.d1
      .prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?')
      .bind(JSON.stringify(says), past.id)
      .run();
    const slots = await publish(provider, { end: '10:00', dates: [dayAhead(3)] }, `templateId=${template}`);
    const [first, canceled] = slots as [Row, Row];
    coming = first;
    for (const slot of slots) await bookWith(who, slot, says);
    await factories.cancel(who, canceled, `No ${word}`);
    await provider.api('PUT', `/api/Appointment/SetNote?id=${coming.id}`, { note: `Met ${word} before` });
    party = await createParty(provider, { templateId: template, plusOnes: 2 });
    await who.api('PUT', `/api/Party/BookRsvp?id=${party.id}&accepted=true&guests=2`, says);

    before = await tablesWith(word);
    deletion = await erase(who, { password });
  });

  test('is logged out', () => {
    expect(deletion.status).toBe(204);
    expect(deletion.headers.getSetCookie().join()).toMatch(/daybook=; Max-Age=0/);
  });

  test('leaves no text anywhere', async () => {
    expect(before.length).toBeGreaterThan(4);
    expect(await tablesWith(word)).toEqual([]);
  });

  test('is canceled, of which the provider is told', async () => {
    expect((await newsTexts(provider))[0]).toMatch(/^Former guest canceled the appointment on /);
  });

  test('opens the times again', async () => {
    const open = await openSlotsOf(provider, provider);

    expect(open.map(({ startsAt }) => startsAt)).toContain(coming.startsAt);
  });

  test('leaves past appointments without a name, answers or notes', async () => {
    const kept = { bookerName: 'Former guest', username: null, formData: [], privateNote: null };

    expect((await factories.look(provider, past)).json).toMatchObject(kept);
  });

  test('comes to no party any more', async () => {
    expect(await parties.partyOf(provider, party)).toMatchObject({ going: 0, invitations: [{ accepted: false }] });
  });
});

describe('a provider who deletes the account', () => {
  const word = 'wombatmoss';
  let who: Person;
  let consumer: Person;
  let past: { id: string };
  let lost: Row;
  let link: string;
  let before: string[];

  /** Somebody whose every text has the word, with everything a provider can have, and a client and guest. */
  beforeAll(async () => {
    const called = { username: `${word}.p`, displayName: `Dr ${word} É`, location: `Port ${word}` };
    who = await newProvider({ ...called, description: `I am ${word}`, email: `${word}@mail.test` });
    const { template: first } = await templates.writeTemplate(who, asking(`${word}?`), `About ${word}`);
    await templates.editTemplate(who, first.id, asking(`More ${word}?`), `Anew ${word}`);
    await createService(who, { name: `${word} cut`, price: `${word} 25`, description: `As ${word} does it` });
    const [current] = (await templates.templatesOf(who)) as [templates.Template];

    consumer = await newConsumer();
    const guest = await newGuest(daybook);
    const asked = `templateId=${templates.idOf(current)}`;
    const slots = await publish(who, { end: '11:00', notes: `By ${word}`, dates: [dayAhead(4)] }, asked);
    const [booked, canceled, walkedIn] = slots as [Row, Row, Row];
    lost = booked;
    const says = [{ question: `More ${word}?`, answer: 'Fine' }];
    link = ((await bookWith(consumer, lost, says)).json as Row).link ?? '';
    await bookWith(consumer, canceled, says);
    await factories.cancel(who, canceled, `Sorry, ${word}`);
    const walkIn = { displayName: `Walking ${word}`, email: `walk.${word}@mail.test`, note: `Paid ${word}` };
    await who.api('POST', `/api/Appointment/BookFor?id=${walkedIn.id}`, walkIn);
    past = await factories.writeSlot(daybook.d1, who, { startsIn: -1000, booker: consumer });
    const party = await createParty(who, { title: `Feast of ${word}`, description: word, address: `${word} road` });
    for (const one of [consumer, guest]) await rsvp(one, party);
    await who.api('PUT', `/api/Party/EditParty/${party.id}`, { title: `Other ${word}` });
    await createMeetup(who, { title: `Club ${word}`, attendees: [`Aunt ${word}`, 'Ben'] });

    before = await tablesWith(word);
    expect((await erase(who, { password })).status).toBe(204);
  });

  test('leaves no text anywhere', async () => {
    expect(before.length).toBeGreaterThan(8);
    expect(await tablesWith(word)).toEqual([]);
  });

  test('leaves the book whole', async () => {
    expect(await brokenRules(daybook.d1)).toEqual([]);
  });

  test('is told of to whoever booked or was coming', async () => {
    const news = (await newsTexts(consumer)).join(' ');

    expect(news).toMatch(/A provider who has left canceled the appointment on /);
    expect(news).toMatch(/A provider who has left called off a party on /);
  });

  test('leaves coming appointments to their clients as canceled, without any texts', async () => {
    const [canceled] = rowsOf(await ask(consumer, 'GetDash'));

    expect(canceled).toMatchObject({ status: 2, providerName: 'Former guest', notes: null, formData: [] });
  });

  test('leaves past appointments to their clients', async () => {
    const { json } = await ask(consumer, 'GetDash', { past: 'true' });

    expect(json).toMatchObject([{ id: past.id, providerName: 'Former guest' }]);
  });

  test('is named by no screen of a lost appointment, which still says when it was', async () => {
    for (const { words } of [
      await consumer.browser.visit(`/details-cancel/${lost.id}`),
      await daybook.visitor().get(link),
    ]) {
      expect(words).toContain(inEnglish(dateWords(factories.localDate(lost)).full));
      expect(words).toMatch(/a provider who has left/i);
    }
  });

  test('has no page any more', async () => {
    expect((await daybook.visitor().get(`/with/${who.username}`)).status).toBe(404);
  });

  test('leaves the list of cities without the own one', async () => {
    const cities = (await consumer.api('GET', '/api/Appointment/GetLocations')).json as string[];

    expect(cities.join()).not.toMatch(/wombatmoss|,,|^,|,$/);
  });
});

describe('a deletion', () => {
  test.each(['coming', 'past'])(
    'leaves no answer or phone number of the guests of a %s party of theirs',
    async (when) => {
      const [host, guest] = [await newProvider(), await newGuest(daybook)];
      const details = { openTo: 'anyone', askPhone: 'optional' };
      const party = await createParty(host, {
        ...details,
        template: await parties.publishQuestions(host, asking('Why?')),
      });
      const formData = [{ question: 'Why?', answer: 'Because of echidnafern' }];
      await rsvp(guest, party, {}, { formData, phone: '555 246 810' });
      if (when === 'past') await parties.endParty(daybook.d1, party);
      expect(await tablesWith('echidnafern')).toContain('invitations');
      expect(await tablesWith('555 246 810')).toContain('invitations');

      await erase(host, { password });

      expect(await tablesWith('echidnafern')).toEqual([]);
      expect(await tablesWith('555 246 810')).toEqual([]);
    },
  );

  test.each([
    ['no body', undefined],
    ['no password', {}],
    ['a wrong password', { password: 'Not the password 1' }],
  ])('by the call with %s is refused', async (_, body) => {
    const who = await newConsumer();

    expect((await erase(who, body)).status).toBe(400);
    expect((await logIn({ username: who.username, password })).status).toBe(200);
  });

  test('by the form with a wrong password is refused', async () => {
    const page = await (await newConsumer()).browser.visit('/your-data');

    const refused = await page.submit('Yes, delete it for good', { password: 'Not the password 1' });

    expect(refused.status).toBe(400);
    expect(refused.words).toContain('not your current password');
  });

  test('by the form ends the login for good', async () => {
    const who = await newConsumer();
    const page = await who.browser.visit('/your-data');

    expect((await page.submit('Yes, delete it for good', { password })).path).toBe('/');

    expect((await logIn({ username: who.username, password })).status).toBe(401);
  });

  test('of a guest takes no password, and leaves no text', async () => {
    const guest = await newGuest(daybook, { displayName: 'Passing numbatglow', email: 'numbatglow@mail.test' });
    await book(guest, await publishOne(await newProvider()));

    expect((await erase(guest)).status).toBe(204);

    expect(await tablesWith('numbatglow')).toEqual([]);
  });
});

describe('a deletion that is sent twice at once', () => {
  /** Somebody with an appointment, who has just left by two calls at once. */
  async function leavingTwice() {
    const provider = await newProvider();
    const who = await newConsumer();
    const slot = await publishOne(provider);
    await book(who, slot);
    const session = who.browser.cookies.get('daybook') ?? '';
    const responses = await factories.several(2, () => erase(who, { password }));
    return { provider, who, slot, session, statuses: responses.map(({ status }) => status) };
  }

  test('happens once', async () => {
    const { provider, slot, statuses } = await leavingTwice();

    expect(statuses).toContain(204);
    expect([204, 401]).toEqual(expect.arrayContaining(statuses));
    expect(await openSlotsOf(provider, provider, { dates: slot.date })).toHaveLength(1);
  });

  test('ends the session', async () => {
    const { who, session } = await leavingTwice();

    who.browser.cookies.set('daybook', session);

    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(400);
  });

  test('frees the username', async () => {
    const { username } = (await leavingTwice()).who;

    expect((await newConsumer({ username })).username).toBe(username);
  });
});
