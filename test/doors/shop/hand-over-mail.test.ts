import { expect, test } from 'vitest';
import { newsTexts } from '../../support/account-calls';
import { book, dayAhead, type Person, peopleAt, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { confirmAddress, newAddress } from '../../support/mails';
import { shopWith } from '../../support/shops';
import { useMail } from '../../support/use-mail';

/* What the page of a hand-over says of how clients hear of it, beside what they get. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);
const date = dayAhead(2);

/** A shop of two; Ana has a guest with an address, an account with one, an account without, and a guest without. */
async function fourClients() {
  const owner = await confirmAddress(daybook.d1, await newProvider({ displayName: 'Olga Owner' }));
  const { people, slots } = await shopWith([owner, await newProvider()], { end: '11:00', dates: [date] });
  const address = newAddress();
  const clients = {
    mailedGuest: { ...(await newGuest(daybook, { displayName: 'Gus Guest', email: address })), email: address },
    mailed: await confirmAddress(daybook.d1, await newConsumer({ displayName: 'Maya Mail' })),
    reader: await newConsumer({ displayName: 'Nora News' }),
    untold: await newGuest(daybook, { displayName: 'Uma Untold' }),
  };
  for (const [place, client] of Object.values(clients).entries()) await book(client, slots[1]?.[place] as Row);
  return { owner, ana: people[1] as Person, clients };
}

test('the page of a hand-over says before and after by which way each client hears of it, and they do', async () => {
  const { owner, ana, clients } = await fourClients();
  const page = await owner.browser.get(`/shop/hand-over?of=${ana.username}&date=${date}`);
  const id = page.$$('input[name=id]').map((box) => box.getAttribute('value') ?? '');

  const done = await page.submit('Hand over what is ticked', { id });

  expect(done.words).toContain('4 appointments are with others now.');
  for (const { words } of [page, done]) {
    expect(words).toContain('Gus Guest is told by mail.');
    expect(words).toContain('Maya Mail is told by mail.');
    expect(words).toContain('Nora News reads it in their news.');
    expect(words).toContain('Uma Untold has no e-mail: please call.');
  }
  for (const { email } of [clients.mailedGuest, clients.mailed]) {
    const { mail } = await mailServer.got(email, /^With somebody else now: Olga Owner/);
    expect(mail.text).toContain('It is with Olga Owner');
  }
  expect(await newsTexts(clients.reader)).toContainEqual(expect.stringContaining('Olga Owner'));
});
