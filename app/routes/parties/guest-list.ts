import { rsvpWords } from '../../domain/parties/parties';
import { getHosted } from '../../domain/parties/parties.server';
import { findTemplateOfParty } from '../../domain/templates/templates.server';
import { csvFile, instantWords } from '../../http/csv.server';
import { answerFile } from '../../http/page.server';
import { questionTexts } from './columns';

/** Serves the guests of a party as CSV, with one column for each question. */
export const loader = answerFile('Provider', async ({ db, actor, now }, { params: { id = '' } }) => {
  const [party, template] = await Promise.all([getHosted(db, actor, 'party', id, now), findTemplateOfParty(db, id)]);
  const questions = questionTexts(party.invitations, template);
  const rows = party.invitations.map(({ name, username, accepted, plusOnes, answeredAt, answers }) => [
    name,
    username,
    rsvpWords(accepted),
    plusOnes,
    instantWords(answeredAt),
    ...questions.map((text) => answers.find(({ question }) => question === text)?.answer ?? ''),
  ]);
  return csvFile('guests', [['Guest', 'Username', 'Accepted', 'Brings', 'Answered at', ...questions], ...rows]);
});
