import { Notice } from '../Card';

/** Tells a client, before they press the button, that they have as many appointments as the provider allows. */
export const ReachedLimit = ({ words }: { words: string | null }) =>
  words && (
    <Notice tone="warn" title={words}>
      <p>To have this time, move or cancel one that you have.</p>
    </Notice>
  );
