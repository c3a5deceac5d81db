import { useActionData, useLocation } from '@remix-run/react';
import { createContext, type Dispatch, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Shell } from '../../domain/profile/accounts';
import { codeField, type TypedForm } from '../forms/controls';
import { useShell } from './shell';
import { tabStorage } from './storage';

// A reader who comes back to a page, or loads it again, finds it as they left it: the last action data, and what they
// typed into its forms. Without script the browser does this.

type FormState = Record<string, unknown>;

type Draft = {
  actionData?: FormState;
  /** What was typed, by form. */
  forms: Record<string, TypedForm>;
  /** What components remember beside the controls, by name. */
  states: FormState;
};

const storageKey = 'drafts';

// So many pages back a reader finds what they typed.
const most = 20;

let drafts: Map<string, Draft> | undefined;

// True once the first page has hydrated.
let isStarted = false;

// The start of the account's id, also for a guest; empty for a stranger.
const readerOf = ({ once }: Shell): string => once.split('.')[1] ?? '';

const placeOf = (reader: string, key: string, path: string) => [reader, key, path].join(' ');

/**
 * Names the history entry and the reader, as a key for what we save. A page that is loaded again while its form is under
 * way may come at the address before the redirect or after it, so the query is not part of the name.
 */
export function usePlace(): string {
  const { key, pathname } = useLocation();
  return placeOf(readerOf(useShell()), key, pathname);
}

/** The place of the browser's history entry, which is there a moment before the page is rendered with it. */
export function placeOfEntry(place: string): string {
  const [reader = '', , path] = place.split(' ');
  const { pathname } = window.location;
  const key: unknown = window.history.state?.key;
  return typeof key === 'string' && pathname === path ? placeOf(reader, key, pathname) : place;
}

function allDrafts(): Map<string, Draft> {
  drafts ??= foundAgain(new Map(JSON.parse(tabStorage()?.getItem(storageKey) ?? '[]') as [string, Draft][]));
  return drafts;
}

const leftKey = 'left';

/**
 * Names the draft of a page that is loaded again after its entry in the history. A browser that loads it again while the entry
 * changes, as at a form's response, can forget the entry's key.
 */
function foundAgain(all: Map<string, Draft>): Map<string, Draft> {
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const left = tabStorage()?.getItem(leftKey) ?? '';
  const draft = all.get(left);
  const here = placeOfEntry(left);
  if (loaded?.type === 'reload' && draft && !all.has(here)) all.set(here, draft);
  return all;
}

function store(): void {
  const entries = [...allDrafts()];
  try {
    if (entries.length > 0) tabStorage()?.setItem(storageKey, JSON.stringify(entries));
    else tabStorage()?.removeItem(storageKey);
  } catch {
    // The storage is full: after a reload the forms are blank.
    tabStorage()?.removeItem(storageKey);
  }
}

function save(place: string, change: (draft: Draft) => Draft): void {
  const all = allDrafts();
  const draft = change(all.get(place) ?? { forms: {}, states: {} });
  all.delete(place);
  all.set(place, draft);
  for (const oldest of [...all.keys()].slice(0, -most)) all.delete(oldest);
  store();
}

const blank: TypedForm = { changes: [] };

export const typedAt = (place: string, form: string): TypedForm => allDrafts().get(place)?.forms[form] ?? blank;

export function saveTyped(place: string, form: string, typed: TypedForm): void {
  if (typed.changes.length === 0 && typedAt(place, form).changes.length === 0) return;
  save(place, (draft) => ({ ...draft, forms: { ...draft.forms, [form]: typed } }));
}

// The form that was sent last, and its place, until its response is there.
let sent: { place: string; form: string; isTypedSince: boolean } | undefined;

export function noteSent(place: string, form: string, isTypedSince: boolean): void {
  sent = { place, form, isTypedSince };
}

/** Forgets the form that led to this page. An error page has taken its place: whoever loads that again finds what they typed. */
export function useForgetSent(isTaken: boolean): void {
  const { key, pathname } = useLocation();
  useEffect(() => {
    const [reader = '', , path] = sent?.place.split(' ') ?? [];
    const draft = allDrafts().get(sent?.place ?? '');
    if (draft && path === pathname && !isTaken) save(placeOf(reader, key, path), () => draft);
    if (sent && isTaken && !sent.isTypedSince) forgetDraft(sent.place, sent.form);
    sent = undefined;
  }, [key, pathname, isTaken]);
}

