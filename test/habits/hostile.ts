import type { Chance } from './chance';

/* Texts that mean harm. faults.ts looks for their marks in each response. */

/** Markup of a made-up element, which shows up in a page that does not escape it. */
const markup = [
  '<fzmark>',
  '"><fzmark src=x onerror=alert(1)>',
  '</title></textarea></script><fzmark>',
  '<!--<fzmark>-->',
  ']]><fzmark/>',
];
/** Attributes that break out of a quoted value. */
const attributes = ['" fzattr="1', "' fzattr='1", ' fzattr=1 ', '"\tfzattr=1 x="'];
const lines = ['a\r\nX-Fzmark: 1', 'a\nX-FZMARK:1\n', 'a\r\nSet-Cookie: fzmark=1', 'END:VEVENT\r\nX-FZMARK:1'];
const addresses =
  'javascript:fzmark() data:text/html,<fzmark> //evil.example/ https://evil.example/ /\\evil.example /../../etc/passwd file:///etc/passwd https://user:pass@evil.example:99999/'.split(
    ' ',
  );
const statements = [
  ...["' OR 1=1 --", "'; DROP TABLE slots; --", '" UNION SELECT password_hash FROM accounts --'],
  ...['%', '%_%', "x' || char(0) || 'y", '\\', '?1', '$.a[#-1]'],
];
const signs = [
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', 'x\udfffy', '\udc00\ud800', '\u202e\u2066abc'],
  ...['\ufeff', '\u200b', '\u3164', 'İıſßŒﬁ', '\u0085\u2028\u2029', '\u001b[31m', '\u{10ffff}\uffff'],
  ...['e\u0301'.repeat(40), `a${'\u0301'.repeat(500)}`, '👩‍👩‍👧‍👦'.repeat(30), '𝒯'.repeat(90), 'ﷺ'.repeat(81)],
];
const words = '__proto__ constructor toString hasOwnProperty null NaN true on [] {} {{7*7}} | , . .. / none'.split(' ');
const numbers = ['-1', '-0', '0', '1.5', '1e3', '0x10', '١٢', '9007199254740993', '1e999', '9'.repeat(400), ' 1', '+1'];
const times = [
  ...'13-45-2026 02-30-2027 02-29-2027 12-31-1969 01-01-9999 01-01-0000 2027-01-01 24:00 00:00 9:00 09:60 25:61 Mars/Olympus utc Etc/GMT+14'.split(
    ' ',
  ),
  '01-01-2027 01-01-2027',
];
const long = (chance: Chance) =>
  chance.of(['x', 'é', '🦷', ' ', '<', "'", 'ab ']).repeat(chance.of([81, 501, 2001, 5001, 20_000]));

export function hostileText(chance: Chance): string {
  const marked = [markup, markup, attributes, lines];
  const kind = chance.of([...marked, addresses, statements, signs, words, numbers, times, undefined]);
  return kind ? chance.of(kind) : long(chance);
}

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { deep: value };
  return value;
};
const others: ((chance: Chance) => unknown)[] = [
  (chance) => chance.of([null, true, false, [], {}, [[[]]], [null]]),
  (chance) => chance.of([0, -1, 1.5, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 4.0000000001]),
  (chance) => nested(chance.of([3, 50, 900])),
  (chance) => Array(chance.of([21, 367, 5_001])).fill(chance.of<unknown>([0, '', null, '01-02-2027', {}])),
  (chance) =>
    Object.fromEntries(Array.from({ length: chance.of([30, 2_000]) }, (_, place) => [`field${place}`, place])),
  () => ({ toString: 1, valueOf: null, length: -1 }),
  () => JSON.parse('{"__proto__": {"role": "Provider", "isAdmin": true}, "constructor": {"prototype": 1}}'),
];

/** A value of JSON that nobody expects. */
export const hostileValue = (chance: Chance): unknown =>
  chance.is(0.6) ? hostileText(chance) : chance.of(others)(chance);

/** Percent-encoded, with lone surrogates as the bytes that a decoder has to refuse. */
export function percent(text: string): string {
  return [...text]
    .map((sign) => {
      const code = sign.codePointAt(0) ?? 0;
      if (code < 0xd800 || code > 0xdfff) return encodeURIComponent(sign);
      const bytes = [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}

const broken = ['%', '%zz', '%00', '%ed%a0%80', '%c0%80', '&&==', '+', '=', 'a[b][c]=1', '%u0041'];
/** Pairs as a form sends them, some of them broken. */
export function formOf(chance: Chance, pairs: (readonly [string, string])[]): string {
  const form = pairs.map(([name, value]) => `${percent(name)}=${percent(value)}`).join('&');
  return chance.is(0.1) ? `${form}&${chance.of(broken)}=${chance.of(broken)}` : form;
}

/** Pairs as an address has them after its path. */
export function queryOf(chance: Chance, pairs: (readonly [string, string])[]): string {
  const query = formOf(chance, pairs).slice(0, 12_000).replace(/%.?$/, '');
  return query && `?${query}`;
}

/** The part of a text that Node sends as a header. */
export const headerText = (text: string): string => text.replaceAll(/[^\x20-\x7e\xa0-\xff]/g, '').slice(0, 8_000);
