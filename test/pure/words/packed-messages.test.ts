import { expect, test } from 'vitest';
import { packMessages, unpackMessages } from '../../../app/domain/words/packed-messages';

const survives = (tokens: (string | (string | object)[])[]) => {
  const messages = { 'aB3+': tokens, zzzz: ['Heute'] } as Parameters<typeof packMessages>[0];
  expect(unpackMessages(packMessages(messages))).toEqual(messages);
};

test('a plain text survives its packing', () => survives(['Zeit in guten Händen']));

test('a text with quotation marks, which looks like JSON or has the sign of a text, survives', () =>
  survives(['["=Hans", „Franz“]']));

test('a text of two lines survives', () => survives(['one\ntwo']));

test('a text of no letters survives', () => survives(['']));

test('quotation marks, bars and backslashes beside a placeholder survive', () =>
  survives(['"a|b\\c" \\u007c ', ['name']]));

test('a placeholder alone survives', () => survives([['name']]));

test('a plural survives', () =>
  survives([['count', 'plural', { one: ['#', ' Platz'], other: ['#', ' Plätze'] }], '.']));

test('a page without translations has none', () => expect(unpackMessages('')).toEqual({}));
