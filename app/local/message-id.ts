import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { idLength } from '../domain/words/packed-messages';

/** The id of a message, by its English and its context: the beginning of the one that Lingui gives it. */
export const messageIdOf = (message: string, context?: string): string =>
  generateMessageId(message, context).slice(0, idLength);
