import * as z from 'zod/mini';
import { wholeNumber } from '../input/fields';

/** Whom a provider lets book, and what they ask of guests. */
export type Rules = { openTo: OpenTo; askEmail: AskEmail };
export type OpenTo = (typeof openTo)[number];
export type AskEmail = (typeof askEmail)[number];

/** Who may book with a provider, or answer a party. */
export const openTo = ['anyone', 'accounts'] as const;
/** Whether a guest is asked for an e-mail address. */
export const askEmail = ['no', 'optional', 'required'] as const;

/** The rules that are not kept yet, as they stand: no notice, no deadline, no limit. */
export const otherRules = { notice: 0, cancelUntil: 0, horizonDays: null, perPerson: null, perDay: null };

/** A rule that has no other value yet. */
const fixed = (name: keyof typeof otherRules) =>
  z.pipe(
    wholeNumber(`${name} can't be set yet.`, 0, 0),
    z.transform((): undefined => undefined),
  );

/** A change of a provider's rules: what is left out stays. */
export const rulesChange = z.object({
  openTo: z.optional(z.enum(openTo, `openTo is one of ${openTo.join(', ')}.`)),
  askEmail: z.optional(z.enum(askEmail, `askEmail is one of ${askEmail.join(', ')}.`)),
  notice: fixed('notice'),
  cancelUntil: fixed('cancelUntil'),
  horizonDays: fixed('horizonDays'),
  perPerson: fixed('perPerson'),
  perDay: fixed('perDay'),
});
export type RulesChange = Partial<Rules>;
