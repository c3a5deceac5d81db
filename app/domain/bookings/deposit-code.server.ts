import { qrCodeOf } from '../qr-code.server';
import type { Appointment } from './appointments';
import { type DepositWithCode, depositOf, transferText } from './deposits';

/** As depositOf, with the code drawn. @param isAsked false on a letter, which stays small until the code is asked for */
export function depositWithCode(appointment: Appointment, isAsked = true): DepositWithCode | null {
  const deposit = depositOf(appointment);
  const text = deposit && !deposit.isPaid && isAsked ? transferText(deposit) : null;
  return deposit && { ...deposit, code: text === null ? null : qrCodeOf(text, 'M') };
}
