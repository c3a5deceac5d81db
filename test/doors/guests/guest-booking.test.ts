import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import {
  book,
  dayAhead,
  look,
  peopleAt,
  publish,
  publishOne,
  type Row,
  rowsOf,
  several,
} from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { intake, openEnded } from '../../support/template-factories';
import { held, useServer, useWorld } from '../../support/use-server';
import { askedOf, type Fields, type Page, titleOf, tripsOf, typedIn, type Visitor } from '../../support/visit';
import { weightOf } from '../../support/weight';

/* Booking by somebody without an account: the form of a free time, and the page of the personal link. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana, rival, maya } = useWorld(daybook, { ana: {}, rival: {}, maya: { displayName: 'Maya L' } });

let days = 1;
/** Slots of a new day of Ana's, one after the other, which nobody else looks at. */
async function freshSlots(template = '', end = '10:00'): Promise<[Row, Row]> {
  days += 1;
  const details = { dates: [dayAhead(days)], end };
  return (await publish(ana, details, template && `templateId=${template}`)) as [Row, Row];
}
const freshSlot = async (template = '') => (await freshSlots(template, '09:30'))[0];
const whyAsked = () => publishQuestions(ana, [{ questionText: 'Why?', questionType: openEnded, required: true }]);
const formPath = (slot: Row) => `/with/${slot.provider}/${slot.id}`;
const open = (slot: Row, reader: Visitor = daybook.visitor()) => reader.get(formPath(slot));
const fieldsOf = (page: Page) =>
  page
    .$$('main form input, main form textarea, main form select')
    .filter((field) => field.getAttribute('type') !== 'hidden' && field.getAttribute('name') !== 'website')
    .map((field) => field.getAttribute('name'));
const questionOn = (page: Page) => page.$('main form textarea')?.getAttribute('name') ?? '';
const faultsOn = (page: Page) => page.$$('main [role=alert] h2, main [role=alert] li').map(({ text }) => text);
const zoe: Fields = { displayName: 'Zoë' };
const guestsCount = () =>
  daybook.d1.prepare('SELECT count(*) AS n FROM accounts WHERE username IS NULL').first<number>('n');

