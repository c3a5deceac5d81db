import type { Invitation } from '../../domain/parties/parties';
import type { Template } from '../../domain/templates/questions';

/**
 * One column per question of a list of guests: what the party asks now, then what it asked when these answered.
 */
export function questionTexts(invitations: Invitation[], template: Template | undefined): string[] {
  const asked = template?.questions.map(({ questionText }) => questionText) ?? [];
  const answered = invitations.flatMap(({ answers }) => answers.map(({ question }) => question));
  return [...new Set([...asked, ...answered])];
}
