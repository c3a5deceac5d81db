import { findInvitations } from '../../domain/parties/invitations.server';
import { getGuestsInParts } from '../../domain/parties/large.server';
import { type Invitation, rsvpWords } from '../../domain/parties/parties';
import { getOwnParty } from '../../domain/parties/parties.server';
import { mapParts } from '../../domain/parts';
import { findTemplateOfParty } from '../../domain/templates/templates.server';
import { csvFile, csvInParts, instantWords } from '../../http/csv.server';
import { answerFile } from '../../http/page.server';
import { questionsOf, questionTexts } from './columns';

const head = ['Guest', 'Username', 'Accepted', 'Brings', 'Answered at'];

const rowOf =
  (questions: string[]) =>
  ({ name, username, accepted, plusOnes, answeredAt, answers }: Invitation) => [
    name,
    username,
    rsvpWords(accepted),
    plusOnes,
    instantWords(answeredAt),
    ...questions.map((text) => answers.find(({ question }) => question === text)?.answer ?? ''),
  ];

/** Serves the guests of a party as CSV, with one column for each question. */
export const loader = answerFile('Provider', async ({ db, actor, now, id: request }, { params: { id = '' } }) => {
  const [, few, template] = await Promise.all([
    getOwnParty(db, actor, 'party', id),
    findInvitations(db, actor, id, now),
    findTemplateOfParty(db, id),
  ]);
  if (few) {
    const questions = questionTexts(questionsOf(few), template);
    return csvFile('guests', [[...head, ...questions], ...few.map(rowOf(questions))]);
  }
  const { guests, asked } = await getGuestsInParts(db, id);
  const questions = questionTexts(asked, template);
  const rows = mapParts(guests, (some) => some.map(rowOf(questions)));
  return csvInParts('guests', [...head, ...questions], rows, request);
});
