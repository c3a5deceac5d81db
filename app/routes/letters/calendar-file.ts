import { entryOfParty } from '../../domain/calendar/entries';
import { notFound } from '../../domain/not-found';
import { findMeetupLetter, findPartyLetter } from '../../domain/parties/letters.server';
import { calendarFile } from '../../http/calendar.server';
import { fileLoader } from '../../http/page.server';
import * as paths from '../../paths';

/** A party by its link, or a meetup by a personal one, as a calendar file. Called off, the same file takes it out. */
export const loader = fileLoader('anyone', async ({ db, now, i18n }, { params: { id = '' }, url }) => {
  const isMeetup = /^\/meetup-rsvp\//i.test(url.pathname);
  const letter = isMeetup ? await findMeetupLetter(db, id) : await findPartyLetter(db, null, id);
  if (!letter) throw notFound('invitation');
  const isCanceled = letter.calledOffAt !== null;
  const link = url.origin + (isMeetup ? paths.meetup(id) : paths.party(id));
  return calendarFile(entryOfParty(letter.party, { isCanceled, url: link, stampedAt: now, i18n }));
});
