import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, look, peopleAt, publish, publishOne, type Row, several } from '../../support/factories';
import { publishQuestions } from '../../support/party-factories';
import { intake, openEnded } from '../../support/template-factories';
import { held, useServer, useWorld } from '../../support/use-server';
import {
  askedOf,
  contentOf,
  type Fields,
  type Page,
  titleOf,
  tripsOf,
  typedIn,
  type Visitor,
} from '../../support/visit';
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
const zoe: Fields = { displayName: 'Zoë' };
const guestsCount = () =>
  daybook.d1.prepare('SELECT count(*) AS n FROM accounts WHERE username IS NULL').first<number>('n');

describe('the form of a free time', () => {
  test('books for a stranger by their name, and leads to the personal link', async () => {
    const slot = await freshSlot();
    const reader = daybook.visitor();
    const page = await open(slot, reader);
    expect([page.status, titleOf(page), fieldsOf(page)]).toEqual([200, 'Book a time', ['displayName', 'email']]);
    expect([page.$$('script').length, askedOf(page.headers)]).toMatchObject([0, { trips: 1, written: 0 }]);
    // Nor is it there under the name of another provider.
    const elsewhere = `/with/${rival.username}/${slot.id}`;
    const sent = { ...zoe, email: 'zoe@example.org' };
    expect((await daybook.visitor().get(elsewhere)).status).toBe(404);
    expect((await daybook.visitor().post(elsewhere, { ...sent, shown: typedIn(page, 'shown') })).status).toBe(404);
    const done = await page.submit('Book', sent);
    expect([done.status, done.path]).toEqual([200, expect.stringMatching(/^\/booking\/[\w-]{22,}$/)]);
    expect(done.words).toContain('Booked for Zoë.');
    const known = { bookerName: 'Zoë', bookerEmail: 'zoe@example.org', status: 1 };
    expect((await look(ana, slot)).json).toMatchObject(known);
    expect(await agenda(reader)).toMatchObject([{ id: slot.id, link: done.path }]);
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
    expect([fieldsOf(page), page.words]).toEqual([
      [],
      expect.stringContaining('Eva takes bookings of people with an account only.'),
    ]);
    const guests = await guestsCount();
    expect((await before.submit('Book', zoe)).status).toBe(403);
    expect(await guestsCount()).toBe(guests);
    expect((await (await open(slot, maya.browser)).submit('Book')).status).toBe(200);
  });

  test('asks for an address as the provider wants it, keeps what was typed where something is wrong, and makes nobody until all is right', async () => {
    const eva = await newProvider();
    const second = await publishOne(eva, { start: '10:00', end: '10:30' });
    const templateId = await publishQuestions(eva, intake);
    const [first] = (await publish(eva, {}, `templateId=${templateId}`)) as [Row];
    await setRules(eva, { askEmail: 'required' });
    const before = await guestsCount();
    const refused = await (await open(first)).submit('Book', { displayName: ' ', email: 'zoe' });
    expect([refused.status, typedIn(refused, 'email')]).toEqual([400, 'zoe']);
    for (const fault of ['Name is missing.', 'That is no e-mail address.', 'needs an answer.'])
      expect(refused.words).toContain(fault);
    const missing = await (await open(second)).submit('Book', zoe);
    expect([missing.status, missing.$('[name=email]')?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    expect([await guestsCount(), (await look(eva, first)).json]).toMatchObject([before, { status: 0 }]);
    await setRules(eva, { askEmail: 'no' });
    const page = await open(second);
    expect(fieldsOf(page)).toEqual(['displayName']);
    const sent = { ...zoe, email: 'zoe@example.org', shown: typedIn(page, 'shown') };
    expect(tripsOf(await daybook.visitor().post(formPath(second), sent))).toBe(2);
    expect((await look(eva, second)).json).toMatchObject({ bookerName: 'Zoë', bookerEmail: null });
  });

  test('sent twice, or at once, is one booking by one guest; of fifty strangers at once one wins, and the others are nobody', async () => {
    const page = await open(await freshSlot());
    const before = (await guestsCount()) ?? 0;
    const [one, other] = await Promise.all([page.submit('Book', zoe), page.submit('Book', zoe)]);
    expect([one.status, other.path, (await page.submit('Book', zoe)).path]).toEqual([200, one.path, one.path]);
    expect(await guestsCount()).toBe(before + 1);
    const slot = await freshSlot();
    const pages = await several(50, () => open(slot));
    const done = await Promise.all(pages.map((form, place) => form.submit('Book', { displayName: `Runner ${place}` })));
    expect(done.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
    expect(await guestsCount()).toBe(before + 2);
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
      bookerEmail: 'zoe@example.org',
      formData: [{ question: 'Why?', answer: 'A beard' }],
    });
  });
});

describe('the page of a personal link', () => {
  test('shows the booking to whoever has it, without cookies, and changes nothing until it is told to cancel', async () => {
    const slot = await freshSlot();
    const { path } = await (await open(slot)).submit('Book', zoe);
    const before = await held(daybook);
    const page = await daybook.visitor().get(path);
    expect([page.status, titleOf(page)]).toEqual([200, 'Your appointment']);
    expect(contentOf(page, 'name=robots')).toContain('noindex');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
    const asking = await page.click('Cancel');
    await daybook.visitor().get(`${path}?step=answers`);
    expect((await daybook.visitor().get(`${path}/daybook.ics`)).text).toContain(`UID:${slot.id}@daybook`);
    expect(await held(daybook)).toEqual(before);
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
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

test('the form and the link weigh little, and load no script', async () => {
  const form = await open(await freshSlot(await publishQuestions(ana, intake)));
  const link = await (await open(await freshSlot())).submit('Book', zoe);
  for (const page of [form, link]) {
    expect(page.$$('script[src], link[rel=modulepreload]')).toEqual([]);
    expect((await weightOf(daybook.visitor(), page)).bytes).toBeLessThanOrEqual(10_000);
  }
  expect(form.$$('script')).toEqual([]);
});
