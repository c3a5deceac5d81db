import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { complaints, refusal } from '../../support/complaints';
import { confirmAddress } from '../../support/confirmed';
import { type Person, peopleAt, several } from '../../support/factories';
import { mailTo } from '../../support/mails';
import { addNames, attendee, nothing } from '../../support/meetup-calls';
import {
  createMeetup,
  createParty,
  type Invitation,
  linkOf,
  meetupDraft,
  type Party,
  partyOf,
  rsvp,
} from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

/* The addresses of a meetup's names, given by a program. */

const daybook = useServer();
const { newConsumer } = peopleAt(daybook);
const { host, rival } = useWorld(daybook, { host: {}, rival: {} });
beforeAll(async () => {
  await confirmAddress(daybook.d1, host);
});

let addresses = 0;
const newAddress = () => `named.${++addresses}@mail.test`;
const invitedAt = (address: string) => mailTo(daybook.visitor(), address, /^An invitation/);
const mailsTo = async (address: string) =>
  (await daybook.visitor().get('/mail')).text.split('<li>').filter((line) => line.includes(address)).length;
const setEmail = (who: Pick<Person, 'api'>, { id }: { id: string }, email: unknown) =>
  who.api('PUT', `/api/meetup/SetAttendeeEmail?id=${id}`, { email });
const create = (attendees: unknown) => host.api('POST', '/api/meetup/CreateMeetup', meetupDraft({ attendees }));

describe('names with an address', () => {
  test('are mailed their link, at creation and when added; names alone are taken as before', async () => {
    const [ada, cem] = [newAddress(), newAddress()];
    const made = await create([{ name: ' Ada ', email: ada }, 'Ben', { name: 'Dora' }, { name: 'Eve', email: null }]);
    expect(made.status).toBe(201);
    const meetup = made.json as Party;
    expect(meetup.attendees.map(({ username }) => username)).toEqual(['Ada', 'Ben', 'Dora', 'Eve']);
    expect((await invitedAt(ada)).link('/meetup-rsvp/')).toContain(linkOf(meetup, 'Ada').id);
    const added = await addNames(host, meetup, ['Fay', { name: 'Cem', email: cem }]);
    expect(added.status).toBe(201);
    expect((await invitedAt(cem)).link('/meetup-rsvp/')).toContain(linkOf(added.json as Party, 'Cem').id);
    expect(JSON.stringify([made.json, added.json])).not.toContain('@mail.test');
  });

  test.each([
    ['a wrong address', [{ name: 'Ada', email: 'ada@nowhere' }]],
    ['an address that is no text', [{ name: 'Ada', email: 7 }]],
    ['an address of 255', [{ name: 'Ada', email: `${'a'.repeat(245)}@mail.test` }]],
    ['no name', [{ email: 'ada@mail.test' }]],
    ['a name that is no text', [{ name: 7 }]],
    ['a name of 81', [{ name: 'x'.repeat(81) }]],
    ['a name twice, with and without an address', ['Ada', { name: 'ADA', email: 'ada@mail.test' }]],
    ['a list in the list', [['Ada']]],
  ])('with %s are one message, and nobody is invited', async (_, attendees) => {
    expect(complaints(await create(attendees))).toHaveLength(1);
    const meetup = await createMeetup(host);
    expect(complaints(await addNames(host, meetup, attendees))).toHaveLength(1);
    expect(await partyOf(host, meetup)).toEqual(meetup);
  });
});

describe('SetAttendeeEmail', () => {
  test('sends the invitation there, and to another address when that changes', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    const [first, second] = [newAddress(), newAddress()];
    const answer = await setEmail(host, ada, ` ${first} `);
    expect([answer.status, answer.json]).toEqual([200, ada]);
    expect((await invitedAt(first)).link('/meetup-rsvp/')).toContain(ada.id);
    expect((await setEmail(host, ada, second)).status).toBe(200);
    await invitedAt(second);
    await host.api('PUT', `/api/meetup/EditMeetup/${meetup.id}`, { title: 'Another title' });
    await mailTo(daybook.visitor(), second, /^Changed: /);
    expect(await mailsTo(first)).toBe(1);
    for (const none of [null, '', '  ']) expect((await setEmail(host, ada, none)).status).toBe(200);
    await host.api('DELETE', `/api/meetup/DeleteMeetup?id=${meetup.id}`);
    await sleep(300);
    expect(await mailsTo(second)).toBe(2);
  });

  test('of another’s, of a party’s guest and of nobody is the same 404', async () => {
    const [meetup, party] = await Promise.all([createMeetup(host), createParty(host)]);
    const guest = (await rsvp(await newConsumer(), party)).json as Invitation;
    const address = newAddress();
    const missing = await setEmail(host, nothing, address);
    expect(refusal(missing)).toBe(404);
    for (const answer of [
      await setEmail(rival, linkOf(meetup, 'Ada'), address),
      await setEmail(host, guest, address),
    ]) {
      expect([answer.status, answer.text]).toEqual([404, missing.text]);
    }
    expect(refusal(await setEmail(daybook.visitor(), linkOf(meetup, 'Ada'), address))).toBe(401);
    expect(refusal(await setEmail(await newConsumer(), linkOf(meetup, 'Ada'), address))).toBe(403);
    await sleep(300);
    expect(await mailsTo(address)).toBe(0);
  });

  test('with what is no address is refused, and the address stays', async () => {
    const ada = linkOf(await createMeetup(host), 'Ada');
    const address = newAddress();
    await setEmail(host, ada, address);
    for (const wrong of ['ada@nowhere', 'two@mail.test, three@mail.test', 7, undefined, [], 'x'.repeat(300)]) {
      expect(complaints(await setEmail(host, ada, wrong))).toHaveLength(1);
    }
    expect(complaints(await host.api('PUT', '/api/meetup/SetAttendeeEmail', { email: address }))).toHaveLength(1);
    const stored = await daybook.d1.prepare('SELECT email FROM invitations WHERE id = ?').bind(ada.id).first('email');
    expect(stored).toBe(address);
  });

  test('again, and many times at once, sends one mail; whoever has ended it gets no other', async () => {
    const ada = linkOf(await createMeetup(host), 'Ada');
    const address = newAddress();
    const answers = [...(await several(4, () => setEmail(host, ada, address))), await setEmail(host, ada, address)];
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200));
    const mail = await invitedAt(address);
    const end = await daybook.visitor().visit(mail.link('/unsubscribe/'));
    await end.submit('No more mails from this sender');
    expect((await setEmail(host, ada, address)).status).toBe(200);
    await sleep(300);
    expect(await mailsTo(address)).toBe(1);
    expect((await attendee(daybook.visitor(), ada)).json).toEqual(ada);
  });
});
