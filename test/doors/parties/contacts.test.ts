import { describe, expect, test } from 'vitest';
import { dump } from '../../../app/local/database';
import { complaints } from '../../support/complaints';
import { peopleAt } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { createMeetup, createParty, linkOf, type Party, partyOf, readParty, rsvp } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* What a host asks of whoever comes: an e-mail address and a phone number. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { host } = useWorld(daybook, { host: {} });

const forAnyone = (details: object = {}) => createParty(host, { openTo: 'anyone', ...details });
const guestsOf = async (party: { id: string }) =>
  (await partyOf(host, party)).invitations.map(({ id: _, meetupId: __, ...guest }) => guest);
const yes = 'main form[action$="?guest"] [name=accepted][value=true]';
const csvOf = async (party: Party) =>
  (
    await host.browser.get(
      party.meetupId ? `/manage-meetup/${party.id}/attendees.csv` : `/view-party/${party.id}/guests.csv`,
    )
  ).text;
const changeRsvp = ({ id, meetupId }: { id: string; meetupId: string }, body?: object, accepted = true) =>
  daybook.visitor().api('PUT', `/api/meetup/ChangeRsvp?id=${id}&meetupid=${meetupId}&accepted=${accepted}`, body);

describe('what a host asks', () => {
  test('is an e-mail address that may be left out, unless they say otherwise', async () => {
    const party = await forAnyone();
    expect(party).not.toHaveProperty('askEmail');
    expect(party).not.toHaveProperty('askPhone');
    const edited = await host.api('PUT', `/api/Party/EditParty/${party.id}`, { askEmail: 'no', askPhone: 'required' });
    expect(edited.json).toMatchObject({ askEmail: 'no', askPhone: 'required' });
    expect((await host.api('PUT', `/api/Party/EditParty/${party.id}`, { title: 'Same' })).json).toMatchObject({
      askPhone: 'required',
    });
    expect(complaints(await host.api('PUT', `/api/Party/EditParty/${party.id}`, { askPhone: 'maybe' }))).toHaveLength(
      1,
    );
    expect(await createMeetup(host, { askPhone: 'optional' })).toMatchObject({ askPhone: 'optional' });
  });

  test('is on the forms of parties and meetups, and goes along in a copy', async () => {
    const form = await host.browser.get('/create-party');
    const made = await form.submit('Create party', { title: 'Evening', date: '2031-05-01', askPhone: 'required' });
    const id = new URL(made.url).searchParams.get('party') ?? '';
    expect((await readParty(host, { id })).json).toMatchObject({ askPhone: 'required' });
    const copy = await host.browser.get(`/create-party?copy=${id}`);
    expect(copy.$('[name=askPhone] option[selected]')?.getAttribute('value')).toBe('required');
    const meetup = await createMeetup(host);
    const page = await host.browser.get(`/manage-meetup/${meetup.id}`);
    await page.submit('Save meetup', { askEmail: 'required' });
    expect((await readParty(host, meetup)).json).toMatchObject({ askEmail: 'required' });
  });
});

