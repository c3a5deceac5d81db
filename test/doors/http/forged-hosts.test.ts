import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, password, peopleAt, publishOne, type Row } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, mailTo } from '../../support/mails';
import { createMeetup, createParty, linkOf } from '../../support/party-factories';
import { useServer } from '../../support/use-server';
import type { Sent } from '../../support/visit';

/*
 * Whoever sends a request writes its headers: a name of this site that somebody made up may get into nothing that others
 * read, or a mail that this site has sent would lead them, and the key in it, to another.
 */

const daybook = useServer();
/** The same behind a proxy that nobody has named, as it may be by mistake. */
const published = useServer({ vars: { PUBLIC_URL: 'https://book.example.org' } });
const { newProvider, newConsumer } = peopleAt(daybook);

const evil = 'evil.example';
const forwarded: Sent = {
  'x-forwarded-host': evil,
  'x-forwarded-proto': 'https',
  'x-forwarded-server': evil,
  'x-original-url': `https://${evil}/`,
  'x-original-host': evil,
  'x-host': evil,
  forwarded: `host=${evil};proto=https`,
};
const forged: Sent = { ...forwarded, host: evil };

let addresses = 0;
async function withAddress(who: Person): Promise<Person & { email: string }> {
  const email = `person.${++addresses}@mail.test`;
  await who.api('PUT', '/api/Account/SetEmail', { email, password });
  const asked = await mailTo(daybook.visitor(), email, /Is this your address/);
  await (await who.browser.visit(asked.link('/confirm-email/'))).submit('Yes, this is my address');
  return { ...who, email };
}

let provider: Person;
let reader: Person & { email: string };
beforeAll(async () => {
  provider = await newProvider({ username: 'ana.h' });
  reader = await withAddress(await newConsumer());
});

describe('a name of this site that somebody made up', () => {
  test('is in no mail: a new password is asked for by it, and set where it really is', async () => {
    const asked = await daybook
      .visitor()
      .api('POST', '/api/Account/ForgotPassword', { username: reader.username }, forged);
    expect(asked.status).toBe(202);
    const mail = await mailTo(daybook.visitor(), reader.email, /A new password/);
    expect(mail.text).not.toContain(evil);
    expect(mail.text).toContain(`${daybook.url}/reset-password/`);
    // Nor is it in those that leave later.
    const slot = await publishOne(provider);
    await reader.api('PUT', `/api/Appointment/Book?id=${slot.id}`, undefined, forged);
    const booked = await mailTo(daybook.visitor(), reader.email, bookedSubject);
    expect(booked.text).not.toContain(evil);
    expect(booked.text).toContain(`${daybook.url}/unsubscribe/`);
  });

  test.each(['another port', 'another name'])('of this machine, with %s, is in no mail either', async (which) => {
    const host = which === 'another port' ? '127.0.0.1:9' : `localhost:${daybook.port}`;
    const one = await withAddress(await newConsumer());
    // Until then the outbox hears of no other write, nor by which name it came.
    await setTimeout(1_500);
    await daybook.visitor().api('POST', '/api/Account/ForgotPassword', { username: one.username }, { host });
    const mail = await mailTo(daybook.visitor(), one.email, /A new password/);
    const origins = [...mail.text.matchAll(/https?:\/\/[^/\s]+/g)].map(([origin]) => origin);
    expect([origins.length > 0, [...new Set(origins)]]).toEqual([true, [daybook.url]]);
  });

  test('shows nobody the mails that this machine keeps', async () => {
    expect((await daybook.visitor().get('/mail')).words).toContain(`to ${reader.email}`);
    const { status, text } = await daybook.visitor().get('/mail', forged);
    expect([status, text.includes('mail.test')]).toEqual([404, false]);
  });

  test('nor does a proxy that asks for somebody else, by the name of this machine', async () => {
    for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']) {
      const { status, text } = await daybook.visitor().get('/mail', { [header]: '203.0.113.7' });
      expect([header, status, text.includes('mail.test')]).toEqual([header, 403, false]);
    }
    // Some proxies add no header, and ask by the name of this machine.
    const asks: Sent[] = [{}, { host: `127.0.0.1:${published.port}` }, { 'mf-original-url': 'http://localhost/mail' }];
    for (const sent of asks) expect((await published.visitor().get('/mail', sent)).status).toBe(403);
  });

  test('is on no page that is kept for others', async () => {
    const path = '/with/ana.h';
    for (const sent of [forged, forwarded]) await daybook.visitor().get(path, sent);
    const page = await daybook.visitor().get(path);
    expect([page.status, page.text.includes(evil)]).toEqual([200, false]);
    expect(page.$('link[rel=canonical]')?.getAttribute('href')).toBe(daybook.url + path);
  });

  test('is nowhere where a header of a proxy alone names it', async () => {
    const guest = await newGuest(daybook);
    const slot = await publishOne(provider, { start: '11:00', end: '11:30' });
    const { link = '' } = (await guest.api('PUT', `/api/Appointment/Book?id=${slot.id}`)).json as Row;
    const { link: feed } = (await reader.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const [party, meetup] = [await createParty(provider), await createMeetup(provider)];
    const strangers = [
      '/',
      '/login?to=/week',
      '/with/ana.h?page=0',
      `${link}`,
      `${link}/daybook.ics`,
      feed,
      `/party/${party.id}`,
      `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`,
      '/week',
    ];
    const hosts = ['/', `/view-party/${party.id}`, `/manage-meetup/${meetup.id}`, '/calendar', '/view-open'];
    for (const [browser, paths] of [
      [daybook.visitor(), strangers],
      [provider.browser, hosts],
    ] as const) {
      for (const path of paths) {
        const { status, text, headers } = await browser.get(path, forwarded);
        expect([path, status < 400, text.includes(evil), JSON.stringify([...headers]).includes(evil)]).toEqual([
          path,
          true,
          false,
          false,
        ]);
      }
    }
  });

  test('does not let another site’s form through', async () => {
    const before = await reader.api('GET', '/api/Account/Profile');
    const typed = { intent: 'profile', displayName: 'Mallory', timeZone: 'UTC' };
    const attempts: Sent[] = [
      { 'sec-fetch-site': null, origin: `https://${evil}`, 'x-forwarded-host': evil },
      { 'sec-fetch-site': 'cross-site', origin: `https://${evil}`, ...forged },
    ];
    for (const sent of attempts) {
      expect((await reader.browser.post('/profile', typed, sent)).status).toBe(403);
    }
    expect((await reader.api('GET', '/api/Account/Profile')).json).toEqual(before.json);
  });
});
