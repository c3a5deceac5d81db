import { describe, expect, test } from 'vitest';
import { dayAhead, peopleAt } from '../support/factories';
import { mailTo } from '../support/mails';
import { useServer } from '../support/use-server';

const daybook = useServer();
const { newProvider } = peopleAt(daybook);

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

    const invited = await mails(ada, /^An invitation for /);
    expect(invited.text).toMatch(/Hanna Host invites you to Chess club on .*, 18:00 to 21:00, UTC\./);
    expect(invited.text).toContain('Hanna Host gave this address with your invitation.');
    const letter = await daybook.visitor().visit(invited.link('/meetup-rsvp/'));
    expect(letter.words).toContain('Ada Lovelace');
    expect((await letter.submit('Accept')).words).toContain('You accepted.');

    const end = await (
      await daybook.visitor().visit((await mails(cem, /^An invitation/)).link('/unsubscribe/'))
    ).submit('No more mails about this invitation');
    expect(end.words).toContain('The link of your invitation is still good.');

    await page.submit('Save meetup', { startTime: '19:00' });
    expect((await mails(ada, /^Changed: /)).text).toMatch(
      /It was on .*18:00 to 21:00.* and is now on .*19:00 to 21:00/,
    );
    await (await host.browser.visit(page.path)).submit('form button[value=delete]');
    await mails(ada, /^Called off: /);
    expect([(await linesTo(ada)).length, (await linesTo(cem)).length]).toEqual([3, 1]);
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
