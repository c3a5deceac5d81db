import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
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

test('an export is one file with all that somebody has typed, booked and published, and no key that opens anything', async () => {
  const provider = await newProvider({ description: 'Cuts hair' });
  const consumer = await newConsumer({ displayName: 'Maya' });
  const slot = await publishOne(provider, { notes: 'Ring twice' });
  await book(consumer, slot);
  await provider.api('PUT', `/api/Appointment/SetNote?id=${slot.id}`, { note: 'Is often late' });
  await rsvp(consumer, await createParty(provider, { title: 'Open evening' }));
  await createMeetup(provider, { attendees: ['Ada'] });
  await provider.api('PUT', '/api/Appointment/SetHours', { hours: [], notes: 'Bring a towel' });
  await createService(provider, { name: 'Cut', price: '25 €' });
  const { headers, text } = await (await consumer.browser.visit('/your-data')).click('Download your data');
  expect(headers.get('content-disposition')).toBe('attachment; filename="daybook.json"');
  expect(JSON.parse(text)).toMatchObject({
    account: { username: consumer.username, displayName: 'Maya', hasSecondFactor: false },
    sessions: [{ createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }],
    booked: [{ id: slot.id, notes: 'Ring twice', startsAt: slot.startsAt, answers: [] }],
    answered: [{ title: 'Open evening', accepted: true }],
    published: [],
  });
  expect(text).not.toContain('Is often late');
  const own = await provider.api('GET', '/api/Account/Export');
  expect(own.json).toMatchObject({
    account: { description: 'Cuts hair' },
    published: [{ id: slot.id, notes: 'Ring twice' }],
    appointments: [{ bookerName: 'Maya', privateNote: 'Is often late' }],
    hours: [{ notes: 'Bring a towel' }],
    services: [{ name: 'Cut', minutes: 30, price: '25 €' }],
    hosted: expect.arrayContaining([expect.objectContaining({ title: 'Open evening' })]),
    invited: expect.arrayContaining([expect.objectContaining({ name: 'Ada' })]),
    messages: expect.arrayContaining([expect.objectContaining({ kind: 'booked' })]),
  });
  const hash = await daybook.d1.prepare('SELECT password_hash FROM accounts').first<string>('password_hash');
  expect(own.text).not.toContain(hash);
  expect(`${text}${own.text}`).not.toMatch(/Hash|linkSeed|folded/i);
});

