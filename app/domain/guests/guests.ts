import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { email, paragraph, phone, seenName, timeZone } from '../input/fields';
import { limits } from '../input/limits';

export const guestDetails = z.object({ displayName: seenName(msg`Name`, limits.displayName), email, timeZone });
export type GuestDetails = z.output<typeof guestDetails>;

/** The client's address, for what takes place there. */
export const clientAddress = z.pipe(
  paragraph(msg`Address`, limits.address),
  z.transform((address): string | null => address?.replaceAll(/\s*\n\s*/g, ', ') ?? null),
);

/** What a client gives for a booking, as far as its provider asks for it. */
export const clientContact = z.object({ email, phone, address: clientAddress });

export const noEmailWords = msg`Please give an e-mail address: it is asked for here.`;

export const walkIn = z.object({
  address: clientAddress,
  displayName: guestDetails.shape.displayName,
  email,
  phone,
  note: paragraph(msg`Note`, limits.privateNote),
});
