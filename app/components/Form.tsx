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
 * A form that posts, with the one-time key of its page: sent twice, it has one effect. It works without script. With
 * script the reader can't send it again while it is under way, unless that takes long. We show all faults at once,
 * beside their fields; the browser would show one after the other.
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
    // Another submit would break off the one that is under way.
    if (isSending) return event.preventDefault();
    sentWith.current = once;
    rememberForm(event);
  };
  useEffect(() => {
    if (answer) sentWith.current = undefined;
  }, [answer]);
  // A redirect back to the same page brings new data and a new key. The form then becomes that of a new page, and what
  // is typed from then on is compared with that.
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
  // Without script the browser starts a new page. With script we empty the passwords too, before the faults are seen: what
  // is typed after that stays.
  useLayoutEffect(() => {
    if (!answer || !isRefused) return;
    for (const word of form.current ? passwordInputs(form.current) : []) word.value = '';
  }, [answer, isRefused]);
  // We lead the reader to the fault as well.
  useEffect(() => {
    if (!answer || !isRefused) return;
    const first =
      document.querySelector<HTMLElement>('[data-first]') ?? document.querySelector<HTMLElement>('[data-faults]');
    first?.focus();
  }, [answer, isRefused]);
  // The title says that the form was refused. With each new key the page's data has come anew, and its title with it.
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

/** How long a form is under way before the reader can send it again, in milliseconds. */
const patience = 10_000;

/** True while a form of this page is under way, unless the network seems to have lost it. */
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

/** The button that sends a PostForm. It waits while one is under way. */
export function Submit(props: ComponentProps<typeof Button>) {
  return <Button {...props} disabled={useIsSending()} />;
}

/** Enter in a field presses the first submit button of the form; the month buttons would come earlier. */
export function EnterSubmits({ name, value }: { name?: string; value?: string }) {
  return <button type="submit" name={name} value={value} tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
