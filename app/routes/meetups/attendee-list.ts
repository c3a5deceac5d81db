import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { type Invitation, rsvpWords } from '../../domain/parties/parties';
import { getHosted } from '../../domain/parties/parties.server';
import { worded } from '../../domain/words/worded';
import { csvFile, instantWords } from '../../http/csv.server';
import { fileLoader } from '../../http/page.server';
import { personalLink } from './links';

const head = [msg`Name`, msg`Accepted`, msg`Answered at`, msg`Link`, msg`E-mail`, msg`Phone`];

export const loader = fileLoader('Provider', async ({ db, actor, now, i18n }, { params: { id = '' }, url }) => {
  const { invitations } = await getHosted(db, actor, 'meetup', id, now);
  return csvFile('attendees', rowsOf(i18n, invitations, url.origin));
});

const rowsOf = (i18n: I18n, invitations: Invitation[], origin: string): string[][] => [
  head.map((name) => worded(i18n, name)),
  ...invitations.map((invitation) => [
    invitation.name,
    worded(i18n, rsvpWords(invitation.accepted)),
    instantWords(invitation.rsvpAt),
    personalLink(origin, invitation),
    invitation.email ?? '',
    invitation.phone ?? '',
  ]),
];
