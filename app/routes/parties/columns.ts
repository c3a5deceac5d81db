import type { Invitation } from '../../domain/parties/parties';
import type { Template } from '../../domain/templates/questions';

export const questionsOf = (guests: Pick<Invitation, 'answers'>[]): string[] =>
  guests.flatMap(({ answers }) => answers.map(({ question }) => question));

/**
 * The columns for questions in a guest list: first what the party asks now, then older questions that guests have
 * answered.
 */
export const questionTexts = (answered: string[], template: Template | undefined): string[] => [
  ...new Set([...(template?.questions.map(({ questionText }) => questionText) ?? []), ...answered]),
];