describe('a party', () => {
  test('asks a stranger for what its host wants, and keeps it with the answer', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });
    const page = await daybook.visitor().get(`/party/${party.id}`);
    const refused = await page.submit(yes, { displayName: 'Zoë', phone: 'call me' });
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('Please give an e-mail address')]);
    expect(refused.words).toContain('A phone number has');
    expect(await guestsOf(party)).toEqual([]);
    const done = await refused.submit(yes, { displayName: 'Zoë', email: 'zoe@mail.test', phone: '+351 (21) 555-01' });
    expect([done.status, done.path]).toEqual([200, expect.stringMatching(/^\/answer\//)]);
    expect(await guestsOf(party)).toEqual([
      { username: 'Zoë', accepted: true, email: 'zoe@mail.test', phone: '+351 (21) 555-01' },
    ]);
    const list = await host.browser.get(`/view-party/${party.id}`);
    expect(list.words).toContain('zoe@mail.test');
    expect(list.words).toContain('+351 (21) 555-01');
    // A number with a plus is no formula.
    expect(await csvOf(party)).toContain(",zoe@mail.test,'+351 (21) 555-01");
  });

  test('does not keep what its host does not ask for, and shows it to nobody else', async () => {
    const party = await forAnyone({ askEmail: 'no' });
    const page = await daybook.visitor().get(`/party/${party.id}`);
    expect([page.$('[name=email]'), page.$('[name=phone]')]).toEqual([null, null]);
    await page.submit(yes, { displayName: 'Zoë' });
    expect(await guestsOf(party)).toEqual([{ username: 'Zoë', accepted: true }]);
    const other = await forAnyone({ askPhone: 'optional' });
    await rsvp(await newGuest(daybook), other, {}, { email: 'seen@mail.test', phone: '555 01' });
    expect(await guestsOf(other)).toMatchObject([{ email: 'seen@mail.test', phone: '555 01' }]);
    const seen =
      (await readParty(await newConsumer(), other)).text + (await daybook.visitor().get(`/party/${other.id}`)).text;
    expect(seen).not.toMatch(/seen@mail|555 01/);
  });

  test('asks by the call too, of accounts for a phone number alone', async () => {
    const party = await forAnyone({ askEmail: 'required', askPhone: 'required' });
    const [maya, guest] = [await newConsumer(), await newGuest(daybook)];
    expect((await rsvp(maya, party)).status).toBe(400);
    expect((await rsvp(maya, party, {}, { phone: '12345', email: 'other@mail.test' })).status).toBe(200);
    expect((await rsvp(guest, party, {}, { phone: '12345' })).status).toBe(400);
    expect((await rsvp(guest, party, {}, { phone: '12345', email: 'g@mail.test' })).status).toBe(200);
    expect((await rsvp(guest, party)).status).toBe(200);
    expect((await rsvp(await newGuest(daybook), party, { accepted: false })).status).toBe(200);
    const known = await newGuest(daybook, { email: 'known@mail.test' });
    expect((await rsvp(known, party, {}, { phone: '77777' })).status).toBe(200);
    const guests = await guestsOf(party);
    expect(guests).toContainEqual({ username: maya.username, accepted: true, phone: '12345' });
    expect(guests).toContainEqual({
      username: guest.displayName,
      accepted: true,
      phone: '12345',
      email: 'g@mail.test',
    });
    expect(guests).toContainEqual({
      username: known.displayName,
      accepted: true,
      phone: '77777',
      email: 'known@mail.test',
    });
    expect(complaints(await rsvp(guest, party, {}, { phone: 'x', email: 'y' }))).toHaveLength(2);
  });
});

describe('a meetup', () => {
  test('asks whoever has a personal link, on the letter and by the call', async () => {
    const meetup = await createMeetup(host, { askEmail: 'required', askPhone: 'optional' });
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    const letter = await daybook.visitor().get(`/meetup-rsvp/${ada.id}`);
    const refused = await letter.submit('Accept');
    expect([refused.status, refused.words]).toEqual([400, expect.stringContaining('Please give an e-mail address')]);
    const done = await refused.submit('Accept', { email: 'ada@mail.test', phone: '555 02' });
    expect(done.words).toContain('You accepted.');
    expect(complaints(await changeRsvp(ben))).toHaveLength(1);
    expect((await changeRsvp(ben, undefined, false)).status).toBe(200);
    const answered = await changeRsvp(ben, { email: 'ben@mail.test' });
    expect([answered.status, answered.json]).toEqual([200, { ...ben, accepted: true }]);
    expect((await changeRsvp(ben)).status).toBe(200);
    expect(await guestsOf(meetup)).toMatchObject([
      { username: 'Ada', accepted: true, email: 'ada@mail.test', phone: '555 02' },
      { username: 'Ben', accepted: true, email: 'ben@mail.test' },
    ]);
    expect((await host.browser.get(`/manage-meetup/${meetup.id}`)).words).toContain('555 02');
    expect(await csvOf(meetup)).toContain(',ada@mail.test,555 02');
  });
});

test('what guests gave is in the export of both sides, and goes with the guest', async () => {
  const party = await forAnyone({ askPhone: 'required' });
  const guest = await newGuest(daybook);
  await rsvp(guest, party, {}, { phone: '555 987 01', email: 'gone@mail.test' });
  for (const who of [host, guest]) {
    const { text } = await who.api('GET', '/api/Account/Export');
    expect(text).toContain('555 987 01');
    expect(text).toContain('gone@mail.test');
  }
  expect((await guest.api('DELETE', '/api/Account/Delete', {})).status).toBe(204);
  expect(JSON.stringify(await dump(daybook.d1))).not.toMatch(/555 987 01|gone@mail\.test/);
});
