import { describe, expect, test } from 'vitest';
import { setRules } from '../../support/account-calls';
import { agenda } from '../../support/appointment-calls';
import { book, dayAhead, look, peopleAt, publish, publishOne, type Row, several } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { newAddress } from '../../support/mails';
import { publishQuestions } from '../../support/party-factories';
import { intake, openEnded } from '../../support/template-factories';
import { storedRows, useServer, useWorld } from '../../support/use-server';
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
import { weightsOf } from '../../support/weight';

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
const formOf = (slot: Row, reader: Visitor = daybook.visitor()) => reader.get(formPath(slot));
const bookAsZoe = async (slot: Row) => (await formOf(slot)).submit('Book', zoe);
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
  const sentByZoe = { ...zoe, email: 'zoe@example.org' };

  test('asks a stranger for a name and an address', async () => {
    const page = await formOf(await freshSlot());

    expect(page.status).toBe(200);
    expect(titleOf(page)).toBe('Book a time');
    expect(fieldsOf(page)).toEqual(['displayName', 'email']);
  });

  test('is read in one round trip, without a script', async () => {
    const page = await formOf(await freshSlot());

    expect(page.$$('script')).toHaveLength(0);
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
  });

  test('is not there under the name of another provider', async () => {
    const slot = await freshSlot();
    const shown = typedIn(await formOf(slot), 'shown');
    const elsewhere = `/with/${rival.username}/${slot.id}`;

    expect((await daybook.visitor().get(elsewhere)).status).toBe(404);
    expect((await daybook.visitor().post(elsewhere, { ...sentByZoe, shown })).status).toBe(404);
  });

  test('books for a stranger by their name', async () => {
    const slot = await freshSlot();

    const done = await (await formOf(slot)).submit('Book', sentByZoe);

    expect(done.status).toBe(200);
    expect(done.words).toContain('Booked for Zoë.');
    const known = { bookerName: 'Zoë', bookerEmail: 'zoe@example.org', status: 1 };
    expect((await look(ana, slot)).json).toMatchObject(known);
  });

  test('leads a stranger to their personal link', async () => {
    const slot = await freshSlot();
    const reader = daybook.visitor();

    const done = await (await formOf(slot, reader)).submit('Book', zoe);

    expect(done.path).toMatch(/^\/booking\/[\w-]{22,}$/);
    expect(await agenda(reader)).toMatchObject([{ id: slot.id, link: done.path }]);
    expect((await formOf(slot, reader)).location).toBe(done.path);
  });

  test('asks a guest who has booked for no name', async () => {
    const reader = daybook.visitor();
    await (await formOf(await freshSlot(), reader)).submit('Book', zoe);

    expect(fieldsOf(await formOf(await freshSlot(), reader))).toEqual([]);
  });

  test('asks whoever is logged in for no name', async () => {
    const page = await formOf(await freshSlot(), maya.browser);

    expect(fieldsOf(page)).toEqual([]);
    expect(page.words).toContain('You book as Maya L.');
  });

  test('books for whoever is logged in', async () => {
    const slot = await freshSlot();

    const { path } = await (await formOf(slot, maya.browser)).submit('Book');

    expect((await look(maya, slot)).json).toMatchObject({ username: maya.username, link: path });
  });

  test('asks a provider for another login', async () => {
    const slot = await freshSlot();

    const page = await formOf(slot, rival.browser);

    expect(page.words).toContain('providers can’t book');
    expect(page.$(`a[href="/login?to=${encodeURIComponent(formPath(slot))}"]`)).not.toBeNull();
  });

  test('where its time is gone meanwhile, takes another with all that was typed', async () => {
    const [slot, next] = await freshSlots(await whyAsked());
    const page = await formOf(slot);
    await book(maya, slot);

    const late = await page.submit('Book', { ...sentByZoe, [questionOn(page)]: 'A beard' });
    expect(late.status).toBe(409);
    expect(titleOf(late)).toBe('Just gone');
    const done = await late.submit(`form[action="${formPath(next)}"]`);

    expect(done.words).toContain('Booked for Zoë.');
    expect((await look(ana, next)).json).toMatchObject({
      bookerEmail: 'zoe@example.org',
      formData: [{ question: 'Why?', answer: 'A beard' }],
    });
  });

  /** What a stranger gets whose time somebody else books while they type. */
  async function lateForm() {
    const slot = await freshSlot();
    const page = await formOf(slot);
    await book(maya, slot);
    return page.submit('Book', zoe);
  }

  test('where its time is gone meanwhile, says so in the title of the tab, and nothing of an error', async () => {
    expect((await lateForm()).$('title')?.text).toBe('Just gone · Daybook');
  });

  test('where its time is gone meanwhile, takes at most two round trips', async () => {
    expect(tripsOf(await lateForm())).toBeLessThanOrEqual(2);
  });
});

