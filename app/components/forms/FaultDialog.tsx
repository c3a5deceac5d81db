import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import type { Refusal } from '../../domain/errors';
import { FaultList } from './ErrorSummary';

const stay = 2000;

// The button closes the dialog, even without script. With script Escape does too, and it closes by itself after two seconds, unless
// somebody points at it or has the focus in it. The faults stay beside their fields.
export function FaultDialog({ title, refused }: { title: string; refused: Pick<Refusal, 'faults'> | undefined }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const arrived = useRef(refused);
  useEffect(() => {
    const box = dialog.current;
    if (!refused || !box) return;
    // The reader may have closed the dialog before the script arrived.
    if (refused !== arrived.current) box.open = true;
    const timer = setInterval(() => {
      if (box.matches(':hover, :focus-within')) return;
      box.open = false;
      clearInterval(timer);
    }, stay);
    const closeByEscape = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') box.open = false;
    };
    document.addEventListener('keydown', closeByEscape);
    return () => {
      clearInterval(timer);
      document.removeEventListener('keydown', closeByEscape);
    };
  }, [refused]);
  if (!refused || refused.faults.length === 0) return null;
  return (
    <dialog
      ref={dialog}
      open
      aria-labelledby="fault-title"
      className="faults fixed inset-x-4 top-auto bottom-4 z-10 me-0 ms-auto max-h-[max(40%,11rem)] w-auto max-w-sm overflow-y-auto rounded-card border border-rule border-t-4 border-t-accent bg-card p-6 text-ink raised"
    >
      <div role="alert" className="grid gap-3">
        <h2 id="fault-title" className="text-xl">
          {title}
        </h2>
        <FaultList faults={refused.faults} />
      </div>
      <form method="dialog" className="mt-4">
        <button
          type="submit"
          className="pressable min-h-12 rounded-full border-[1.5px] border-edge px-6 font-semibold hover:bg-wash"
        >
          <Trans>Close</Trans>
        </button>
      </form>
    </dialog>
  );
}
