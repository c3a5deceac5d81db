import * as z from 'zod/mini';
import { email, line, timeZone } from '../input/fields';
import { limits } from '../input/limits';

/** What a guest says of themselves: what to call them, and where they read mail if they like. */
export const guestDetails = z.object({ displayName: line('Name', limits.displayName), email, timeZone });
export type GuestDetails = z.output<typeof guestDetails>;

/** Who may book with a provider, or answer a party. */
export type OpenTo = 'anyone' | 'accounts';
