import { beforeAll, describe, expect, test, vi } from 'vitest';
import { book, cancel, dayAhead, look, peopleAt, publish, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { confirmAddress, newAddress } from '../../support/mails';
import { edit } from '../../support/party-calls';
import { createMeetup, createParty, linkOf, type Party, partyOf } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';
import { useServer, useWorld } from '../../support/use-server';
import type { Page } from '../../support/visit';

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
const nextSlot = () => slots.shift() as Row;

/** A stranger books; the path is that of the personal link. Whoever has come before is known. */
async function bookAsStranger(
  slot: Row,
  typed: Record<string, string> = { displayName: 'Zoë' },
  browser = daybook.visitor(),
) {
  const page = await (await browser.get(`/with/${host.username}/${slot.id}`)).submit('Book', typed);
  expect(page.path).toMatch(/^\/booking\//);
  return page.path;
}
const saveAt = async (path: string, fields: Record<string, string>) =>
  (await daybook.visitor().get(path)).submit('Save', fields);

describe('an address that is added at the link of a booking', () => {
  const zoe = newAddress();
  let path: string;
  let slot: Row;
  let saved: Page;
  beforeAll(async () => {
    slot = nextSlot();
    path = await bookAsStranger(slot);
    saved = await saveAt(path, { email: zoe });
  });

  test.each(['nobody', ''])('is refused where it is none: "%s"', async (email) => {
    const { status } = await saveAt(path, { email });

    expect(status).toBe(400);
  });

  test('is confirmed on the page', () => {
    expect(saved.status).toBe(200);
    expect(saved.words).toContain(`is mailed to ${zoe}`);
  });

  test('gets no mail before something happens', () => {
    expect(mailsTo(zoe)).toEqual([]);
  });

  test('is read by the provider', async () => {
    expect((await look(host, slot)).json).toMatchObject({ bookerEmail: zoe });
  });

  test('hears of a move, and can say that it belongs to somebody else', async () => {
    const later = nextSlot();

    await host.api('PUT', `/api/Appointment/Move?id=${slot.id}&to=${later.id}`);
    slot = later;

    expect((await mailServer.got(zoe, /^Moved: Hanna Host/)).mail.text).toContain('This was not me');
  });

  test('hears of a cancellation, with the link', async () => {
    await cancel(host, slot, 'ill');

    expect((await mailServer.got(zoe, /^Canceled: Hanna Host/)).mail.text).toContain(path);
  });
});

test('somebody with an account is asked for no address at the link', async () => {
  const { link } = (await book(await newConsumer(), nextSlot())).json as { link: string };

  const page = await daybook.visitor().get(link);

  expect(page.$('[name=email]')).toBeNull();
});

describe('an address that is replaced at the link of one of two bookings', () => {
  const old = newAddress();
  const next = newAddress();
  beforeAll(async () => {
    const [first, second] = [nextSlot(), nextSlot()];
    const browser = daybook.visitor();
    const path = await bookAsStranger(first, { displayName: 'Zoë', email: old }, browser);
    await bookAsStranger(second, {}, browser);
    // Of both bookings.
    await vi.waitFor(() => expect(mailsTo(old)).toHaveLength(2), { timeout: 10_000, interval: 20 });
    await saveAt(path, { email: next });
    await cancel(host, first);
    await cancel(host, second);
  });

  test('gets no more mail about it', async () => {
    const { raw } = await mailServer.got(next, /^Canceled/);

    expect(raw).not.toContain(old);
    expect(mailsTo(next)).toHaveLength(1);
  });

  test('still gets the mail about the other', async () => {
    await mailServer.got(old, /^Canceled/);

    expect(mailsTo(old)).toHaveLength(3);
  });
});

describe('at the link of an RSVP to a party', () => {
  const ada = newAddress();
  let party: Party;
  let path: string;
  let saved: Page;
  beforeAll(async () => {
    party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
    const letter = await daybook.visitor().get(`/party/${party.id}`);
    ({ path } = await letter.submit('RSVP', { displayName: 'Ada' }));
    saved = await saveAt(path, { email: ada, phone: '555 03' });
  });

  test('a guest adds an address', () => {
    expect(saved.status).toBe(200);
    expect(saved.words).toContain(`Mail about this goes to ${ada}.`);
  });

  test('a guest who types nothing is refused', async () => {
    const { status } = await saveAt(path, { email: '', phone: '' });

    expect(status).toBe(400);
  });

  test('the host reads the address and the number', async () => {
    const { invitations } = await partyOf(host, party);

    expect(invitations).toMatchObject([{ username: 'Ada', email: ada, phone: '555 03' }]);
  });

  test('the guest hears of changes there, and can say that the address belongs to somebody else', async () => {
    await edit(host, party, { address: 'Rua Nova 7' });

    const { text } = (await mailServer.got(ada, /^Changed: Hanna Host/)).mail;
    expect(text).toContain(path);
    expect(text).toContain('This was not me');
  });
});

describe('the address that a name of a meetup puts in the place of its host’s', () => {
  const given = newAddress();
  const own = newAddress();
  let meetup: Party;
  let saved: Page;
  let change: string;
  let path: string;
  beforeAll(async () => {
    meetup = await createMeetup(host, { attendees: [{ name: 'Ada', email: given }, 'Ben'] });
    await mailServer.got(given, /^An invitation/);
    path = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
    await (await daybook.visitor().get(path)).submit('Accept');
    await mailServer.got(given, /^Your answer/);
    saved = await saveAt(path, { email: own });
    await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, { title: 'Other book' });
    change = (await mailServer.got(own, /^Changed: /)).mail.text ?? '';
  });

  test('is confirmed on the page', () => {
    expect(saved.words).toContain(`Mail about this goes to ${own}.`);
  });

  test('is refused where nothing is typed', async () => {
    const { status } = await saveAt(path, { email: '' });

    expect(status).toBe(400);
  });

  test('alone hears of changes', () => {
    expect(mailsTo(own)).toHaveLength(1);
    expect(mailsTo(given)).toHaveLength(2);
  });

  test('hears that somebody at the link gave it, not the host', () => {
    expect(change).toContain('This was not me');
    expect(change).not.toContain('gave this address with your invitation');
  });

  describe('once its mails were ended', () => {
    beforeAll(async () => {
      const end = /To end these mails: https?:\/\/[^/]+(\S+)/.exec(change)?.[1] ?? '';
      await (await daybook.visitor().get(end)).submit('main form button');
    });

    test('leaves the mail of the host as it was', async () => {
      const find = daybook.d1.prepare('SELECT mail_off FROM accounts WHERE username = ?').bind(host.username);

      expect(await find.first('mail_off')).toBe('[]');
    });

    test('is not told that the meetup is called off', async () => {
      await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);

      const find = daybook.d1.prepare("SELECT id FROM messages WHERE kind = 'called-off' AND party_id = ?");
      expect((await find.bind(meetup.id).all()).results).toEqual([]);
      expect(mailsTo(own)).toHaveLength(1);
      expect(mailsTo(given)).toHaveLength(2);
    });
  });
});

test('a link takes ten changes an hour', async () => {
  const karla = await peopleAt(limited).newProvider();
  const slot = await publishOne(karla, { dates: [dayAhead(5)] });
  const { link } = (await book(await newGuest(limited), slot)).json as { link: string };
  const page = await limited.visitor().get(link);
  const change = async (time: number) => (await page.submit('Save', { email: `zoe.${time}@mail.test` })).status;

  for (let time = 1; time <= 10; time++) expect(await change(time)).toBe(200);

  expect(await change(11)).toBe(429);
});