describe('the form of a free time', () => {
  test('books for a stranger by their name, and leads to the personal link', async () => {
    const slot = await freshSlot();
    const reader = daybook.visitor();
    const page = await open(slot, reader);
    expect([page.status, titleOf(page), fieldsOf(page)]).toEqual([200, 'Book a time', ['displayName', 'email']]);
    // Nor is it there under the name of another provider.
    const elsewhere = `/with/${rival.username}/${slot.id}`;
    const sent = { ...zoe, email: 'zoe@example.org', shown: typedIn(page, 'shown') };
    expect((await daybook.visitor().get(elsewhere)).status).toBe(404);
    expect((await daybook.visitor().post(elsewhere, sent)).status).toBe(404);
    const done = await page.submit('Book', { ...zoe, email: 'zoe@example.org' });
    expect([done.status, done.path]).toEqual([200, expect.stringMatching(/^\/booking\/[\w-]{22,}$/)]);
    expect(done.words).toContain('Booked for Zoë.');
    const known = { bookerName: 'Zoë', bookerEmail: 'zoe@example.org', status: 1 };
    expect((await look(ana, slot)).json).toMatchObject(known);
    const mine = rowsOf(await reader.api('GET', '/api/Appointment/GetBooked'));
    expect(mine).toMatchObject([{ id: slot.id, link: done.path }]);
    expect((await open(slot, reader)).location).toBe(done.path);
    // Whoever is here already is asked for no name.
    expect(fieldsOf(await open(await freshSlot(), reader))).toEqual([]);
  });

  test('asks whoever is logged in for no name, and a provider for another login', async () => {
    const slot = await freshSlot();
    const other = await open(slot, rival.browser);
    expect(other.words).toContain('providers can’t book');
    expect(other.$(`a[href="/login?to=${encodeURIComponent(formPath(slot))}"]`)).not.toBeNull();
    const page = await open(slot, maya.browser);
    expect([fieldsOf(page), page.words]).toEqual([[], expect.stringContaining('You book as Maya L.')]);
    const { path } = await page.submit('Book');
    expect((await look(maya, slot)).json).toMatchObject({ username: maya.username, link: path });
  });

  test('leads to a login where only accounts may book, and books for no guest', async () => {
    const eva = await newProvider({ displayName: 'Eva' });
    const slot = await publishOne(eva);
    const before = await open(slot);
    await setRules(eva, { openTo: 'accounts' });
    const page = await open(slot);
    expect(fieldsOf(page)).toEqual([]);
    expect(page.words).toContain('Eva takes bookings of people with an account only.');
    const guests = await guestsCount();
    const refused = await before.submit('Book', zoe);
    expect([refused.status, refused.words]).toEqual([403, expect.stringContaining('account')]);
    expect(await guestsCount()).toBe(guests);
    expect((await (await open(slot, maya.browser)).submit('Book')).status).toBe(200);
  });

  test('asks for an address as the provider wants it, and keeps none that is not asked for', async () => {
    const eva = await newProvider();
    const [first, second] = (await publish(eva, { end: '10:00' })) as [Row, Row];
    await setRules(eva, { askEmail: 'required' });
    const refused = await (await open(first)).submit('Book', zoe);
    expect([refused.status, refused.$('[name=email]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    expect(typedIn(refused, 'displayName')).toBe('Zoë');
    await refused.submit('Book', { email: 'zoe@example.org' });
    expect((await look(eva, first)).json).toMatchObject({ status: 1, bookerEmail: 'zoe@example.org' });
    await setRules(eva, { askEmail: 'no' });
    const page = await open(second);
    expect(fieldsOf(page)).toEqual(['displayName']);
    const sent = { ...zoe, email: 'zoe@example.org', shown: typedIn(page, 'shown') };
    expect(tripsOf(await daybook.visitor().post(formPath(second), sent))).toBe(2);
    expect((await look(eva, second)).json).toMatchObject({ status: 1, bookerName: 'Zoë', bookerEmail: null });
  });

  test('says all faults at once, keeps what was typed, and books nothing and makes nobody until all is right', async () => {
    const slot = await freshSlot(await publishQuestions(ana, intake));
    const page = await open(slot);
    const before = await guestsCount();
    const refused = await page.submit('Book', { displayName: ' ', email: 'zoe' });
    expect(refused.status).toBe(400);
    const faults = ['Name is missing.', 'That is no e-mail address.', expect.stringContaining('needs an answer.')];
    expect(faultsOn(refused)).toEqual(expect.arrayContaining(faults));
    expect(typedIn(refused, 'email')).toBe('zoe');
    expect([await guestsCount(), (await look(ana, slot)).json]).toEqual([
      before,
      expect.objectContaining({ status: 0 }),
    ]);
  });

  test('sent twice, or at once, is one booking by one guest', async () => {
    const page = await open(await freshSlot());
    const before = (await guestsCount()) ?? 0;
    const [one, other] = await Promise.all([page.submit('Book', zoe), page.submit('Book', zoe)]);
    expect([one.status, other.path, (await page.submit('Book', zoe)).path]).toEqual([200, one.path, one.path]);
    expect(await guestsCount()).toBe(before + 1);
  });

  test('of fifty strangers at once one wins, and the others are nobody', async () => {
    const slot = await freshSlot();
    const pages = await several(50, () => open(slot));
    const before = (await guestsCount()) ?? 0;
    const done = await Promise.all(pages.map((page, place) => page.submit('Book', { displayName: `Runner ${place}` })));
    expect(done.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
    expect(await guestsCount()).toBe(before + 1);
    const winner = done.findIndex(({ status }) => status === 200);
    expect((await look(ana, slot)).json).toMatchObject({ status: 1, bookerName: `Runner ${winner}` });
  });

  test('where its time is gone meanwhile, takes another with all that was typed', async () => {
    const [slot, next] = await freshSlots(await whyAsked());
    const page = await open(slot);
    await book(maya, slot);
    const late = await page.submit('Book', { ...zoe, email: 'zoe@example.org', [questionOn(page)]: 'A beard' });
    expect([late.status, titleOf(late)]).toEqual([409, 'Just gone']);
    expect((await late.submit(`form[action="${formPath(next)}"]`)).words).toContain('Booked for Zoë.');
    expect((await look(ana, next)).json).toMatchObject({
      bookerName: 'Zoë',
      bookerEmail: 'zoe@example.org',
      formData: [{ question: 'Why?', answer: 'A beard' }],
    });
  });

  test('takes no robot’s sending: without its own word, or with a field that people don’t see', async () => {
    const [slot, other] = [await freshSlot(), await freshSlot()];
    const [own, copied] = [typedIn(await open(slot), 'shown'), typedIn(await open(other), 'shown')];
    const robots: Record<string, string>[] = [
      {},
      { shown: copied },
      { shown: `${own}A` },
      { shown: own, website: 'https://spam.test' },
    ];
    for (const sent of robots) {
      const page = await daybook.visitor().post(formPath(slot), { displayName: 'Robot', ...sent });
      expect([page.status, typedIn(page, 'displayName'), faultsOn(page).length]).toEqual([400, 'Robot', 1]);
      expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
    }
    const refused = await daybook.visitor().post(formPath(slot), { displayName: 'Robot' });
    // What comes back has a good word.
    expect((await refused.submit('Book')).path).toMatch(/^\/booking\//);
  });
});

describe('the page of a personal link', () => {
  /** Books for Zoë, and reads the page on another device. */
  const booked = async (slot: Row) => daybook.visitor().get((await (await open(slot)).submit('Book', zoe)).path);

  test('shows the booking to whoever has it, without cookies, and changes nothing', async () => {
    const slot = await freshSlot();
    const { path } = await booked(slot);
    const before = await held(daybook);
    const page = await daybook.visitor().get(path);
    expect([page.status, titleOf(page)]).toEqual([200, 'Your appointment']);
    expect(page.$('meta[name=robots]')?.getAttribute('content')).toContain('noindex');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
    for (const step of ['cancel', 'answers']) await daybook.visitor().get(`${path}?step=${step}`);
    expect((await daybook.visitor().get(`${path}/daybook.ics`)).text).toContain(`UID:${slot.id}@daybook`);
    expect(await held(daybook)).toEqual(before);
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
  });

  test('cancels after asking, and then says so', async () => {
    const slot = await freshSlot();
    const asking = await (await booked(slot)).click('Cancel');
    const done = await asking.submit('Yes, cancel it', { reason: 'I am ill' });
    expect(done.words).toContain('This appointment is canceled.');
    expect((await look(ana, slot)).json).toMatchObject({ status: 2, bookerName: 'Zoë', cancelReason: 'I am ill' });
  });

  test('changes the answers', async () => {
    const slot = await freshSlot(await whyAsked());
    const form = await open(slot);
    const question = questionOn(form);
    const done = await form.submit('Book', { ...zoe, [question]: 'A beard' });
    const change = await (await daybook.visitor().get(done.path)).click('Change my answers');
    expect((await change.submit('Save answers', { [question]: ' ' })).status).toBe(400);
    expect((await change.submit('Save answers', { [question]: 'A haircut' })).words).toContain('A haircut');
    expect((await look(ana, slot)).json).toMatchObject({ formData: [{ question: 'Why?', answer: 'A haircut' }] });
  });
});

test('the form and the link weigh little, and load no script; what copies the link is in its page', async () => {
  const form = await open(await freshSlot(await publishQuestions(ana, intake)));
  const link = await (await open(await freshSlot())).submit('Book', zoe);
  for (const page of [form, link]) {
    expect(page.$$('script[src], link[rel=modulepreload]').length).toBe(0);
    expect((await weightOf(daybook.visitor(), page)).bytes).toBeLessThanOrEqual(10_000);
  }
  const scripts = link.$$('script').map(({ text }) => Buffer.byteLength(text) < 1_300);
  expect([form.$$('script').length, scripts]).toEqual([0, [true]]);
  expect(askedOf(form.headers)).toMatchObject({ trips: 1, written: 0 });
});
