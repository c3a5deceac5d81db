import { because, type Kind, linkOf, type Message, sentenceOf, whenWordsFor } from './messages';

/** What somebody else did to what the reader has, as a screen tells it on top until the reader has seen it. */
export type ToldLine = { id: string; title: string; text: string; yours: string | null; link: string };

const done: Partial<Record<Kind, string>> = { moved: 'Moved', changed: 'Changed', 'called-off': 'Called off' };

/** The same as a heading: 'Canceled by Karla: ill'. */
export const titleOf = (message: Message): string =>
  `${done[message.kind] ?? 'Canceled'} by ${message.other ?? 'somebody'}${because(message)}`;

/** A message as its line. @param zone the reader's */
export const toldLine = (message: Message, zone: string): ToldLine => ({
  id: message.id,
  title: titleOf(message),
  text: sentenceOf(message),
  yours: message.subject && whenWordsFor(message.subject, zone),
  link: linkOf(message),
});
