import { Notice } from './Card';

/** Says before the button that this person has all the appointments that they may have with the provider. */
export const ReachedLimit = ({ words }: { words: string | null }) =>
  words && (
    <Notice tone="warn" title={words}>
      <p>To have this time, move or cancel one that you have.</p>
    </Notice>
  );
