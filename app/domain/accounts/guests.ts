import * as z from 'zod/mini';
import { email, paragraph, seenName, timeZone } from '../input/fields';
import { limits } from '../input/limits';
import type { AskEmail } from './rules';

/** What stands in place of the name of whoever is gone. */
export const formerName = 'Former guest';

/** What a guest says of themselves: what to call them, and where they read mail if they like. */
export const guestDetails = z.object({ displayName: seenName('Name', limits.displayName), email, timeZone });
export type GuestDetails = z.output<typeof guestDetails>;

/** The same where a provider asks for an e-mail address, or doesn't ask. */
export const detailsFor = (askEmail: AskEmail) =>
  z.extend(guestDetails, {
    email: z.pipe(
      askEmail === 'no'
        ? z.pipe(
            z.unknown(),
            z.transform(() => null),
          )
        : email,
      z.transform((address: string | null, context): string | null => {
        if (address || askEmail !== 'required') return address;
        context.issues.push({ code: 'custom', input: address, message: noEmailWords });
        return null;
      }),
    ),
  });
/** What is said to a guest without the address that is asked for. */
export const noEmailWords = 'Please give an e-mail address: it is asked for here.';

/** What a provider says of somebody they book for. */
export const walkIn = z.object({
  displayName: guestDetails.shape.displayName,
  email,
  note: paragraph('Note', limits.privateNote),
});
