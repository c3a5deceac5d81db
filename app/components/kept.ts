import { useActionData, useLocation } from '@remix-run/react';
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Shell } from '../domain/profile/accounts';
import { useShell } from './shell';
import { tabStorage } from './storage';

/*
 * With script: a reader who comes back to a page finds its form as they left it, and after a reload finds the last
 * action data. Without script the browser does both by itself.
 */

type FormState = Record<string, unknown>;

/** Half-filled forms, by their place. */
const drafts = new Map<string, FormState>();

/** The storage key of the last action data and its place; they outlive the document. */
const shelf = 'answered';

/** False until the first page, which came as a document, has hydrated. */
let isStarted = false;

/** Who reads a page, as its one-time key says: a beginning of their account's id, a guest's too; empty for a stranger. */
const readerOf = ({ once }: Shell): string => once.split('.')[1] ?? '';

/** An entry of the browser's history, for one reader. */
export function usePlace(): string {
  const { key, pathname, search } = useLocation();
  return [readerOf(useShell()), key, pathname + search].join(' ');
}

const lastActionData = () =>
  JSON.parse(tabStorage()?.getItem(shelf) ?? '[]') as [place?: string, actionData?: FormState];

function keptAt(place: string): FormState | undefined {
  const [at, actionData] = lastActionData();
  const draft = drafts.get(place);
  return draft || at === place ? { ...(at === place && actionData), ...draft } : undefined;
}

/** Remembers a form when the reader leaves it. What it was typed into may be older: `isDraft` says so. */
export const keepDraft = (place: string, typed: Record<string, string[]>) =>
  drafts.set(place, { faults: [], typed, isDraft: true });

/** The form was taken: forget what was typed. */
export function forgetKept(place: string): void {
  drafts.delete(place);
  if (lastActionData()[0] === place) tabStorage()?.removeItem(shelf);
}

function storeActionData(place: string, actionData: unknown): void {
  try {
    tabStorage()?.setItem(shelf, JSON.stringify([place, actionData]));
  } catch {
    // The browser stores no more for this tab: after a reload the page is blank.
    tabStorage()?.removeItem(shelf);
  }
}

/** What one reader has left in this tab is gone as soon as it shows a page to another, or to nobody. */
export function useOwnTab(shell: Shell | undefined): void {
  const reader = shell && readerOf(shell);
  useEffect(() => {
    if (reader === undefined) return;
    const isAnothers = (place: string) => !place.startsWith(`${reader} `);
    for (const place of drafts.keys()) if (isAnothers(place)) drafts.delete(place);
    if (isAnothers(lastActionData()[0] ?? `${reader} `)) tabStorage()?.removeItem(shelf);
  }, [reader]);
}

/** The remembered state of this page, for its screen. */
export const Kept = createContext<FormState | undefined>(undefined);

/** The remembered state of the page on show. `isAgain`: it was found after a document had come without it. */
export function useKept(): { kept: FormState | undefined; isAgain: boolean } {
  const place = usePlace();
  const [isAgain, setAgain] = useState(false);
  useEffect(() => {
    if (!isStarted && keptAt(place)) setAgain(true);
    isStarted = true;
  }, [place]);
  return { kept: isStarted ? keptAt(place) : undefined, isAgain };
}

/** The action data of this page's form: that of now, or that of when the page was shown before. */
export function useKeptActionData<Action>() {
  const place = usePlace();
  const actionData = useActionData<Action>();
  const kept = useContext(Kept) as typeof actionData;
  // After a reload the document brings this one again.
  const arrived = useRef(isStarted ? undefined : actionData);
  // Store it as soon as it is shown: the reader may reload the page.
  useLayoutEffect(() => {
    if (actionData && actionData !== arrived.current) storeActionData(place, actionData);
  }, [place, actionData]);
  return actionData ?? kept;
}