describe('the address of a form', () => {
  const actionOf = (page: Page) => page.$('main form')?.getAttribute('action') ?? '';

  // A browser forgets a page whose form posts to the page's own address, if nothing arrives.
  test('is not the one on show', async () => {
    const slot = await freshSlot();

    expect(actionOf(await formOf(slot))).toBe(`${formPath(slot)}?sent`);
  });

  test('is not the one on show after a refusal', async () => {
    const slot = await freshSlot();
    const refused = await (await formOf(slot)).submit('Book', { displayName: ' ', email: 'zoe@example.org' });

    expect(refused.status).toBe(400);
    expect(refused.path).toBe(`${formPath(slot)}?sent`);
    expect(typedIn(refused, 'email')).toBe('zoe@example.org');
    expect(actionOf(refused)).toBe(formPath(slot));
  });

  test('keeps what else it says', async () => {
    const slot = await freshSlot();
    const page = await daybook.visitor().get(`${formPath(slot)}?service=`);

    expect(actionOf(page)).toBe(`${formPath(slot)}?service=&sent`);
  });

  test('is that of the form, for whoever opens it', async () => {
    const slot = await freshSlot();
    const page = await daybook.visitor().get(`${formPath(slot)}?sent`);

    expect(titleOf(page)).toBe('Book a time');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
    expect(page.headers.get('referrer-policy')).toBe('same-origin');
  });
});

describe('the form of a provider who takes accounts alone', () => {
  async function accountsAlone() {
    const eva = await newProvider({ displayName: 'Eva' });
    const slot = await publishOne(eva);
    const before = await formOf(slot);
    await setRules(eva, { openTo: 'accounts' });
    return { slot, before };
  }

  test('says so and asks for nothing', async () => {
    const { slot } = await accountsAlone();

    const page = await formOf(slot);

    expect(fieldsOf(page)).toEqual([]);
    expect(page.words).toContain('Eva takes bookings of people with an account only.');
  });

  test('that was opened before makes no guest', async () => {
    const { before } = await accountsAlone();
    const guests = await guestsCount();

    expect((await before.submit('Book', zoe)).status).toBe(403);

    expect(await guestsCount()).toBe(guests);
  });

  test('books for whoever is logged in', async () => {
    const { slot } = await accountsAlone();

    expect((await (await formOf(slot, maya.browser)).submit('Book')).status).toBe(200);
  });
});

