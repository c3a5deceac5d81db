import { useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import { tabStorage } from './storage';

/*
 * With script: where a navigation leads that is under way. Where the code of the next screen can't be had, because the
 * network failed or a new version was deployed, the framework loads the page anew that is being left: what was taken
 * looked as if it had not been, and a link as if it were dead.
 */

const shelf = 'heading';

/** Notes where the reader was heading if the page is left before they have arrived. */
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

/** Where the reader was heading when this page was loaded anew; undefined where it came in any other way. Asked once. */
export function takeHeading(): string | undefined {
  const heading = tabStorage()?.getItem(shelf);
  tabStorage()?.removeItem(shelf);
  const [came] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return came?.type === 'reload' && heading ? heading : undefined;
}
