import { beforeAll, describe, expect, test } from 'vitest';
import { eventWaysWords } from '../../../app/domain/messages/event-ways';
import { confirmAddress } from '../../support/confirmed';
import { type Person, peopleAt, publishOne } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, linkOf, type Party, reply, rsvp } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* What a screen says before a button that tells people: by which way each hears of it. */

const daybook = useServer();
const { newProvider, newConsumer } = peopleAt(daybook);
const { host } = useWorld(daybook, { host: {} });

test('the words count people by the way that they are told, and name those who are not', () => {
  const none = { count: 0, named: [] };
  const nobody = { mail: 0, bare: 0, news: 0, call: none, blocked: none };
  expect(eventWaysWords(nobody, true)).toBe('Nobody is coming so far, so nobody is told.');
  expect(eventWaysWords({ ...nobody, mail: 1, news: 2 }, true)).toBe(
    'One person is told by mail; 2 people read it in their news, and by mail where they want that, with your reason.',
  );
  const named = [
    { name: 'Zoë', phone: '555 01' },
    { name: 'Ben', phone: null },
  ];
  expect(eventWaysWords({ ...nobody, call: { count: 4, named } }, false)).toBe(
    'Zoë (555 01), Ben and 2 more have no e-mail here: please call.',
  );
  const ben = { count: 1, named: named.slice(1) };
  expect(eventWaysWords({ ...nobody, call: ben, blocked: { count: 2, named } }, true)).toBe(
    'Ben has no e-mail here: please call. Zoë (555 01) and Ben get no mail: please call.',
  );
  expect(eventWaysWords({ ...nobody, bare: 1 }, true)).toBe(
    'One person is told by mail. Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address.',
  );
});

describe('a party', () => {
  test('says it where it is edited and deleted', async () => {
    const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
    expect((await host.browser.get(`/edit-party/${party.id}`)).words).toContain('so nobody is told');
    await rsvp(await newConsumer(), party);
    await rsvp(await newGuest(daybook, { email: 'one@mail.test' }), party);
    await rsvp(await newGuest(daybook, { displayName: 'Zoë' }), party, {}, { phone: '555 01' });
    await rsvp(await newGuest(daybook, { displayName: 'Never' }), party, { accepted: false });
    const words = 'One person is told by mail; one person reads it in their news, and by mail where they want that';
    for (const path of [`/edit-party/${party.id}`, `/view-party/${party.id}`]) {
      const page = await host.browser.get(path);
      expect(page.words).toContain(words);
      expect(page.words).toContain('Zoë (555 01) has no e-mail here: please call.');
      expect(page.words).not.toContain('Never (');
    }
  });
});

/** As if the address had had all its mails of today. */
const fill = (email: string) =>
  daybook.d1
    .prepare(
      "INSERT INTO throttles (bucket, tries, ends_at) SELECT 'mail:' || email_hash, 10, ?1 FROM accounts WHERE email = ?2 ON CONFLICT DO UPDATE SET tries = 10",
    )
    .bind(Date.now() + 3_600_000, email)
    .run();
const heldFor = async (email: string) =>
  (
    await daybook.d1
      .prepare("SELECT reason FROM messages WHERE email = ? AND mail_state = 'held' AND kind = 'changed'")
      .bind(email)
      .all<{ reason: string }>()
  ).results.map(({ reason }) => reason);

test('a guest of a party whose address gets no more mail today is to be called', async () => {
  const party = await createParty(host, { openTo: 'anyone', askPhone: 'optional' });
  const email = 'full@mail.test';
  await rsvp(await newGuest(daybook, { displayName: 'Zoë', email }), party, {}, { phone: '555 01' });
  const told = async () => (await host.browser.get(`/edit-party/${party.id}`)).words;
  expect(await told()).toContain('One person is told by mail');
  await fill(email);
  expect(await told()).toContain('Zoë (555 01) gets no mail: please call.');
  expect(await told()).not.toContain('told by mail');
  await host.api('PUT', `/api/Party/EditParty/${party.id}`, { startTime: '19:00' });
  expect(await heldFor(email)).toEqual(['full']);
});

