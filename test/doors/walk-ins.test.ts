import { beforeAll, describe, expect, test } from 'vitest';
import { book, dayAhead, look, type Person, peopleAt, publishOne, type Row } from '../support/factories';
import { useServer } from '../support/use-server';
import type { Page } from '../support/visit';

/* What a provider does for whoever walks in or calls, on the page of an appointment. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

let ana: Person;
let maya: Person;
beforeAll(async () => {
  [ana, maya] = await Promise.all([newProvider(), newConsumer()]);
});

let days = 1;
const freshSlot = () => {
  days += 1;
  return publishOne(ana, { dates: [dayAhead(days)] });
};
const open = (slot: Row) => ana.browser.get(`/details-provider/${slot.id}`);
const linkOn = (page: Page) => page.$('input[readonly]')?.getAttribute('value') ?? '';
const noteForm = 'form:has([name=intent][value=note])';
const wanda = { displayName: 'Wanda', note: 'By telephone' };

describe('booking for someone', () => {
  test('is one form on an open slot, and shows the link for them once', async () => {
    const slot = await freshSlot();
    const list = await ana.browser.get('/view-open');
    expect(list.$(`a[href="/details-provider/${slot.id}#for-someone"]`)).not.toBeNull();
    const done = await (await open(slot)).submit('Book for them', wanda);
    expect([done.status, new URL(done.url).pathname]).toEqual([200, `/details-provider/${slot.id}`]);
    const link = linkOn(done);
    expect(link).toMatch(/\/booking\/[\w-]{22}$/);
    expect((await daybook.visitor().visit(new URL(link).pathname)).words).toContain('Booked for Wanda.');
    expect((await look(ana, slot)).json).toMatchObject({ bookerName: 'Wanda', privateNote: 'By telephone' });
    expect(linkOn(await open(slot))).toBe('');
  });

  test('shows no link by a word that is of another slot, made up, or another provider’s', async () => {
    const [slot, other] = [await freshSlot(), await freshSlot()];
    const made = new URL((await (await open(slot)).submit('Book for them', wanda)).url).search;
    await book(maya, other);
    for (const query of [made, '?made=x']) {
      expect(linkOn(await ana.browser.get(`/details-provider/${other.id}${query}`))).toBe('');
    }
    const rival = await newProvider();
    expect((await rival.browser.get(`/details-provider/${slot.id}${made}`)).status).toBe(404);
  });

  test('says what is wrong and keeps what was typed; sent twice it books once', async () => {
    const slot = await freshSlot();
    const page = await open(slot);
    const refused = await page.submit('Book for them', { displayName: ' ', email: 'w', note: 'Late' });
    expect([refused.status, refused.$('[name=email]')?.getAttribute('value')]).toEqual([400, 'w']);
    expect(refused.words).toContain('Name is missing.');
    expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
    const sent = await Promise.all([page.submit('Book for them', wanda), page.submit('Book for them', wanda)]);
    expect(sent.map(({ status }) => status)).toEqual([200, 200]);
    expect(linkOn(sent[0] as Page)).toBe(linkOn(sent[1] as Page));
  });

  test('says that somebody was faster', async () => {
    const slot = await freshSlot();
    const page = await open(slot);
    await book(maya, slot);
    const late = await page.submit('Book for them', wanda);
    expect([late.status, late.words]).toEqual([409, expect.stringContaining('just been booked by someone else')]);
  });
});

describe('a booked appointment', () => {
  test('has a note that only its provider sees, to change and to take away', async () => {
    const slot = await freshSlot();
    await book(maya, slot);
    const saved = await (await open(slot)).submit('Save note', { note: 'Parks outside' });
    expect(saved.words).toContain('Your note is saved.');
    expect((await look(ana, slot)).json).toMatchObject({ privateNote: 'Parks outside' });
    expect((await maya.browser.get(`/details-cancel/${slot.id}`)).words).not.toContain('Parks outside');
    const refused = await saved.submit('Save note', { note: 'x'.repeat(1001) });
    expect([refused.status, refused.$(`${noteForm} textarea`)?.getAttribute('aria-invalid')]).toEqual([400, 'true']);
    await saved.submit('Save note', { note: '' });
    expect((await look(ana, slot)).json).toMatchObject({ privateNote: null });
  });

  test('gets a new link, which ends the old one', async () => {
    const slot = await freshSlot();
    const { link: before } = (await book(maya, slot)).json as Row;
    const done = await (await open(slot)).submit('New link');
    const { pathname } = new URL(linkOn(done));
    expect(pathname).not.toBe(before);
    expect((await daybook.visitor().get(before ?? '')).status).toBe(404);
    expect((await daybook.visitor().get(pathname)).status).toBe(200);
  });
});
