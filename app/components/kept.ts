import { useActionData, useLocation } from '@remix-run/react';
import { createContext, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useShell } from './shell';
import { tabStorage } from './storage';

/*
 * With script: a form is as it was left for whoever comes back to its page, and what was answered to it is there again
 * for whoever loads the page anew, as both are without script by the browser's own doing.
 */

type Answer = Record<string, unknown>;

/** Half-filled forms, by their place. */
const drafts = new Map<string, Answer>();

/** The last answer to a form and its place, which outlive the document. */
const shelf = 'answered';

/** False until the first page, which came as a document, has started as the server wrote it. */
let isStarted = false;

/** An entry of the browser's history, for one reader. */
export function usePlace(): string {
  const { key, pathname, search } = useLocation();
  return [useShell().reader?.username ?? '', key, pathname + search].join(' ');
}

const lastAnswer = () => JSON.parse(tabStorage()?.getItem(shelf) ?? '[]') as [place?: string, answer?: Answer];

function keptAt(place: string): Answer | undefined {
  const [at, answer] = lastAnswer();
  const draft = drafts.get(place);
  return draft || at === place ? { ...(at === place && answer), ...draft } : undefined;
}

/** Keeps a form as it is left. */
export const keepDraft = (place: string, typed: Record<string, string[]>) => drafts.set(place, { faults: [], typed });

/** What was typed there has been taken. */
export function forgetKept(place: string): void {
  drafts.delete(place);
  if (lastAnswer()[0] === place) tabStorage()?.removeItem(shelf);
}

function keepAnswer(place: string, answer: unknown): void {
  try {
    tabStorage()?.setItem(shelf, JSON.stringify([place, answer]));
  } catch {
    // More than the browser keeps for a tab: loaded anew, the page is blank.
    tabStorage()?.removeItem(shelf);
  }
}

/** What is kept of this page, for its screen. */
export const Kept = createContext<Answer | undefined>(undefined);

/** What is kept of the page on show; `isAgain` once it was found after a document had come without it. */
export function useKept(): { kept: Answer | undefined; isAgain: boolean } {
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
  const answer = useActionData<Action>();
  const kept = useContext(Kept) as typeof answer;
  // What the document came with it comes with again.
  const arrived = useRef(isStarted ? undefined : answer);
  // As soon as it is shown: whoever sees it may load the page anew.
  useLayoutEffect(() => {
    if (answer && answer !== arrived.current) keepAnswer(place, answer);
  }, [place, answer]);
  return answer ?? kept;
}
