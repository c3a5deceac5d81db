import { expect, test } from 'vitest';
import { smsLink, whatsAppLink } from '../../../app/components/texting';

test.each([
  ['+351 912 345 678', 'https://wa.me/351912345678'],
  ['00351 912 345 678', 'https://wa.me/351912345678'],
  ['+44 (0)20 7946 0000', 'https://wa.me/442079460000'],
  ['912 345 678', null],
  ['+1', null],
])('%s has WhatsApp at %s', (phone, link) => {
  expect(whatsAppLink(phone)).toBe(link);
});

test('a text opens with its words on iOS and Android', () => {
  expect(smsLink('+351 912', 'Hello Ana & Rui?')).toBe('sms:+351912?&body=Hello%20Ana%20%26%20Rui%3F');
});

test('a text without words is only a number', () => {
  expect(smsLink('(0151) 23-45')).toBe('sms:01512345');
});

test('WhatsApp has its words too', () => {
  expect(whatsAppLink('+351912345678', 'At 10:00')).toBe('https://wa.me/351912345678?text=At%2010%3A00');
});
