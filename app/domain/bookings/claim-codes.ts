import * as z from 'zod/mini';
import { given } from '../input/fields';

/** Longer than any code with all that people write between its signs. */
const longest = 100;

/** A code as people type it, in capitals or not, with spaces and dashes where they like. */
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
