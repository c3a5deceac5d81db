import { msg } from '@lingui/core/macro';
import type { AppLoadContext } from '@remix-run/cloudflare';
import { invalid } from '../domain/errors';
import { day } from '../domain/time/clock';
import type { Typed } from './form.server';

// Keeps robots from filling in open forms, without a puzzle or script. A form has a signed token with its name and the
// time when it was shown, and a field that people don't see.

const longestOpen = day;
// In milliseconds. A person looks at a form for longer.
const shortestLook = 2000;

type Signing = Pick<AppLoadContext, 'signatures' | 'now'>;

/** Makes the token of a form. @param form its name, and what it is about */
export const formToken = ({ signatures, now }: Signing, form: string): string =>
  signatures.sign('form', `${now} ${form}`);

/** @param duration in milliseconds */
export function isShownLately({ signatures, now }: Signing, token: string, form: string, duration: number): boolean {
  const [at, ...rest] = signatures.verify('form', token)?.split(' ') ?? [];
  const shownAt = rest.join(' ') === form ? Number(at) : Number.NaN;
  return shownAt <= now && now - shownAt < duration;
}

/**
 * Checks the token of a form.
 * @throws DomainError invalid for a form that we didn't show today, and for one that a robot filled in or sent too fast
 */
export function checkForm(signing: Signing & Pick<AppLoadContext, 'isRateLimited'>, typed: Typed, form: string): void {
  if (typed.website?.[0])
    throw invalid(null, msg`A field that nobody sees was filled in. Please send the form once more.`);
  const token = typed.shown?.[0] ?? '';
  if (!isShownLately(signing, token, form, longestOpen))
    throw invalid(null, msg`This form was not opened lately. Please look at it again, and send it once more.`);
  if (signing.isRateLimited && isShownLately(signing, token, form, shortestLook))
    throw invalid(null, msg`That was too fast for a person. Please look at the form again, and send it once more.`);
}
