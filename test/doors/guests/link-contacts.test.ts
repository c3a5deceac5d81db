import { beforeAll, describe, expect, test } from 'vitest';
import { book, dayAhead, look, peopleAt, publish, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { confirmAddress, newAddress } from '../../support/mails';
import { createMeetup, createParty, linkOf, type Party, partyOf } from '../../support/party-factories';
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

/** A booking by a stranger. */
async function booked(row: Row, details: Record<string, string> = {}, browser = daybook.visitor()) {
  const form = await browser.get(`/with/${host.username}/${row.id}`);
  // Whoever has come before is known.
  const isKnown = !form.$('[name=displayName]');
  const page = await form.submit('Book', { ...(isKnown ? {} : { displayName: 'Zoë' }), ...details });
  expect(page.path).toMatch(/^\/booking\//);
  return page.path;
}
const save = async (path: string, fields: Record<string, string>) => {
  const page = await daybook.visitor().get(path);
  return page.submit('Save', fields);
};
const slotAt = (place: number) => slots[place] as Row;

describe('at the link of a booking', () => {
  test('an address is added; what happens next is told there, and the provider reads it', async () => {
    const zoe = newAddress();
    const path = await booked(slotAt(0));
    expect((await daybook.visitor().get(path)).words).toContain('No mail is sent: keep this link.');
    const saved = await save(path, { email: zoe });
    expect([saved.status, saved.words]).toEqual([200, expect.stringContaining(`is mailed to ${zoe}`)]);
    expect(mailsTo(zoe)).toEqual([]);
    const row = await look(host, slotAt(0));
    expect(row.json).toMatchObject({ bookerEmail: zoe });
    const page = await host.browser.get(`/view-provider/${slotAt(0).id}`);
    expect(page.words).toContain('Zoë is told by mail');
    await host.api('PUT', `/api/Appointment/Move?id=${slotAt(0).id}&to=${slotAt(1).id}`);
    const moved = await mailServer.got(zoe, /^Moved: Hanna Host/);
    expect(moved.mail.text).toContain('This was not me');
    await host.api('PUT', `/api/Appointment/Cancel?id=${slotAt(1).id}`, { reason: 'ill' });
    expect((await mailServer.got(zoe, /^Canceled: Hanna Host/)).mail.text).toContain(path);
  });

  test('the new address gets the next mail and the old one none; other bookings of the guest stay as they are', async () => {
    const [old, next] = [newAddress(), newAddress()];
    const browser = daybook.visitor();
    const first = await booked(slotAt(2), { email: old }, browser);
    await booked(slotAt(3), {}, browser);
    // Of both bookings.
    await expect.poll(() => mailsTo(old).length, { timeout: 10_000 }).toBe(2);
    await save(first, { email: next });
    const seen = mailsTo(old).length;
    await host.api('PUT', `/api/Appointment/Cancel?id=${slotAt(2).id}`, {});
    await mailServer.got(next, /^Canceled/);
    await host.api('PUT', `/api/Appointment/Cancel?id=${slotAt(3).id}`, {});
    await mailServer.got(old, /^Canceled/);
    expect([mailsTo(next).length, mailsTo(old).length - seen]).toEqual([1, 1]);
    expect(
      mailsTo(next)
        .map(({ raw }) => raw)
        .join(),
    ).not.toContain(old);
  });

  test('nothing is changed without an address, nor too often, nor for an account', async () => {
    const path = await booked(slotAt(4));
    const wrong = await save(path, { email: 'nobody' });
    expect([wrong.status, wrong.words]).toEqual([400, expect.stringContaining('That is no e-mail address.')]);
    expect((await save(path, { email: '' })).status).toBe(400);
    const maya = await newConsumer();
    const own = await book(maya, slotAt(5));
    expect(own.status).toBe(200);
    const link = (own.json as { link: string | null }).link;
    if (link) expect((await daybook.visitor().get(link)).$('[name=email]')).toBeNull();
  });
});

describe('at the link of an answer', () => {
  test('a guest adds an address and a phone number, and hears of changes there', async () => {
    const ada = newAddress();
    const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
    const letter = await daybook.visitor().get(`/party/${party.id}`);
    const { path } = await letter.submit('RSVP', { displayName: 'Ada' });
    const saved = await save(path, { email: ada, phone: '555 03' });
    expect([saved.status, saved.words]).toEqual([200, expect.stringContaining(`Mail about this goes to ${ada}.`)]);
    expect((await partyOf(host, party)).invitations).toMatchObject([{ username: 'Ada', email: ada, phone: '555 03' }]);
    await host.api('PUT', `/api/Party/EditParty/${party.id}`, { address: 'Rua Nova 7' });
    const changed = await mailServer.got(ada, /^Changed: Hanna Host/);
    expect(changed.mail.text).toContain(path);
    expect(changed.mail.text).toContain('This was not me');
    const other = newAddress();
    await save(path, { email: other });
    await host.api('DELETE', `/api/Party/DeleteParty?id=${party.id}`);
    await mailServer.got(other, /^Called off/);
    expect(mailsTo(ada)).toHaveLength(1);
  });
});

describe('at the link of a name', () => {
  const meetupWith = (details: object): Promise<Party> => createMeetup(host, { attendees: [details, 'Ben'] });

  test('the name says where mail goes, also where its host has said otherwise', async () => {
    const [given, own] = [newAddress(), newAddress()];
    const meetup = await meetupWith({ name: 'Ada', email: given });
    await mailServer.got(given, /^An invitation/);
    const path = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
    await (await daybook.visitor().get(path)).submit('Accept');
    await mailServer.got(given, /^Your answer/);
    const saved = await save(path, { email: own });
    expect(saved.words).toContain(`Mail about this goes to ${own}.`);
    const seen = mailsTo(given).length;
    await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, { title: 'Other book' });
    const changed = await mailServer.got(own, /^Changed: /);
    expect(changed.mail.text).toContain('This was not me');
    expect(changed.mail.text).not.toContain('gave this address with your invitation');
    expect(mailsTo(given)).toHaveLength(seen);
  });

  test('mail to an address that a name typed ends for this host alone, by the link in it', async () => {
    const own = newAddress();
    const meetup = await meetupWith({ name: 'Ada' });
    const path = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
    await (await daybook.visitor().get(path)).submit('Accept', { email: own });
    const answered = await mailServer.got(own, /^Your answer/);
    const end = /To end these mails: https?:\/\/[^/]+(\S+)/.exec(answered.mail.text ?? '')?.[1] ?? '';
    const page = await daybook.visitor().get(end);
    await page.submit('main form button');
    const off = await daybook.d1
      .prepare('SELECT mail_off FROM accounts WHERE username = ?')
      .bind(host.username)
      .first('mail_off');
    expect(off).toBe('[]');
    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);
    const told = await daybook.d1.prepare(
      "SELECT count(*) AS n FROM messages WHERE kind = 'called-off' AND party_id = ?",
    );
    expect(await told.bind(meetup.id).first('n')).toBe(0);
    expect(mailsTo(own)).toHaveLength(1);
  });
});

test('a link takes ten changes an hour', async () => {
  const { newProvider: provider } = peopleAt(limited);
  const karla = await provider({ displayName: 'Karla' });
  const [slot] = await publish(karla, { dates: [dayAhead(5)], end: '09:30' });
  const guest = await newGuest(limited, { displayName: 'Zoë' });
  const visitor = limited.visitor();
  const { link: path } = (await book(guest, slot as Row)).json as { link: string };
  const page = await visitor.get(path);
  const change = (email: string) => page.submit('Save', { email });
  for (let times = 0; times < 10; times++) expect((await change(`zoe.${times}@mail.test`)).status).toBe(200);
  const refused = await change('zoe.last@mail.test');
  expect([refused.status, refused.words]).toEqual([429, expect.stringContaining('Too many tries')]);
});
