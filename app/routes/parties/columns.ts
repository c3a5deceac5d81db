import type { Invitation } from '../../domain/parties/parties';
import type { Template } from '../../domain/templates/questions';

/** The question columns of a guest list: what the party asks now, then earlier questions that guests have answered. */
export function questionTexts(invitations: Invitation[], template: Template | undefined): string[] {
  const asked = template?.questions.map(({ questionText }) => questionText) ?? [];
  const answered = invitations.flatMap(({ answers }) => answers.map(({ question }) => question));
  return [...new Set([...asked, ...answered])];
}
