import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { setRules } from '../../support/account-calls';
import { taken } from '../../support/complaints';
import {
  book,
  cancel,
  dayAhead,
  look,
  password,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
  several,
} from '../../support/factories';
import { newGuest } from '../../support/guests';
import { publishQuestions } from '../../support/party-factories';
import { intake, openEnded } from '../../support/template-factories';
import { useServer, useWorld } from '../../support/use-server';
import { askedOf, type Fields, type Page, titleOf, tripsOf, typedIn, type Visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';

/* Booking by somebody without an account: the form of a free time, and the page of the personal link. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana, maya } = useWorld(daybook, { ana: {}, maya: { displayName: 'Maya L' } });

let days = 1;
/** A slot of Ana's that nobody else looks at. */
async function freshSlot(template = ''): Promise<Row> {
  days += 1;
  const [slot] = await publish(ana, { dates: [dayAhead(days)], end: '09:30' }, template && `templateId=${template}`);
  return slot as Row;
}
/** Two slots of a new day of Ana's, one after the other. */
async function twoSlots(template = ''): Promise<[Row, Row]> {
  days += 1;
  const details = { dates: [dayAhead(days)], end: '10:00' };
  return (await publish(ana, details, template && `templateId=${template}`)) as [Row, Row];
}
const formPath = (slot: Row) => `/with/${slot.provider}/${slot.id}`;
const open = (slot: Row, reader: Visitor = daybook.visitor()) => reader.get(formPath(slot));
const fieldsOf = (page: Page) =>
  page
    .$$('main form input, main form textarea, main form select')
    .filter((field) => field.getAttribute('type') !== 'hidden' && field.getAttribute('name') !== 'website')
    .map((field) => field.getAttribute('name'));
const faultsOn = (page: Page) => page.$$('main [role=alert] h2, main [role=alert] li').map(({ text }) => text);
const zoe: Fields = { displayName: 'Zoë' };
const guestsCount = async () =>
  (await daybook.d1.prepare('SELECT count(*) AS n FROM accounts WHERE username IS NULL').first<number>('n')) ?? 0;

describe('the form of a free time', () => {
  test('is not there under the name of another provider, to look at or to send', async () => {
    const slot = await freshSlot();
    const rui = await newProvider({ displayName: 'Rui' });
    const elsewhere = `/with/${rui.username}/${slot.id}`;
    const form = await open(slot);
    const sent = { shown: typedIn(form, 'shown'), once: typedIn(form, 'once'), ...zoe };
    for (const path of [elsewhere, `/with/${ana.username}/none`])
      expect((await daybook.visitor().get(path)).status).toBe(404);
    for (const reader of [daybook.visitor(), maya.browser, ana.browser, rui.browser])
      expect((await reader.post(elsewhere, sent)).status).toBe(404);
    expect((await open(slot)).status).toBe(200);
    await cancel(ana, slot);
    const late = [await daybook.visitor().get(elsewhere), await daybook.visitor().post(elsewhere, sent)];
    expect(late.map(({ status }) => status)).toEqual([404, 404]);
  });

  test('books for a stranger by their name, and leads to the personal link', async () => {
    const slot = await freshSlot();
    const reader = daybook.visitor();
    const page = await open(slot, reader);
    expect([page.status, titleOf(page), fieldsOf(page)]).toEqual([200, 'Book a time', ['displayName', 'email']]);
    const done = await page.submit('Book', { ...zoe, email: 'zoe@example.org' });
    expect([done.status, done.path]).toEqual([200, expect.stringMatching(/^\/booking\/[\w-]{22,}$/)]);
    expect(done.words).toContain('Booked for Zoë.');
    expect((await look(ana, slot)).json).toMatchObject({
      bookerName: 'Zoë',
      bookerEmail: 'zoe@example.org',
      status: 1,
    });
    const mine = rowsOf(await reader.api('GET', '/api/Appointment/GetBooked'));
    expect(mine).toMatchObject([{ id: slot.id, link: done.path }]);
    expect((await open(slot, reader)).location).toBe(done.path);
  });

  test('asks whoever is logged in for no name', async () => {
    const slot = await freshSlot();
    const page = await open(slot, maya.browser);
    expect(fieldsOf(page)).toEqual([]);
    expect(page.words).toContain('You book as Maya L.');
    const done = await page.submit('Book');
    expect(done.path).toMatch(/^\/booking\//);
    expect((await look(maya, slot)).json).toMatchObject({ username: maya.username, link: done.path });
    const guest = await newGuest(daybook, { displayName: 'Gil' });
    const other = await freshSlot();
    expect(fieldsOf(await open(other, guest.browser))).toEqual([]);
    await (await open(other, guest.browser)).submit('Book');
    expect((await look(ana, other)).json).toMatchObject({ bookerName: 'Gil', status: 1 });
  });

  test('leads whoever has an account to the login, and back to the same time', async () => {
    const slot = await freshSlot();
    const browser = daybook.visitor();
    const login = await (await open(slot, browser)).click('Log in');
    const back = await login.submit('Log in', { username: maya.username, password });
    expect([back.path, back.words]).toEqual([formPath(slot), expect.stringContaining('You book as Maya L.')]);
  });

  test('leads providers to a login, and its own provider to the appointment', async () => {
    const slot = await freshSlot();
    const rival = await newProvider();
    const page = await open(slot, rival.browser);
    expect(page.words).toContain('providers can’t book');
    expect(page.$(`a[href="/login?to=${encodeURIComponent(formPath(slot))}"]`)).not.toBeNull();
    expect((await open(slot, ana.browser)).$(`main a[href="/details-provider/${slot.id}"]`)).not.toBeNull();
    const stranger = await open(slot);
    const sent = { displayName: 'Rival', shown: typedIn(stranger, 'shown') };
    expect((await rival.browser.post(formPath(slot), sent)).status).toBe(403);
    expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
  });

  test('leads to a login where only accounts may book', async () => {
    const eva = await newProvider({ displayName: 'Eva' });
    await setRules(eva, { openTo: 'accounts' });
    const slot = await publishOne(eva);
    const page = await open(slot);
    expect([page.status, fieldsOf(page)]).toEqual([200, []]);
    expect(page.words).toContain('Eva takes bookings of people with an account only.');
    expect((await open(slot, maya.browser)).$$('main form')).toHaveLength(1);
    await setRules(eva, { openTo: 'anyone' });
    const before = await open(slot);
    await setRules(eva, { openTo: 'accounts' });
    const guests = await guestsCount();
    const refused = await before.submit('Book', zoe);
    expect([refused.status, refused.words]).toEqual([403, expect.stringContaining('account')]);
    expect(await guestsCount()).toBe(guests);
  });

  test('asks for an address as the provider wants it', async () => {
    const eva = await newProvider({ displayName: 'Eva' });
    const [first, second] = await publish(eva, { end: '10:00' });
    const rule = (askEmail: string) => setRules(eva, { askEmail });
    await rule('required');
    const guest = await newGuest(daybook);
    expect(fieldsOf(await open(second as Row, guest.browser))).toEqual(['email']);
    const page = await open(first as Row);
    const refused = await page.submit('Book', { displayName: 'Zoë' });
    expect([refused.status, refused.$('[name=email]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    expect(typedIn(refused, 'displayName')).toBe('Zoë');
    const done = await refused.submit('Book', { email: 'zoe@example.org' });
    expect(done.path).toMatch(/^\/booking\//);
    await (await open(second as Row, guest.browser)).submit('Book', { email: 'gil@example.org' });
    expect((await look(eva, second as Row)).json).toMatchObject({ status: 1, bookerEmail: 'gil@example.org' });
    await rule('no');
    expect(fieldsOf(await open(await publishOne(eva, { dates: [dayAhead(9)] })))).toEqual(['displayName']);
  });

  test('takes one round trip where nothing is asked, and makes nobody where something is', async () => {
    const [plain, asking] = [await freshSlot(), await freshSlot(await publishQuestions(ana, intake))];
    const send = async (slot: Row, fields: Fields) => {
      const shown = typedIn(await open(slot), 'shown');
      return daybook.visitor().post(formPath(slot), { ...fields, shown, once: 'key' });
    };
    const first = await send(plain, zoe);
    expect([first.status, tripsOf(first)]).toEqual([303, 1]);
    const nameless = await send(await freshSlot(), { displayName: '' });
    // The second shows the form again.
    expect([nameless.status, tripsOf(nameless)]).toEqual([400, 2]);
    const guests = await guestsCount();
    const unanswered = await send(asking, zoe);
    expect([unanswered.status, tripsOf(unanswered), await guestsCount()]).toEqual([400, 2, guests]);
    expect((await look(ana, asking)).json).toMatchObject({ status: 0 });
  });

  test('keeps no address where none is asked for, whatever is sent', async () => {
    const eva = await newProvider({ displayName: 'Eva' });
    await setRules(eva, { askEmail: 'no' });
    const slot = await publishOne(eva);
    const shown = typedIn(await open(slot), 'shown');
    const done = await daybook.visitor().post(formPath(slot), { ...zoe, email: 'zoe@example.org', shown });
    expect([done.status, tripsOf(done)]).toEqual([303, 2]);
    expect((await look(eva, slot)).json).toMatchObject({ status: 1, bookerName: 'Zoë', bookerEmail: null });
  });

  test('says all faults at once, keeps what was typed, and books nothing until all is right', async () => {
    const template = await publishQuestions(ana, intake);
    const slot = await freshSlot(template);
    const page = await open(slot);
    expect(page.text).toMatch(/>\*<\/span> has to be answered\./);
    const before = await guestsCount();
    const refused = await page.submit('Book', { displayName: ' ', email: 'zoe' });
    expect(refused.status).toBe(400);
    expect(faultsOn(refused)).toEqual(
      expect.arrayContaining([
        'Name is missing.',
        'That is no e-mail address.',
        expect.stringContaining('needs an answer.'),
      ]),
    );
    expect(typedIn(refused, 'email')).toBe('zoe');
    expect([await guestsCount(), ((await look(ana, slot)).json as Row).status]).toEqual([before, 0]);
  });

  test('sent twice, or at once, is one booking by one guest', async () => {
    const slot = await freshSlot();
    const before = await guestsCount();
    const page = await open(slot);
    const [one, other] = await Promise.all([page.submit('Book', zoe), page.submit('Book', zoe)]);
    expect([one.status, other.path]).toEqual([200, one.path]);
    expect((await page.submit('Book', zoe)).path).toBe(one.path);
    expect(await guestsCount()).toBe(before + 1);
  });

  test('of fifty strangers at once one wins, and the others are nobody', async () => {
    const slot = await freshSlot();
    const pages = await several(50, () => open(slot));
    const before = await guestsCount();
    const done = await Promise.all(pages.map((page, place) => page.submit('Book', { displayName: `Runner ${place}` })));
    expect(done.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
    expect(await guestsCount()).toBe(before + 1);
    const winner = done.findIndex(({ status }) => status === 200);
    expect((await look(ana, slot)).json).toMatchObject({ status: 1, bookerName: `Runner ${winner}` });
    const lost = pages[winner ? 0 : 1] as Page;
    expect((await lost.submit('Book', zoe)).status).toBe(409);
    expect(await guestsCount()).toBe(before + 1);
  });

  test('where its time is gone meanwhile, takes another with all that was typed', async () => {
    const template = await publishQuestions(ana, [{ questionText: 'Which knee?', questionType: openEnded }]);
    const [slot, next] = await twoSlots(template);
    const page = await open(slot);
    await book(maya, slot);
    const [asked] = page.$$('main form textarea').map((field) => field.getAttribute('name') ?? '');
    const late = await page.submit('Book', { ...zoe, email: 'zoe@example.org', [asked ?? '']: 'The left one' });
    expect([late.status, titleOf(late)]).toEqual([409, 'Just gone']);
    const done = await late.submit(`form[action="${formPath(next)}"]`);
    expect(done.words).toContain('Booked for Zoë.');
    expect((await look(ana, next)).json).toMatchObject({
      bookerName: 'Zoë',
      bookerEmail: 'zoe@example.org',
      formData: [{ question: 'Which knee?', answer: 'The left one' }],
    });
  });

  test('of fifty guests at once by the call one wins', async () => {
    const slot = await freshSlot();
    const crowd = await several(50, () => newGuest(daybook));
    const answers = await Promise.all(crowd.map((who) => book(who, slot)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers) if (answer.status !== 200) expect(answer).toMatchObject(taken);
    const winner = crowd[answers.findIndex(({ status }) => status === 200)];
    expect((await look(ana, slot)).json).toMatchObject({ status: 1, bookerName: winner?.displayName });
  });

  test('offers the nearest free times to whoever opens it where its time is gone', async () => {
    const [slot, next] = await twoSlots();
    await book(maya, slot);
    const page = await open(slot);
    expect([page.status, titleOf(page)]).toEqual([409, 'Just gone']);
    expect(page.$(`main a[href="${formPath(next)}"]`)?.text).toBe('Book');
  });
});

describe('against robots the form', () => {
  test('takes no sending without its own word, nor a field that people don’t see, and gives back what was typed', async () => {
    const [slot, other] = [await freshSlot(), await freshSlot()];
    const [own, copied] = [typedIn(await open(slot), 'shown'), typedIn(await open(other), 'shown')];
    const robots = ['', 'no.word', copied, `${copied}A`].map((shown) => ({ shown, website: '' }));
    for (const sent of [{}, ...robots, { shown: own, website: 'https://spam.example' }]) {
      const page = await daybook.visitor().post(formPath(slot), { displayName: 'Robot', ...sent });
      expect([page.status, typedIn(page, 'displayName'), typedIn(page, 'website')]).toEqual([400, 'Robot', '']);
      expect(faultsOn(page)).toHaveLength(1);
      expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
    }
    const refused = await daybook.visitor().post(formPath(slot), { displayName: 'Robot' });
    expect((await refused.submit('Book')).path).toMatch(/^\/booking\//);
  });
});

describe('the page of a personal link', () => {
  const booked = async (slot: Row, reader = daybook.visitor()) => (await open(slot, reader)).submit('Book', zoe);
  const elsewhere = (page: Page) => daybook.visitor().get(page.path);

  test('shows the booking to whoever has it, without cookies, and changes nothing', async () => {
    const slot = await freshSlot();
    const { path } = await booked(slot);
    const before = await dump(daybook.d1);
    const page = await daybook.visitor().get(path);
    expect([page.status, titleOf(page)]).toEqual([200, 'Your appointment']);
    expect(page.words).toContain('Ana Costa');
    expect(page.$('meta[name=robots]')?.getAttribute('content')).toContain('noindex');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
    expect(page.$('a[href^="mailto:?"]')?.getAttribute('href')).toContain(encodeURIComponent(path));
    for (const step of ['cancel', 'answers', 'nonsense'])
      expect((await daybook.visitor().get(`${path}?step=${step}`)).status).toBe(200);
    const file = await daybook.visitor().get(`${path}/daybook.ics`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(file.text).toContain(`UID:${slot.id}@daybook`);
    expect(await dump(daybook.d1)).toEqual(before);
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
  });

  test('cancels after asking, and then says so', async () => {
    const slot = await freshSlot();
    const page = await elsewhere(await booked(slot));
    const asking = await page.click('Cancel');
    expect(asking.words).toContain('Cancel this appointment?');
    const done = await asking.submit('Yes, cancel it', { reason: 'I am ill' });
    expect([done.status, done.path]).toEqual([200, page.path]);
    expect(done.words).toContain('This appointment is canceled.');
    expect(done.headers.get('referrer-policy')).toBe('no-referrer');
    expect(done.$$('main form')).toEqual([]);
    expect((await look(ana, slot)).json).toMatchObject({ status: 2, bookerName: 'Zoë', cancelReason: 'I am ill' });
    expect((await asking.submit('Yes, cancel it')).words).toContain('This appointment is canceled.');
    expect((await daybook.visitor().post(page.path, {})).status).toBe(400);
  });

  test('changes the answers', async () => {
    const template = await publishQuestions(ana, [{ questionText: 'Why?', questionType: 2, required: true }]);
    const slot = await freshSlot(template);
    const form = await open(slot);
    const name = form.$('main textarea')?.getAttribute('name') ?? '';
    const done = await form.submit('Book', { ...zoe, [name]: 'A beard' });
    expect(done.words).toContain('A beard');
    const change = await (await elsewhere(done)).click('Change my answers');
    const refused = await change.submit('Save answers', { [name]: ' ' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('needs an answer.')]);
    const saved = await change.submit('Save answers', { [name]: 'A haircut' });
    expect(saved.words).toContain('A haircut');
    expect((await look(ana, slot)).json).toMatchObject({ formData: [{ question: 'Why?', answer: 'A haircut' }] });
  });

  test('offers nothing to change where the provider has canceled', async () => {
    const slot = await freshSlot();
    const { path } = await booked(slot);
    await cancel(ana, slot);
    const page = await daybook.visitor().get(path);
    // Once, with the way to another time.
    const tells = (shown: Page) => shown.words.match(/is canceled\.|Canceled by|has canceled it/g)?.length;
    expect([tells(page), page.words]).toEqual([1, expect.stringContaining('Canceled by')]);
    expect((await page.click('Book another time')).path).toBe(`/with/${ana.username}`);
    const seen = await page.submit('Mark as read');
    expect(seen.words).toContain('This appointment is canceled.');
    expect([page.$$('main form').length, seen.$$('main form').length]).toEqual([1, 0]);
    expect([page, seen].map(({ headers }) => headers.get('referrer-policy'))).toEqual(['same-origin', 'no-referrer']);
  });
});

test('the form and the link weigh little, and load no script; what copies the link is in its page', async () => {
  const template = await publishQuestions(ana, intake);
  const slot = await freshSlot(template);
  const form = await open(slot);
  const mine = await freshSlot();
  const link = await (await open(mine)).submit('Book', zoe);
  for (const page of [form, link]) {
    expect(page.$$('script[src], link[rel=modulepreload]').length).toBe(0);
    const { requests, bytes } = await weightOf(daybook.visitor(), page);
    expect([requests, bytes <= 10_000 ? 'light' : bytes]).toEqual([1, 'light']);
  }
  expect(form.$$('script').length).toBe(0);
  const [copies, ...others] = link.$$('script');
  expect([others.length, Buffer.byteLength(copies?.text ?? '') < 1_300]).toEqual([0, true]);
  expect(link.headers.get('content-security-policy')).toContain(`'nonce-${copies?.getAttribute('nonce')}'`);
  expect(askedOf(form.headers)).toMatchObject({ trips: 1, written: 0 });
});
