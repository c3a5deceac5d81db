import { beforeAll, describe, expect, test } from 'vitest';
import { eventWaysWords } from '../../../app/domain/messages/event-ways';
import { type Person, peopleAt, publishOne } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { confirmAddress } from '../../support/mails';
import { edit } from '../../support/party-calls';
import { createMeetup, createParty, linkOf, type Party, reply, rsvp } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';

/* What a screen says before a button that tells people: by which way each hears of it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host } = useWorld(daybook, { host: {} });

test('the words count people by the way that they are told, and name those who are not', () => {
  const none = { count: 0, named: [] };
  const nobody = { mail: 0, bare: 0, news: 0, call: none, blocked: none };
  const named = [
    { name: 'Zoë', phone: '555 01' },
    { name: 'Ben', phone: null },
  ];
  const ben = { count: 1, named: named.slice(1) };
  const both = { count: 2, named };
  const told =
    'One person is told by mail; 2 people read it in their news, and by mail where they want that, with your reason.';
  const bare =
    'One person is told by mail. Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.';
  for (const [ways, hasReason, words] of [
    [{}, true, 'Nobody is coming so far, so nobody is told.'],
    [{ mail: 1, news: 2 }, true, told],
    [{ call: { count: 4, named } }, false, 'Zoë (555 01), Ben and 2 more have no e-mail here: please call.'],
    [
      { call: ben, blocked: both },
      true,
      'Ben has no e-mail here: please call. Zoë (555 01) and Ben get no mail: please call.',
    ],
    [{ bare: 1 }, true, bare],
  ] as const) {
    expect(eventWaysWords({ ...nobody, ...ways }, hasReason)).toBe(words);
  }
});

/** As if the address had had all its mails of today. */
const fill = (email: string) =>
  daybook.d1
    .prepare(
      "INSERT INTO throttles (bucket, tries, ends_at) SELECT 'mail:' || email_hash, 10, ?1 FROM accounts WHERE email = ?2 ON CONFLICT DO UPDATE SET tries = 10",
    )
    .bind(Date.now() + 3_600_000, email)
    .run();

describe('a party', () => {
  test('says it where it is edited and deleted', async () => {
    const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
    expect((await host.browser.get(`/edit-party/${party.id}`)).words).toContain('so nobody is told');
    await rsvp(await newConsumer(), party);
    await rsvp(await newGuest(daybook, { email: 'one@mail.test' }), party);
    await rsvp(await newGuest(daybook, { displayName: 'Zoë' }), party, {}, { phone: '555 01' });
    await rsvp(await newGuest(daybook, { displayName: 'Never' }), party, { accepted: false });
    for (const path of [`/edit-party/${party.id}`, `/view-party/${party.id}`]) {
      const { words } = await host.browser.get(path);
      expect(words).toContain('One person is told by mail; one person reads it in their news, and by mail where');
      expect(words).toContain('Zoë (555 01) has no e-mail here: please call.');
      expect(words).not.toContain('Never (');
    }
  });

  test('names a guest whose address gets no more mail today, to be called', async () => {
    const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
    const email = 'full@mail.test';
    await rsvp(await newGuest(daybook, { displayName: 'Zoë', email }), party, {}, { phone: '555 01' });
    const told = async () => (await host.browser.get(`/edit-party/${party.id}`)).words;
    expect(await told()).toContain('One person is told by mail');
    await fill(email);
    expect(await told()).toContain('Zoë (555 01) gets no mail: please call.');
    expect(await told()).not.toContain('told by mail');
    await edit(host, party, { startTime: '19:00' });
    const held = "SELECT reason FROM messages WHERE email = ? AND mail_state = 'held' AND kind = 'changed'";
    expect((await daybook.d1.prepare(held).bind(email).all()).results).toEqual([{ reason: 'full' }]);
  });

  test('names no address on the letter of an answer to which no mail goes', async () => {
    const party = await createParty(host, { openTo: 'anyone' });
    const email = 'letter@mail.test';
    const form = await daybook.visitor().visit(`/party/${party.id}`);
    const { path } = await form.submit('RSVP', { displayName: 'Zoë', email });
    expect((await daybook.visitor().visit(path)).words).toContain(`Mail about this goes to ${email}.`);
    await fill(email);
    const full = await daybook.visitor().visit(path);
    expect(full.words).toContain('No mail is sent: keep this link.');
    expect(full.words).not.toContain(email);
    // It stays in the form, where it can be changed.
    expect(full.$('[name=email]')?.getAttribute('value')).toBe(email);
  });
});

describe('a meetup', () => {
  let meetup: Party;
  const draft = { attendees: [{ name: 'Ada', email: 'ada@mail.test' }, 'Ben', 'Cem'] };
  const toldOf = async (who: Person, id: string) => (await who.browser.get(`/manage-meetup/${id}`)).words;
  const openLink = (of: Party, name: string) => daybook.visitor().get(`/meetup-rsvp/${linkOf(of, name).id}`);
  beforeAll(async () => {
    await confirmAddress(daybook.d1, host);
    meetup = await createMeetup(host, draft);
    await reply(daybook.visitor(), linkOf(meetup, 'Cem'), { accepted: false });
  });

  test('says it where it is edited and deleted', async () => {
    const told = 'One person is told by mail, with your reason. Ben has no e-mail here: please call.';
    expect(await toldOf(host, meetup.id)).toContain(told);
  });

  test('promises no mail that is held back, and no reason that stays out of it', async () => {
    const stranger = await newProvider();
    const held = await createMeetup(stranger, draft);
    const blocked = 'Ada gets no mail: please call.';
    expect(await toldOf(stranger, held.id)).toContain(`Ben and Cem have no e-mail here: please call. ${blocked}`);
    await reply(daybook.visitor(), linkOf(held, 'Cem'), { accepted: false });
    expect((await reply(daybook.visitor(), linkOf(held, 'Ada'))).status).toBe(200);
    expect((await openLink(held, 'Ada')).words).toContain('No mail is sent: keep this link.');
    await (await openLink(held, 'Ben')).submit('Accept', { email: 'ben@mail.test' });
    const bare = 'Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.';
    expect(await toldOf(stranger, held.id)).toContain(`One person is told by mail. ${bare} ${blocked}`);
  });

  test('promises no mail to new addresses, of which its host has reached the most of a day', async () => {
    const karla = await confirmAddress(daybook.d1, await newProvider());
    const attendees = Array.from({ length: 31 }, (_, at) => ({ name: `Name ${at}`, email: `n${at}@new.test` }));
    const { id } = await createMeetup(karla, { attendees });
    const told = /30 people are told by mail, with your reason\. Name \d+ gets no mail: please call\./;
    expect(await toldOf(karla, id)).toMatch(told);
  });
});

test('whoever has just booked reads where the mail goes', async () => {
  const book = async (who: Person, details: object = {}) =>
    (await who.browser.get(`/details/${(await publishOne(host, details)).id}`)).submit('Book this appointment');
  const maya = await newConsumer({ email: 'maya@mail.test' });
  expect((await book(maya)).words).toContain('It is mailed to maya@mail.test.');
  const later = { start: '10:00', end: '10:30' };
  expect((await book(await newConsumer(), later)).words).toContain('No mail is sent.');
});
