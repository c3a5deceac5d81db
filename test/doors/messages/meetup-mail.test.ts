import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { complaints } from '../../support/complaints';
import { isoAhead, type Person, several } from '../../support/factories';
import { confirmAddress, countMails, mailTo, newAddress } from '../../support/mails';
import { addNames, edit, remove, replaceLink } from '../../support/meetup-calls';
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

describe('names that a program adds', () => {
  /** A meetup to which Ada is added with an address, and others in each way that has none. */
  async function addFour() {
    const email = newAddress();
    const meetup = await createMeetup(host, { attendees: ['Ben'] });
    const names = ['Fay', { name: 'Dora' }, { name: 'Eve', email: null }, { name: ' Ada ', email }];
    const response = await addNames(host, meetup, names);
    return { email, response, meetup: response.json as Party };
  }

  test('are invited, with an address or without', async () => {
    const { response, meetup } = await addFour();

    expect(response.status).toBe(201);
    expect(meetup.attendees.map(({ username }) => username)).toEqual(['Ada', 'Ben', 'Dora', 'Eve', 'Fay']);
  });

  test('are mailed their own link', async () => {
    const { email, meetup } = await addFour();

    expect(await linkAt(email)).toContain(linkOf(meetup, 'Ada').id);
  });

  test('have no address in what the host is answered', async () => {
    const { response } = await addFour();

    expect(response.text).not.toContain('@mail.test');
  });

  describe.each([
    ['an address that is none', [{ name: 'Cem', email: 'cem@nowhere' }]],
    ['a number for an address', [{ name: 'Cem', email: 7 }]],
    ['an address that is too long', [{ name: 'Cem', email: `${'a'.repeat(245)}@mail.test` }]],
    ['an address without a name', [{ email: 'cem@mail.test' }]],
    ['a name that is too long', [{ name: 'x'.repeat(81) }]],
    ['one name twice', ['Cem', { name: 'CEM', email: 'cem@mail.test' }]],
    ['a list for a name', [['Cem']]],
  ])('with %s', (_, attendees) => {
    test('are one complaint where a meetup is created', async () => {
      const made = await host.api('POST', '/api/meetup/CreateMeetup', meetupDraft({ attendees }));

      expect(complaints(made)).toHaveLength(1);
    });

    test('are one complaint where they are added, and nobody is invited', async () => {
      const meetup = await createMeetup(host, { attendees: ['Ben'] });
      const before = await partyOf(host, meetup);

      expect(complaints(await addNames(host, meetup, attendees))).toHaveLength(1);

      expect(await partyOf(host, meetup)).toEqual(before);
    });
  });
});

describe('SetAttendeeEmail', () => {
  test('sends one invitation, also when it is called many times at once', async () => {
    const ada = linkOf(await createMeetup(host), 'Ada');
    const email = newAddress();

    const responses = [
      ...(await several(4, () => setEmail(host, ada, email))),
      await setEmail(host, ada, ` ${email} `),
    ];

    for (const response of responses) expect(response).toMatchObject({ status: 200, json: ada });
    expect(await linkAt(email)).toContain(ada.id);
    await sleep(300);
    expect(await mailsTo(email)).toBe(1);
  });

  test('sends the invitation to another address when it changes, and all later mail with it', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    const [first, second] = [newAddress(), newAddress()];
    await setEmail(host, ada, first);
    await linkAt(first);

    await setEmail(host, ada, second);
    await linkAt(second);
    await edit(host, meetup, { title: 'Another title' });

    await mails(second, /^Changed: /);
    expect(await mailsTo(first)).toBe(1);
  });

  test.each([
    ['null', null],
    ['no text', ''],
    ['blanks', '  '],
  ])('ends the mail to a name by %s', async (_, none) => {
    const witness = newAddress();
    const meetup = await createMeetup(host, { attendees: ['Ada', { name: 'Ben', email: witness }] });
    const [ada, email] = [linkOf(meetup, 'Ada'), newAddress()];
    await setEmail(host, ada, email);
    await linkAt(email);

    expect((await setEmail(host, ada, none)).status).toBe(200);
    await remove(host, meetup);

    await mails(witness, /^Called off: /);
    expect(await mailsTo(email)).toBe(1);
  });
});

