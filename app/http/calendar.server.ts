import type { Entry } from '../domain/calendar/entries';
import { calendarText } from '../domain/calendar/ics.server';

const type = { 'Content-Type': 'text/calendar; charset=utf-8' };

/** Makes a calendar file (RFC 5545) with one entry. A canceled entry removes itself from a calendar that has it. */
export const calendarFile = (entry: Entry): Response =>
  new Response(calendarText([entry], entry.isCanceled ? 'CANCEL' : 'PUBLISH'), {
    headers: { ...type, 'Content-Disposition': 'attachment; filename="daybook.ics"' },
  });

/** Answers with a feed's text and its version. Without a text, the caller has that version: 304. */
export function calendarFeed(text: string | null, version: string): Response {
  const headers = { ETag: `"${version}"` };
  return text === null
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers: { ...type, ...headers } });
}

/** The versions in If-None-Match. Quotes are enough: a proxy that compresses the feed adds `W/`. */
export const knownVersions = (request: Request): string[] =>
  [...(request.headers.get('If-None-Match') ?? '').matchAll(/"([^"]*)"/g)].map(([, version]) => version ?? '');
