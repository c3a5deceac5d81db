import type { AppLoadContext } from '@remix-run/cloudflare';
import { invalid } from '../domain/errors';
import { day } from '../domain/time/clock';
import type { Typed } from './form.server';

// Keeps robots from open forms, without a puzzle or script: a form has a signed token with its name and the time it was
// shown, and a field that people don't see.

const longestOpen = day;
// A person looks at a form for longer than that.
const shortestLook = 2000;

type Signing = Pick<AppLoadContext, 'signatures' | 'now'>;

/** @param form its name, and what it is about */
export const formToken = ({ signatures, now }: Signing, form: string): string =>
  signatures.sign('form', `${now} ${form}`);

/** @param duration milliseconds */
export function isShownLately({ signatures, now }: Signing, token: string, form: string, duration: number): boolean {
  const [at, ...rest] = signatures.verify('form', token)?.split(' ') ?? [];
  const shownAt = rest.join(' ') === form ? Number(at) : Number.NaN;
  return shownAt <= now && now - shownAt < duration;
}

/** @throws DomainError invalid for a form that we didn't show today, or that a robot filled in or sent too fast */
export function checkForm(signing: Signing & Pick<AppLoadContext, 'isRateLimited'>, typed: Typed, form: string): void {
  if (typed.website?.[0])
    throw invalid(null, 'A field that nobody sees was filled in. Please send the form once more.');
  const token = typed.shown?.[0] ?? '';
  if (!isShownLately(signing, token, form, longestOpen))
    throw invalid(null, 'This form was not opened lately. Please look at it again, and send it once more.');
  if (signing.isRateLimited && isShownLately(signing, token, form, shortestLook))
    throw invalid(null, 'That was too fast for a person. Please look at the form again, and send it once more.');
}
