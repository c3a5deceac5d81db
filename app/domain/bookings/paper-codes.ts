import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { requiredText } from '../input/fields';

const longest = 100;

export const typedCode = z.object({
  code: z.pipe(
    requiredText(msg`Code`),
    z.transform((typed) =>
      typed
        .slice(0, longest)
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, ''),
    ),
  ),
});

/** Writes a code in two halves, which are easier to read from paper. */
export const codeWords = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;
