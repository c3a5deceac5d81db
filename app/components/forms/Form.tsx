import { Form, useActionData, useLocation, useNavigation } from '@remix-run/react';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Refusal } from '../../domain/errors';
import { Button } from '../Button';
import { noteSent, placeOfEntry, SavedActionData, saveTyped, typedAt, usePlace } from '../frame/drafts';
import { usePage, useShell } from '../frame/shell';
import { refusedTitle } from '../frame/titled';
import { useWords } from '../words';
import {
  hasTypedSince,
  isTyping,
  noteSending,
  noteTyping,
  passwordInputs,
  restoreTextAreas,
  type Sent,
  sentOf,
  startAfresh,
  typedIn,
  writeTyped,
} from './controls';
import { rememberForm } from './unsaved-form';

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

/** Tells the forms of a page apart: by where they post to, and their place among those that do. Searches come and go. */
function nameOf(form: HTMLFormElement): string {
  const address = form.getAttribute('action');
  const alike = [...document.forms].filter(
    (other) => other.method === form.method && other.getAttribute('action') === address,
  );
  return `${new URL(form.action).pathname} ${alike.indexOf(form)}`;
}

// The longest that a page takes to show that its form is under way, in ms.
const drawnWithin = 500;

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
  const isWrong = `${useWords()(refusedTitle)} `;
  const address = useOtherAddress(action);
  const { pathname } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const refusal = useActionData<Partial<Refusal>>();
  // Ignore the action data of a new document: the reader may have gone on typing before the script arrived.
  const arrived = useRef(refusal);
  const isSending = useIsSending();
  const sending = useRef<{ once: string; values: Sent }>();
  // A page of many fields is drawn late: until then nothing else knows that its form has left.
  const hasJustLeft = useRef(false);
  useEffect(() => {
    if (!isSending) hasJustLeft.current = false;
  }, [isSending]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    // A second submit would abort the first.
    if (isSending || hasJustLeft.current) return event.preventDefault();
    hasJustLeft.current = true;
    setTimeout(() => {
      hasJustLeft.current = false;
    }, drawnWithin);
    sending.current = { once, values: sentOf(event.currentTarget) };
    noteSending();
    rememberForm(event);
  };
  // The response brings other defaults: an action's own, or after a redirect to the same page its data, with a new key.
  const place = usePlace();
  const isLeftBySending = useIsLeftBySending();
  useEffect(() => {
    if (!refusal || !sending.current) return;
    if (form.current && !refusal.faults?.length) startAfresh(form.current, sending.current.values);
    sending.current = undefined;
  }, [refusal]);
  useEffect(() => {
    if (!sending.current || sending.current.once === once) return;
    if (form.current && !refusal && isLeftBySending.current) startAfresh(form.current, sending.current.values);
    sending.current = undefined;
  }, [once, refusal, isLeftBySending]);
  const saved = useContext(SavedActionData);
  // In a new document the states of components come back with the second rendering, and only then have their controls.
  const [isAgain, setAgain] = useState(false);
  useEffect(() => setAgain(true), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft that came with action data has its controls only now
  useEffect(() => {
    restoreTextAreas();
    if (form.current) writeTyped(form.current, typedAt(place, nameOf(form.current)));
  }, [place, saved, isAgain]);
  useEffect(() => {
    const box = form.current;
    if (!box) return;
    const name = nameOf(box);
    const saveAt = (where: string) => saveTyped(where, name, typedIn(box, sending.current?.values));
    // A page that is loaded again while its form is under way may be that of the old entry or of the new one.
    const saveAtBoth = () => {
      saveAt(place);
      saveAt(placeOfEntry(place));
    };
    window.addEventListener('pagehide', saveAtBoth);
    return () => {
      window.removeEventListener('pagehide', saveAtBoth);
      saveAt(place);
      if (isLeftBySending.current && sending.current) noteSent(place, name, hasTypedSince(box, sending.current.values));
    };
  }, [place, isLeftBySending]);
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
    if (!isTyping()) first?.focus();
  }, [refusal, isRefused]);
  // The page's title says that the form was refused, until the page gets new data.
  useEffect(() => {
    if (!once || !refusal?.faults?.length || document.title.startsWith(isWrong)) return;
    document.title = isWrong + document.title;
    return () => {
      document.title = document.title.replace(isWrong, '');
    };
  }, [refusal, once, isWrong]);
  return (
    <Form
      key={pathname}
      ref={form}
      method="post"
      noValidate
      discover="none"
      onSubmit={send}
      onInput={noteTyping}
      action={address}
      onFocus={noteTyping}
      {...rest}
    >
      <input type="hidden" name="once" value={once} />
      {children}
    </Form>
  );
}

/** Whether the last navigation was that of a form, and not a link that broke it off. */
function useIsLeftBySending(): RefObject<boolean> {
  const { state, formMethod } = useNavigation();
  const isOwn = useRef(false);
  useEffect(() => {
    if (state !== 'idle') isOwn.current = formMethod === 'POST';
  }, [state, formMethod]);
  // A page that comes at once is on show before React has seen that a link was followed. A link that opens another tab
  // keeps its default.
  useEffect(() => {
    const follow = ({ target, defaultPrevented }: Event) => {
      if (defaultPrevented && target instanceof Element && target.closest('a')) isOwn.current = false;
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
  return isOwn;
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
