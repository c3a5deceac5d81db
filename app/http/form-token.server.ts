import type { AppLoadContext } from '@remix-run/cloudflare';
import { invalid } from '../domain/errors';
import { day } from '../domain/time/clock';
import type { Typed } from './form.server';

/*
 * What keeps robots from the forms that anyone can send, without a puzzle and without script: a form carries a signed word
 * that says which form of ours it is and when it was shown, and has a field that people don't see. Whoever is refused by
 * one of these gets the form again, with all that was typed.
 */

/** How long a form can stay open, and how long people look at one at the least, in milliseconds. */
const longest = day;
const shortest = 2000;

type Signing = Pick<AppLoadContext, 'signatures' | 'now'>;

/** The signed word of a form that is shown now. @param form which form it is: what it is for, and of which thing */
export const formToken = ({ signatures, now }: Signing, form: string): string =>
  signatures.sign('form', `${now} ${form}`);

/** True where this is the word of that form, shown not longer ago than so many milliseconds. */
export function isShownLately({ signatures, now }: Signing, word: string, form: string, within: number): boolean {
  const [at, ...shown] = signatures.verify('form', word)?.split(' ') ?? [];
  const shownAt = shown.join(' ') === form ? Number(at) : Number.NaN;
  return shownAt <= now && now - shownAt < within;
}

/**
 * Refuses a form that we did not show, or not lately, or that a robot has filled in. Where nothing is limited, it may be sent
 * at once. @throws DomainError invalid
 */
export function checkForm(signing: Signing & Pick<AppLoadContext, 'isRateLimited'>, typed: Typed, form: string): void {
  if (typed.website?.[0])
    throw invalid(null, 'A field that nobody sees was filled in. Please send the form once more.');
  const word = typed.shown?.[0] ?? '';
  if (!isShownLately(signing, word, form, longest))
    throw invalid(null, 'This form was not opened lately. Please look at it again, and send it once more.');
  if (signing.isRateLimited && isShownLately(signing, word, form, shortest))
    throw invalid(null, 'That was too fast for a person. Please look at the form again, and send it once more.');
}
