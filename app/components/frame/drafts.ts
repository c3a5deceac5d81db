import { useActionData, useLocation } from '@remix-run/react';
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Shell } from '../../domain/profile/accounts';
import { useShell } from './shell';
import { tabStorage } from './storage';

// A reader who comes back to a page finds its form as they left it, and after a reload the last action data. Without
// script the browser does this.

type FormState = Record<string, unknown>;

const drafts = new Map<string, FormState>();

// The storage key of the last action data, which must survive a reload.
const storageKey = 'answered';

// True once the first page has hydrated.
let isStarted = false;

// The start of the account's id, also for a guest; empty for a stranger.
const readerOf = ({ once }: Shell): string => once.split('.')[1] ?? '';

const placeOf = (reader: string, key: string, path: string) => [reader, key, path].join(' ');

/** Names the history entry and the reader, as a key for what we save. */
export function usePlace(): string {
  const { key, pathname, search } = useLocation();
  return placeOf(readerOf(useShell()), key, pathname + search);
}

const lastActionData = () =>
  JSON.parse(tabStorage()?.getItem(storageKey) ?? '[]') as [place?: string, actionData?: FormState];

function savedAt(place: string): FormState | undefined {
  const [at, actionData] = lastActionData();
  const draft = drafts.get(place);
  return draft || at === place ? { ...(at === place && actionData), ...draft } : undefined;
}

export const saveDraft = (place: string, typed: Record<string, string[]>) =>
  drafts.set(place, { faults: [], typed, isDraft: true });

export function forgetDraft(place: string): void {
  drafts.delete(place);
  if (lastActionData()[0] === place) tabStorage()?.removeItem(storageKey);
}

function storeActionData(place: string, actionData: unknown): void {
  try {
    tabStorage()?.setItem(storageKey, JSON.stringify([place, actionData]));
  } catch {
    // The storage is full: after a reload the form is blank.
    tabStorage()?.removeItem(storageKey);
  }
}

// Forgets what the last reader of this tab has typed, if somebody else reads now.
export function useOwnTab(shell: Shell | undefined): void {
  const reader = shell && readerOf(shell);
  useEffect(() => {
    if (reader === undefined) return;
    const isAnothers = (place: string) => !place.startsWith(`${reader} `);
    for (const place of drafts.keys()) if (isAnothers(place)) drafts.delete(place);
    if (isAnothers(lastActionData()[0] ?? `${reader} `)) tabStorage()?.removeItem(storageKey);
  }, [reader]);
}

export const SavedForm = createContext<FormState | undefined>(undefined);

/** @returns `isAgain` if the page came as a document, and the saved form was found afterwards */
export function useSavedForm(): { saved: FormState | undefined; isAgain: boolean } {
  const place = usePlace();
  const [isAgain, setAgain] = useState(false);
  useEffect(() => {
    if (!isStarted && savedAt(place)) setAgain(true);
    isStarted = true;
  }, [place]);
  return { saved: isStarted ? savedAt(place) : undefined, isAgain };
}

/** The action data that the page has now, or had when it was last shown. */
export function useSavedActionData<Action>() {
  const place = usePlace();
  const actionData = useActionData<Action>();
  const state = useContext(SavedForm) as typeof actionData;
  const arrived = useRef(isStarted ? undefined : actionData);
  // Store it at once: the reader may reload the page at any time.
  useLayoutEffect(() => {
    if (!actionData || actionData === arrived.current) return;
    storeActionData(place, actionData);
    // The browser has the new history entry a moment before the page is rendered with it.
    const [reader = '', , path] = place.split(' ');
    const storeAtEntry = () => {
      const { pathname, search } = window.location;
      const key: unknown = window.history.state?.key;
      if (typeof key === 'string' && pathname + search === path)
        storeActionData(placeOf(reader, key, path), actionData);
    };
    window.addEventListener('pagehide', storeAtEntry);
    return () => window.removeEventListener('pagehide', storeAtEntry);
  }, [place, actionData]);
  return actionData ?? state;
}
