import { Form, useActionData, useNavigation } from '@remix-run/react';
import { type ComponentProps, type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Refusal } from '../domain/errors';
import { Button } from './Button';
import { forgetKept, keepDraft, usePlace } from './kept';
import { rememberSent, typedIn } from './sent';
import { useShell } from './shell';

/**
 * A form that posts, with the one-time key of its page: sent twice, it has one effect. It works without script; with
 * script it cannot be sent again while it is under way, unless that takes long. What is wrong is said by us, beside the fields and
 * for all of them at once, not by the browser one by one.
 */
export function PostForm({ children, ...rest }: { children: ReactNode } & Omit<ComponentProps<typeof Form>, 'method'>) {
  const { once } = useShell();
  const form = useRef<HTMLFormElement>(null);
  const answer = useActionData<Partial<Refusal>>();
  // What the page came with is left alone: the reader may have gone on before the script arrived.
  const arrived = useRef(answer);
  const isSending = useIsSending();
  const sentWith = useRef<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    // Another form of this page, or this one again, would break off the one that is under way.
    if (isSending) return event.preventDefault();
    sentWith.current = once;
    rememberSent(event);
  };
  useEffect(() => {
    if (answer) sentWith.current = undefined;
  }, [answer]);
  // A page that is led back to itself has its data anew, and another key: the form is what it would be on a new
  // page, and what is typed from then on is told from that.
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
  // Without script the page begins anew; with it the reader is led to what is wrong, and passwords are emptied as well.
  useEffect(() => {
    if (answer === arrived.current || !answer?.faults?.length) return;
    for (const word of form.current?.querySelectorAll<HTMLInputElement>('[type=password]') ?? []) word.value = '';
    const first =
      document.querySelector<HTMLElement>('[data-first]') ?? document.querySelector<HTMLElement>('[data-faults]');
    first?.focus();
  }, [answer]);
  return (
    <Form ref={form} method="post" noValidate discover="none" onSubmit={send} {...rest}>
      <input type="hidden" name="once" value={once} />
      {children}
    </Form>
  );
}

/** How long a form may be under way before it can be sent again, in milliseconds. */
const patience = 10_000;

/** True while a form of this page is being sent, unless the network seems to have lost it. */
export function useIsSending(): boolean {
  const { state, formMethod, location } = useNavigation();
  const isUnderWay = state !== 'idle' && formMethod === 'POST';
  const [lost, setLost] = useState<typeof location>();
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setTimeout(() => setLost(location), patience);
    return () => clearTimeout(timer);
  }, [isUnderWay, location]);
  return isUnderWay && lost !== location;
}

/** The button of a form whose one field says what is meant: cancel this, withdraw that. */
export function Submit(props: ComponentProps<typeof Button>) {
  return <Button {...props} disabled={useIsSending()} />;
}

/** For Enter in a field: the first submit button of a form is what it triggers, and the month buttons come earlier. */
export function EnterSubmits({ name, value }: { name?: string; value?: string }) {
  return <button type="submit" name={name} value={value} tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
