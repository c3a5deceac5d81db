import { beforeAll, describe, expect, test } from 'vitest';
import { bookFor } from '../../support/appointment-calls';
import { book, type Person, password, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, countMails, mailTo, newAddress } from '../../support/mails';
import { createMeetup, linkOf, type Party } from '../../support/party-factories';
import { createCard } from '../../support/people';
import { useServer } from '../../support/use-server';

/* One mailbox, written in other ways: it is stored, counted and refused as mail is sent to it. RATE_LIMIT is off here. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);

const mailsTo = (address: string) => countMails(daybook.visitor(), address);
/** ASCII letters and signs in their wide form. */
const wide = (text: string) => text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const wideDomain = (email: string) => email.replace(/[^@]*$/, wide);

/** Waits until all mail before this is kept. */
async function waitForMail(slot: Row): Promise<void> {
  const witness = newAddress();
  await book(await newGuest(daybook, { email: witness }), slot);
  await mailTo(daybook.visitor(), witness, bookedSubject);
}

test('ten mails a day go to a mailbox, in however many ways it is written', async () => {
  const [karla, email] = [await newProvider(), newAddress()];
  const slots = (await publish(karla, { start: '09:00', end: '15:30' })) as Row[];
  const [name, domain] = email.split('@') as [string, string];
  const spellings = [
    email,
    wideDomain(email),
    `${wide(name)}@${domain}`,
    wide(email),
    `${name}@${domain.replace('.', '。')}`,
  ];

  for (const [place, slot] of slots.slice(0, 12).entries())
    await book(await newGuest(daybook, { email: spellings[place % spellings.length] }), slot);

  await waitForMail(slots[12] as Row);
  expect(await mailsTo(email)).toBe(10);
});

test('“This was not me” ends mail to the mailbox, however it is written next', async () => {
  const [karla, email] = [await newProvider(), newAddress()];
  const [first, second, third] = (await publish(karla, { end: '10:30' })) as [Row, Row, Row];
  await book(await newGuest(daybook, { email }), first);
  const mail = await mailTo(daybook.visitor(), email, bookedSubject);
  await (await daybook.visitor().visit(mail.link('/not-me/'))).submit('This was not me: send no more mail');

  await book(await newGuest(daybook, { email: wideDomain(email) }), second);

  await waitForMail(third);
  expect(await mailsTo(email)).toBe(1);
});

test('a domain in letters of another alphabet is kept as mail is sent to it', async () => {
  const guest = await newGuest(daybook, { email: 'gus@bücher.test' });

  expect((await guest.api('GET', '/api/Account/Profile')).json).toMatchObject({ email: 'gus@xn--bcher-kva.test' });
});

describe('an address in wide signs is kept as mail is sent to it', () => {
  const addresses = () => {
    const email = newAddress();
    return { email, typed: wideDomain(email) };
  };
  const addressIn = ({ id }: Party) =>
    daybook.d1.prepare('SELECT email FROM invitations WHERE party_id = ?').bind(id).first('email');

  let karla: Person;
  beforeAll(async () => {
    karla = await newProvider();
  });

  test('by an account that sets its own', async () => {
    const { email, typed } = addresses();

    const { json } = await (await newConsumer()).api('PUT', '/api/Account/SetEmail', { email: typed, password });

    expect(json).toMatchObject({ email });
  });

  test('by the card of a client', async () => {
    const { email, typed } = addresses();

    expect(await createCard(karla, { name: 'Ada', email: typed })).toMatchObject({ email });
  });

  test('by a booking for somebody who walks in', async () => {
    const { email, typed } = addresses();
    const slot = await publishOne(karla);

    const { json } = await bookFor(karla, slot, { displayName: 'Wil', email: typed });

    expect(json).toMatchObject({ bookerEmail: email });
  });

  test('by a name with which a meetup is made', async () => {
    const { email, typed } = addresses();

    const meetup = await createMeetup(karla, { attendees: [{ name: 'Ida', email: typed }] });

    expect(await addressIn(meetup)).toBe(email);
  });

  test('by a name of a meetup that is given one later', async () => {
    const { email, typed } = addresses();
    const meetup = await createMeetup(karla, { attendees: ['Cem'] });

    await karla.api('PUT', `/api/meetup/SetAttendeeEmail?id=${linkOf(meetup, 'Cem').id}`, { email: typed });

    expect(await addressIn(meetup)).toBe(email);
  });
});

test('a card is found by its address however it is written', async () => {
  const karla = await newProvider();
  await createCard(karla, { name: 'Ada', email: 'ada@bücher.test' });

  const again = await karla.api('POST', '/api/People/Create', { name: 'Other', email: 'ada@xn--bcher-kva.test' });
  const found = await karla.api('GET', `/api/People/GetPage?q=${encodeURIComponent('Ada@Bücher.test')}`);

  expect(again.status).toBe(409);
  expect(found.json).toMatchObject([{ name: 'Ada' }]);
});

test.each([
  ['an escaped letter', 'a@ex%61mple.test'],
  ['a path', 'a@example.test/x'],
  ['a number of a machine', 'a@10.0.0.10'],
  ['another form of it', 'a@0x7f.0x10'],
  ['an empty part', 'a@example..test'],
  ['a broken code', 'a@xn--0.test'],
  ['a wide slash', 'a@example.test／x.test'],
])('a domain with %s is no address', async (_, email) => {
  const refused = await daybook.visitor().api('POST', '/api/Account/Guest', { displayName: 'Gus', email });

  expect(refused).toMatchObject({ status: 400, json: ['That is no e-mail address.'] });
});
