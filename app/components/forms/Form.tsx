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
import { changesAt, forgetDraft, placeOfEntry, SavedActionData, saveChanges, usePlace } from '../frame/drafts';
import { usePage, useShell } from '../frame/shell';
import { refusedTitle } from '../frame/titled';
import {
  changesIn,
  hasTypedSince,
  isTyping,
  noteSending,
  noteTyping,
  passwordInputs,
  type Sent,
  sentOf,
  startAfresh,
  writeChanges,
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

/** Tells the forms of a page apart. */
function keyOf(form: HTMLFormElement): string {
  const namedValue = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '';
  return [new URL(form.action).pathname, namedValue('intent'), namedValue('id')].join(' ');
}

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
  const { pathname } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const refusal = useActionData<Partial<Refusal>>();
  // Ignore the action data of a new document: the reader may have gone on typing before the script arrived.
  const arrived = useRef(refusal);
  const isSending = useIsSending();
  const sent = useRef<{ once: string; values: Sent }>();
  const send = (event: FormEvent<HTMLFormElement>) => {
    // A second submit would abort the first.
    if (isSending) return event.preventDefault();
    sent.current = { once, values: sentOf(event.currentTarget) };
    noteSending();
    rememberForm(event);
  };
  // The response brings other defaults: an action's own, or after a redirect to the same page its data, with a new key.
  useEffect(() => {
    if (!refusal || !sent.current) return;
    if (form.current && !refusal.faults?.length) startAfresh(form.current, sent.current.values);
    sent.current = undefined;
  }, [refusal]);
  useEffect(() => {
    if (!sent.current || sent.current.once === once) return;
    if (form.current && !refusal) startAfresh(form.current, sent.current.values);
    sent.current = undefined;
  }, [once, refusal]);
  const place = usePlace();
  const isLeftBySending = useIsLeftBySending(place);
  const saved = useContext(SavedActionData);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a draft that came with action data has its controls only now
  useEffect(() => {
    if (form.current) writeChanges(form.current, changesAt(place, keyOf(form.current)));
  }, [place, saved]);
  useEffect(() => {
    const box = form.current;
    if (!box) return;
    const key = keyOf(box);
    const saveTyped = () => saveChanges(place, key, changesIn(box));
    const saveAtEntry = () => saveChanges(placeOfEntry(place), key, changesIn(box));
    window.addEventListener('pagehide', saveAtEntry);
    return () => {
      window.removeEventListener('pagehide', saveAtEntry);
      const isTaken =
        isLeftBySending.current && (box.isConnected || !sent.current || !hasTypedSince(box, sent.current.values));
      if (isTaken) forgetDraft(place, key);
      else saveTyped();
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
    if (!once || !refusal?.faults?.length || document.title.startsWith(refusedTitle)) return;
    document.title = refusedTitle + document.title;
    return () => {
      document.title = document.title.replace(refusedTitle, '');
    };
  }, [refusal, once]);
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

/** Whether the last navigation at this place was a form's own, and not a link that broke it off. */
function useIsLeftBySending(place: string): RefObject<boolean> {
  const { state, formMethod } = useNavigation();
  const isOwn = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at another place nothing was sent yet
  useEffect(() => {
    isOwn.current = false;
  }, [place]);
  useEffect(() => {
    if (state !== 'idle') isOwn.current = formMethod === 'POST';
  }, [state, formMethod]);
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
