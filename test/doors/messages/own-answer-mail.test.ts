import { describe, expect, test } from 'vitest';
import { readCalendar } from '../../support/calendars';
import { confirmAddress } from '../../support/confirmed';
import { peopleAt } from '../../support/factories';
import { newGuest } from '../../support/guests';
import type { Arrived } from '../../support/mail-server';
import { createMeetup, createParty, linkOf, reply, rsvp } from '../../support/party-factories';
import { useMail } from '../../support/use-mail';

/* One's own answer to a party or meetup, by mail to whoever left an address. */

const { mailServer, daybook } = useMail();
const { newProvider, newConsumer } = peopleAt(daybook);

let addresses = 0;
const newAddress = () => `guest.${++addresses}@mail.test`;
const mailsTo = (address: string) => mailServer.arrived.filter(({ to }) => to === address);
const answered = (address: string, after = 0) => mailServer.got(address, /^Your answer: /, after);
const linkIn = ({ mail }: Arrived) => /Change your answer: https?:\/\/[^/]+(\S+)/.exec(mail.text ?? '')?.[1] ?? '';

function calendarIn({ mail }: Arrived) {
  const content = mail.attachments.find(({ contentType }) => /calendar/.test(contentType))?.content;
  return content ? readCalendar(`${content}`) : null;
}
const fileAt = async (path: string) => readCalendar((await daybook.visitor().get(`${path}/daybook.ics`)).text);

describe('a guest who answers a party', () => {
  test('has the answer by mail at once, with the entry and the link of this answer', async () => {
    const [host, other] = [
      await newProvider({ displayName: 'Hanna Host' }),
      await newProvider({ displayName: 'Otto Other' }),
    ];
    await Promise.all([confirmAddress(daybook.d1, host), confirmAddress(daybook.d1, other)]);
    const draft = { openTo: 'anyone', plusOnes: 3, address: 'Rua da Rosa 5' };
    const party = await createParty(host, { ...draft, title: 'Lanterns' });
    const second = await createParty(other, { ...draft, title: 'Bonfire' });
    const [ada, ben] = [newAddress(), newAddress()];
    const form = await daybook.visitor().get(`/party/${party.id}`);
    const saved = await form.submit('RSVP', { displayName: 'Ada', email: ada, guests: '2' });
    await rsvp(await newGuest(daybook, { displayName: 'Ben', email: ben, timeZone: 'Asia/Kolkata' }), second);

    const mail = await answered(ada);
    expect(mail.mail.subject).toMatch(/^Your answer: Hanna Host, Lanterns, \w{3} \d+ \w{3}, 18:00/);
    expect(mail.mail.text).toMatch(
      /Hello Ada,\s+You said that you are coming to Lanterns, hosted by Hanna Host, on .*, 18:00 to 22:00, UTC, at Rua da Rosa 5\. You bring 2 more people\./,
    );
    expect(linkIn(mail)).toBe(saved.path);
    expect(mail.mail.text).toContain('This was not me');
    const entry = calendarIn(mail);
    expect([entry?.method, entry?.events]).toEqual(['REQUEST', (await fileAt(saved.path)).events]);
    expect([...(entry?.events.values() ?? [])].map(({ url }) => new URL(url ?? '').pathname)).toEqual([saved.path]);

    const others = await answered(ben);
    expect(others.mail.text).toMatch(/Bonfire, hosted by Otto Other, .*On your clock: .*23:30/s);
    expect(others.raw).not.toContain('Lanterns');
    expect([mailsTo(ada).length, mailsTo(ben).length]).toEqual([1, 1]);
  });

  test('hears of each change; who says no after a yes has the entry taken out', async () => {
    const host = await newProvider();
    const party = await createParty(host, { openTo: 'anyone', plusOnes: 2 });
    const [ada, ben] = [newAddress(), newAddress()];
    const [guest, shy] = [await newGuest(daybook, { email: ada }), await newGuest(daybook, { email: ben })];
    await rsvp(guest, party);
    const first = await answered(ada);
    await rsvp(guest, party);
    await rsvp(shy, party, { accepted: false });
    const seen = mailServer.arrived.length;
    const page = await daybook.visitor().get(linkIn(first));
    await page.submit("I can't come");
    const no = await answered(ada, seen);
    expect(no.mail.text).toMatch(/You said that you are not coming to/);
    const [before, after] = [calendarIn(first), calendarIn(no)];
    const [uid = ''] = [...(before?.events.keys() ?? [])];
    expect(after?.method).toBe('CANCEL');
    expect(after?.events.get(uid)).toMatchObject({ status: 'CANCELLED' });
    expect((await fileAt(linkIn(first))).events.get(uid)).toMatchObject({ status: 'CANCELLED' });
    // Who never said yes has nothing to take out.
    expect(calendarIn(await answered(ben))).toBeNull();
    expect([mailsTo(ada).length, mailsTo(ben).length]).toEqual([2, 1]);
  });

  test('gets none without an address; an account has its own, which leads to the party', async () => {
    const host = await newProvider();
    const party = await createParty(host, { openTo: 'anyone' });
    const [maya, noor] = [await confirmAddress(daybook.d1, await newConsumer()), await newConsumer()];
    for (const who of [noor, await newGuest(daybook), maya]) await rsvp(who, party);
    expect(linkIn(await answered(maya.email))).toBe(`/party/${party.id}`);
    const told = await daybook.d1.prepare(
      "SELECT count(*) AS n FROM messages WHERE kind = 'answered' AND party_id = ?",
    );
    expect(await told.bind(party.id).first()).toEqual({ n: 1 });
  });
});

describe('a name of a meetup with an address', () => {
  test('has its answer by mail, and the entry taken out when it declines', async () => {
    const host = await confirmAddress(daybook.d1, await newProvider({ displayName: 'Hanna Host' }));
    const other = await confirmAddress(daybook.d1, await newProvider());
    const [ada, cem] = [newAddress(), newAddress()];
    const meetup = await createMeetup(host, { title: 'Chess', attendees: [{ name: 'Ada', email: ada }, 'Ben'] });
    const second = await createMeetup(other, { attendees: [{ name: 'Cem', email: cem }] });
    const link = linkOf(meetup, 'Ada');
    await reply(daybook.visitor(), link);
    await reply(daybook.visitor(), linkOf(meetup, 'Ben'));
    await reply(daybook.visitor(), linkOf(second, 'Cem'), { accepted: false });
    const yes = await answered(ada);
    expect(yes.mail.text).toContain('You said that you are coming to Chess, hosted by Hanna Host, on ');
    expect(linkIn(yes)).toBe(`/meetup-rsvp/${link.id}`);
    expect([calendarIn(yes)?.method, calendarIn(yes)?.events]).toEqual([
      'REQUEST',
      (await fileAt(`/meetup-rsvp/${link.id}`)).events,
    ]);
    expect(calendarIn(await answered(cem))).toBeNull();
    const seen = mailServer.arrived.length;
    await reply(daybook.visitor(), link, { accepted: false });
    expect(calendarIn(await answered(ada, seen))?.method).toBe('CANCEL');
  });
});
