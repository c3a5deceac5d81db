import { notFound } from '../../domain/errors';
import { findMeetupLetter, findPartyLetter } from '../../domain/parties/letters.server';
import { mapLink } from '../../domain/parties/parties';
import { calendarFile } from '../../http/calendar.server';
import { answerFile } from '../../http/page.server';

/** A party by its link, or a meetup by a personal one, as a calendar file. Called off, the same file takes it out. */
export const loader = answerFile('anyone', async ({ db, now }, { params: { id = '' }, url }) => {
  const isMeetup = /^\/meetup-rsvp\//i.test(url.pathname);
  const found = isMeetup ? await findMeetupLetter(db, id) : await findPartyLetter(db, null, id);
  if (!found) throw notFound('invitation');
  const isCanceled = found.calledOffAt !== null;
  const { title: summary, address, ...party } = found.party;
  const link = `${url.origin}/${isMeetup ? 'meetup-rsvp' : 'party'}/${id}`;
  const location = address ?? mapLink(found.party);
  return calendarFile({ ...party, isCanceled, summary, location, url: link, stampedAt: now });
});
