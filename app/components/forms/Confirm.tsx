import { Trans } from '@lingui/react/macro';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { Button } from '../Button';
import { PostForm, Submit } from './Form';

type Props = {
  id: string;
  /** The words of the button that asks. */
  button: ReactNode;
  icon: 'cancel' | 'delete';
  question: ReactNode;
  /** What happens, and whom we tell. */
  happens: ReactNode;
  /** The words of the button that does it, if they are not those of the one that asks. */
  yes?: ReactNode;
  press?: { name: string; value: string };
  /** True if it stands in a form of the page, which its button sends. */
  isInForm?: boolean;
  /** Fields of the form. */
  children?: ReactNode;
};

/**
 * Asks before something is deleted, canceled or removed. Without script the dialog is a native popover. With script it is
 * modal, because in a popover Tab leads to the page behind it.
 */
export function Confirm({ id, button, icon, question, happens, yes = button, press, isInForm, children }: Props) {
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
  const asked = (
    <>
      <p className="text-muted">{happens}</p>
      {children}
      <div className="flex flex-wrap gap-3">
        <Submit {...press}>{yes}</Submit>
        <Button quiet type="button" {...closes} onClick={() => box.current?.close()}>
          <Trans>Close</Trans>
        </Button>
      </div>
    </>
  );
  return (
    <>
      <Button ends={icon} type="button" {...opens} onClick={open}>
        {button}
      </Button>
      <dialog
        {...popover}
        ref={box}
        aria-labelledby={`${id}-question`}
        className="m-auto max-w-md rounded-card border border-rule border-t-4 border-t-accent bg-card p-6 text-ink raised backdrop:bg-cover/55"
      >
        <h2 id={`${id}-question`} className="mb-4 text-xl">
          {question}
        </h2>
        {isInForm ? <div className="grid gap-4">{asked}</div> : <PostForm className="grid gap-4">{asked}</PostForm>}
      </dialog>
    </>
  );
}
