import { DomainError } from '../domain/errors';
import { registerGuest } from '../domain/people/join.server';
import type { Registration } from '../domain/profile/accounts';
import { type Registered, RegisteredBefore, registerAccount } from '../domain/profile/accounts.server';
import { readRegistration } from '../domain/profile/register.server';
import type { Context } from './context';
import { arrivalOf, authenticate, guestOf, originOf, setSession } from './login.server';

/**
 * Registers whoever sent a form, and logs them in. A guest keeps what they have booked.
 * @throws DomainError invalid, taken, conflict (a guest who wants to offer appointments), too_many
 */
export async function registerHere(
  context: Context,
  input: unknown,
  key: string,
): Promise<Pick<Registered, 'actor' | 'withheldQuestion'>> {
  const { db, actor: replaced, passwords, now, device } = context;
  const once = { now, device, ...arrivalOf(context), origin: await originOf(context), key, replaced };
  const registration = await readRegistration(db, input, once);
  const guest = await guestOf(context);
  try {
    const registered = guest
      ? await registerGuest(db, passwords, guest, registration, once)
      : await registerAccount(db, passwords, registration, once);
    await setSession(context, registered.actor);
    return registered;
  } catch (error) {
    if (!(error instanceof RegisteredBefore)) throw error;
    return logInAgain(context, registration, error);
  }
}

/** If the form was sent twice, the second one logs in, with all that a login asks for. */
async function logInAgain(context: Context, { username, password }: Registration, registered: RegisteredBefore) {
  try {
    const { actor } = await authenticate(context, { credentials: { username, password }, join: false });
    return { actor, withheldQuestion: null };
  } catch (error) {
    const isRefused = error instanceof DomainError && error.code === 'unauthenticated';
    throw isRefused ? registered : error;
  }
}
