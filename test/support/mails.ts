import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { hashOfAddress } from '../../app/domain/mail/addresses.server';
import type { D1 } from '../../app/local/d1';
import { type CalendarEvent, readCalendar } from './calendars';
import type { Person } from './factories';
import type { Arrived } from './mail-server';
import type { Visitor } from './visit';

/** A kept mail: its text, and the path of the link in it that begins so. */
type StoredMail = { text: string; link: (path: string) => string };

const tries = 50;

/** The subject of a booker's first mail: 'Karla: Tue 24 Nov, 09:30'. */
export const bookedSubject = /: (\d+ appointments from )?\w{3} \d{1,2} \w{3}, \d\d:\d\d/;

let addresses = 0;
/** An address that nobody else has. */
export const newAddress = () => `somebody.${++addresses}@mail.test`;

/** Gives somebody a confirmed address, which a host needs before names get mail. It sends no mail. */
export async function confirmAddress<Who extends Person>(d1: D1, who: Who): Promise<Who & { email: string }> {
  const email = newAddress();
  await d1
    .prepare('UPDATE accounts SET email = ?1, email_hash = ?2, email_confirmed_at = 1 WHERE username = ?3')
    .bind(email, hashOfAddress(email), who.username)
    .run();
  return { ...who, email };
}

/** How many mails are kept for an address. */
export const countMails = async (browser: Visitor, address: string) =>
  (await browser.get('/mail')).text.split('<li>').filter((line) => line.includes(address)).length;

/** Waits for the newest mail to an address with such a subject, on the page /mail. */
export async function mailTo(browser: Visitor, address: string, subject: RegExp): Promise<StoredMail> {
  for (let attempt = 1; attempt <= tries; attempt++) {
    const { text } = await browser.get('/mail');
    for (const [, path = '', title = '', to = ''] of text.matchAll(
      /<li><a href="([^"]+)">([^<]*)<\/a>, to ([^,]*),/g,
    )) {
      if (to !== address || !subject.test(title)) continue;
      const mail = await browser.get(path);
      const link = (start: string) => {
        const found = new RegExp(`href="https?://[^/]+(${start}[^"]+)"`).exec(mail.text)?.[1];
        if (!found) throw new Error(`There is no link to ${start} in this mail:\n${mail.text}`);
        return found;
      };
      return { text: mail.text, link };
    }
    await sleep(100);
  }
  throw new Error(`No mail to ${address} with ${subject} came.`);
}

/** The calendar of a mail, which is there as an answerable part and as a file, with its one entry; null where it has none. */
export function calendarIn({ mail, raw }: Arrived) {
  const files = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  if (files.length === 0) return null;
  const [text = '', ...others] = new Set(files.map(({ content }) => `${content}`));
  const { method, events } = readCalendar(text);
  expect([others, events.size]).toEqual([[], 1]);
  const [header] = /Content-Type: text\/calendar;[^\r]*(?:\r\n[ \t][^\r]*)*/i.exec(raw) ?? [];
  expect(header).toMatch(new RegExp(`method="?${method}"?`, 'i'));
  const [, attendee] = /ATTENDEE[^\r]*mailto:(\S+)/.exec(text.replaceAll('\r\n ', '')) ?? [];
  const [entry] = events.values();
  return { method, attendee, entry: entry as CalendarEvent };
}

/** The one entry of the file beside a page. */
export async function entryAt(who: Pick<Visitor, 'get'>, path: string): Promise<CalendarEvent> {
  const [entry] = readCalendar((await who.get(`${path}/daybook.ics`)).text).events.values();
  if (!entry) throw new Error(`There is no entry at ${path}.`);
  return entry;
}
