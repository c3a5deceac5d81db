import { beforeAll, describe, expect, test } from 'vitest';
import { dateWords } from '../../../app/domain/time/clock';
import { brokenRules } from '../../habits/invariants';
import { accountCalls, newsTexts } from '../../support/account-calls';
import { awaitConsoleError } from '../../support/console';
import {
  book,
  cancel,
  dayAhead,
  localDate,
  type Person,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  registerProvider,
  several,
  writeSlot,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { confirmAddress } from '../../support/mails';
import {
  createMeetup,
  createParty,
  linkOf,
  partyOf,
  publishQuestions,
  readParty,
  reply,
  rsvp,
} from '../../support/party-factories';
import { createService } from '../../support/services';
import {
  bookWith,
  deleteTemplate,
  editTemplate,
  idOf,
  openEnded,
  submitForm,
  type Template,
  templatesOf,
  writeTemplate,
} from '../../support/template-factories';
import { useServer } from '../../support/use-server';

/* Taking along what the product knows of one, and leaving without a trace. */

const daybook = useServer({ vars: { RATE_LIMIT: undefined } });
const { newProvider, newConsumer } = peopleAt(daybook);
const { logIn } = accountCalls(daybook);

/** The same where no mail leaves, because nobody has said who it is from. */
const mailless = useServer({ vars: { MAIL_URL: 'smtp://127.0.0.1:1' } });
beforeAll(async () => {
  const isSaid = awaitConsoleError(/"wrong setting","setting":"MAIL_FROM"/);
  await mailless.visitor().get('/login');
  await isSaid;
});

/** The tables whose rows hold a word, in any case, anywhere. */
async function tablesWith(word: string, { d1 } = daybook): Promise<string[]> {
  const { results } = await d1
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB '_cf_*' AND name NOT GLOB 'sqlite_*'",
    )
    .all<{ name: string }>();
  const found = await Promise.all(
    results.map(async ({ name }) => {
      const rows = await d1.prepare(`SELECT * FROM "${name}"`).all();
      return JSON.stringify(rows.results).toLowerCase().includes(word) ? [name] : [];
    }),
  );
  return found.flat().sort();
}

const erase = (who: Person, body?: object) => who.api('DELETE', '/api/Account/Delete', body);
const dashOf = async (who: Person) => (await who.api('GET', '/api/Appointment/GetDash')).json as Row[];

/** Says a word wherever a consumer can: in a name, an address, answers, reasons, keys. */
async function consumerOf(word: string, provider: Person, template: string): Promise<Person> {
  const who = await newConsumer({ username: `${word}.c`, displayName: `Ms ${word}`, email: `${word}@mail.test` });
  await who.api('PUT', '/api/Account/SetEmail', { email: `${word}.2@mail.test`, password });
  await daybook.d1.prepare('UPDATE accounts SET email_confirmed_at = 1 WHERE username = ?').bind(who.username).run();
  await who.api('POST', '/api/Account/MakeRecoveryCodes', { password });
  const says = [{ question: 'Why?', answer: `Because of ${word}` }];
  const slots = await publish(provider, { end: '10:00', dates: [dayAhead(3)] }, `templateId=${template}`);
  for (const slot of slots) await bookWith(who, slot, says);
  await submitForm(who, slots[0] as Row, [{ question: 'Why?', answer: `More ${word}` }]);
  await who.api('PUT', `/api/Appointment/Cancel?id=${slots[1]?.id}`, { reason: `No ${word}` });
  await who.api('POST', '/api/Account/ForgotPassword', { username: who.username });
  await who.api('POST', '/api/Account/ForgotPassword', { email: `${word}.2@mail.test` });
  await logIn({ username: who.username, password: 'Not the password 1' });
  await provider.api('PUT', `/api/Appointment/SetNote?id=${slots[0]?.id}`, { note: `Met ${word} before` });
  const party = await createParty(provider, { templateId: template, plusOnes: 2 });
  await who.api('PUT', `/api/Party/BookRsvp?id=${party.id}&accepted=true&guests=2`, says);
  return who;
}

