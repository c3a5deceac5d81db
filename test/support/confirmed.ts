import type { D1 } from '../../app/local/d1';
import type { Person } from './factories';

let addresses = 0;

/** Gives somebody a confirmed address, which a host needs before names get mail. It sends no mail. */
export async function confirmAddress<Who extends Person>(d1: D1, who: Who): Promise<Who & { email: string }> {
  const email = `own.${++addresses}@mail.test`;
  await d1
    .prepare('UPDATE accounts SET email = ?1, email_hash = ?1, email_confirmed_at = 1 WHERE username = ?2')
    .bind(email, who.username)
    .run();
  return { ...who, email };
}
