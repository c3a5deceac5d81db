import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, publishOne, type Row, registerConsumer } from '../../support/factories';
import { newGuest } from '../../support/guests';
import { bookedSubject, confirmAddress, mailTo } from '../../support/mails';
import { createMeetup, createParty } from '../../support/party-factories';
import { useServer, useWorld } from '../../support/use-server';
import type { Sent } from '../../support/visit';

/*
 * Whoever sends a request writes its headers: a name of this site that somebody made up may get into nothing that others
 * read, or a mail that this site has sent would lead them, and the key in it, to another.
 */

const daybook = useServer();
const { ana } = useWorld(daybook, { ana: { username: 'ana.h' } });

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

let reader: Person & { email: string };
beforeAll(async () => {
  reader = await confirmAddress(daybook.d1, await registerConsumer(daybook));
});

describe('a name of this site that somebody made up', () => {
  test('is in no mail: a new password is asked for by it, and set where it really is', async () => {
    const { username } = reader;
    const asked = await daybook.visitor().api('POST', '/api/Account/ForgotPassword', { username }, forged);
    expect(asked.status).toBe(202);
    const mail = await mailTo(daybook.visitor(), reader.email, /A new password/);
    expect(mail.text).not.toContain(evil);
    expect(mail.text).toContain(`${daybook.url}/reset-password/`);
    // Nor is it in those that leave later.
    const slot = await publishOne(ana);
    await reader.api('PUT', `/api/Appointment/Book?id=${slot.id}`, undefined, forged);
    const booked = await mailTo(daybook.visitor(), reader.email, bookedSubject);
    expect(booked.text).not.toContain(evil);
    expect(booked.text).toContain(`${daybook.url}/unsubscribe/`);
  });

  test('is on no page that is kept for others', async () => {
    const path = '/with/ana.h';
    for (const sent of [forged, forwarded]) await daybook.visitor().get(path, sent);
    const page = await daybook.visitor().get(path);
    expect([page.status, page.text.includes(evil)]).toEqual([200, false]);
    expect(page.$('link[rel=canonical]')?.getAttribute('href')).toBe(daybook.url + path);
  });

  test('is nowhere where a header of a proxy alone names it', async () => {
    const slot = await publishOne(ana, { start: '11:00', end: '11:30' });
    const { link } = (await (await newGuest(daybook)).api('PUT', `/api/Appointment/Book?id=${slot.id}`)).json as Row;
    const { link: feed } = (await reader.api('POST', '/api/Account/MakeFeed')).json as { link: string };
    const [party, meetup] = [await createParty(ana), await createMeetup(ana)];
    const letters = [
      `${link}`,
      `${link}/daybook.ics`,
      feed,
      `/party/${party.id}`,
      '/login?to=/week',
      '/with/ana.h?page=0',
    ];
    const hosts = ['/', `/view-party/${party.id}`, `/manage-meetup/${meetup.id}`, '/calendar', '/view-open'];
    for (const path of [...letters, ...hosts]) {
      const browser = letters.includes(path) ? daybook.visitor() : ana.browser;
      const { status, text, headers } = await browser.get(path, forwarded);
      expect([path, status, `${text}${JSON.stringify([...headers])}`.includes(evil)]).toEqual([path, 200, false]);
    }
  });
});
