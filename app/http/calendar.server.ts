import type { Entry } from '../domain/calendar/entries';
import { calendarText } from '../domain/calendar/ics.server';

const type = { 'Content-Type': 'text/calendar; charset=utf-8' };

/** A calendar file (RFC 5545). One entry that is canceled removes itself from a calendar that has it. */
export const calendarFile = (...entries: [Entry, ...Entry[]]): Response =>
  new Response(calendarText(entries, entries[0].isCanceled ? 'CANCEL' : 'PUBLISH'), {
    headers: { ...type, 'Content-Disposition': 'attachment; filename="daybook.ics"' },
  });

/** Answers 304 without a text: the caller has that version. */
export function calendarFeed(text: string | null, version: string): Response {
  const headers = { ETag: `"${version}"` };
  return text === null
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers: { ...type, ...headers } });
}

/** The versions in If-None-Match. Quotes are enough: a proxy that compresses the feed adds `W/`. */
export const knownVersions = (request: Request): string[] =>
  [...(request.headers.get('If-None-Match') ?? '').matchAll(/"([^"]*)"/g)].map(([, version]) => version ?? '');
