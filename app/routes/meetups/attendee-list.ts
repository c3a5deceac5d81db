import { rsvpWords } from '../../domain/parties/parties';
import { getHosted } from '../../domain/parties/parties.server';
import { csvFile, instantWords } from '../../http/csv.server';
import { fileLoader } from '../../http/page.server';
import { personalLink } from './links';

export const loader = fileLoader('Provider', async ({ db, actor, now }, { params: { id = '' }, url }) => {
  const { invitations } = await getHosted(db, actor, 'meetup', id, now);
  const rows = invitations.map((invitation) => [
    invitation.name,
    rsvpWords(invitation.accepted),
    instantWords(invitation.rsvpAt),
    personalLink(url.origin, invitation),
    invitation.email ?? '',
    invitation.phone ?? '',
  ]);
  return csvFile('attendees', [['Name', 'Accepted', 'Answered at', 'Link', 'E-mail', 'Phone'], ...rows]);
});
