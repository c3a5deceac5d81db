import * as z from 'zod/mini';
import { email, line, paragraph, timeZone } from '../input/fields';
import { limits } from '../input/limits';

/** What a guest says of themselves: what to call them, and where they read mail if they like. */
export const guestDetails = z.object({ displayName: line('Name', limits.displayName), email, timeZone });
export type GuestDetails = z.output<typeof guestDetails>;

/** What a provider says of somebody they book for. */
export const walkIn = z.object({
  displayName: guestDetails.shape.displayName,
  email,
  note: paragraph('Note', limits.privateNote),
});