describe('the form of a provider who wants an address', () => {
  async function addressWanted() {
    const eva = await newProvider();
    await setRules(eva, { askEmail: 'required' });
    const templateId = await publishQuestions(eva, intake);
    const [slot] = (await publish(eva, {}, `templateId=${templateId}`)) as [Row];
    return { eva, slot };
  }

  test('says all that is wrong at once', async () => {
    const { slot } = await addressWanted();

    const refused = await (await formOf(slot)).submit('Book', { displayName: ' ', email: 'zoe' });

    expect(refused.status).toBe(400);
    for (const fault of ['Name is missing.', 'That is no e-mail address.', 'needs an answer.'])
      expect(refused.words).toContain(fault);
  });

  test('keeps what was typed where something is wrong', async () => {
    const { slot } = await addressWanted();

    const refused = await (await formOf(slot)).submit('Book', { displayName: ' ', email: 'zoe' });

    expect(typedIn(refused, 'email')).toBe('zoe');
  });

  test('makes nobody of a form with a fault', async () => {
    const { eva, slot } = await addressWanted();
    const before = await guestsCount();

    await (await formOf(slot)).submit('Book', { displayName: ' ', email: 'zoe' });

    expect(await guestsCount()).toBe(before);
    expect((await look(eva, slot)).json).toMatchObject({ status: 0 });
  });

  test('marks the address that is missing', async () => {
    const { eva } = await addressWanted();
    const slot = await publishOne(eva, { start: '10:00', end: '10:30' });
    const before = await guestsCount();

    const missing = await (await formOf(slot)).submit('Book', zoe);

    expect(missing.status).toBe(400);
    expect(missing.$('[name=email]')?.getAttribute('aria-invalid')).toBe('true');
    expect(await guestsCount()).toBe(before);
  });

  const answersFirst = 'Please answer the questions first.';
  const noEmail = 'Please give an e-mail address: it is asked for here.';

  test('says that the questions are unanswered to a guest who gave an address', async () => {
    const { slot } = await addressWanted();
    const guest = await newGuest(daybook, { email: newAddress() });

    const refused = await guest.browser.post(`/details/${slot.id}`, {});

    expect(refused.status).toBe(400);
    expect(refused.words).toContain(answersFirst);
    expect(refused.words).not.toContain(noEmail);
  });

  test('says that the address is missing to a guest who gave none', async () => {
    const eva = await newProvider();
    await setRules(eva, { askEmail: 'required' });
    const slot = await publishOne(eva);
    const guest = await newGuest(daybook);

    const refused = await guest.browser.post(`/details/${slot.id}`, {});

    expect(refused.status).toBe(400);
    expect(refused.words).toContain(noEmail);
  });

  test('asks whoever is refused for a number before the answers', async () => {
    const { eva, slot } = await addressWanted();
    await setRules(eva, { askPhone: 'required' });
    const guest = await newGuest(daybook, { email: newAddress() });

    const refused = await guest.browser.post(`/details/${slot.id}`, {});

    expect(refused.words).toContain('Please give a phone number: it is asked for here.');
  });
});

describe('the form of a provider who wants no address', () => {
  async function noAddressWanted() {
    const eva = await newProvider();
    await setRules(eva, { askEmail: 'no' });
    const slot = await publishOne(eva);
    return { eva, slot, page: await formOf(slot) };
  }

  test('asks for none', async () => {
    const { page } = await noAddressWanted();

    expect(fieldsOf(page)).toEqual(['displayName']);
  });

  test('keeps none that is sent', async () => {
    const { eva, slot, page } = await noAddressWanted();

    const sent = { ...zoe, email: 'zoe@example.org', shown: typedIn(page, 'shown') };
    const done = await daybook.visitor().post(formPath(slot), sent);

    expect(tripsOf(done)).toBe(2);
    expect((await look(eva, slot)).json).toMatchObject({ bookerName: 'Zoë', bookerEmail: null });
  });

  test('books in one round trip', async () => {
    const { slot, page } = await noAddressWanted();

    const done = await daybook.visitor().post(formPath(slot), { ...zoe, shown: typedIn(page, 'shown') });

    expect(done.status).toBe(303);
    expect(tripsOf(done)).toBe(1);
  });
});

describe('strangers who send a form at once', () => {
  test('twice, book once', async () => {
    const page = await formOf(await freshSlot());
    const before = (await guestsCount()) ?? 0;

    const [first, second] = await Promise.all([page.submit('Book', zoe), page.submit('Book', zoe)]);

    expect(first.status).toBe(200);
    expect(second.path).toBe(first.path);
    expect(await guestsCount()).toBe(before + 1);
  });

  test('again after the answer, book once', async () => {
    const page = await formOf(await freshSlot());
    const before = (await guestsCount()) ?? 0;
    const first = await page.submit('Book', zoe);

    expect((await page.submit('Book', zoe)).path).toBe(first.path);

    expect(await guestsCount()).toBe(before + 1);
  });

  test('are fifty, of whom one gets the time and the others are nobody', async () => {
    const before = (await guestsCount()) ?? 0;
    const slot = await freshSlot();
    const pages = await several(50, () => formOf(slot));

    const done = await Promise.all(pages.map((form, place) => form.submit('Book', { displayName: `Runner ${place}` })));

    expect(done.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(49).fill(409)]);
    expect(await guestsCount()).toBe(before + 1);
    const winner = done.findIndex(({ status }) => status === 200);
    expect((await look(ana, slot)).json).toMatchObject({ status: 1, bookerName: `Runner ${winner}` });
  });
});

