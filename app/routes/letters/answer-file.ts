import { entryOfParty } from '../../domain/calendar/entries';
import { getAnswerByKey } from '../../domain/parties/guest-rsvps.server';
import { calendarFile } from '../../http/calendar.server';
import { answerFile } from '../../http/page.server';
import * as paths from '../../paths';

/**
 * Serves the party of an answer as a calendar file that leads back to the answer's personal link. For a party that was called
 * off, or a guest who isn't coming, the file takes the entry out.
 */
export const loader = answerFile('anyone', async ({ db, now, pageHeaders }, { params: { key = '' }, url }) => {
  const { party, calledOffAt, own } = await getAnswerByKey(db, key);
  pageHeaders['Referrer-Policy'] = 'no-referrer';
  const isCanceled = calledOffAt !== null || own.accepted === false;
  const link = url.origin + paths.answer(key);
  return calendarFile(entryOfParty(party, { isCanceled, url: link, stampedAt: now }));
});
