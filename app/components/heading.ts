import { useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import { tabStorage } from './storage';

/*
 * With script: remembers where the reader is going. If the code of the next screen fails to load (the network failed,
 * or a new version was deployed), the framework reloads the old page. A booking then looks lost, and a link looks dead.
 */

const shelf = 'heading';

/** Notes the target if the reader leaves the page before they have arrived. */
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

/** Takes the target after such a reload; undefined after any other load. It can be taken once. */
export function takeHeading(): string | undefined {
  const heading = tabStorage()?.getItem(shelf);
  tabStorage()?.removeItem(shelf);
  const [came] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return came?.type === 'reload' && heading ? heading : undefined;
}