describe('the page of a personal link', () => {
  async function bookedPage() {
    const slot = await freshSlot();
    const { path } = await bookAsZoe(slot);
    return { slot, path, page: await daybook.visitor().get(path) };
  }

  test('shows the booking to whoever has it, without cookies', async () => {
    const { page } = await bookedPage();

    expect(page.status).toBe(200);
    expect(titleOf(page)).toBe('Your appointment');
    expect(askedOf(page.headers)).toMatchObject({ trips: 1, written: 0 });
  });

  test('is kept by no search engine and no cache', async () => {
    const { page } = await bookedPage();

    expect(contentOf(page, 'name=robots')).toContain('noindex');
    expect(page.headers.get('cache-control')).toBe('private, no-store');
  });

  test('shows its own address to copy', async () => {
    const { page, path } = await bookedPage();

    expect(page.$('section .select-all')?.text).toBe(`${daybook.url}${path}`);
  });

  test('gives an entry for a calendar', async () => {
    const { slot, path } = await bookedPage();

    expect((await daybook.visitor().get(`${path}/daybook.ics`)).text).toContain(`UID:${slot.id}@daybook`);
  });

  test('changes nothing until it is told to cancel', async () => {
    const slot = await freshSlot();
    const { path } = await bookAsZoe(slot);
    const before = await storedRows(daybook);

    await (await daybook.visitor().get(path)).click('Cancel');
    await daybook.visitor().get(`${path}?step=answers`);
    await daybook.visitor().get(`${path}/daybook.ics`);

    expect(await storedRows(daybook)).toEqual(before);
  });

  test('cancels, and tells why', async () => {
    const { slot, page } = await bookedPage();

    const done = await (await page.click('Cancel')).submit('Yes, cancel it', { reason: 'I am ill' });

    expect(done.words).toContain('This appointment is canceled.');
    expect((await look(ana, slot)).json).toMatchObject({ status: 2, bookerName: 'Zoë', cancelReason: 'I am ill' });
  });

  /** The page on which Zoë, who booked with the answer 'A beard', changes it. */
  async function answersPage() {
    const slot = await freshSlot(await whyAsked());
    const form = await formOf(slot);
    const question = questionOn(form);
    const done = await form.submit('Book', { ...zoe, [question]: 'A beard' });
    return { slot, question, page: await (await daybook.visitor().get(done.path)).click('Change my answers') };
  }

  test('changes the answers', async () => {
    const { slot, question, page } = await answersPage();

    expect((await page.submit('Save answers', { [question]: 'A haircut' })).words).toContain('A haircut');

    expect((await look(ana, slot)).json).toMatchObject({ formData: [{ question: 'Why?', answer: 'A haircut' }] });
  });

  test('takes no blank for an answer that is needed', async () => {
    const { question, page } = await answersPage();

    expect((await page.submit('Save answers', { [question]: ' ' })).status).toBe(400);
  });
});

test('the form has no script of its own', async () => {
  const form = await formOf(await freshSlot(await publishQuestions(ana, intake)));

  expect(form.$$('script')).toEqual([]);
});

describe.each([
  ['form', async () => formOf(await freshSlot(await publishQuestions(ana, intake)))],
  ['personal link', async () => bookAsZoe(await freshSlot())],
])('the page of a %s', (_, openPage) => {
  test('weighs at most 10,000 bytes in each language', async () => {
    for (const { language, bytes } of await weightsOf(await openPage()))
      expect(bytes, language).toBeLessThanOrEqual(10_000);
  });

  test('loads no script', async () => {
    expect((await openPage()).$$('script[src], link[rel=modulepreload]')).toEqual([]);
  });
});
