/** Where deposits go: to the provider's own link, or by a transfer to their account. */
export type Payee = { link: string } | { iban: string; name: string };

/**
 * True if the check digits fit (ISO 13616, ISO 7064 MOD 97-10).
 * @param iban in capital letters and without spaces
 */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => `${letter.charCodeAt(0) - 55}`);
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Writes an IBAN in groups of four, as banks print it. */
export const ibanWords = (iban: string): string => iban.replaceAll(/(.{4})(?!$)/g, '$1 ');
