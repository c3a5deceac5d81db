// Programs that send texts take words in the address of a link. Nothing is loaded from them before somebody presses it.

// A phone dials only digits and a leading plus.
export const dialled = (phone: string): string => phone.trim().replace(/(?!^\+)\D/g, '');

/** A link that opens the phone's own program. `?&body=` is the one form that iOS and Android both read. */
export const smsLink = (phone: string, text = ''): string =>
  `sms:${dialled(phone)}${text && `?&body=${encodeURIComponent(text)}`}`;

/** A link to WhatsApp; null for a number without its country, which WhatsApp can't find. */
export function whatsAppLink(phone: string, text = ''): string | null {
  const digits = dialled(phone.trim().replace(/^00/, '+').replaceAll('(0)', ''));
  return /^\+[1-9]\d{6,14}$/.test(digits)
    ? `https://wa.me/${digits.slice(1)}${text && `?text=${encodeURIComponent(text)}`}`
    : null;
}
