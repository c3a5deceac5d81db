import { useNavigate } from '@remix-run/react';
import { useEffect, useState } from 'react';

const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;

// A letter has its own stylesheet and script, which only a document loads.
const letter = /^\/(party|meetup-rsvp|with)\//i;

// Not a place on this page, a file, a letter, another window or another site.
const isOurs = (link: HTMLAnchorElement) =>
  link.getAttribute('href')?.startsWith('/') === true &&
  link.origin === location.origin &&
  !link.target &&
  !letter.test(link.pathname) &&
  !('file' in link.dataset);

const party = /^\/party\/[^/]+\/?$/i;

// Follows plain links without a new document, by one listener for all: the framework's link component costs more to
// render than the rest of a list's row. Returns true while a party loads, as a document.
export function useFollowing(): boolean {
  const navigate = useNavigate();
  const [isPartyComing, setPartyComing] = useState(false);
  // The browser may show this page again as it was left.
  useEffect(() => {
    const stop = () => setPartyComing(false);
    addEventListener('pageshow', stop);
    return () => removeEventListener('pageshow', stop);
  }, []);
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || event.defaultPrevented || !isPlain(event)) return;
      if (link.getAttribute('href')?.startsWith('#')) {
        // As the browser does it, but without a new history entry, which would lose the refusal.
        event.preventDefault();
        const place = document.getElementById(link.hash.slice(1));
        place?.focus();
        return place?.scrollIntoView({ block: 'nearest' });
      }
      const isHere = link.origin === location.origin && !link.target && !('file' in link.dataset);
      if (isHere && party.test(link.pathname)) setPartyComing(true);
      if (!isOurs(link)) return;
      event.preventDefault();
      const to = link.pathname + link.search + link.hash;
      navigate(to, { replace: to === location.pathname + location.search + location.hash });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [navigate]);
  return isPartyComing;
}
