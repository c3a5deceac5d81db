import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { D1 } from '../../app/local/d1';
import { readCalendar } from './calendars';
import type { Arrived } from './mail-server';

/* Who was told of something, and how: in the words of docs/mail.md. */

/** Waits until every message is sent, held back or nobody's mail. */
export const allSent = (d1: D1) =>
  expect
    .poll(
      async () =>
        (
          await d1
            .prepare("SELECT count(*) AS n FROM messages WHERE mail_state IN ('due', 'leased', 'asked')")
            .first<{ n: number }>()
        )?.n,
      { timeout: 60_000 },
    )
    .toBe(0);

/** The methods of the calendar entries in a mail, and what is in it, in words; all read by other programs. */
export function mailWords({ mail }: Arrived, reason: string): { words: string; method: string | null } {
  expect([Boolean(mail.text?.trim()), Boolean(mail.html)]).toEqual([true, true]);
  const plainHtml = String(mail.html).replaceAll('&#39;', "'");
  const [file, ...others] = mail.attachments.filter(({ contentType }) => /calendar|ics/.test(contentType));
  // The same once as an answerable part, once as a file.
  for (const other of others) expect(String(other.content)).toBe(String(file?.content));
  const calendar = file && readCalendar(String(file.content));
  const entries = calendar?.events.size ?? 0;
  const hasReason = Boolean(mail.text?.includes(reason));
  expect(plainHtml.includes(reason)).toBe(hasReason);
  const has = [
    entries > 0 && (entries === 1 ? 'entry' : `${entries} entries`),
    /\/(booking|waiting|offer)\/[\w-]{22,}/.test(mail.text ?? '') && 'own link',
    hasReason && 'reason',
  ].filter(Boolean);
  return { words: has.length > 0 ? `mail (${has.join(', ')})` : 'mail', method: calendar?.method ?? null };
}

/** The lines of the table of docs/mail.md that begins with this one. */
export function writtenTable(head: string): string[] {
  const lines = readFileSync('docs/mail.md', 'utf8').split('\n');
  const rest = lines.slice(lines.indexOf(head));
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return end < 0 ? rest : rest.slice(0, end);
}
