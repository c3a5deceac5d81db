import { describe, expect, test } from 'vitest';
import { book, cancel, dayAhead, look, publishOne, type Row } from '../../support/factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

/* What a provider does for whoever walks in or calls, on the page of an appointment. */

const daybook = useServer();
const { ana, rival, maya } = useWorld(daybook, { ana: {}, rival: {}, maya: {} });

let days = 1;
const freshSlot = () => publishOne(ana, { dates: [dayAhead(++days)] });
const open = (slot: Row) => ana.browser.get(`/details-provider/${slot.id}`);
const linkOn = (page: Page) => page.$('input[readonly]')?.getAttribute('value') ?? '';
const pathOn = (page: Page) => new URL(linkOn(page)).pathname;
const wanda = { displayName: 'Wanda', note: 'By telephone' };

/** The code on a page of a link that was just made. */
const codeOn = (page: Page) => page.$('#code')?.text ?? '';
const typeCode = async (code: string) =>
  (await daybook.visitor().get('/claim')).submit('Show my appointment', { code });
/** A slot booked for somebody, as the page after it shows it. */
async function bookedFor(slot?: Row): Promise<Page> {
  return (await open(slot ?? (await freshSlot()))).submit('Book for them', wanda);
}

describe('booking for someone', () => {
  test('is one form on an open slot, and shows the link for them once', async () => {
    const slot = await freshSlot();
    const done = await bookedFor(slot);
    expect(linkOn(done)).toMatch(/\/booking\/[\w-]{22,}$/);
    expect((await daybook.visitor().visit(pathOn(done))).words).toContain('Booked for Wanda.');
    expect((await look(ana, slot)).json).toMatchObject({ bookerName: 'Wanda', privateNote: 'By telephone' });
    expect(linkOn(await open(slot))).toBe('');
  });

  test('shows no link by a word that is of another slot, made up, or another provider’s', async () => {
    const [slot, other] = [await freshSlot(), await freshSlot()];
    const made = new URL((await bookedFor(slot)).url).search;
    await book(maya, other);
    for (const query of [made, '?made=x']) {
      expect(linkOn(await ana.browser.get(`/details-provider/${other.id}${query}`))).toBe('');
    }
    expect((await rival.browser.get(`/details-provider/${slot.id}${made}`)).status).toBe(404);
  });

  test('says what is wrong and keeps what was typed; sent twice it books once', async () => {
    const slot = await freshSlot();
    const page = await open(slot);
    const refused = await page.submit('Book for them', { displayName: ' ', email: 'w', note: 'Late' });
    expect([refused.status, refused.$('[name=email]')?.getAttribute('value')]).toEqual([400, 'w']);
    expect((await look(ana, slot)).json).toMatchObject({ status: 0 });
    const [one, other] = await Promise.all([page.submit('Book for them', wanda), page.submit('Book for them', wanda)]);
    expect([one.status, other.status, linkOn(one)]).toEqual([200, 200, linkOn(other)]);
  });
});

describe('the slip of paper', () => {
  test('has the link as text and as a picture, and a code that opens it once, in any spelling', async () => {
    const page = await bookedFor();
    expect(page.$('.slip svg title')?.text).toBe('QR code of the link');
    expect(codeOn(page)).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
    const form = await daybook.visitor().get('/claim');
    const code = ` ${codeOn(page).toLowerCase().replace('-', ' – ')} `;
    // The same form sent twice leads to the same page.
    for (const opened of await Promise.all([1, 2].map(() => form.submit('Show my appointment', { code }))))
      expect([opened.path, opened.words]).toEqual([pathOn(page), expect.stringContaining('Booked for Wanda.')]);
    const spent = await typeCode(codeOn(page));
    expect([spent.status, spent.$('[name=code]')?.getAttribute('value')]).toEqual([400, codeOn(page)]);
    const again = await ana.browser.get(page.path);
    expect([codeOn(again), linkOn(again)]).toEqual(['', linkOn(page)]);
  });

  test('of two who type it at once, one gets in', async () => {
    const code = codeOn(await bookedFor());
    const pages = await Promise.all([1, 2, 3, 4].map(() => typeCode(code)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  test('says the same of a wrong code, of one that was canceled, and of one whose link was replaced', async () => {
    const [canceled, replaced] = [await freshSlot(), await freshSlot()];
    const codes = [codeOn(await bookedFor(canceled)), codeOn(await bookedFor(replaced))];
    await cancel(ana, canceled);
    const anew = await (await open(replaced)).submit('New link');
    for (const page of await Promise.all(['22222-22222', 'x', ...codes].map(typeCode)))
      expect([page.status, page.words]).toEqual([400, expect.stringContaining('This code opens nothing.')]);
    expect(codes).not.toContain(codeOn(anew));
    expect((await typeCode(codeOn(anew))).path).toBe(pathOn(anew));
  });
});

test('the note of a booked appointment is its provider’s alone, to change and to take away', async () => {
  const slot = await freshSlot();
  await book(maya, slot);
  const saved = await (await open(slot)).submit('Save note', { note: 'Parks outside' });
  expect((await look(ana, slot)).json).toMatchObject({ privateNote: 'Parks outside' });
  expect((await maya.browser.get(`/details-cancel/${slot.id}`)).words).not.toContain('Parks outside');
  expect((await saved.submit('Save note', { note: 'x'.repeat(1001) })).status).toBe(400);
  await saved.submit('Save note', { note: '' });
  expect((await look(ana, slot)).json).toMatchObject({ privateNote: null });
});
