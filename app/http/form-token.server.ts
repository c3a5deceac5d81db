import type { AppLoadContext } from '@remix-run/cloudflare';
import { invalid } from '../domain/errors';
import { day } from '../domain/time/clock';
import type { Typed } from './form.server';

/*
 * Keeps robots from open forms, without a puzzle and without script. A form carries a signed token with its name and
 * the time it was shown, and has a field that people don't see. A refused form comes back with all that was typed.
 */

/** For how long a form may stay open, in milliseconds. */
const longestOpen = day;
/** A person looks at a form for longer than that, in milliseconds. */
const shortestLook = 2000;

type Signing = Pick<AppLoadContext, 'signatures' | 'now'>;

/** The signed token of a form that is shown now. @param form its name, and what it is about */
export const formToken = ({ signatures, now }: Signing, form: string): string =>
  signatures.sign('form', `${now} ${form}`);

/** True for the token of that form, shown less than `within` milliseconds ago. */
export function isShownLately({ signatures, now }: Signing, token: string, form: string, within: number): boolean {
  const [at, ...rest] = signatures.verify('form', token)?.split(' ') ?? [];
  const shownAt = rest.join(' ') === form ? Number(at) : Number.NaN;
  return shownAt <= now && now - shownAt < within;
}

/**
 * Refuses forms that we did not show today, and those that a robot filled in or sent too fast.
 * @throws DomainError invalid
 */
export function checkForm(signing: Signing & Pick<AppLoadContext, 'isRateLimited'>, typed: Typed, form: string): void {
  if (typed.website?.[0])
    throw invalid(null, 'A field that nobody sees was filled in. Please send the form once more.');
  const token = typed.shown?.[0] ?? '';
  if (!isShownLately(signing, token, form, longestOpen))
    throw invalid(null, 'This form was not opened lately. Please look at it again, and send it once more.');
  if (signing.isRateLimited && isShownLately(signing, token, form, shortestLook))
    throw invalid(null, 'That was too fast for a person. Please look at the form again, and send it once more.');
}
