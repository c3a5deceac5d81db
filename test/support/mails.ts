import { setTimeout as sleep } from 'node:timers/promises';
import type { Visitor } from './visit';

/** A kept mail: its text, and the path of the link in it that begins so. */
export type KeptMail = { text: string; link: (path: string) => string };

const tries = 50;

/** The subject of a booker's first mail: 'Karla: Tue 24 Nov, 09:30'. */
export const bookedSubject = /: \w{3} \d{1,2} \w{3}, \d\d:\d\d/;

/** Waits for the newest mail to an address with such a subject, on the page /mail. */
export async function mailTo(browser: Visitor, address: string, subject: RegExp): Promise<KeptMail> {
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
