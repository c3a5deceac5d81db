import type { Invitation } from '../../domain/parties/parties';
import type { Template } from '../../domain/templates/questions';

/** The questions that guests have answered. */
export const questionsOf = (guests: Pick<Invitation, 'answers'>[]): string[] =>
  guests.flatMap(({ answers }) => answers.map(({ question }) => question));

/** The question columns of a guest list: what the party asks now, then earlier questions that guests have answered. */
export const questionTexts = (answered: string[], template: Template | undefined): string[] => [
  ...new Set([...(template?.questions.map(({ questionText }) => questionText) ?? []), ...answered]),
];
