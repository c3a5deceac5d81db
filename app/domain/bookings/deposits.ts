import { msg } from '@lingui/core/macro';
import type { Payee } from '../profile/iban';
import { referenceFrom } from '../services/references';
import type { Words } from '../words/words';
import type { Appointment } from './appointments';

/** The reference of the deposit; null if the booking has none. */
export const referenceOf = ({ people, service, calendarId }: Appointment): string | null =>
  people !== null && service?.deposit ? referenceFrom(calendarId) : null;

/** A deposit for its provider: whether it has come. */
export const paidWords = (deposit: string, paid: boolean): Words =>
  paid ? msg`Deposit ${deposit}: has come` : msg`Deposit ${deposit}: not come yet`;

/** What a client is asked to pay in advance, and how. */
type Deposit = { text: string; reference: string; isPaid: boolean; payee: Payee };

/** A deposit with the QR code for bank apps; null for one that is paid at a link or has come already, and until it is asked for. */
export type DepositWithCode = Deposit & { code: { path: string; size: number } | null };

/** The deposit of a booking, for its client; null if none is asked for, or there is no way to pay it. */
export function depositOf(appointment: Appointment): Deposit | null {
  const { service, payBy, paid } = appointment;
  const reference = referenceOf(appointment);
  return reference && service?.deposit && payBy
    ? { text: service.deposit, reference, isPaid: paid, payee: payBy }
    : null;
}

// Thousands are parted by a sign or a space, cents by a point or a comma.
const amountPattern = /^(\d{1,3}(?:[., '\u00a0\u202f]\d{3})+|\d+)(?:[.,](\d{2}))?$/;
const currency = /^(?:€|EUR)\s*|\s*(?:€|EUR)$/giu;
const mostCents = 99_999_999_999;

/**
 * The amount of a deposit in euros, as '12.50'; null if the text is anything else, such as another currency, a share or two
 * amounts.
 */
export function eurosIn(text: string): string | null {
  const typed = text.trim();
  const number = typed.replaceAll(currency, '').trim();
  const [, whole, cents = '00'] = amountPattern.exec(number) ?? [];
  if (whole === undefined || (typed.match(currency)?.length ?? 0) !== 1) return null;
  const value = `${Number(whole.replaceAll(/\D/g, ''))}.${cents}`;
  const inCents = Number(value.replace('.', ''));
  return inCents > 0 && inCents <= mostCents ? value : null;
}

/**
 * The text of a QR code for bank apps: EPC069-12, version 002, in UTF-8, a SEPA credit transfer.
 * @returns null for a deposit that is paid at a link
 */
export function transferText({ text, reference, payee }: Deposit): string | null {
  if (!('iban' in payee)) return null;
  const euros = eurosIn(text);
  const [noBic, noPurpose, noStructuredReference] = ['', '', ''];
  return [
    'BCD',
    '002',
    '1',
    'SCT',
    noBic,
    payee.name,
    payee.iban,
    euros ? `EUR${euros}` : '',
    noPurpose,
    noStructuredReference,
    reference,
  ].join('\n');
}
