import { useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import { tabStorage } from './storage';

// If the code of the next screen fails to load, the framework reloads the old page. A booking then looks lost, and a
// link looks dead. So the target is remembered.

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

/** The target before such a reload. It can be taken once. */
export function takeHeading(): string | undefined {
  const heading = tabStorage()?.getItem(shelf);
  tabStorage()?.removeItem(shelf);
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'reload' && heading ? heading : undefined;
}
