import { Form, useActionData, useNavigation } from '@remix-run/react';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Refusal } from '../domain/errors';
import { Button } from './Button';
import { forgetKept, keepDraft, usePlace } from './kept';
import { useShell } from './shell';
import { refusedTitle } from './titled';
import { passwordInputs, rememberForm, typedIn } from './unsaved-form';

/**
 * A form that posts with the one-time key of its page: sent twice, it has one effect. With script it can't be sent
 * again while it is under way. All faults are shown at once, beside their fields; the browser would show one after the
 * other.
 */
export function PostForm({ children, ...rest }: { children: ReactNode } & Omit<ComponentProps<typeof Form>, 'method'>) {
  const { once } = useShell();
  const form = useRef<HTMLFormElement>(null);
  const answer = useActionData<Partial<Refusal>>();
  // Leave the action data of a new document alone: the reader may have gone on before the script arrived.
  const arrived = useRef(answer);
  const isSending = useIsSending();
  const sentWith = useRef<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    // Another submit would stop the one under way.
    if (isSending) return event.preventDefault();
    sentWith.current = once;
    rememberForm(event);
  };
  useEffect(() => {
    if (answer) sentWith.current = undefined;
  }, [answer]);
  // A redirect back to the same page brings new data and a new key: the form is that of a new page.
  useEffect(() => {
    if (sentWith.current === undefined || sentWith.current === once) return;
    if (!answer) form.current?.reset();
    sentWith.current = undefined;
  }, [once, answer]);
  const place = usePlace();
  useEffect(() => {
    const box = form.current;
    if (!box) return;
    const typed = () => ({ ...typedIn(box), once: [] });
    const atFirst = JSON.stringify(typed());
    return () => {
      if (sentWith.current !== undefined) forgetKept(place);
      else if (JSON.stringify(typed()) !== atFirst) keepDraft(place, typed());
    };
  }, [place]);
  const isRefused = answer !== arrived.current && Boolean(answer?.faults?.length);
  // Without script a new page has empty passwords. This empties them before the faults are seen, so that what is typed
  // after that stays.
  useLayoutEffect(() => {
    if (!answer || !isRefused) return;
    for (const word of form.current ? passwordInputs(form.current) : []) word.value = '';
  }, [answer, isRefused]);
  useEffect(() => {
    if (!answer || !isRefused) return;
    const first =
      document.querySelector<HTMLElement>('[data-first]') ?? document.querySelector<HTMLElement>('[data-faults]');
    first?.focus();
  }, [answer, isRefused]);
  // The title says that the form was refused. New data of the page brings a new title.
  useEffect(() => {
    if (!once || !answer?.faults?.length || document.title.startsWith(refusedTitle)) return;
    document.title = refusedTitle + document.title;
    return () => {
      document.title = document.title.replace(refusedTitle, '');
    };
  }, [answer, once]);
  return (
    <Form ref={form} method="post" noValidate discover="none" onSubmit={send} {...rest}>
      <input type="hidden" name="once" value={once} />
      {children}
    </Form>
  );
}

// The reader can send the form again after this time.
const maySendAgainAfter = 10_000;

/** Turns false for a form that the network seems to have lost. */
export function useIsSending(): boolean {
  const { state, formMethod, location } = useNavigation();
  const isUnderWay = state !== 'idle' && formMethod === 'POST';
  const [lost, setLost] = useState<typeof location>();
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setLost(location), maySendAgainAfter);
    return () => clearTimeout(timer);
  }, [isUnderWay, location]);
  return isUnderWay && lost !== location;
}

/** The button of a PostForm; it waits while the form is under way. */
export function Submit(props: ComponentProps<typeof Button>) {
  return <Button {...props} disabled={useIsSending()} />;
}

/** Enter in a field presses the first submit button of the form; the month buttons would come earlier. */
export function EnterSubmits({ name, value }: { name?: string; value?: string }) {
  return <button type="submit" name={name} value={value} tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
