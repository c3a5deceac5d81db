import { useNavigate } from '@remix-run/react';
import { useEffect, useState } from 'react';

const isPlain = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey;

// A letter has its own stylesheet and script, so it must load as a new document.
const letter = /^\/(party|meetup-rsvp|with)\//i;

// True unless the link leads to this page, a file, a letter, another window or another site.
const isOurs = (link: HTMLAnchorElement) =>
  link.getAttribute('href')?.startsWith('/') === true &&
  link.origin === location.origin &&
  !link.target &&
  !letter.test(link.pathname) &&
  !('file' in link.dataset);

const party = /^\/party\/[^/]+\/?$/i;

// Follows plain links without loading a new document. One listener serves all links, because the framework's link
// component costs more than the rest of a list's row. Returns true while a party's page loads as a document.
export function useFollowing(): boolean {
  const navigate = useNavigate();
  const [isPartyComing, setPartyComing] = useState(false);
  // The browser may bring this page back as it was left.
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
        // Does what the browser would, but adds no history entry, which would lose the refused form.
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
