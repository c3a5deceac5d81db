import { beforeAll, expect, test } from 'vitest';
import { book, cancel, dayAhead, look, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { confirmAddress, newAddress } from '../../support/mails';
import { edit } from '../../support/party-calls';
import { createMeetup, createParty, linkOf, partyOf } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';
import { useServer, useWorld } from '../../support/use-server';

/* An e-mail address that is added or changed at a personal link: the next mails about that one thing go there. */

const { mailServer, daybook } = useMail();
const { newConsumer } = peopleAt(daybook);
const limited = useServer({ vars: { RATE_LIMIT: undefined } });

const mailsTo = (address: string) => mailServer.arrived.filter(({ to }) => to === address);

const { host } = useWorld(daybook, { host: {} });
let slots: Row[];
beforeAll(async () => {
  await confirmAddress(daybook.d1, host);
  slots = await publish(host, { dates: [dayAhead(5)], end: '16:00' });
});

/** A booking by a stranger; whoever has come before is known. */
async function booked(row: Row, typed: Record<string, string> = { displayName: 'Zoë' }, browser = daybook.visitor()) {
  const page = await (await browser.get(`/with/${host.username}/${row.id}`)).submit('Book', typed);
  expect(page.path).toMatch(/^\/booking\//);
  return page.path;
}
const save = async (path: string, fields: Record<string, string>) =>
  (await daybook.visitor().get(path)).submit('Save', fields);
const slotAt = (place: number) => slots[place] as Row;

test('at the link of a booking an address is added; what happens next is told there, and the provider reads it', async () => {
  const zoe = newAddress();
  const path = await booked(slotAt(0));
  for (const email of ['nobody', '']) expect((await save(path, { email })).status).toBe(400);
  const saved = await save(path, { email: zoe });
  expect([saved.status, saved.words]).toEqual([200, expect.stringContaining(`is mailed to ${zoe}`)]);
  expect(mailsTo(zoe)).toEqual([]);
  expect((await look(host, slotAt(0))).json).toMatchObject({ bookerEmail: zoe });
  await host.api('PUT', `/api/Appointment/Move?id=${slotAt(0).id}&to=${slotAt(1).id}`);
  expect((await mailServer.got(zoe, /^Moved: Hanna Host/)).mail.text).toContain('This was not me');
  await cancel(host, slotAt(1), 'ill');
  expect((await mailServer.got(zoe, /^Canceled: Hanna Host/)).mail.text).toContain(path);
  // An account says it elsewhere.
  const { link } = (await book(await newConsumer(), slotAt(4))).json as { link: string };
  expect((await daybook.visitor().get(link)).$('[name=email]')).toBeNull();
});

test('the new address gets the next mail and the old one none; other bookings of the guest stay as they are', async () => {
  const [old, next] = [newAddress(), newAddress()];
  const browser = daybook.visitor();
  const first = await booked(slotAt(2), { displayName: 'Zoë', email: old }, browser);
  await booked(slotAt(3), {}, browser);
  // Of both bookings.
  await expect.poll(() => mailsTo(old).length, { timeout: 10_000 }).toBe(2);
  await save(first, { email: next });
  await cancel(host, slotAt(2));
  expect((await mailServer.got(next, /^Canceled/)).raw).not.toContain(old);
  await cancel(host, slotAt(3));
  await mailServer.got(old, /^Canceled/);
  expect([mailsTo(next).length, mailsTo(old).length]).toEqual([1, 3]);
});

test('at the link of an answer a guest adds an address and a phone number, and hears of changes there', async () => {
  const ada = newAddress();
  const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
  const letter = await daybook.visitor().get(`/party/${party.id}`);
  const { path } = await letter.submit('RSVP', { displayName: 'Ada' });
  const saved = await save(path, { email: ada, phone: '555 03' });
  expect([saved.status, saved.words]).toEqual([200, expect.stringContaining(`Mail about this goes to ${ada}.`)]);
  expect((await partyOf(host, party)).invitations).toMatchObject([{ username: 'Ada', email: ada, phone: '555 03' }]);
  await edit(host, party, { address: 'Rua Nova 7' });
  const changed = (await mailServer.got(ada, /^Changed: Hanna Host/)).mail.text;
  for (const words of [path, 'This was not me']) expect(changed).toContain(words);
});

test('a name of a meetup says where mail goes, also where its host has said otherwise, and ends it for this host alone', async () => {
  const [given, own] = [newAddress(), newAddress()];
  const meetup = await createMeetup(host, { attendees: [{ name: 'Ada', email: given }, 'Ben'] });
  await mailServer.got(given, /^An invitation/);
  const path = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
  await (await daybook.visitor().get(path)).submit('Accept');
  await mailServer.got(given, /^Your answer/);
  expect((await save(path, { email: own })).words).toContain(`Mail about this goes to ${own}.`);
  await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, { title: 'Other book' });
  const { text = '' } = (await mailServer.got(own, /^Changed: /)).mail;
  expect(text).toContain('This was not me');
  expect(text).not.toContain('gave this address with your invitation');
  const end = /To end these mails: https?:\/\/[^/]+(\S+)/.exec(text)?.[1] ?? '';
  await (await daybook.visitor().get(end)).submit('main form button');
  const off = daybook.d1.prepare('SELECT mail_off FROM accounts WHERE username = ?');
  expect(await off.bind(host.username).first('mail_off')).toBe('[]');
  await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);
  const told = daybook.d1.prepare("SELECT count(*) AS n FROM messages WHERE kind = 'called-off' AND party_id = ?");
  expect(await told.bind(meetup.id).first('n')).toBe(0);
  expect([mailsTo(given).length, mailsTo(own).length]).toEqual([2, 1]);
});

test('a link takes ten changes an hour', async () => {
  const karla = await peopleAt(limited).newProvider();
  const slot = await publishOne(karla, { dates: [dayAhead(5)] });
  const { link: path } = (await book(await newGuest(limited), slot)).json as { link: string };
  const page = await limited.visitor().get(path);
  const change = async (times: number) => (await page.submit('Save', { email: `zoe.${times}@mail.test` })).status;
  for (let times = 0; times < 10; times++) expect(await change(times)).toBe(200);
  expect(await change(10)).toBe(429);
});
