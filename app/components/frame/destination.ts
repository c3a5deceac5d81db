import { useLocation, useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import { tabStorage } from './storage';

// If the code of the next screen fails to load, the framework reloads the old page: a booking looks lost and a link
// looks dead. So the tab remembers where the reader was going.

const storageKey = 'destination';

export function useDestination(): void {
  const { state, location: next } = useNavigation();
  const { pathname } = useLocation();
  // The code of this screen is here already: whoever loads it again must not be led on while they type.
  const destination =
    state === 'loading' && next.pathname !== pathname ? next.pathname + next.search + next.hash : undefined;
  useEffect(() => {
    if (!destination) return;
    const note = () => tabStorage()?.setItem(storageKey, destination);
    addEventListener('pagehide', note);
    return () => removeEventListener('pagehide', note);
  }, [destination]);
}

/** The address that the reader was going to before such a reload. It can be taken once. */
export function takeDestination(): string | undefined {
  const destination = tabStorage()?.getItem(storageKey);
  tabStorage()?.removeItem(storageKey);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'reload' && destination ? destination : undefined;
}

/**
 * Lets a page that is being left add nothing to the history. The router would add its error page for a form whose response
 * no longer comes, and whoever goes back would find that entry, without what they typed.
 */
export function leaveHistoryAlone(): void {
  const push = history.pushState;
  addEventListener('pagehide', () => {
    history.pushState = () => {};
  });
  addEventListener('pageshow', () => {
    history.pushState = push;
  });
}
