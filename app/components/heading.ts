import { useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import { tabStorage } from './storage';

// If the code of the next screen fails to load, the framework reloads the old page: a booking looks lost and a link
// looks dead. So the tab remembers where the reader was going.

const shelf = 'heading';

export function useHeading(): void {
  const { state, location: next } = useNavigation();
  const heading = state === 'loading' ? next.pathname + next.search + next.hash : undefined;
  useEffect(() => {
    if (!heading) return;
    const note = () => tabStorage()?.setItem(shelf, heading);
    addEventListener('pagehide', note);
    return () => removeEventListener('pagehide', note);
  }, [heading]);
}

/** Where the reader was going before such a reload. It can be taken once. */
export function takeHeading(): string | undefined {
  const heading = tabStorage()?.getItem(shelf);
  tabStorage()?.removeItem(shelf);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'reload' && heading ? heading : undefined;
}
