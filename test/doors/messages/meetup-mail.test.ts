import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { isoAhead, type Person, several } from '../../support/factories';
import { confirmAddress, countMails, mailTo, newAddress } from '../../support/mails';
import { addNames, edit, remove } from '../../support/meetup-calls';
import { createMeetup, linkOf, meetupDraft, type Party, partyOf } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import { typedIn } from '../../support/visit';

/* The addresses of a meetup's names, given by a program or on the screen, and what is mailed there. */

const daybook = useServer();
const { host } = useWorld(daybook, { host: {} });
beforeAll(() => confirmAddress(daybook.d1, host));

const mails = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
const linkAt = async (address: string) => (await mails(address, /^An invitation/)).link('/meetup-rsvp/');
const mailsTo = (address: string) => countMails(daybook.visitor(), address);
const setEmail = (who: Pick<Person, 'api'>, { id }: { id: string }, email: unknown) =>
  who.api('PUT', `/api/meetup/SetAttendeeEmail?id=${id}`, { email });

test('names with an address that a program adds are mailed their link; what is wrong is one message, and nobody is invited', async () => {
  const ada = newAddress();
  const meetup = await createMeetup(host, { attendees: ['Ben'] });
  const added = await addNames(host, meetup, [
    'Fay',
    { name: 'Dora' },
    { name: 'Eve', email: null },
    { name: ' Ada ', email: ada },
  ]);
  expect(added.status).toBe(201);
  const now = added.json as Party;
  expect(now.attendees.map(({ username }) => username)).toEqual(['Ada', 'Ben', 'Dora', 'Eve', 'Fay']);
  expect(await linkAt(ada)).toContain(linkOf(now, 'Ada').id);
  expect(JSON.stringify(now)).not.toContain('@mail.test');
  for (const attendees of [
    [{ name: 'Cem', email: 'cem@nowhere' }],
    [{ name: 'Cem', email: 7 }],
    [{ name: 'Cem', email: `${'a'.repeat(245)}@mail.test` }],
    [{ email: 'cem@mail.test' }],
    [{ name: 'x'.repeat(81) }],
    ['Cem', { name: 'CEM', email: 'cem@mail.test' }],
    [['Cem']],
  ]) {
    const made = await host.api('POST', '/api/meetup/CreateMeetup', meetupDraft({ attendees }));
    expect(complaints(made), JSON.stringify(attendees)).toHaveLength(1);
    expect(complaints(await addNames(host, meetup, attendees)), JSON.stringify(attendees)).toHaveLength(1);
  }
  expect(await partyOf(host, meetup)).toEqual(now);
});

test('SetAttendeeEmail sends one invitation there, also many times at once, and to another address when that changes', async () => {
  const meetup = await createMeetup(host);
  const ada = linkOf(meetup, 'Ada');
  const [first, second] = [newAddress(), newAddress()];
  const answers = [...(await several(4, () => setEmail(host, ada, first))), await setEmail(host, ada, ` ${first} `)];
  expect(answers.map(({ status, json }) => [status, json])).toEqual(Array(5).fill([200, ada]));
  expect(await linkAt(first)).toContain(ada.id);
  await setEmail(host, ada, second);
  await linkAt(second);
  await edit(host, meetup, { title: 'Another title' });
  await mails(second, /^Changed: /);
  for (const none of [null, '', '  ']) expect((await setEmail(host, ada, none)).status).toBe(200);
  await remove(host, meetup);
  await sleep(300);
  expect([await mailsTo(first), await mailsTo(second)]).toEqual([1, 2]);
});

describe('on the screen, a name with an address', () => {
  const typed = { title: 'Chess club', date: isoAhead(5), startTime: '18:00', endTime: '21:00' };
  const createOnScreen = async (attendees: string) =>
    (await host.browser.visit('/view-meetups')).submit('Create meetup', { ...typed, attendees });

  test('gets the invitation there, and hears that it is called off, until it ends such mail', async () => {
    const [ada, cem] = [newAddress(), newAddress()];
    const page = await createOnScreen(`Ada Lovelace <${ada}>\nBen <3 chess\nCem<${cem}>`);
    const names = page.$$('main tbody th').map(({ text }) => text.trim());
    expect(names).toEqual([`Ada Lovelace${ada}`, 'Ben <3 chess', `Cem${cem}`]);
    const invited = await mails(ada, /^An invitation/);
    expect(invited.text).toMatch(/Hanna Host invites you to Chess club on .*, 18:00 to 21:00, UTC\./);
    expect(invited.text).toContain('Hanna Host gave this address with your invitation.');
    const end = (await mails(cem, /^An invitation/)).link('/unsubscribe/');
    await (await daybook.visitor().visit(end)).submit('No more mails from this sender');

    await (await host.browser.visit(page.path)).submit('Delete', { reason: 'The hall is flooded' });
    expect((await mails(ada, /^Called off: /)).text).toContain(': The hall is flooded.');
    expect([await mailsTo(ada), await mailsTo(cem)]).toEqual([2, 1]);
  });

  test('is given one later, gets another, and none any more', async () => {
    const [first, second] = [newAddress(), newAddress()];
    const page = await createOnScreen('Ada\nBen');
    const asking = await page.click('a[aria-label="Invite by e-mail: Ben"]');
    const wrong = await asking.submit('Send the invitation', { email: 'ben@nowhere' });
    expect([wrong.status, wrong.words]).toEqual([400, expect.stringContaining('That is no e-mail address.')]);
    expect(typedIn(wrong, 'email')).toBe('ben@nowhere');
    const given = await wrong.submit('Send the invitation', { email: first });
    const link = await linkAt(first);
    const changing = await given.click('a[aria-label="Change the address of Ben"]');
    expect(typedIn(changing, 'email')).toBe(first);
    for (const _ of ['once', 'again']) await changing.submit('Save address', { email: second });
    expect(await linkAt(second)).toBe(link);
    const none = await changing.submit('Save address', { email: '' });
    expect(none.words).toContain('Ben gets no mail about this meetup.');
    expect([await mailsTo(first), await mailsTo(second)]).toEqual([1, 1]);
  });
});
