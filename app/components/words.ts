import { useLingui } from '@lingui/react';
import { worded } from '../domain/words/worded';
import type { Words } from '../domain/words/words';

/** Says what the domain describes in the reader's language. */
export function useWords(): (words: Words) => string {
  const { i18n } = useLingui();
  return (words) => worded(i18n, words);
}
