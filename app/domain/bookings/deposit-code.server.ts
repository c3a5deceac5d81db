import { qrCodeOf } from '../qr-code.server';
import type { Appointment } from './appointments';
import { type Deposit, depositOf, transferText } from './deposits';

/** A deposit with the QR code for bank apps; null for one that is paid at a link or has come already, and until it is asked for. */
export type DepositWithCode = Deposit & { code: { path: string; size: number } | null };

/** As depositOf, with the code drawn. @param isAsked false on a letter, which stays small until the code is asked for */
export function depositWithCode(appointment: Appointment, isAsked = true): DepositWithCode | null {
  const deposit = depositOf(appointment);
  const text = deposit && !deposit.isPaid && isAsked ? transferText(deposit) : null;
  return deposit && { ...deposit, code: text === null ? null : qrCodeOf(text, 'M') };
}
