import type * as z from 'zod/mini';
import { signatures } from '../../app/domain/signatures.server';
import { formToken } from '../../app/http/form-token.server';
import type { profileJson } from '../../app/routes/api/account-shapes';
import type { Person } from './factories';
import type { ApiResponse, Visitor } from './visit';

type Door = { visitor: () => Visitor };

/** An account in the API. */
export type Profile = z.output<typeof profileJson>;

let guests = 0;

/** Somebody in a browser that has a guest's session. */
export async function newGuest(door: Door, details: object = {}): Promise<Person> {
  guests += 1;
  const browser = door.visitor();
  const displayName = `Guest ${guests}`;
  const response = await openGuest(browser, { displayName, timeZone: 'UTC', ...details });
  if (response.status !== 201) throw new Error(`Nobody is a guest: ${response.status} ${response.text}`);
  const profile = response.json as Profile;
  return { username: '', displayName: profile.displayName, browser, api: browser.api.bind(browser) };
}

export const openGuest = (browser: Visitor, body: unknown, sent = {}): Promise<ApiResponse> =>
  browser.api('POST', '/api/Account/Guest', body, sent);

/** The token of a form that anyone can send, as it stands in one that was shown at this moment. */
export const wordOf = (served: { secrets: { SESSION_SECRETS: string } }, form: string, shownAt: number): string =>
  formToken({ signatures: signatures(served.secrets.SESSION_SECRETS), now: shownAt }, form);
