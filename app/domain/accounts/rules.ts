import * as z from 'zod/mini';
import { limits } from '../input/limits';

/** Whom a provider lets book and what they ask of guests, and the rules of time and number. */
export type Rules = {
  openTo: OpenTo;
  askEmail: AskEmail;
  /** Minutes before its start from which a slot can be booked no more. */
  notice: number;
  /** Minutes before the start from which a booker can cancel or move no more. */
  cancelUntil: number;
  /** How many days ahead one can book; null where there is no end. */
  horizonDays: number | null;
  /** How many coming appointments one person may have; null where there is no limit. */
  perPerson: number | null;
  /** How many booked appointments a day may have; null where there is no limit. */
  perDay: number | null;
  /** After how many days the answers of past appointments are deleted; null where never. */
  keepAnswersDays: number | null;
};
export type OpenTo = (typeof openTo)[number];
export type AskEmail = (typeof askEmail)[number];

/** Who may book with a provider, or answer a party. */
export const openTo = ['anyone', 'accounts'] as const;
/** Whether a guest is asked for an e-mail address. */
export const askEmail = ['no', 'optional', 'required'] as const;

/** A whole number; undefined where it is left out. Where `isNullable`, null or blank takes the rule away. */
function number<Nullable extends boolean>(words: string, [min, max]: readonly [number, number], isNullable: Nullable) {
  type Read = undefined | number | (Nullable extends true ? null : never);
  return z
    .pipe(
      z.optional(z.unknown()),
      z.transform((sent, context): Read => {
        if (sent === undefined) return undefined;
        if (isNullable && (sent === null || sent === '')) return null as Read;
        const isRead = typeof sent === 'number' || typeof sent === 'string';
        const read = isRead && /^\d{1,6}$/.test(String(sent).trim()) ? Number(sent) : Number.NaN;
        if (!(read >= min && read <= max)) context.issues.push({ code: 'custom', input: sent, message: words });
        return read as Read;
      }),
    )
    .register(z.globalRegistry, { type: isNullable ? ['integer', 'null'] : 'integer', minimum: min, maximum: max });
}

const { ruleMinutes, horizonDays, perSomething } = limits;
const minutes = (name: string) =>
  number(`${name} must be a whole number of minutes from 0 to ${ruleMinutes}.`, [0, ruleMinutes], false);
const limit = (name: string) =>
  number(`${name} must be a whole number from 1 to ${perSomething}, or nothing.`, [1, perSomething], true);

/** A change of a provider's rules: what is left out stays. */
export const rulesChange = z.object({
  openTo: z.optional(z.enum(openTo, `openTo is one of ${openTo.join(', ')}.`)),
  askEmail: z.optional(z.enum(askEmail, `askEmail is one of ${askEmail.join(', ')}.`)),
  notice: minutes('Notice'),
  cancelUntil: minutes('The time to cancel'),
  horizonDays: number(
    `Days ahead must be a whole number from 1 to ${horizonDays}, or nothing.`,
    [1, horizonDays],
    true,
  ),
  perPerson: limit('Appointments of one person'),
  perDay: limit('Appointments of a day'),
  keepAnswersDays: number(
    `Days to keep answers must be a whole number from 1 to ${limits.keepAnswersDays}, or nothing.`,
    [1, limits.keepAnswersDays],
    true,
  ),
});
export type RulesChange = Partial<z.output<typeof rulesChange>>;
