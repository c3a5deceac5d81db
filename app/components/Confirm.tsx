import type { ReactNode } from 'react';

const words = 'pressable min-h-12 rounded-full border-[1.5px] border-edge px-6 text-base font-semibold hover:bg-wash';

type Props = { id: string; button: string; question: string; children: ReactNode };

/** A button that asks first. The dialog is the browser's own popover, so it needs no script; its form does the thing. */
export function Confirm({ id, button, question, children }: Props) {
  const opens = { popovertarget: id };
  // Opened, it has the focus, where nothing can be done by mistake; closed, the browser gives it back to the opener.
  const closes = { popovertarget: id, popovertargetaction: 'hide', autofocus: '' };
  const popover = { id, popover: 'auto' };
  return (
    <>
      <button type="button" {...opens} className={words}>
        {button}
      </button>
      <div
        {...popover}
        role="dialog"
        aria-labelledby={`${id}-question`}
        className="m-auto max-w-md rounded-card border border-rule border-t-4 border-t-accent bg-card p-6 text-ink shadow-card"
      >
        <h2 id={`${id}-question`} className="mb-4 text-xl">
          {question}
        </h2>
        <div className="flex flex-wrap gap-3">
          {children}
          <button type="button" {...closes} className={words}>
            Close
          </button>
        </div>
      </div>
    </>
  );
}
