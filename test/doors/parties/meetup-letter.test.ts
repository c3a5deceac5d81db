import { describe, expect, test } from 'vitest';
import { buttonsOf, linkPath } from '../../support/letters';
import {
  createMeetup,
  createParty,
  endParty,
  full,
  type Invitation,
  linkOf,
  partyOf,
  reply,
  rsvp,
} from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import { useWorld } from '../../support/world';

const daybook = useServer();
const { host, maya } = useWorld(daybook, { host: { timeZone: 'Asia/Colombo' }, maya: { username: 'maya.l' } });

describe('the letter of a meetup', () => {
  const open = (invitation: Invitation) => daybook.visitor().get(linkPath(invitation));

  test('greets by the name on the list, not by the one in the link', async () => {
    const ada = linkOf(await createMeetup(host, { ...full, title: 'Book club' }), 'Ada');
    for (const query of ['', '?name=Ada', '?name=Mallory', '?name=%3Cb%3EMallory']) {
      const page = await daybook.visitor().get(`/meetup-rsvp/${ada.id}${query}`);
      expect(page.$('h1')?.getAttribute('aria-label') ?? page.$('h1')?.text).toMatch(/^You[’']re Invited!$/);
      expect(page.words).toContain('Ada');
      expect(page.words).not.toContain('Mallory');
      for (const words of ['Hanna Host', 'Book club', '18:00', '22:00', 'Rua da Rosa 5']) {
        expect(page.words).toContain(words);
      }
    }
  });

  test('takes an answer in two taps; what is already so cannot be pressed', async () => {
    const meetup = await createMeetup(host);
    const ada = linkOf(meetup, 'Ada');
    let page = await open(ada);
    expect(page.words).toMatch(/not (yet )?responded/i);
    expect(buttonsOf(page)).toEqual([
      ['Accept', 'enabled'],
      ['Decline', 'enabled'],
    ]);
    page = await page.submit('Accept');
    expect([page.status, page.words.includes('You accepted.')]).toEqual([200, true]);
    expect(page.$('title')?.text).toMatch(/^You accepted · .+ · Daybook$/);
    expect(buttonsOf(page)).toEqual([
      ['Accept', 'disabled'],
      ['Decline', 'enabled'],
      // Of the address, which is folded.
      ['Save', 'enabled'],
    ]);
    expect(page.$$('main a').map(({ text }) => text)).toContain('Add to calendar');
    page = await page.submit('Decline');
    expect([page.status, page.words.includes('You declined.')]).toEqual([200, true]);
    expect(page.$('title')?.text).toMatch(/^You declined · .+ · Daybook$/);
    expect(buttonsOf(page)).toEqual([
      ['Accept', 'enabled'],
      ['Decline', 'disabled'],
    ]);
    expect(page.$$('main a').map(({ text }) => text)).not.toContain('Add to calendar');
    expect((await open(ada)).words).toContain('You declined.');
    expect(linkOf(await partyOf(host, meetup), 'Ada').accepted).toBe(false);
    expect(linkOf(await partyOf(host, meetup), 'Ben').accepted).toBeNull();
  });

  test.each([
    'nonsense',
    'x',
    'AAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAAAA',
    'AAAAAAAAAAAAAAAAAAAAA%20',
    '%3Cb%3E',
  ])('with the link %s is a 400 that says so, opened or answered', async (id) => {
    const visitor = daybook.visitor();
    for (const page of [
      await visitor.get(`/meetup-rsvp/${id}`),
      await visitor.post(`/meetup-rsvp/${id}`, { accepted: 'true' }),
    ]) {
      expect([page.status, page.words.includes('Invalid link – please check your invitation URL.')]).toEqual([
        400,
        true,
      ]);
    }
  });

  test('with a link that is not there, or is a party’s or a guest’s, is a 404 that says so, opened or answered', async () => {
    const party = await createParty(host);
    const guest = (await rsvp(maya, party)).json as Invitation;
    const before = await partyOf(host, party);
    for (const id of ['AAAAAAAAAAAAAAAAAAAAAA', party.id, guest.id]) {
      for (const visitor of [daybook.visitor(), maya.browser, host.browser]) {
        for (const page of [
          await visitor.get(`/meetup-rsvp/${id}`),
          await visitor.post(`/meetup-rsvp/${id}`, { accepted: 'false' }),
        ]) {
          expect([page.status, page.words.includes("Sorry, we couldn't find your invitation.")]).toEqual([404, true]);
        }
        expect((await visitor.get(`/meetup-rsvp/${id}/daybook.ics`)).status).toBe(404);
      }
    }
    expect(await partyOf(host, party)).toEqual(before);
  });

  test.each([{}, { accepted: '' }, { accepted: 'perhaps' }])(
    'with %j for an answer is a 400 that says so',
    async (body) => {
      const meetup = await createMeetup(host);
      const page = await daybook.visitor().post(linkPath(linkOf(meetup, 'Ada')), body as Record<string, string>);
      expect([page.status, page.words.includes('Something went wrong. Please try again.')]).toEqual([400, true]);
      expect(page.words).toContain('Book club');
      expect(await (await page.submit('Accept')).status).toBe(200);
    },
  );

  test('takes no answer when it is over', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    await reply(daybook.visitor(), ada);
    const before = await open(ben);
    await endParty(daybook.d1, meetup);
    expect(buttonsOf(await open(ada))).toEqual([]);
    expect((await open(ada)).words).toContain('You accepted.');
    const late = await before.submit('Accept');
    expect(late.status).toBe(409);
    expect(linkOf(await partyOf(host, meetup), 'Ben').accepted).toBeNull();
  });

  test('is dead once the link is replaced, or the name removed', async () => {
    const meetup = await createMeetup(host);
    const [ada, ben] = [linkOf(meetup, 'Ada'), linkOf(meetup, 'Ben')];
    const fresh = (await host.api('PUT', `/api/meetup/ReplaceLink?id=${ada.id}`)).json as Invitation;
    await host.api('DELETE', `/api/meetup/RemoveAttendee?id=${ben.id}`);
    for (const dead of [ada, ben]) expect((await open(dead)).status).toBe(404);
    expect((await open(fresh)).status).toBe(200);
  });
});
