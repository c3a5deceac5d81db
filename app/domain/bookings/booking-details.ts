import * as z from 'zod/mini';
import { clientAddress, guestDetails, noEmailWords } from '../guests/guests';
import { email, fault, phone } from '../input/fields';
import type { AskEmail } from '../profile/rules';
import { lackedAt, phoneAskedAt, type Where } from '../services/where';

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

type AskedDetails = { askEmail: AskEmail; askPhone: AskEmail; where: Where | null };
/** What a guest gives for a booking, by the rules of its provider and by where it takes place. */
export const bookingDetailsFor = ({ askEmail, askPhone, where }: AskedDetails) =>
  z.extend(detailsFor(askEmail), {
    phone: phoneFor(where, askPhone),
    address: addressAt(where),
  });

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
