import { describe, expect, test } from 'vitest';
import { confirmAddress } from '../../support/confirmed';
import { dayAhead, registerProvider } from '../../support/factories';
import { mailTo } from '../../support/mails';
import { useServer } from '../../support/use-server';

const daybook = useServer();
const newProvider = async (details?: object) => confirmAddress(daybook.d1, await registerProvider(daybook, details));

let addresses = 0;
const newAddress = () => `name.${++addresses}@mail.test`;
const mails = (address: string, subject: RegExp) => mailTo(daybook.visitor(), address, subject);
const linesTo = async (address: string) =>
  (await daybook.visitor().get('/mail')).text.split('<li>').filter((line) => line.includes(address));
const [month = '', dayOfMonth = '', year = ''] = dayAhead(5).split('-');
const date = `${year}-${month}-${dayOfMonth}`;
const typed = { title: 'Chess club', date, startTime: '18:00', endTime: '21:00' };

describe('a name of a meetup with an address', () => {
  test('gets the invitation there, hears of changes and that it is called off, until it ends such mail', async () => {
    const host = await newProvider({ displayName: 'Hanna Host' });
    const [ada, cem] = [newAddress(), newAddress()];
    const form = await host.browser.visit('/view-meetups');
    expect(form.words).toContain('Ada <ada@example.org>');
    const attendees = `Ada Lovelace <${ada}>\nBen <3 chess\nCem<${cem}>`;
    const page = await form.submit('Create meetup', { ...typed, attendees });
    expect(page.$$('main tbody th').map(({ text }) => text.trim())).toEqual([
      `Ada Lovelace${ada}`,
      'Ben <3 chess',
      `Cem${cem}`,
    ]);

    const invited = await mails(ada, /^An invitation/);
    expect(invited.text).toMatch(/Hanna Host invites you to Chess club on .*, 18:00 to 21:00, UTC\./);
    expect(invited.text).toContain('Hanna Host gave this address with your invitation.');
    const letter = await daybook.visitor().visit(invited.link('/meetup-rsvp/'));
    expect(letter.words).toContain('Ada Lovelace');
    expect((await letter.submit('Accept')).words).toContain('You accepted.');

    const end = await (
      await daybook.visitor().visit((await mails(cem, /^An invitation/)).link('/unsubscribe/'))
    ).submit('No more mails from this sender');
    expect(end.words).toContain('The links that you have are still good.');

    await page.submit('Save meetup', { startTime: '19:00' });
    expect((await mails(ada, /^Changed: /)).text).toMatch(
      /It was on .*18:00 to 21:00.* and is now on .*19:00 to 21:00/,
    );
    await (await host.browser.visit(page.path)).submit('Delete', { reason: 'The hall is flooded' });
    expect((await mails(ada, /^Called off: /)).text).toContain(': The hall is flooded.');
    expect([(await linesTo(ada)).length, (await linesTo(cem)).length]).toEqual([4, 1]);
    expect((await host.browser.api('GET', '/api/Account/GetNews')).json).toEqual([
      expect.objectContaining({ kind: 'rsvps' }),
    ]);
  });

  test('gets a link that was replaced, and one that was added later', async () => {
    const host = await newProvider();
    const [ada, ben] = [newAddress(), newAddress()];
    const page = await (await host.browser.visit('/view-meetups')).submit('Create meetup', {
      ...typed,
      attendees: `Ada <${ada}>`,
    });
    const first = (await mails(ada, /^An invitation/)).link('/meetup-rsvp/');
    const replaced = await page.submit('Replace the link of Ada');
    for (let attempt = 0; attempt < 50 && (await linesTo(ada)).length < 2; attempt++) await host.browser.get('/');
    const second = (await mails(ada, /^An invitation/)).link('/meetup-rsvp/');
    expect(second).not.toBe(first);
    expect((await daybook.visitor().get(second)).status).toBe(200);
    expect((await daybook.visitor().get(first)).status).toBe(404);
    await replaced.submit('Add names', { attendees: `Ben <${ben}>` });
    await mails(ben, /^An invitation/);
  });

  test('is given one later on the screen, gets another, and none any more', async () => {
    const host = await newProvider();
    const [first, second] = [newAddress(), newAddress()];
    const form = await host.browser.visit('/view-meetups');
    const page = await form.submit('Create meetup', { ...typed, attendees: 'Ada\nBen' });
    const asked = await page.click('a[aria-label="Invite by e-mail: Ben"]');
    expect(asked.words).toContain('E-mail address of Ben');
    const wrong = await asked.submit('Send the invitation', { email: 'ben@nowhere' });
    expect([wrong.status, wrong.words.includes('That is no e-mail address.')]).toEqual([400, true]);
    expect(wrong.$('input[name=email]')?.getAttribute('value')).toBe('ben@nowhere');

    const given = await wrong.submit('Send the invitation', { email: first });
    expect(given.words).toContain('The invitation of Ben goes to that address.');
    const letter = await daybook.visitor().visit((await mails(first, /^An invitation/)).link('/meetup-rsvp/'));
    expect((await letter.submit('Accept')).words).toContain('You accepted.');

    const changing = await given.click('a[aria-label="Change the address of Ben"]');
    expect(changing.$('input[name=email]')?.getAttribute('value')).toBe(first);
    for (const _ of ['once', 'again']) await changing.submit('Save address', { email: second });
    expect((await mails(second, /^An invitation/)).link('/meetup-rsvp/')).toBe(letter.path);
    const none = await changing.submit('Save address', { email: '' });
    expect(none.words).toContain('Ben gets no mail about this meetup.');
    await (await host.browser.visit(page.path)).submit('Delete');
    expect([(await linesTo(first)).length, (await linesTo(second)).length]).toEqual([2, 1]);
  });

  test('is its host’s to give', async () => {
    const [host, other] = [await newProvider(), await newProvider()];
    const form = await host.browser.visit('/view-meetups');
    const page = await form.submit('Create meetup', { ...typed, attendees: 'Ada' });
    const own = await other.browser.visit('/view-meetups');
    const mine = await own.submit('Create meetup', { ...typed, attendees: 'Ada' });
    const whose =
      (await page.click('a[aria-label="Invite by e-mail: Ada"]')).$('input[name=whose]')?.getAttribute('value') ?? '';
    const email = newAddress();
    const once = mine.$('input[name=once]')?.getAttribute('value') ?? '';
    const answer = await other.browser.post(mine.path, { intent: 'address', whose, email, once });
    expect(answer.status).toBe(404);
    expect((await daybook.visitor().post(page.path, { intent: 'address', whose, email })).location).toMatch(
      /^\/not-logged-in/,
    );
    expect(await linesTo(email)).toEqual([]);
  });

  test('has one that mail can take, else nothing is added and all that was typed stays', async () => {
    const host = await newProvider();
    const attendees = 'Ada <ada@nowhere>\nBen';
    const refused = await (await host.browser.visit('/view-meetups')).submit('Create meetup', { ...typed, attendees });
    expect([refused.status, refused.words.includes('“ada@nowhere” is no e-mail address.')]).toEqual([400, true]);
    expect(refused.$('textarea[name=attendees]')?.text.trim()).toBe('Ada <ada@nowhere>\r\nBen');
    const twice = await refused.submit('Create meetup', { attendees: 'Ada <ada@nowhere>\nada' });
    expect(twice.words).toContain('“ada@nowhere” is no e-mail address.');
    expect(twice.words).toContain('“ada” is there twice.');
    expect((await host.api('GET', '/api/meetup/GetMyMeetups')).json).toEqual([]);
  });
});
