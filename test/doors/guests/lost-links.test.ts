import { describe, expect, test } from 'vitest';
import { newsOf } from '../../support/account-calls';
import { agenda, bookFor } from '../../support/appointment-calls';
import { book, cancel, dayAhead, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, countMails, mailTo, newAddress } from '../../support/mails';
import { createParty } from '../../support/party-factories';
import { storedRows, useServer, useWorld } from '../../support/use-server';
import { type Page, tripsOf } from '../../support/visit';
import { add as wait, wishesOf } from '../../support/waitlist';
import { weightsOf } from '../../support/weight';

/* Somebody has lost a personal link, or has one that is cut in two. */

const daybook = useServer();
const { newProvider } = peopleAt(daybook);
const { ana } = useWorld(daybook, { ana: {} });

const stranger = () => daybook.visitor();
const mailsTo = (address: string) => countMails(stranger(), address);
const ask = async (email: string): Promise<Page> =>
  (await stranger().get('/lost-link')).submit('Send my links again', { email });
const said =
  'If appointments, places in line or answers to parties belong to this address, a mail with the link of each is on its way.';

const waitlistSubject = /You are on the waitlist/;

/** A guest with an address has booked some times, and has the mails about that. */
async function guestWith(many: number) {
  const [host, email] = [await newProvider(), newAddress()];
  const slots = (await publish(host, { end: '13:00' })) as Row[];
  const guest = await newGuest(daybook, { email });
  for (const slot of slots.slice(0, many)) await book(guest, slot);
  await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(many);
  return { email, guest, slots };
}
/** Waits until all mail that was written before is kept. */
async function waitForMail() {
  const [email, [slot]] = [newAddress(), await publish(await newProvider())];
  await book(await newGuest(daybook, { email }), slot as Row);
  await mailTo(stranger(), email, bookedSubject);
}
const wordsOf = ({ text }: Page) => text.replaceAll(/nonce="[^"]*"|name="once" value="[^"]*"/g, '');

describe('a link that opens nothing', () => {
  test.each(['/booking/AAAA', '/answer/AAAA', '/waiting/AAAA', '/offer/AAAA'])(
    'says how to get another: %s',
    async (path) => {
      const page = await stranger().get(path);

      expect(page.status).toBe(404);
      expect((await page.click('Get the link again')).path).toBe('/lost-link');
    },
  );
});

