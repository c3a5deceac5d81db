import type { I18n } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { findTemplateOfParty } from '../../domain/bookings/template-of.server';
import { findInvitations } from '../../domain/parties/invitations.server';
import { getGuestsInParts } from '../../domain/parties/large.server';
import { type Invitation, rsvpWords } from '../../domain/parties/parties';
import { getOwnParty } from '../../domain/parties/parties.server';
import { mapParts } from '../../domain/streamed-list';
import { answerWords, type Question } from '../../domain/templates/questions';
import { worded } from '../../domain/words/worded';
import { csvFile, csvInParts, instantWords } from '../../http/csv.server';
import { fileLoader } from '../../http/page.server';
import { questionsOf, questionTexts } from './columns';

const heads = [msg`Guest`, msg`Username`, msg`Accepted`, msg`Brings`, msg`Answered at`, msg`E-mail`, msg`Phone`];
const headOf = (i18n: I18n, columns: string[]) => [...heads.map((name) => worded(i18n, name)), ...columns];

const rowOf = (i18n: I18n, columns: string[], questions: Question[] = []) => {
  const words = answerWords(questions);
  return ({ name, username, accepted, plusOnes, rsvpAt, email, phone, answers }: Invitation) => {
    const wordsByQuestion = new Map(answers.map((answer) => [answer.question, words(answer)]));
    return [
      name,
      username === name ? '' : username, // a guest has none, and comes with their name
      worded(i18n, rsvpWords(accepted)),
      plusOnes,
      instantWords(rsvpAt),
      email ?? '',
      phone ?? '',
      ...columns.map((text) => wordsByQuestion.get(text) ?? ''),
    ];
  };
};

export const loader = fileLoader('Provider', async ({ db, actor, now, i18n, id: request }, { params: { id = '' } }) => {
  const [, few, template] = await Promise.all([
    getOwnParty(db, actor, 'party', id),
    findInvitations(db, actor, id, now),
    findTemplateOfParty(db, id),
  ]);
  if (few) {
    const columns = questionTexts(questionsOf(few), template);
    return csvFile('guests', [headOf(i18n, columns), ...few.map(rowOf(i18n, columns, template?.questions))]);
  }
  const { guests, asked } = await getGuestsInParts(db, id);
  const columns = questionTexts(asked, template);
  const row = rowOf(i18n, columns, template?.questions);
  const rows = mapParts(guests, (some) => some.map(row));
  return csvInParts('guests', headOf(i18n, columns), rows, request, i18n);
});