describe('on the screen, a name with an address', () => {
  const typed = { title: 'Chess club', date: isoAhead(5), startTime: '18:00', endTime: '21:00' };
  const createOnScreen = async (attendees: string) =>
    (await host.browser.visit('/view-meetups')).submit('Create meetup', { ...typed, attendees });

  test('is listed with it', async () => {
    const [ada, cem] = [newAddress(), newAddress()];

    const page = await createOnScreen(`Ada Lovelace <${ada}>\nBen <3 chess\nCem<${cem}>`);

    const names = page.$$('main tbody th').map(({ text }) => text.trim());
    expect(names).toEqual([`Ada Lovelace${ada}`, 'Ben <3 chess', `Cem${cem}`]);
  });

  test('gets the invitation there, which says who gave the address', async () => {
    const ada = newAddress();

    await createOnScreen(`Ada <${ada}>`);

    const { text } = await mails(ada, /^An invitation/);
    expect(text).toMatch(/Hanna Host invites you to Chess club on .*, 18:00 to 21:00, UTC\./);
    expect(text).toContain('Hanna Host gave this address with your invitation.');
  });

  test('hears that it is called off, and why', async () => {
    const ada = newAddress();
    const page = await createOnScreen(`Ada <${ada}>`);
    await mails(ada, /^An invitation/);

    await (await host.browser.visit(page.path)).submit('Delete', { reason: 'The hall is flooded' });

    expect((await mails(ada, /^Called off: /)).text).toContain(': The hall is flooded.');
    expect(await mailsTo(ada)).toBe(2);
  });

  test('hears nothing more once it has ended such mail', async () => {
    const [ada, cem] = [newAddress(), newAddress()];
    const page = await createOnScreen(`Ada <${ada}>\nCem <${cem}>`);
    const end = (await mails(cem, /^An invitation/)).link('/unsubscribe/');
    await (await daybook.visitor().visit(end)).submit('No more mails from this sender');

    await (await host.browser.visit(page.path)).submit('Delete', { reason: 'The hall is flooded' });

    await mails(ada, /^Called off: /);
    expect(await mailsTo(cem)).toBe(1);
  });

  describe('and ended such mail after it gave the address itself', () => {
    /** Ada, and Cem who ended the mail. Both have accepted, and typed their addresses at their links: that is two mails each. */
    async function endAsCem() {
      const [ada, cem] = [newAddress(), newAddress()];
      const meetup = await createMeetup(host, {
        attendees: [
          { name: 'Ada', email: ada },
          { name: 'Cem', email: cem },
        ],
      });
      for (const email of [ada, cem]) {
        const accepted = await (await daybook.visitor().visit(await linkAt(email))).submit('Accept');
        await accepted.submit('Save', { email });
        await expect.poll(() => mailsTo(email), { timeout: 10_000 }).toBe(2);
      }
      const end = (await mails(cem, /^An invitation/)).link('/unsubscribe/');
      await (await daybook.visitor().visit(end)).submit('No more mails from this sender');
      return { ada, cem, meetup };
    }

    test('hears nothing of its own RSVP', async () => {
      const { ada, cem, meetup } = await endAsCem();

      for (const name of ['Cem', 'Ada'])
        await (await daybook.visitor().visit(`/meetup-rsvp/${linkOf(meetup, name).id}`)).submit('Decline');

      await expect.poll(() => mailsTo(ada), { timeout: 10_000 }).toBe(3);
      expect(await mailsTo(cem)).toBe(2);
    });

    test('is not sent its new link', async () => {
      const { ada, cem, meetup } = await endAsCem();

      for (const name of ['Cem', 'Ada']) await replaceLink(host, linkOf(meetup, name));

      await expect.poll(() => mailsTo(ada), { timeout: 10_000 }).toBe(3);
      expect(await mailsTo(cem)).toBe(2);
    });
  });

  test('is given one later', async () => {
    const email = newAddress();
    const asking = await (await createOnScreen('Ada\nBen')).click('Invite by e-mail: Ben');

    const given = await asking.submit('Send the invitation', { email });

    await linkAt(email);
    const changing = await given.click('Change the address of Ben');
    expect(typedIn(changing, 'email')).toBe(email);
  });

  test('is asked again for an address that is none', async () => {
    const asking = await (await createOnScreen('Ada\nBen')).click('Invite by e-mail: Ben');

    const wrong = await asking.submit('Send the invitation', { email: 'ben@nowhere' });

    expect(wrong.status).toBe(400);
    expect(wrong.words).toContain('That is no e-mail address.');
    expect(typedIn(wrong, 'email')).toBe('ben@nowhere');
  });

  describe('and another one', () => {
    /** The form that changes Ben's address, after his invitation has gone to the first. */
    async function changeBen() {
      const first = newAddress();
      const page = await createOnScreen(`Ada\nBen <${first}>`);
      const link = await linkAt(first);
      return { first, link, changing: await page.click('Change the address of Ben') };
    }

    test('gets the same link there, once', async () => {
      const { first, link, changing } = await changeBen();
      const second = newAddress();

      for (const _ of ['once', 'again']) await changing.submit('Save address', { email: second });

      expect(await linkAt(second)).toBe(link);
      expect(await mailsTo(second)).toBe(1);
      expect(await mailsTo(first)).toBe(1);
    });

    test('gets no mail once the address is taken away, which the page says', async () => {
      const { first, changing } = await changeBen();

      const none = await changing.submit('Save address', { email: '' });

      expect(none.words).toContain('Ben gets no mail about this meetup.');
      expect(await mailsTo(first)).toBe(1);
    });
  });
});