/** Says a word wherever a provider can. */
async function providerOf(word: string): Promise<Person> {
  const who = await newProvider({
    username: `${word}.p`,
    displayName: `Dr ${word} É`,
    location: `Port ${word}`,
    description: `I am ${word}`,
    email: `${word}@mail.test`,
  });
  const asking = (questionText: string) => [{ questionText, questionType: openEnded }];
  const { template } = await writeTemplate(who, asking(`${word}?`), `About ${word}`);
  await editTemplate(who, template.id, asking(`More ${word}?`), `Anew ${word}`);
  const dropped = await writeTemplate(who, asking(`No ${word}?`), word);
  await deleteTemplate(who, dropped.template.id);
  await createService(who, { name: `${word} cut`, price: `${word} 25`, description: `As ${word} does it` });
  return who;
}

describe('an export', () => {
  test('is one file with all that somebody has typed, booked and published, and no key that opens anything', async () => {
    const provider = await newProvider({ description: 'Cuts hair' });
    const consumer = await newConsumer({ displayName: 'Maya' });
    const slot = await publishOne(provider, { notes: 'Ring twice' });
    await book(consumer, slot);
    await provider.api('PUT', `/api/Appointment/SetNote?id=${slot.id}`, { note: 'Is often late' });
    await rsvp(consumer, await createParty(provider, { title: 'Open evening' }));
    await createMeetup(provider, { attendees: ['Ada'] });
    const hours = { hours: [], except: [], len: 30, notes: 'Bring a towel' };
    await provider.api('PUT', '/api/Appointment/SetHours', hours);
    await createService(provider, { name: 'Cut', price: '25 €' });
    const { status, json, headers, text } = await consumer.api('GET', '/api/Account/Export');
    expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="daybook.json"']);
    expect(json).toMatchObject({
      account: { username: consumer.username, displayName: 'Maya', hasSecondFactor: false },
      sessions: [expect.objectContaining({ createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })],
      booked: [expect.objectContaining({ id: slot.id, notes: 'Ring twice', startsAt: slot.startsAt, answers: [] })],
      answered: [expect.objectContaining({ title: 'Open evening', accepted: true })],
      published: [],
    });
    expect(text).not.toContain('Is often late');
    const own = await provider.api('GET', '/api/Account/Export');
    expect(own.json).toMatchObject({
      account: { description: 'Cuts hair' },
      published: [expect.objectContaining({ id: slot.id, notes: 'Ring twice' })],
      appointments: [expect.objectContaining({ bookerName: 'Maya', privateNote: 'Is often late' })],
      hours: [expect.objectContaining({ notes: 'Bring a towel' })],
      services: [expect.objectContaining({ name: 'Cut', minutes: 30, price: '25 €' })],
      hosted: expect.arrayContaining([expect.objectContaining({ title: 'Open evening' })]),
      invited: expect.arrayContaining([expect.objectContaining({ name: 'Ada' })]),
      messages: expect.arrayContaining([expect.objectContaining({ kind: 'booked' })]),
    });
    const secrets = await daybook.d1.prepare('SELECT password_hash FROM accounts').all<{ password_hash: string }>();
    for (const { password_hash } of secrets.results) expect(own.text).not.toContain(password_hash);
    expect(`${text}${own.text}`).not.toMatch(/Hash|linkSeed|folded/i);
  });

  test('has each time of a provider who has published hundreds, in their order', async () => {
    const provider = await newProvider();
    await publish(provider, { start: '00:00', end: '00:00' }, 'len=5');
    const stored = await daybook.d1
      .prepare(
        'SELECT id FROM slots WHERE provider_id = (SELECT id FROM accounts WHERE username = ?) ORDER BY starts_at',
      )
      .bind(provider.username)
      .all<{ id: string }>();
    expect(stored.results).toHaveLength(288);
    const { text } = await provider.api('GET', '/api/Account/Export');
    const { published } = JSON.parse(text) as { published: { id: string }[] };
    expect(published.map(({ id }) => id)).toEqual(stored.results.map(({ id }) => id));
  });

  test('is a button on a page under the profile', async () => {
    const consumer = await newConsumer();
    const file = await (await (await consumer.browser.visit('/profile')).click('Your data')).click(
      'Download your data',
    );
    expect(JSON.parse(file.text)).toMatchObject({ account: { username: consumer.username } });
    expect(file.headers.get('content-disposition')).toContain('attachment');
  });
});

