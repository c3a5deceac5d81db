import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, publishOne, type Row, registerConsumer } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, mailTo } from '../../support/mails';
import { createMeetup, createParty, linkOf } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Sent, Visitor } from '../../support/visit';

/*
 * Whoever sends a request writes its headers: a name of this site that somebody made up may get into nothing that others
 * read, or a mail that this site has sent would lead them, and the key in it, to another.
 */

// Others reach it by names that it does not know.
const daybook = useServer({ host: '0.0.0.0' });
const { ana } = useWorld(daybook, { ana: { username: 'ana.h' } });

const evil = 'evil.example';
const forwarded: Sent = {
  'x-forwarded-host': evil,
  'x-forwarded-proto': 'https',
  'x-original-url': `https://${evil}/`,
  'x-host': evil,
  forwarded: `host=${evil};proto=https`,
};
const forged: Sent = { ...forwarded, host: evil };

const newReader = async () => confirmAddress(daybook.d1, await registerConsumer(daybook));
let reader: Awaited<ReturnType<typeof newReader>>;
beforeAll(async () => {
  reader = await newReader();
});

const askForPassword = ({ username }: Person, sent: Sent) =>
  daybook.visitor().api('POST', '/api/Account/ForgotPassword', { username }, sent);

const originsIn = (text: string) => [...new Set(text.match(/https?:\/\/[^/\s]+/g))];

describe('a name of this site that somebody made up', () => {
  test('is in no mail: a new password is asked for by it, and set where it really is', async () => {
    expect((await askForPassword(reader, forged)).status).toBe(202);
    const mail = await mailTo(daybook.visitor(), reader.email, /A new password/);
    expect(originsIn(mail.text)).toEqual([daybook.url]);
    // Nor is it in those that leave later.
    const slot = await publishOne(ana);
    await reader.api('PUT', `/api/Appointment/Book?id=${slot.id}`, undefined, forged);
    const booked = await mailTo(daybook.visitor(), reader.email, bookedSubject);
    expect([booked.text.includes(evil), booked.text.includes(`${daybook.url}/unsubscribe/`)]).toEqual([false, true]);
  });

  test('of this machine, with another port or name, is in no mail either', async () => {
    const hosts = ['127.0.0.1:9', `localhost:${daybook.port}`];
    const asking = await Promise.all(hosts.map(async (host) => ({ host, one: await newReader() })));
    // Until then the outbox hears of no other write, nor by which name it came.
    await setTimeout(1_500);
    for (const { host, one } of asking) await askForPassword(one, { host });
    for (const { one } of asking) {
      const { text } = await mailTo(daybook.visitor(), one.email, /A new password/);
      expect(originsIn(text)).toEqual([daybook.url]);
    }
  });

  test('is nowhere where a header of a proxy alone names it', async () => {
    const slot = await publishOne(ana, { start: '11:00', end: '11:30' });
    const guest = await newGuest(daybook);
    const { link } = (await guest.api('PUT', `/api/Appointment/Book?id=${slot.id}`)).json as Row;
    const { link: feed } = (await reader.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const [party, meetup] = [await createParty(ana), await createMeetup(ana)];
    const letters = [`${link}`, `${link}/daybook.ics`, feed, `/party/${party.id}`];
    const pages = ['/', '/login?to=/week', '/with/ana.h?page=0', '/week', `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`];
    const hosts = ['/', `/view-party/${party.id}`, `/manage-meetup/${meetup.id}`, '/calendar', '/view-open'];
    const expectUnnamed = async (browser: Visitor, path: string) => {
      const { status, text, headers } = await browser.get(path, forwarded);
      const isNamed = `${text} ${JSON.stringify([...headers])}`.includes(evil);
      expect([path, status < 400, isNamed]).toEqual([path, true, false]);
    };
    for (const path of [...letters, ...pages]) await expectUnnamed(daybook.visitor(), path);
    for (const path of hosts) await expectUnnamed(ana.browser, path);
  });
});
