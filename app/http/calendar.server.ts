import type { Entry } from '../domain/calendar/entries';
import { calendarText } from '../domain/calendar/ics.server';

const type = { 'Content-Type': 'text/calendar; charset=utf-8' };

/** A calendar file (RFC 5545). If its only entry is canceled, a calendar that has the entry removes it. */
export const calendarFile = (...entries: [Entry, ...Entry[]]): Response =>
  new Response(calendarText(entries, entries[0].isCanceled ? 'CANCEL' : 'PUBLISH'), {
    headers: { ...type, 'Content-Disposition': 'attachment; filename="daybook.ics"' },
  });

/** Answers with a feed, or with 304 if the caller has this version and there is no text. */
export function calendarFeed(text: string | null, version: string): Response {
  const headers = { ETag: `"${version}"` };
  return text === null
    ? new Response(null, { status: 304, headers })
    : new Response(text, { headers: { ...type, ...headers } });
}

/**
 * The versions that the caller has, from If-None-Match. We read what is in quotes, because a proxy that compresses the
 * feed adds `W/`.
 */
export const knownVersions = (request: Request): string[] =>
  [...(request.headers.get('If-None-Match') ?? '').matchAll(/"([^"]*)"/g)].map(([, version]) => version ?? '');
