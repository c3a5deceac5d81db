import * as paths from '../../paths';
import { whenWordsFor } from '../time/when-words';
import type { Words } from '../words/words';
import { linkOf, type Message, noticeOf } from './messages';

export type NoticeLine = {
  id: string;
  title: Words;
  text: Words;
  yours: Words | null;
  link: string;
  again: string | null;
};

/** What others have changed, shown until the reader marks it as seen. Undefined for kinds that only the news show. */
export function noticeLine(message: Message, zone: string): NoticeLine | undefined {
  const { id, subject, hostUsername } = message;
  const notice = noticeOf(message);
  if (!notice) return undefined;
  return {
    id,
    title: notice.title,
    text: notice.text,
    yours: subject && whenWordsFor(subject, zone),
    link: linkOf(message),
    again: notice.offersAnother && hostUsername ? paths.search({ provider: hostUsername }) : null,
  };
}
