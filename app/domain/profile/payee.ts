import { msg } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { characters, fault, line, mustBeText, tooLong } from '../input/fields';
import { limits } from '../input/limits';
import { isWebAddress } from '../input/outside-address';
import { isIban, type Payee } from './iban';

const noIban = msg`That is no IBAN: its check digits don't fit. Please compare it with a letter of your bank.`;
function readIban(text: string, context: { issues: z.core.$ZodRawIssue[] }): string {
  const iban = text.replaceAll(/\s/g, '').toUpperCase();
  if (!isIban(iban)) context.issues.push({ code: 'custom', input: text, message: fault(noIban) });
  return iban;
}
const iban = z
  .pipe(z.string(mustBeText(msg`IBAN`)), z.transform(readIban))
  .register(z.globalRegistry, { type: 'string' });
const holder = line(msg`Name of the account`, limits.payName);

const payLink = z
  .pipe(
    z.nullable(z.string(mustBeText(msg`Payment link`))),
    z.transform((text, context): string | null => {
      const link = text?.trim() || null;
      if (link === null) return null;
      if (characters(link) > limits.payLink) {
        const message = fault(tooLong(msg`Payment link`, limits.payLink));
        context.issues.push({ code: 'custom', input: link, message });
      } else if (!isWebAddress(link) || !/^https:/i.test(link)) {
        const message = fault(msg`The payment link must begin with https://, and have no name before an @.`);
        context.issues.push({ code: 'custom', input: link, message });
      }
      return link;
    }),
  )
  .register(z.globalRegistry, { type: ['string', 'null'], maxLength: limits.payLink });

/** What a call may change; null clears, and a link takes the place of an account and the other way round. */
export const payeeChange = {
  payLink: z.optional(payLink),
  payTo: z.optional(z.nullable(z.object({ iban, name: holder }))),
};
type PayeeChange = { payLink?: string | null; payTo?: { iban: string; name: string } | null };

const oneAtMost = msg`Give a payment link or an account, not both.`;
export const isOnePayee = z.refine<PayeeChange>(({ payLink, payTo }) => !payLink || !payTo, {
  path: ['payLink'],
  message: fault(oneAtMost),
});

/** The provider's payee after a change. A field that is left out stays. */
export function payeeAfter(payee: Payee | null, { payLink, payTo }: PayeeChange): Payee | null {
  if (payLink) return { link: payLink };
  if (payTo) return payTo;
  if (payee === null) return null;
  const isCleared = 'link' in payee ? payLink === null : payTo === null;
  return isCleared ? null : payee;
}

/** The form's fields, which it sends flat and all at once. */
export const payeeForm = z
  .object({
    payLink,
    iban: z.pipe(
      z.string(mustBeText(msg`IBAN`)),
      z.transform((text, context) => (text.trim() === '' ? null : readIban(text, context))),
    ),
    holder: line(msg`Name of the account`, limits.payName, 0),
  })
  .check(
    z.refine(({ iban, holder }) => iban === null || holder !== '', {
      path: ['holder'],
      message: fault(msg`Name of the account is missing.`),
    }),
    z.refine(({ payLink, iban }) => !payLink || !iban, { path: ['payLink'], message: fault(oneAtMost) }),
  );

/** The form as a change that a call could send. */
export const payeeIn = ({ payLink, iban, holder }: z.output<typeof payeeForm>) => ({
  payLink,
  payTo: iban === null ? null : { iban, name: holder },
});
