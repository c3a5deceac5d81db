import { msg, plural } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, wholeNumberIn } from '../input/fields';
import { rulesChange } from './rules';

const { least, longest, most } = { least: 60, longest: 20_160, most: 3 };

const rule = fault(
  msg`Choose at most ${plural({ most }, { one: '# reminder', other: '# reminders' })}, each a whole number of minutes from ${least} to ${longest} before the start.`,
);

/** Minutes before the start, each once, the longest first; undefined if missing. Blank entries don't count. */
const times = z
  .pipe(
    z.optional(z.unknown()),
    z.transform((input, context): number[] | undefined => {
      if (input === undefined) return undefined;
      const entries = Array.isArray(input) ? input.filter((entry) => entry !== '') : [Number.NaN];
      const minutes = entries.map((entry) => wholeNumberIn(entry));
      const once = [...new Set(minutes)].sort((time, other) => other - time);
      if (once.length > most || once.some((time) => !(time >= least && time <= longest))) {
        context.issues.push({ code: 'custom', input, message: rule });
      }
      return once;
    }),
  )
  .register(z.globalRegistry, {
    type: 'array',
    items: { type: 'integer', minimum: least, maximum: longest },
    maxItems: most,
  });

export const remindersChange = z.object({ reminders: times });

export const rulesAndReminders = z.extend(rulesChange, remindersChange.shape);
