import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { email, fault, paragraph, phone, seenName, timeZone } from '../input/fields';
import { limits } from '../input/limits';
import type { AskEmail } from '../profile/rules';
import { lackedAt, phoneAskedAt, type Where } from '../services/where';

export const guestDetails = z.object({ displayName: seenName(msg`Name`, limits.displayName), email, timeZone });
export type GuestDetails = z.output<typeof guestDetails>;

const detailsFor = (askEmail: AskEmail) =>
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
        context.issues.push({ code: 'custom', input: address, message: fault(noEmailWords) });
        return null;
      }),
    ),
  });
type Asking = { askEmail: AskEmail; askPhone: AskEmail; where: Where | null };
export const bookingDetailsFor = ({ askEmail, askPhone, where }: Asking) =>
  z.extend(detailsFor(askEmail), {
    phone: phoneFor(where, askPhone),
    address: addressAt(where),
  });

/** The client's address, for what takes place there. */
export const clientAddress = z.pipe(
  paragraph(msg`Address`, limits.address),
  z.transform((address): string | null => address?.replaceAll(/\s*\n\s*/g, ', ') ?? null),
);
const addressAt = (where: Where | null) =>
  z.pipe(
    clientAddress,
    z.transform((address: string | null, context): string | null => {
      for (const { message } of lackedAt(where, { hasPhone: true, hasAddress: address !== null }, null)) {
        context.issues.push({ code: 'custom', input: address, message: fault(message) });
      }
      return address;
    }),
  );

const phoneFor = (where: Where | null, askPhone: AskEmail) =>
  z.pipe(
    phone,
    z.transform((number: string | null, context): string | null => {
      if (phoneAskedAt(where, askPhone) === 'no') return null;
      for (const { message } of lackedAt(where, { hasPhone: number !== null, hasAddress: true }, askPhone)) {
        context.issues.push({ code: 'custom', input: number, message: fault(message) });
      }
      return number;
    }),
  );

export const noEmailWords = msg`Please give an e-mail address: it is asked for here.`;

export const walkIn = z.object({
  address: clientAddress,
  displayName: guestDetails.shape.displayName,
  email,
  phone,
  note: paragraph(msg`Note`, limits.privateNote),
});