describe('a deletion', () => {
  const why = [{ questionText: 'Why?', questionType: openEnded }];
  let provider: Person;
  let template: string;
  beforeAll(async () => {
    provider = await newProvider();
    template = await publishQuestions(provider, why);
  });

  test('leaves no text of a consumer anywhere, opens their times again, and tells the provider', async () => {
    const word = 'quokkafern';
    const who = await consumerOf(word, provider, template);
    const past = await writeSlot(daybook.d1, provider, { startsIn: -1000, template, booker: who });
    await daybook.d1
      .prepare('UPDATE bookings SET answers = ?, answered_at = 1 WHERE id = ?')
      .bind(JSON.stringify([{ question: 'Why?', answer: word }]), past.id)
      .run();
    const [coming] = await dashOf(who);
    const party = (await who.api('GET', '/api/Party/GetAll')).json as { id: string; going: number }[];
    expect((await tablesWith(word)).length).toBeGreaterThan(4);

    const { status, headers } = await erase(who, { password });
    expect(status).toBe(204);
    expect(headers.getSetCookie().join()).toMatch(/daybook=; Max-Age=0/);

    expect(await tablesWith(word)).toEqual([]);
    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(400);
    expect((await logIn({ username: who.username, password })).status).toBe(401);
    expect((await newsTexts(provider))[0]).toMatch(/^Former guest canceled the appointment on /);
    const { json: kept } = await provider.api('GET', `/api/Appointment/Get?id=${past.id}`);
    expect(kept).toMatchObject({ bookerName: 'Former guest', username: null, formData: [], privateNote: null });
    expect(await partyOf(provider, { id: party[0]?.id ?? '' })).toMatchObject({
      going: 0,
      invitations: [expect.objectContaining({ accepted: false })],
    });
    const open = (await provider.api('GET', `/api/Appointment/GetPage?provider=${provider.username}`)).json as Row[];
    expect(open.map(({ startsAt }) => startsAt)).toContain(coming?.startsAt);
  });

  test('leaves no text of a provider anywhere, and tells whoever booked or was coming', async () => {
    const word = 'wombatmoss';
    const who = await providerOf(word);
    const consumer = await newConsumer();
    const guest = await newGuest(daybook);
    const [current] = (await templatesOf(who)) as [Template];
    const asked = `templateId=${idOf(current)}`;
    const slots = await publish(who, { end: '11:00', notes: `By ${word}`, dates: [dayAhead(4)] }, asked);
    const says = [{ question: `More ${word}?`, answer: 'Fine' }];
    const links = [];
    for (const slot of slots.slice(0, 2)) links.push(((await bookWith(consumer, slot, says)).json as Row).link);
    await who.api('PUT', `/api/Appointment/Cancel?id=${slots[1]?.id}`, { reason: `Sorry, ${word}` });
    const walkIn = { displayName: `Walking ${word}`, email: `walk.${word}@mail.test`, note: `Paid ${word}` };
    await who.api('POST', `/api/Appointment/BookFor?id=${slots[2]?.id}`, walkIn);
    const past = await writeSlot(daybook.d1, who, { startsIn: -1000, booker: consumer });
    const place = { address: `${word} road`, locationUrl: `https://${word}.test/` };
    const party = await createParty(who, { title: `Feast of ${word}`, description: word, ...place });
    for (const one of [consumer, guest]) await rsvp(one, party);
    await who.api('PUT', `/api/Party/EditParty/${party.id}`, { title: `Other ${word}`, address: `${word} lane` });
    const meetup = await createMeetup(who, { title: `Club ${word}`, attendees: [`Aunt ${word}`, 'Ben'] });
    await who.api('POST', `/api/meetup/AddAttendees?id=${meetup.id}`, [`Uncle ${word}`]);
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'));
    expect((await tablesWith(word)).length).toBeGreaterThan(8);

    expect((await erase(who, { password })).status).toBe(204);

    expect(await tablesWith(word)).toEqual([]);
    expect(await brokenRules(daybook.d1)).toEqual([]);
    const told = (await newsTexts(consumer)).join(' ');
    expect(told).toMatch(/A provider who has left canceled the appointment on /);
    expect(told).toMatch(/A provider who has left called off a party on /);
    const [canceled] = await dashOf(consumer);
    expect(canceled).toMatchObject({ status: 2, providerName: 'Former guest', notes: null, formData: [] });
    const ended = (await consumer.api('GET', '/api/Appointment/GetDash?past=true')).json as Row[];
    expect(ended).toMatchObject([{ id: past.id, providerName: 'Former guest' }]);
    for (const path of ['/', `/details-cancel/${past.id}`]) {
      expect([path, (await consumer.browser.visit(path)).status]).toEqual([path, 200]);
    }
    const lost = slots[0] as Row;
    const ofLost = [
      await consumer.browser.visit(`/details-cancel/${lost.id}`),
      await daybook.visitor().get(links[0] ?? ''),
    ];
    for (const { words } of ofLost) expect(words).toContain(dateWords(localDate(lost)).full);
    const others = [`/party/${party.id}`, '/view-dash', '/news', '/invitations'];
    const pages = await Promise.all(others.map((path) => consumer.browser.get(path)));
    for (const { words } of [...ofLost, ...pages]) {
      expect(words).toMatch(/a provider who has left/i);
      expect(words).not.toMatch(/Former (guest|party|meetup)/);
    }
    expect((await daybook.visitor().get(`/with/${who.username}`)).status).toBe(404);
    expect((await readParty(daybook.visitor(), party)).status).toBe(404);
    const cities = (await consumer.api('GET', '/api/Appointment/GetLocations')).json as string[];
    expect(cities.join()).not.toMatch(/wombatmoss|,,|^,|,$/);
  });

  test('leaves nothing in mail that nobody sends, after two days at the latest', async () => {
    const word = 'potoroosedge';
    const who = await registerProvider(mailless, { displayName: `Hanna ${word}` });
    await confirmAddress(mailless.d1, who);
    const attendees = [{ name: 'Ada', email: `ada.${word}@mail.test` }];
    await createMeetup(who, { title: `Club ${word}`, attendees });
    expect((await erase(who, { password })).status).toBe(204);
    const day = 24 * 60 * 60 * 1000;
    async function pass(time: number): Promise<void> {
      await mailless.d1.prepare('UPDATE messages SET created_at = created_at - ?').bind(time).run();
      await mailless.scheduled();
    }
    await pass(day);
    expect(await tablesWith(word, mailless)).toEqual(['messages']);
    await pass(day);
    await expect.poll(() => tablesWith(word, mailless), { timeout: 10_000 }).toEqual([]);
  });

  test('takes the password, or none of a guest; without it nothing changes', async () => {
    const who = await newConsumer();
    for (const body of [undefined, {}, { password: 'Not the password 1' }, { password: 7 }]) {
      expect((await erase(who, body)).status).toBe(400);
    }
    expect((await who.api('GET', '/api/Account/Profile')).status).toBe(200);
    const ended = await newConsumer();
    const cookie = ended.browser.cookies.get('daybook') ?? '';
    await ended.api('DELETE', '/api/Account/Logout');
    ended.browser.cookies.set('daybook', cookie);
    expect((await erase(ended, { password })).status).toBe(401);
    expect((await logIn({ username: ended.username, password })).status).toBe(200);
    const guest = await newGuest(daybook, { displayName: 'Passing numbatglow', email: 'numbatglow@mail.test' });
    const slot = await publishOne(provider, { dates: [dayAhead(9)] });
    await book(guest, slot);
    expect((await erase(guest)).status).toBe(204);
    expect(await tablesWith('numbatglow')).toEqual([]);
    expect((await erase(guest)).status).toBe(401);
  });

  test('sent twice at once happens once, and frees the username', async () => {
    const who = await newConsumer({ username: 'leaving.twice' });
    const slot = await publishOne(provider, { dates: [dayAhead(10)] });
    await book(who, slot);
    const answers = await several(2, () => erase(who, { password }));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(204);
    expect([204, 401]).toEqual(expect.arrayContaining(statuses));
    const ofDay = `/api/Appointment/GetPage?provider=${provider.username}&dates=${slot.date}`;
    expect((await provider.api('GET', ofDay)).json).toHaveLength(1);
    expect((await newConsumer({ username: 'leaving.twice' })).username).toBe('leaving.twice');
  });

  test('is a form that asks first, with its fault beside the field', async () => {
    const who = await newConsumer();
    const slot = await publishOne(provider, { dates: [dayAhead(11)] });
    await book(who, slot);
    await cancel(who, slot);
    const page = await who.browser.visit('/your-data');
    expect(page.words).toContain('Do you really want to delete your account, for good?');
    const refused = await page.submit('Yes, delete it for good', { password: 'Not the password 1' });
    expect(refused.status).toBe(400);
    expect(refused.words).toContain('That is not your current password.');
    const left = await refused.submit('Yes, delete it for good', { password });
    expect(left.path).toBe('/');
    expect((await who.browser.get('/profile')).location).toMatch(/^\/not-logged-in/);
  });
});
