import type { Hosted } from '../../domain/parties.server';
import type { Template } from '../../domain/questions';

/**
 * One column per question of the guest list: what the party asks now, then what it asked when earlier guests answered.
 */
export function questionTexts({ invitations }: Hosted, template: Template | undefined): string[] {
  const asked = template?.questions.map(({ questionText }) => questionText) ?? [];
  const answered = invitations.flatMap(({ answers }) => answers.map(({ question }) => question));
  return [...new Set([...asked, ...answered])];
}