describe('a deletion', () => {
  let provider: Person;
  let template: string;
  beforeAll(async () => {
    provider = await newProvider();
    template = await parties.publishQuestions(provider, asking('Why?'));
  });

  test('leaves no text of a consumer anywhere, opens their times again, and tells the provider', async () => {
    const word = 'quokkafern';
    const who = await newConsumer({ username: `${word}.c`, displayName: `Ms ${word}`, email: `${word}@mail.test` });
    await who.api('PUT', '/api/Account/SetEmail', { email: `${word}.2@mail.test`, password });
    await who.api('POST', '/api/Account/MakeRecoveryCodes', { password });
    await who.api('POST', '/api/Account/ForgotPassword', { username: who.username });
    await logIn({ username: who.username, password: 'Not the password 1' });
    const says = [{ question: 'Why?', answer: `Because of ${word}` }];
    const past = await factories.writeSlot(daybook.d1, provider, { startsIn: -1000, template, booker: who });
    await daybook.d1
      .prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?')
      .bind(JSON.stringify(says), past.id)
      .run();
    const slots = await publish(provider, { end: '10:00', dates: [dayAhead(3)] }, `templateId=${template}`);
    const [coming, canceled] = slots as [Row, Row];
    for (const slot of slots) await bookWith(who, slot, says);
    await factories.cancel(who, canceled, `No ${word}`);
    await provider.api('PUT', `/api/Appointment/SetNote?id=${coming.id}`, { note: `Met ${word} before` });
    const party = await createParty(provider, { templateId: template, plusOnes: 2 });
    await who.api('PUT', `/api/Party/BookRsvp?id=${party.id}&accepted=true&guests=2`, says);
    expect((await tablesWith(word)).length).toBeGreaterThan(4);

    const { status, headers } = await erase(who, { password });
    expect([status, headers.getSetCookie().join()]).toEqual([204, expect.stringMatching(/daybook=; Max-Age=0/)]);

    expect(await tablesWith(word)).toEqual([]);
    expect((await newsTexts(provider))[0]).toMatch(/^Former guest canceled the appointment on /);
    const kept = { bookerName: 'Former guest', username: null, formData: [], privateNote: null };
    expect((await factories.look(provider, past)).json).toMatchObject(kept);
    expect(await parties.partyOf(provider, party)).toMatchObject({ going: 0, invitations: [{ accepted: false }] });
    const open = await openSlotsOf(provider, provider);
    expect(open.map(({ startsAt }) => startsAt)).toContain(coming.startsAt);
  });

  test('leaves no text of a provider anywhere, and tells whoever booked or was coming', async () => {
    const word = 'wombatmoss';
    const called = { username: `${word}.p`, displayName: `Dr ${word} É`, location: `Port ${word}` };
    const who = await newProvider({ ...called, description: `I am ${word}`, email: `${word}@mail.test` });
    const { template: first } = await templates.writeTemplate(who, asking(`${word}?`), `About ${word}`);
    await templates.editTemplate(who, first.id, asking(`More ${word}?`), `Anew ${word}`);
    await createService(who, { name: `${word} cut`, price: `${word} 25`, description: `As ${word} does it` });
    const [current] = (await templates.templatesOf(who)) as [templates.Template];
    const [consumer, guest] = [await newConsumer(), await newGuest(daybook)];
    const asked = `templateId=${templates.idOf(current)}`;
    const slots = await publish(who, { end: '11:00', notes: `By ${word}`, dates: [dayAhead(4)] }, asked);
    const [lost, canceled, walkedIn] = slots as [Row, Row, Row];
    const says = [{ question: `More ${word}?`, answer: 'Fine' }];
    const { link } = (await bookWith(consumer, lost, says)).json as Row;
    await bookWith(consumer, canceled, says);
    await factories.cancel(who, canceled, `Sorry, ${word}`);
    const walkIn = { displayName: `Walking ${word}`, email: `walk.${word}@mail.test`, note: `Paid ${word}` };
    await who.api('POST', `/api/Appointment/BookFor?id=${walkedIn.id}`, walkIn);
    const past = await factories.writeSlot(daybook.d1, who, { startsIn: -1000, booker: consumer });
    const party = await createParty(who, { title: `Feast of ${word}`, description: word, address: `${word} road` });
    for (const one of [consumer, guest]) await rsvp(one, party);
    await who.api('PUT', `/api/Party/EditParty/${party.id}`, { title: `Other ${word}` });
    await createMeetup(who, { title: `Club ${word}`, attendees: [`Aunt ${word}`, 'Ben'] });
    expect((await tablesWith(word)).length).toBeGreaterThan(8);

    expect((await erase(who, { password })).status).toBe(204);

    expect([await tablesWith(word), await brokenRules(daybook.d1)]).toEqual([[], []]);
    const told = (await newsTexts(consumer)).join(' ');
    expect(told).toMatch(/A provider who has left canceled the appointment on /);
    expect(told).toMatch(/A provider who has left called off a party on /);
    const gone = { status: 2, providerName: 'Former guest', notes: null, formData: [] };
    expect(rowsOf(await ask(consumer, 'GetDash'))[0]).toMatchObject(gone);
    expect((await ask(consumer, 'GetDash', { past: 'true' })).json).toMatchObject([
      { id: past.id, providerName: 'Former guest' },
    ]);
    for (const { words } of [
      await consumer.browser.visit(`/details-cancel/${lost.id}`),
      await daybook.visitor().get(link ?? ''),
    ]) {
      expect(words).toContain(dateWords(factories.localDate(lost)).full);
      expect(words).toMatch(/a provider who has left/i);
    }
    expect((await daybook.visitor().get(`/with/${who.username}`)).status).toBe(404);
    const cities = (await consumer.api('GET', '/api/Appointment/GetLocations')).json as string[];
    expect(cities.join()).not.toMatch(/wombatmoss|,,|^,|,$/);
  });

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

  test('takes the password, by the call and the form, and none of a guest', async () => {
    const who = await newConsumer();
    for (const body of [undefined, {}, { password: 'Not the password 1' }]) {
      expect((await erase(who, body)).status).toBe(400);
    }
    const page = await who.browser.visit('/your-data');
    const refused = await page.submit('Yes, delete it for good', { password: 'Not the password 1' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('not your current password')]);
    expect((await refused.submit('Yes, delete it for good', { password })).path).toBe('/');
    expect((await logIn({ username: who.username, password })).status).toBe(401);
    const guest = await newGuest(daybook, { displayName: 'Passing numbatglow', email: 'numbatglow@mail.test' });
    await book(guest, await publishOne(provider, { dates: [dayAhead(9)] }));
    expect((await erase(guest)).status).toBe(204);
    expect(await tablesWith('numbatglow')).toEqual([]);
  });

  test('sent twice at once happens once, ends the session and frees the username', async () => {
    const who = await newConsumer({ username: 'leaving.twice' });
    const slot = await publishOne(provider, { dates: [dayAhead(10)] });
    await book(who, slot);
    const session = who.browser.cookies.get('daybook') ?? '';
    const statuses = (await factories.several(2, () => erase(who, { password }))).map(({ status }) => status);
    expect(statuses).toContain(204);
    expect([204, 401]).toEqual(expect.arrayContaining(statuses));
    who.browser.cookies.set('daybook', session);
    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(400);
    expect(await openSlotsOf(provider, provider, { dates: slot.date })).toHaveLength(1);
    expect((await newConsumer({ username: 'leaving.twice' })).username).toBe('leaving.twice');
  });
});
