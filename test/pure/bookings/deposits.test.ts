import { describe, expect, test } from 'vitest';
import { digitsOfReference, eurosIn, referenceFrom, transferText } from '../../../app/domain/bookings/deposits';

describe('the amount of a deposit', () => {
  test.each([
    ['10 €', '10.00'],
    ['€10', '10.00'],
    ['EUR 12,50', '12.50'],
    ['12.50 eur', '12.50'],
    ['1.250,00 €', '1250.00'],
    ['1 250 €', '1250.00'],
  ])('of "%s" is %s euros', (text, euros) => {
    expect(eurosIn(text)).toBe(euros);
  });

  test.each(['10', '₹400', '$10', 'half of it', '10 € each', '10–20 €', '0 €', '10,5 €', '€ 10 €', '1000000000 €'])(
    'is not guessed from "%s"',
    (text) => {
      expect(eurosIn(text)).toBeNull();
    },
  );
});

describe('a reference', () => {
  const id = 'provider1762333200000a1b2c3d4e5f6';

  test('has eight letters, none of them a vowel', () => {
    expect(referenceFrom(id)).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  });

  test('leads back to the digits of its booking, however it is typed', () => {
    const typed = referenceFrom(id)
      .toLowerCase()
      .replace(/(.{4})/, '$1 ');

    expect(digitsOfReference(typed)).toBe('c3d4e5f6');
  });

  test.each(['00000000', 'ffffffff'])('is made of the digits %s too', (digits) => {
    expect(digitsOfReference(referenceFrom(digits))).toBe(digits);
  });

  test.each(['MARGARET', 'BCDFGHJ', 'ZZZZZZZZ', '12345678'])('is not "%s"', (text) => {
    expect(digitsOfReference(text)).toBeNull();
  });
});

describe('the text of the QR code', () => {
  const way = { iban: 'DE89370400440532013000', name: 'Zoë Häuser' };
  const deposit = { text: '12,50 €', reference: 'BCDFGHJK', isPaid: false, way };

  test('is a transfer by EPC069-12', () => {
    const lines = ['BCD', '002', '1', 'SCT', '', 'Zoë Häuser', way.iban, 'EUR12.50', '', '', 'BCDFGHJK'];

    expect(transferText(deposit)).toBe(lines.join('\n'));
  });

  test('leaves the amount open where it is not in euros', () => {
    expect(transferText({ ...deposit, text: '400 kr' })?.split('\n')[7]).toBe('');
  });

  test('is not made for a link', () => {
    expect(transferText({ ...deposit, way: { link: 'https://pay.example' } })).toBeNull();
  });
});