test('the letter of an answer names no address to which no mail goes', async () => {
  const party = await createParty(host, { openTo: 'anyone' });
  const email = 'letter@mail.test';
  const form = await daybook.visitor().visit(`/party/${party.id}`);
  const letter = await form.submit('RSVP', { displayName: 'Zoë', email });
  const words = async () => (await daybook.visitor().visit(letter.path)).words;
  expect(await words()).toContain(`Mail about this goes to ${email}.`);
  await fill(email);
  expect(await words()).toContain('No mail is sent: keep this link.');
  expect(await words()).not.toContain(email);
  // It stays in the form, where it can be changed.
  const full = await daybook.visitor().visit(letter.path);
  expect(full.$('[name=email]')?.getAttribute('value')).toBe(email);
});

describe('a meetup', () => {
  let meetup: Party;
  const toldOf = async (who: Person, id: string) => (await who.browser.get(`/manage-meetup/${id}`)).words;
  beforeAll(async () => {
    await confirmAddress(daybook.d1, host);
    meetup = await createMeetup(host, { attendees: [{ name: 'Ada', email: 'ada@mail.test' }, 'Ben', 'Cem'] });
    await reply(daybook.visitor(), linkOf(meetup, 'Cem'), { accepted: false });
  });

  test('says it where it is edited and deleted', async () => {
    expect(await toldOf(host, meetup.id)).toContain(
      'One person is told by mail, with your reason. Ben has no e-mail here: please call.',
    );
  });

  test('promises no mail that is held back, and no reason that stays out of it', async () => {
    const stranger = await newProvider();
    const draft = { attendees: [{ name: 'Ada', email: 'ada@mail.test' }, 'Ben'] };
    const held = await createMeetup(stranger, draft);
    const { id } = held;
    expect(await toldOf(stranger, id)).toContain('Ben has no e-mail here: please call. Ada gets no mail: please call.');
    const untold = await reply(daybook.visitor(), linkOf(held, 'Ada'), { accepted: true });
    expect(untold.status).toBe(200);
    const adas = await daybook.visitor().visit(`/meetup-rsvp/${linkOf(held, 'Ada').id}`);
    expect(adas.words).toContain('No mail is sent: keep this link.');
    const letter = await daybook.visitor().visit(`/meetup-rsvp/${linkOf(held, 'Ben').id}`);
    await letter.submit('Accept', { email: 'ben@mail.test' });
    expect(await toldOf(stranger, id)).toContain(
      'One person is told by mail. Your reason is at the link in the mail; to have it in the mail, confirm your own e-mail address. Ada gets no mail: please call.',
    );
  });

  test('promises no mail to new addresses, of which its host has reached the most of a day', async () => {
    const karla = await newProvider();
    await confirmAddress(daybook.d1, karla);
    const attendees = Array.from({ length: 31 }, (_, at) => ({ name: `Name ${at}`, email: `n${at}@new.test` }));
    const { id } = await createMeetup(karla, { attendees });
    expect(await toldOf(karla, id)).toMatch(
      /30 people are told by mail, with your reason\. Name \d+ gets no mail: please call\./,
    );
  });

  test('a link that its host has replaced says so, and by whom', async () => {
    const before = linkOf(meetup, 'Ben');
    const answer = await host.api('PUT', `/api/meetup/ReplaceLink?id=${before.id}`);
    expect(answer.status).toBe(200);
    const old = await daybook.visitor().get(`/meetup-rsvp/${before.id}`);
    expect([old.status, old.words]).toEqual([
      404,
      expect.stringContaining('This link was replaced by Hanna Host. The new link shows your invitation'),
    ]);
    expect(old.words).not.toContain('Book club');
    const { id } = answer.json as { id: string };
    expect((await daybook.visitor().get(`/meetup-rsvp/${id}`)).status).toBe(200);
    expect((await daybook.visitor().get(`/meetup-rsvp/${'a'.repeat(22)}`)).words).toContain(
      "Sorry, we couldn't find your invitation.",
    );
  });
});

test('whoever has just booked reads where the mail goes', async () => {
  const [maya, slot] = [await newConsumer({ email: 'maya@mail.test' }), await publishOne(host)];
  const page = await maya.browser.get(`/details/${slot.id}`);
  const done = await page.submit('Book this appointment');
  expect(done.words).toContain('It is mailed to maya@mail.test.');
  const noor = await newConsumer();
  const [other] = [await publishOne(host, { start: '10:00', end: '10:30' })];
  const second = await (await noor.browser.get(`/details/${other.id}`)).submit('Book this appointment');
  expect(second.words).toContain('No mail is sent.');
});
