import { describe, expect, test } from 'vitest';
import {
  chosenService,
  moveInList,
  offerWords,
  type Service,
  serviceWords,
} from '../../../app/domain/services/services';
import { inEnglish } from '../../../app/domain/words/english';

const service = (details: Partial<Service> = {}): Service => ({
  id: 'cut',
  name: 'Cut',
  minutes: 30,
  gap: 0,
  price: null,
  deposit: null,
  description: null,
  seats: 1,
  templateId: null,
  isOffered: true,
  where: 'here',
  ...details,
});

test.each([
  [{}, '30 minutes'],
  [{ minutes: 90 }, '1 hour 30 minutes'],
  [{ price: '25 €' }, '30 minutes · 25 €'],
  [{ price: '25 €', deposit: '10 €' }, '30 minutes · 25 € · deposit 10 €'],
  [{ seats: 8 }, '30 minutes · 8 places'],
  [{ gap: 15 }, '30 minutes · 15 minutes free after it'],
  [{ price: '25 €', seats: 2, gap: 60 }, '30 minutes · 25 € · 2 places · 1 hour free after it'],
])('a service with %j is said to be %s', (details, words) => {
  expect(inEnglish(serviceWords(service(details)))).toBe(words);
});

test.each([
  [0, '1 hour · Sundays, Mondays and Saturdays, 8 places'],
  [1, '1 hour · Mondays, Saturdays and Sundays, 8 places'],
  [6, '1 hour · Saturdays, Sundays and Mondays, 8 places'],
])('the days of a class begin as weeks that begin on %d: %s', (weekStart, words) => {
  const offer = { minutes: 60, seats: 8, deposit: null, days: [1, 6, 0], where: 'here' } as const;
  expect(inEnglish(offerWords({ ...offer, days: [...offer.days] }, weekStart))).toBe(words);
});

test('the tile of a service says its deposit', () => {
  expect(inEnglish(offerWords({ minutes: 30, seats: 1, deposit: '10 €', where: 'here' }, 1))).toBe(
    '30 minutes · deposit 10 €',
  );
});

describe('the chosen service', () => {
  const [cut, colour, yoga] = [service(), service({ id: 'colour' }), service({ id: 'yoga', seats: 8 })];

  test.each<[string, Service[], string, Service | null]>([
    ['is the one that is named', [cut, colour], 'colour', colour],
    ['is none where none is named', [cut, colour], '', null],
    ['is none where another is named', [cut], 'colour', null],
    ['is the only one where none is named', [cut], '', cut],
    ['is no class where none is named', [yoga], '', null],
    ['is a class that is named', [yoga], 'yoga', yoga],
  ])('%s', (_, services, id, chosen) => {
    expect(chosenService(services, id)).toBe(chosen);
  });
});

test.each([
  ['up:b', 'b a c'],
  ['down:b', 'a c b'],
  ['up:a', 'a b c'],
  ['down:c', 'a b c'],
  ['up:d', 'a b c'],
  ['off:b', 'a b c'],
])('a list of a, b and c is %s: %s', (press, list) => {
  expect(moveInList(['a', 'b', 'c'], press).join(' ')).toBe(list);
});
