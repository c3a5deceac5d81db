import { msg } from '@lingui/core/macro';

/** Which translations nobody who could judge them has read. The head of each of their files says it too. */
export const unreadTranslations = msg`Nobody who grew up with German, French, Portuguese, Spanish or Arabic has read our translations yet.`;
