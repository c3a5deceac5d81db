import { expect, test } from 'vitest';
import { termsShown } from '../../../app/domain/bookings/appointments';
import { type Terms, termsText } from '../../../app/domain/bookings/terms';

test.each<[said: string | undefined, terms: Terms | null]>([
  ['30 25 €\t10 €', { minutes: 30, price: '25 €', deposit: '10 €' }],
  ['30 25 €\t', { minutes: 30, price: '25 €', deposit: '' }],
  ['30 \t10 €', { minutes: 30, price: '', deposit: '10 €' }],
  ['30 25 €', { minutes: 30, price: '25 €', deposit: undefined }],
  ['a lot', null],
  [undefined, null],
])('the terms %j of a form are read', (said, terms) => {
  expect(termsShown.parse(said)).toEqual(terms);
});

test('a form says the terms as they are read', () => {
  const service = { price: '25 €', deposit: '10 €' };

  const said = termsText({ service, startsAt: 0, endsAt: 1_800_000 });

  expect(termsShown.parse(said)).toEqual({ minutes: 30, price: '25 €', deposit: '10 €' });
});
