import { msg } from '@lingui/core/macro';
import type { Words } from '../words/words';

/** What the database says for the name of somebody who has left. */
export const formerName = 'Former guest';

/** What stands in a message for the name of a provider who has left. */
const formerProvider = 'a provider who has left';

/** Names a person, even one who has left. */
export const nameWords = (name: string): Words => (name === formerName ? msg`Former guest` : name);

/** Names the provider, even a deleted one. @param isFirst the words begin a sentence or stand alone */
export const providerWords = (name: string, isFirst = false): Words => {
  if (name !== '' && name !== formerName && name !== formerProvider) return name;
  return isFirst ? msg`A provider who has left` : msg`a provider who has left`;
};
