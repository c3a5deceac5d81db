import * as paths from '../../paths';
import { type Kind, linkOf, type Message, reasonWords, sentenceOf, whenWordsFor } from './messages';

export type NoticeLine = {
  id: string;
  title: string;
  text: string;
  yours: string | null;
  link: string;
  again: string | null;
};

const verbs: Partial<Record<Kind, string>> = { moved: 'Moved', changed: 'Changed', 'called-off': 'Called off' };

/** 'Canceled by Karla: ill'. */
const titleOf = (message: Message): string =>
  `${verbs[message.kind] ?? 'Canceled'} by ${message.other ?? 'somebody'}${reasonWords(message)}`;

export const noticeLine = (message: Message, zone: string): NoticeLine => ({
  id: message.id,
  title: titleOf(message),
  // The title has the reason.
  text: sentenceOf({ ...message, reason: null }),
  yours: message.subject && whenWordsFor(message.subject, zone),
  link: linkOf(message),
  again: message.kind === 'canceled' && message.hostUsername ? paths.search({ provider: message.hostUsername }) : null,
});
