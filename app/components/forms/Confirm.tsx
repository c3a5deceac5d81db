import { type MouseEvent, type ReactNode, useRef } from 'react';
import { Icon } from '../frame/Icon';

const words = 'pressable min-h-12 rounded-full border-[1.5px] border-edge px-6 text-base font-semibold hover:bg-wash';

/** `isText`: the button that asks is one of a row of text actions. */
type Props = { id: string; button: string; question: ReactNode; isText?: boolean; children: ReactNode };

// Without script the dialog is a native popover. With script it is modal, because in a popover Tab leads to the page
// behind it.
export function Confirm({ id, button, question, isText, children }: Props) {
  const box = useRef<HTMLDialogElement>(null);
  const opens = { popovertarget: id };
  // The focus starts on the button that does nothing. When the dialog closes, the browser returns the focus.
  const closes = { popovertarget: id, popovertargetaction: 'hide', autofocus: '' };
  const popover = { id, popover: 'auto', closedby: 'any' as const };
  const open = (event: MouseEvent) => {
    // A dialog that the reader opened before the script arrived stays a popover.
    if (box.current?.matches(':popover-open')) return;
    event.preventDefault();
    box.current?.showModal();
  };
  return (
    <>
      <button type="button" {...opens} onClick={open} className={isText ? 'act is-ending' : words}>
        {isText && <Icon name="cancel" />}
        {button}
      </button>
      <dialog
        {...popover}
        ref={box}
        aria-labelledby={`${id}-question`}
        className="m-auto max-w-md rounded-card border border-rule border-t-4 border-t-accent bg-card p-6 text-ink shadow-card backdrop:bg-cover/55"
      >
        <h2 id={`${id}-question`} className="mb-4 text-xl">
          {question}
        </h2>
        <div className="flex flex-wrap gap-3">
          {children}
          <button type="button" {...closes} onClick={() => box.current?.close()} className={words}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}
