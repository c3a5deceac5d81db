import * as z from 'zod/mini';
import { given } from '../input/fields';

/** Longer than any code with spaces and dashes. */
const longest = 100;

export const typedCode = z.object({
  code: z.pipe(
    given('Code'),
    z.transform((typed) =>
      typed
        .slice(0, longest)
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, ''),
    ),
  ),
});

/** A code in two halves, as it is easier to read from paper. */
export const codeWords = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;
