import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, publishOne, registerConsumer } from '../../support/factories';
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
type Reader = Awaited<ReturnType<typeof newReader>>;

const askForPassword = async ({ username }: Person, sent: Sent) =>
  expect(await daybook.visitor().api('POST', '/api/Account/ForgotPassword', { username }, sent)).toMatchObject({
    status: 202,
  });
const passwordMailTo = ({ email }: Reader) => mailTo(daybook.visitor(), email, /A new password/);

const originsIn = (text: string) => [...new Set(text.match(/https?:\/\/[^/\s]+/g))];

describe('a name of this site that somebody made up', () => {
  test('is not in the mail for a new password', async () => {
    const reader = await newReader();

    await askForPassword(reader, forged);

    const mail = await passwordMailTo(reader);
    expect(originsIn(mail.text)).toEqual([daybook.url]);
  });

  test('is in no mail that leaves later', async () => {
    const reader = await newReader();
    const slot = await publishOne(ana);

    await reader.api('PUT', `/api/Appointment/Book?id=${slot.id}`, undefined, forged);

    const { text } = await mailTo(daybook.visitor(), reader.email, bookedSubject);
    expect(text).not.toContain(evil);
    expect(text).toContain(`${daybook.url}/unsubscribe/`);
  });

  test('is in no mail when it is this machine’s with another port or name', async () => {
    const hosts = ['127.0.0.1:9', `localhost:${daybook.port}`];
    const asking = await Promise.all(hosts.map(async (host) => ({ host, reader: await newReader() })));
    // Until then the outbox hears of no other write, nor by which name it came.
    await setTimeout(1_500);

    for (const { host, reader } of asking) await askForPassword(reader, { host });

    for (const { reader } of asking) {
      const { text } = await passwordMailTo(reader);
      expect(originsIn(text)).toEqual([daybook.url]);
    }
  });
});

describe('a name that a header of a proxy alone gives', () => {
  const makePaths = async () => {
    const slot = await publishOne(ana, { start: '11:00', end: '11:30' });
    const guest = await newGuest(daybook);
    const { link: booking } = (await guest.api('PUT', `/api/Appointment/Book?id=${slot.id}`)).json as { link: string };
    const reader = await registerConsumer(daybook);
    const { link: feed } = (await reader.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const [party, meetup] = [await createParty(ana), await createMeetup(ana)];
    const invitation = `/meetup-rsvp/${linkOf(meetup, 'Ada').id}`;
    return { booking, feed, party: party.id, meetup: meetup.id, invitation };
  };
  let paths: Awaited<ReturnType<typeof makePaths>>;
  beforeAll(async () => {
    paths = await makePaths();
  });

  async function expectUnnamed(browser: Visitor, path: string): Promise<void> {
    const { status, text, headers } = await browser.get(path, forwarded);
    expect(status, path).toBeLessThan(400);
    expect(text).not.toContain(evil);
    expect(JSON.stringify([...headers])).not.toContain(evil);
  }

  test.each<[what: string, path: () => string]>([
    ['the first page', () => '/'],
    ['the login', () => '/login?to=/week'],
    ['the way to the login', () => '/week'],
    ['a provider’s page', () => '/with/ana.h?page=0'],
    ['the page of a booking', () => paths.booking],
    ['the calendar file of a booking', () => `${paths.booking}/daybook.ics`],
    ['a feed', () => paths.feed],
    ['a party', () => `/party/${paths.party}`],
    ['an invitation', () => paths.invitation],
  ])('is nowhere where a stranger reads: %s', async (_, path) => {
    await expectUnnamed(daybook.visitor(), path());
  });

  test.each<[what: string, path: () => string]>([
    ['the first page', () => '/'],
    ['a party', () => `/view-party/${paths.party}`],
    ['a meetup', () => `/manage-meetup/${paths.meetup}`],
    ['the calendar', () => '/calendar'],
    ['open times', () => '/view-open'],
  ])('is nowhere where a provider reads: %s', async (_, path) => {
    await expectUnnamed(ana.browser, path());
  });
});
