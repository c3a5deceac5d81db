import { Notice } from './Card';

/** Says before the button that somebody has as many appointments as the provider allows. */
export const ReachedLimit = ({ words }: { words: string | null }) =>
  words && (
    <Notice tone="warn" title={words}>
      <p>To have this time, move or cancel one that you have.</p>
    </Notice>
  );
