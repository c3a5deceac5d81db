import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useShell } from '../frame/shell';

/** The fragment of what a save bar says, to which a form that has saved leads. */
export const savedId = 'saved';

/**
 * The buttons of a long form, always in view, and above them what the last press did. With script that notice goes
 * as soon as something else is typed, because this is not saved yet. `once` is new for each page that is shown.
 */
export function SaveBar({ done, children }: { done: ReactNode; children: ReactNode }) {
  const { once } = useShell();
  const bar = useRef<HTMLDivElement>(null);
  const [typedOn, setTypedOn] = useState<string>();
  useEffect(() => {
    const form = bar.current?.closest('form');
    const noteTyping = () => setTypedOn(once);
    form?.addEventListener('input', noteTyping);
    return () => form?.removeEventListener('input', noteTyping);
  }, [once]);
  return (
    <div ref={bar} className="save-bar no-print">
      {done && typedOn !== once && (
        <div key={once} id={savedId} role="status" tabIndex={-1} data-done="" className="saved">
          {done}
        </div>
      )}
      {children}
    </div>
  );
}
