import { Trans } from '@lingui/react/macro';
import type { Words } from '../../domain/words/words';
import { Notice } from '../Card';
import { useWords } from '../words';

/** Tells a client, before they press the button, that they have as many appointments as the provider allows. */
export function ReachedLimit({ words: limit }: { words: Words | null }) {
  const words = useWords();
  return (
    limit && (
      <Notice tone="warn" title={words(limit)}>
        <p>
          <Trans>To have this time, move or cancel one that you have.</Trans>
        </p>
      </Notice>
    )
  );
}