describe('links that are asked for', () => {
  test('are mailed to the address that booked', async () => {
    const { email } = await guestWith(2);

    expect((await ask(email)).words).toContain(said);

    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(4);
    expect((await stranger().get((await mailTo(stranger(), email, bookedSubject)).link('/booking/'))).status).toBe(200);
  });

  test('are mailed once a day', async () => {
    const { email } = await guestWith(1);

    for (const _ of ['once', 'again']) await ask(email);
    await waitForMail();

    expect(await mailsTo(email)).toBe(2);
  });

  test('lead to a place in line too', async () => {
    const [host, email] = [await newProvider(), newAddress()];
    const guest = await newGuest(daybook, { email });
    await wait(guest, host, { from: dayAhead(80), to: dayAhead(80) });
    const [wish] = await wishesOf(guest);
    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(1);

    await ask(email);

    await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(2);
    expect((await mailTo(stranger(), email, waitlistSubject)).text).toContain(wish?.link);
  });

  describe('of answers to parties', () => {
    const answerSubject = /^Your answer/;
    /** A stranger has answered a party, and has the mail about that. */
    async function answered() {
      const [host, email] = [await newProvider(), newAddress()];
      const party = await createParty(host, { openTo: 'anyone' });
      const page = await (await stranger().get(`/party/${party.id}`)).submit('RSVP', { displayName: 'Ada', email });
      await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(1);
      return { host, party, email, letter: page.path };
    }

    test('lead to the answer', async () => {
      const { email, letter } = await answered();

      await ask(email);

      await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(2);
      expect((await mailTo(stranger(), email, answerSubject)).link('/answer/')).toBe(letter);
    });

    test('are mailed to the address of one answer, and not to its guest’s other one', async () => {
      const { email, letter } = await answered();
      const other = newAddress();
      await (await stranger().get(letter)).submit('form:has([name=email])', { email: other });

      for (const address of [email, other]) await ask(address);
      await mailTo(stranger(), other, answerSubject);
      await waitForMail();

      expect(await mailsTo(email)).toBe(1);
    });

    test('are not those to a party that is called off', async () => {
      const { host, party, email } = await answered();
      await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
      await mailTo(stranger(), email, /^Called off/);

      await ask(email);
      await waitForMail();

      expect(await mailsTo(email)).toBe(2);
    });
  });

  test('are five at most', async () => {
    const { email } = await guestWith(1);
    await daybook.d1.prepare('DELETE FROM throttles').run();
    const [host] = [await newProvider()];
    const guest = await newGuest(daybook, { email });
    for (const slot of (await publish(host, { end: '13:00' })).slice(0, 7)) await book(guest, slot);
    await daybook.d1.prepare('DELETE FROM throttles').run();

    await ask(email);
    await waitForMail();

    expect(await mailsTo(email)).toBe(8 + 5);
  });

  test('are not those of what is canceled', async () => {
    const { email, guest, slots } = await guestWith(1);
    await cancel(guest, slots[0] as Row);

    await ask(email);
    await waitForMail();

    expect(await mailsTo(email)).toBe(2);
  });

  test('are not mailed where somebody said that it was not them', async () => {
    const { email } = await guestWith(1);
    const { link } = await mailTo(stranger(), email, bookedSubject);
    await (await stranger().get(link('/not-me/'))).submit('This was not me: send no more mail');

    await ask(email);
    await waitForMail();

    expect(await mailsTo(email)).toBe(1);
  });

  test('are mailed to the address of one booking, and not to its client’s other one', async () => {
    const { email, guest } = await guestWith(1);
    const { link } = await mailTo(stranger(), email, bookedSubject);
    const other = newAddress();
    await (await guest.browser.get(link('/booking/'))).submit('form:has([name=email])', { email: other });

    for (const address of [email, other]) await ask(address);
    await mailTo(stranger(), other, bookedSubject);
    await waitForMail();

    expect(await mailsTo(email)).toBe(1);
  });

  test('bring no news', async () => {
    const { email, guest } = await guestWith(1);
    const before = await guest.api('GET', '/api/Account/GetNews?page=0');

    await ask(email);

    expect((await guest.api('GET', '/api/Account/GetNews?page=0')).json).toEqual(before.json);
  });
});

test('links that no mail may bring are no news for the provider who typed the address', async () => {
  const [host, email] = [await newProvider(), newAddress()];
  await bookFor(host, await publishOne(host), { displayName: 'Wanda', email });
  const before = await newsOf(host);

  await ask(email);

  expect(await agenda(host)).toHaveLength(1);
  expect(await newsOf(host)).toEqual(before);
});

describe('the response', () => {
  test('is the same whoever has booked', async () => {
    const { email } = await guestWith(1);

    const [known, unknown] = [await ask(email), await ask(newAddress())];

    expect(unknown.path).toBe(known.path);
    expect(wordsOf(unknown)).toBe(wordsOf(known));
  });

  test('takes one trip, whoever has booked', async () => {
    const { email } = await guestWith(1);
    const trips = async (email: string) => tripsOf(await stranger().post('/lost-link', { email }));

    expect(await trips(email)).toBe(1);
    expect(await trips(newAddress())).toBe(1);
  });

  test('to no address asks for one', async () => {
    const before = await storedRows(daybook);

    expect((await ask('')).status).toBe(400);
    expect((await ask('not an address')).status).toBe(400);
    expect(await storedRows(daybook)).toEqual(before);
  });

  test('is a letter of one request', async () => {
    for (const { language, requests, bytes } of await weightsOf(await stranger().get('/lost-link'))) {
      expect(requests).toBe(1);
      expect(bytes, language).toBeLessThanOrEqual(10_000);
    }
  });
});

test('a provider is asked for a link on the page of a lost one', async () => {
  expect((await ana.browser.get('/lost-link')).words).toContain('please ask them');
});
