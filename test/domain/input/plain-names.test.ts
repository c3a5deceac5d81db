import { expect, test } from 'vitest';
import { plainName } from '../../../app/domain/messages/plain-names';

test.each([
  ['Gus', 'Gus'],
  ['Dr. Ana M. de la Cruz', 'Dr. Ana M. de la Cruz'],
  ['J.R.R. Tolkien', 'J.R.R. Tolkien'],
  ['Müller & Söhne, Raum 12', 'Müller & Söhne, Raum 12'],
  ['김 민준', '김 민준'],
  ['علی رضا', 'علی رضا'],
  ['Win at http://evil.example/x now', 'Win at now'],
  ['Win at HTTPS:evil now', 'Win at now'],
  ['Salon Anna www.salon', 'Salon Anna'],
  ['evil.com', ''],
  ['Visit evil.com, Visit', 'Visit Visit'],
  ['(evil.com/win)', ''],
  ['evil．com ｗｗｗ.evil evil。com evil｡com', ''],
  ['bücher.de пример.рф', ''],
  ['1.2.3.44 me@mail.test', ''],
  ['x://y //evil.co \\\\host', ''],
  ['Call +1 (555) 010-1234 now', 'Call now'],
  ['Call 555 01 01 34', 'Call'],
  ['Call ٥٥٥ ٠١٠١', 'Call'],
  ['Buy cheap pills today, all of them, for half the price', 'Buy cheap pills today, all of them, for'],
  ['a'.repeat(80), ''],
])('%s is %s in mail', (name, shown) => {
  expect(plainName(name)).toBe(shown);
});
