import { Form, useActionData, useLocation, useNavigation } from '@remix-run/react';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Refusal } from '../../domain/errors';
import { Button } from '../Button';
import { forgetDraft, saveDraft, usePlace } from '../frame/drafts';
import { usePage, useShell } from '../frame/shell';
import { refusedTitle } from '../frame/titled';
import { passwordInputs, rememberForm, typedIn } from './unsaved-form';

/**
 * The address that a form posts to where no script sends it. A browser that posts to the address on show has the response
 * in its place, also where none comes: the form and all that was typed would be gone. So `sent` comes and goes.
 */
function useOtherAddress(action: string | undefined): string | undefined {
  const { pathname, search } = useLocation();
  const { isLetter } = usePage();
  if (!isLetter || (action !== undefined && action !== pathname + search)) return action;
  const before = search.slice(1).split('&').filter(Boolean);
  const after = before.filter((pair) => pair !== sent);
  if (after.length === before.length) after.push(sent);
  return after.length > 0 ? `${pathname}?${after.join('&')}` : pathname;
}

const sent = 'sent';

const draftIn = (form: HTMLFormElement) => ({ ...typedIn(form), once: [] });

/**
 * A form that posts with the page's one-time key: sent twice, it has one effect. With script it can't be sent again
 * before the response. All faults appear at once beside their fields; the browser's own check would show one at a time.
 */
export function PostForm({
  children,
  action,
  ...rest
}: { children: ReactNode; action?: string } & Omit<ComponentProps<typeof Form>, 'method' | 'action'>) {
  const { once } = useShell();
  const address = useOtherAddress(action);
  const form = useRef<HTMLFormElement>(null);
  const refusal = useActionData<Partial<Refusal>>();
  // Ignore the action data of a new document: the reader may have gone on typing before the script arrived.
  const arrived = useRef(refusal);
  const isSending = useIsSending();
  const sentWith = useRef<string>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    // A second submit would abort the first.
    if (isSending) return event.preventDefault();
    sentWith.current = once;
    rememberForm(event);
  };
  useEffect(() => {
    if (refusal) sentWith.current = undefined;
  }, [refusal]);
  // A redirect back to the same page brings new data and a new key, so the form starts afresh.
  useEffect(() => {
    if (sentWith.current === undefined || sentWith.current === once) return;
    if (!refusal) form.current?.reset();
    sentWith.current = undefined;
  }, [once, refusal]);
  const place = usePlace();
  // A response is shown while the page still loads, and only then gets its place: what is typed in between is a draft of
  // that place too.
  const origin = refusal ?? place;
  const untouched = useRef<{ origin: typeof origin; typed: string }>();
  useEffect(() => {
    if (!form.current || untouched.current?.origin === origin) return;
    untouched.current = { origin, typed: JSON.stringify(draftIn(form.current)) };
  }, [origin]);
  useEffect(() => {
    const box = form.current;
    if (!box) return;
    return () => {
      const draft = draftIn(box);
      if (sentWith.current !== undefined) forgetDraft(place);
      else if (JSON.stringify(draft) !== untouched.current?.typed) saveDraft(place, draft);
    };
  }, [place]);
  const isRefused = refusal !== arrived.current && Boolean(refusal?.faults?.length);
  // Without script a refused form comes back with empty passwords. Empty them here too, before the faults appear, so
  // that we don't delete what the reader types next.
  useLayoutEffect(() => {
    if (!refusal || !isRefused) return;
    for (const word of form.current ? passwordInputs(form.current) : []) word.value = '';
  }, [refusal, isRefused]);
  useEffect(() => {
    if (!refusal || !isRefused) return;
    const first =
      document.querySelector<HTMLElement>('[data-first]') ?? document.querySelector<HTMLElement>('[data-faults]');
    first?.focus();
  }, [refusal, isRefused]);
  // The page's title says that the form was refused, until the page gets new data.
  useEffect(() => {
    if (!once || !refusal?.faults?.length || document.title.startsWith(refusedTitle)) return;
    document.title = refusedTitle + document.title;
    return () => {
      document.title = document.title.replace(refusedTitle, '');
    };
  }, [refusal, once]);
  return (
    <Form ref={form} method="post" noValidate discover="none" onSubmit={send} action={address} {...rest}>
      <input type="hidden" name="once" value={once} />
      {children}
    </Form>
  );
}

// After this time the reader can send the form again.
const maySendAgainAfter = 10_000;

/** True while a form is being sent; false again if the network seems to have lost it. */
export function useIsSending(): boolean {
  const { state, formMethod, location } = useNavigation();
  const isPending = state !== 'idle' && formMethod === 'POST';
  const [lost, setLost] = useState<typeof location>();
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setLost(location), maySendAgainAfter);
    return () => clearTimeout(timer);
  }, [isPending, location]);
  return isPending && lost !== location;
}

export function Submit(props: ComponentProps<typeof Button>) {
  return <Button {...props} disabled={useIsSending()} />;
}

/**
 * Makes Enter in a field press this form's main button. Otherwise the browser would press the first one, such as a
 * month button.
 */
export function EnterSubmits({ name, value }: { name?: string; value?: string }) {
  return <button type="submit" name={name} value={value} tabIndex={-1} aria-hidden="true" className="sr-only" />;
}
