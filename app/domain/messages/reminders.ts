import * as z from 'zod/mini';
import { rulesChange } from '../accounts/rules';

/** How many minutes before the start people can be reminded, and how often. */
const { least, longest, most } = { least: 60, longest: 20_160, most: 3 };

const rule = `Choose at most ${most} reminders, each a whole number of minutes from ${least} to ${longest} before the start.`;

/** Minutes before the start, each once, the longest first; undefined where the list is left out. A blank one counts for none. */
const times = z
  .pipe(
    z.optional(z.unknown()),
    z.transform((sent, context): number[] | undefined => {
      if (sent === undefined) return undefined;
      const given = Array.isArray(sent) ? sent.filter((one) => one !== '') : [Number.NaN];
      const read = given.map((one: unknown) => (/^\d{1,5}$/.test(String(one)) ? Number(one) : Number.NaN));
      const once = [...new Set(read)].sort((one, other) => other - one);
      if (once.length > most || once.some((one) => !(one >= least && one <= longest))) {
        context.issues.push({ code: 'custom', input: sent, message: rule });
      }
      return once;
    }),
  )
  .register(z.globalRegistry, {
    type: 'array',
    items: { type: 'integer', minimum: least, maximum: longest },
    maxItems: most,
  });

/** A change of when people are reminded before what a provider holds. */
export const remindersChange = z.object({ reminders: times });

/** The same with the provider's rules, as one form has them. */
export const rulesAndReminders = z.extend(rulesChange, remindersChange.shape);
