import { notFound } from '../../domain/errors';
import { findByLink } from '../../domain/parties/attendees.server';
import { mapLink } from '../../domain/parties/parties';
import { findParty } from '../../domain/parties/parties.server';
import { calendarFile } from '../../http/calendar.server';
import { answerFile } from '../../http/page.server';

/** A party by its link, or a meetup by a personal one, as a calendar file. */
export const loader = answerFile('anyone', async ({ db, now }, { params: { id = '' }, url }) => {
  const isMeetup = /^\/meetup-rsvp\//i.test(url.pathname);
  const found = isMeetup ? await findByLink(db, id) : await findParty(db, null, id);
  if (!found || (!isMeetup && found.party.kind !== 'party')) throw notFound('invitation');
  const { title: summary, address, ...party } = found.party;
  const link = `${url.origin}/${isMeetup ? 'meetup-rsvp' : 'party'}/${id}`;
  return calendarFile({ ...party, summary, location: address ?? mapLink(found.party), url: link }, now);
});
