import { entryOfParty } from '../../domain/calendar/entries';
import { getRsvpByKey } from '../../domain/parties/guest-rsvps.server';
import { calendarFile } from '../../http/calendar.server';
import { fileLoader } from '../../http/page.server';
import * as paths from '../../paths';

/**
 * Serves the party of an RSVP as a calendar file that leads back to the RSVP's personal link. For a party that was called
 * off, or a guest who isn't coming, the file takes the entry out.
 */
export const loader = fileLoader('anyone', async ({ db, now, i18n, pageHeaders }, { params: { key = '' }, url }) => {
  const { party, calledOffAt, own } = await getRsvpByKey(db, key);
  pageHeaders['Referrer-Policy'] = 'no-referrer';
  const isCanceled = calledOffAt !== null || own.accepted === false;
  const link = url.origin + paths.rsvp(key);
  return calendarFile(entryOfParty(party, { isCanceled, url: link, stampedAt: now, i18n }));
});