/** Forgets what was typed into a form. What was typed into the page's other forms stays. */
function forgetDraft(place: string, form: string): void {
  const draft = allDrafts().get(place);
  if (!draft) return;
  const { [form]: _, ...forms } = draft.forms;
  if (Object.values(forms).every(({ changes }) => changes.length === 0)) allDrafts().delete(place);
  else allDrafts().set(place, { forms, states: {} });
  store();
}

// Forgets what the last reader of this tab has typed, if somebody else reads now. Notes the page that is left.
export function useOwnTab(shell: Shell | undefined): void {
  const reader = shell && readerOf(shell);
  useEffect(() => {
    if (reader === undefined) return;
    const others = [...allDrafts().keys()].filter((place) => !place.startsWith(`${reader} `));
    for (const place of others) allDrafts().delete(place);
    if (others.length > 0) store();
    const noteLeft = () => tabStorage()?.setItem(leftKey, placeOfEntry(placeOf(reader, '', window.location.pathname)));
    window.addEventListener('pagehide', noteLeft);
    return () => window.removeEventListener('pagehide', noteLeft);
  }, [reader]);
}

export const SavedActionData = createContext<FormState | undefined>(undefined);

/** The action data that this page had when it was left; in a new document only once it has hydrated. */
export function useActionDataOfDraft(): FormState | undefined {
  const place = usePlace();
  const [, setStarted] = useState(isStarted);
  useEffect(() => {
    isStarted = true;
    setStarted(true);
  }, []);
  return isStarted ? allDrafts().get(place)?.actionData : undefined;
}

/** The part of action data that the tab may store: no secret that is shown once, and no typed code that opens the account. */
function withoutSecrets(actionData: FormState): FormState | undefined {
  if ('isShownOnce' in actionData) return undefined;
  const { [codeField]: _, ...typed } = (actionData.typed ?? {}) as FormState;
  return 'typed' in actionData ? { ...actionData, typed } : actionData;
}

/** The action data that the page has now, or had when it was last shown. */
export function useSavedActionData<Action>() {
  const place = usePlace();
  const actionData = useActionData<Action>();
  const saved = useContext(SavedActionData) as typeof actionData;
  const arrived = useRef(isStarted ? undefined : actionData);
  // Store it at once: the reader may reload the page at any time.
  useLayoutEffect(() => {
    if (!actionData || actionData === arrived.current) return;
    const stored = withoutSecrets(actionData as FormState);
    const storeAt = (place: string) => save(place, (draft) => ({ ...draft, actionData: stored }));
    storeAt(place);
    const storeAtEntry = () => storeAt(placeOfEntry(place));
    window.addEventListener('pagehide', storeAtEntry);
    return () => window.removeEventListener('pagehide', storeAtEntry);
  }, [place, actionData]);
  return actionData ?? saved;
}

/**
 * State of a component that is there again for whoever comes back to the page.
 * @param name of the component among those of the page
 * @param withPage adds to the saved state of a page that is loaded again what was done in it before its scripts came
 */
export function useDraftState<State>(
  name: string,
  first: () => State,
  withPage: (saved: State) => State = (saved) => saved,
): [State, Dispatch<State>] {
  const place = usePlace();
  const savedState = () => allDrafts().get(place)?.states[name] as State | undefined;
  const [state, setState] = useState(() => (isStarted ? savedState() : undefined) ?? first());
  const known = useRef({ place, state });
  const atStart = useRef(isStarted ? undefined : { savedState, withPage });
  // Saved before it is found again below: the first state must not take the place of the saved one.
  useEffect(() => {
    if (place === known.current.place && state === known.current.state) return;
    save(place, (draft) => ({ ...draft, states: { ...draft.states, [name]: state } }));
  }, [place, name, state]);
  useEffect(() => {
    const saved = atStart.current?.savedState();
    if (atStart.current && saved !== undefined) {
      known.current = { ...known.current, state: saved };
      setState(atStart.current.withPage(saved));
    }
    atStart.current = undefined;
  }, []);
  return [state, setState];
}
