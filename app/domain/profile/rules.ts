import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, wholeNumberIn, yesOrNo } from '../input/fields';
import { limits } from '../input/limits';
import type { Words } from '../words/words';
import { embedOn } from './embedding';
import { type Colour, colours, type Head, heads } from './looks';

export type Rules = {
  openTo: OpenTo;
  askEmail: HowAsked;
  askPhone: HowAsked;
  /** minutes before its start at which a slot can no longer be booked */
  notice: number;
  /** minutes before the start at which people can no longer cancel */
  cancelUntil: number;
  horizonDays: number | null; // null for no limit
  perPerson: number | null; // the most coming appointments that one person may have
  perDay: number | null; // the most appointments that may be booked on a day
  partiesBlock: boolean; // the provider's own parties and meetups block slots
  colour: Colour; // the colour of their page
  head: Head;
  keepAnswersDays: number | null; // days after the appointment; null to keep answers
  waitlist: OnOff; // people may wait for a time that becomes free
  embedOn: string[]; // origins of sites that may show the page in a frame
  reminders: number[]; // minutes before the start at which clients and guests are reminded
};
type OnOff = (typeof onOff)[number];
export type OpenTo = (typeof openTo)[number];
export type HowAsked = (typeof askEmail)[number];

export const openTo = ['anyone', 'accounts'] as const;
export const onOff = ['on', 'off'] as const;
/** The provider asks guests for an e-mail address, and everybody who books for a phone number. */
export const askEmail = ['no', 'optional', 'required'] as const;

/** Reads a number. If `isNullable`, null or blank removes the rule. */
function number<Nullable extends boolean>(words: Words, [min, max]: readonly [number, number], isNullable: Nullable) {
  type Parsed = undefined | number | (Nullable extends true ? null : never);
  return z
    .pipe(
      z.optional(z.unknown()),
      z.transform((input, context): Parsed => {
        if (input === undefined) return undefined;
        if (isNullable && (input === null || input === '')) return null as Parsed;
        const value = wholeNumberIn(input);
        if (!(value >= min && value <= max)) context.issues.push({ code: 'custom', input, message: fault(words) });
        return value as Parsed;
      }),
    )
    .register(z.globalRegistry, { type: isNullable ? ['integer', 'null'] : 'integer', minimum: min, maximum: max });
}

const { ruleMinutes, horizonDays, perRule, keepAnswersDays } = limits;
const minutes = (name: Words) =>
  number(msg`${name} must be a whole number of minutes from 0 to ${ruleMinutes}.`, [0, ruleMinutes], false);
const limit = (name: Words) =>
  number(msg`${name} must be a whole number from 1 to ${perRule}, or nothing.`, [1, perRule], true);

/** One of the words that the API knows, under the name that it has there. */
const oneOf = <const Choice extends string>(field: string, list: readonly Choice[]) => {
  const choices = list.join(', ');
  return z.optional(z.enum(list, fault(msg`${field} is one of ${choices}.`)));
};

export const rulesChange = z.object({
  openTo: oneOf('openTo', openTo),
  askEmail: oneOf('askEmail', askEmail),
  askPhone: oneOf('askPhone', askEmail),
  notice: minutes(msg`Notice`),
  cancelUntil: minutes(msg`The time to cancel`),
  horizonDays: number(
    msg`Days ahead must be a whole number from 1 to ${horizonDays}, or nothing.`,
    [1, horizonDays],
    true,
  ),
  perPerson: limit(msg`Appointments of one person`),
  perDay: limit(msg`Appointments of a day`),
  partiesBlock: z.optional(yesOrNo(msg`Parties blocking your time`)),
  colour: oneOf('colour', colours),
  head: oneOf('head', heads),
  keepAnswersDays: number(
    msg`Days to keep answers must be a whole number from 1 to ${keepAnswersDays}, or nothing.`,
    [1, keepAnswersDays],
    true,
  ),
  waitlist: oneOf('waitlist', onOff),
  embedOn: z.optional(embedOn),
});
/** How the page looks is set on a screen of its own. */
export const lookChange = z.pick(rulesChange, { colour: true, head: true });
/** So are the sites that may show it. */
export const sitesChange = z.pick(rulesChange, { embedOn: true });
export type RulesChange = Partial<z.output<typeof rulesChange>> & { reminders?: number[] | undefined };
