import { describe, expect, test } from 'vitest';
import { eurosIn, transferText } from '../../../app/domain/bookings/deposits';
import { idEndOf, referenceFrom } from '../../../app/domain/services/references';

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

  test.each(['00000000', 'ffffffff', 'c3d4e5f6', '0000000a'])('leads back to the end of its id, %s', (end) => {
    expect(idEndOf(referenceFrom(`provider1762333200000a1b2${end}`))).toBe(end);
  });

  test('is read as banks print it', () => {
    const reference = referenceFrom(id);

    expect(idEndOf(` ${reference.slice(0, 4).toLowerCase()} ${reference.slice(4)} `)).toBe('c3d4e5f6');
  });

  test.each(['', 'Schwartz', 'BCDFGHJ', 'BCDFGHJKL', 'ZZZZZZZZ'])('is not "%s"', (text) => {
    expect(idEndOf(text)).toBeNull();
  });

  test('has eight letters, none of them a vowel', () => {
    expect(referenceFrom(id)).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  });

  test('is another one for other random digits', () => {
    expect(referenceFrom(id)).not.toBe(referenceFrom(`${id.slice(0, -1)}7`));
  });
});

describe('the text of the QR code', () => {
  const payee = { iban: 'DE89370400440532013000', name: 'Zoë Häuser' };
  const deposit = { text: '12,50 €', reference: 'BCDFGHJK', isPaid: false, payee };

  test('is a transfer by EPC069-12', () => {
    const lines = ['BCD', '002', '1', 'SCT', '', 'Zoë Häuser', payee.iban, 'EUR12.50', '', '', 'BCDFGHJK'];

    expect(transferText(deposit)).toBe(lines.join('\n'));
  });

  test('leaves the amount open where it is not in euros', () => {
    expect(transferText({ ...deposit, text: '400 kr' })?.split('\n')[7]).toBe('');
  });

  test('is not made for a link', () => {
    expect(transferText({ ...deposit, payee: { link: 'https://pay.example' } })).toBeNull();
  });
});
