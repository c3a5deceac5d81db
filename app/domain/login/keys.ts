import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { fault, line, mustBeText, requiredText, wireDate } from '../input/fields';
import { limits } from '../input/limits';
import { credentials } from '../profile/accounts';
import type { Instant, LocalDate } from '../time/clock';

/** What a program may do with a key: read, or read and write. */
export const scopes = ['read', 'write'] as const;
export type Scope = (typeof scopes)[number];

/** How many keys an account may have. */
export const mostKeys = 10;

/** So each key begins, by which people and programs that look for leaked ones know it. */
export const keyPrefix = 'daybook_';

/** A key as its owner sees it. `until` is its last day in the account's zone; `usedOn` the last day on which it was used. */
export type Key = {
  id: string;
  name: string;
  scope: Scope;
  madeAt: Instant;
  until: LocalDate | null;
  usedOn: LocalDate | null;
};

const lastDay = wireDate(z.string(mustBeText(msg`Last day`)), (text) => msg`“${text}” is no date.`);

export const keyInput = z.object({
  name: line(msg`Name`, limits.keyName),
  scope: z.enum(scopes, fault(msg`Choose what the key may do: read or write.`)),
  password: credentials.shape.password,
  /** The current code of the app, or a recovery code, if the account has a second factor. */
  code: z.optional(z.nullable(z.string())),
  until: z.optional(z.nullable(lastDay)),
});
export type KeyInput = z.output<typeof keyInput>;

export const keyId = z.object({ id: requiredText(msg`Id`) });
