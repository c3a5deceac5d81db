import type { Messages } from '@lingui/core';

/** The signs of a message's id. They don't compress, so they are as few as tell all messages apart; the build checks that. */
export const idLength = 4;

type Tokens = Exclude<Messages[string], string>;

/** A plain text follows a sign of its own, because it may begin like JSON. */
const textSign = '=';

const isPlain = ([first, ...others]: Tokens): boolean =>
  typeof first === 'string' && others.length === 0 && !first.includes('\n');

// In an attribute, each quotation mark takes six characters.
const withBars = (json: string): string => json.replaceAll('|', '\\u007c').replaceAll('"', '|');
const withQuotes = (text: string): string => text.replaceAll('|', '"');

/**
 * Translations as a page carries them, in an attribute: a line each, the id before the text, or before the JSON of what has
 * placeholders.
 */
export const packMessages = (messages: Messages): string =>
  Object.entries(messages)
    .map(([id, tokens]) => id + (isPlain(tokens as Tokens) ? textSign + tokens[0] : withBars(JSON.stringify(tokens))))
    .join('\n');

/** Reads what `packMessages` wrote. */
export const unpackMessages = (packed: string): Messages =>
  Object.fromEntries(
    packed.split('\n').flatMap((line) => {
      const [id, rest] = [line.slice(0, idLength), line.slice(idLength)];
      if (rest === '') return [];
      return [[id, rest.startsWith(textSign) ? [rest.slice(1)] : (JSON.parse(withQuotes(rest)) as Tokens)]];
    }),
  );
