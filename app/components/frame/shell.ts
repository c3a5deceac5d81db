import { isRouteErrorResponse, useMatches, useRouteError } from '@remix-run/react';
import { createContext, type ReactNode, useContext, useEffect } from 'react';
import type { Shell } from '../../domain/profile/accounts';
import { englishLocale } from '../../domain/words/languages';

// A page that failed to load has no shell, so it gets the last one.
let last: Shell | undefined;

/** The shell of the current page, for code outside of components. */
export const shellOnShow = (): Shell | undefined => last;

/**
 * `isStatic`: it loads no script. `isLetter`: it is a guest's page, with a small stylesheet and no menu. `isLanding`: it is
 * a stranger's first page, with a stylesheet of its own. `startsOnTouch`: it loads its scripts when somebody touches it.
 */
type PageOnShow = {
  shell: Shell | undefined;
  isStatic: boolean;
  isLetter: boolean;
  isLanding: boolean;
  startsOnTouch: boolean;
};

/** Finds out what kind of page this is, from its error, data or handle. */
export function usePage(): PageOnShow {
  const error = useRouteError();
  const screen = useMatches().at(-1);
  const sources = [isRouteErrorResponse(error) ? error.data : null, screen?.data, screen?.handle];
  const saying = (name: string) =>
    sources.find((one): one is object => typeof one === 'object' && one !== null && name in one);
  const shell = (saying('shell') as { shell: Shell } | undefined)?.shell;
  useEffect(() => {
    last = shell ?? last;
  }, [shell]);
  const says = (name: string) => saying(name) !== undefined;
  const [isLetter, isLanding] = [says('isLetter'), says('isLanding')];
  const isStatic = isLetter || isLanding || says('isStatic');
  return { shell: shell ?? last, isStatic, isLetter, isLanding, startsOnTouch: says('startsOnTouch') };
}

export const ShellOfPage = createContext<Shell>({
  once: '',
  readerZone: null,
  year: '',
  locale: englishLocale,
  weekStart: 0,
  reader: null,
});

/** The shell of this page. A page on which the framework refused the request has none of its own. */
export const useShell = (): Shell => useContext(ShellOfPage);

/** True on a page in a frame of another site, where there is room for the booking alone. */
export const useIsFramed = () => useShell().framed !== undefined;

/** What a frame of another site has no room for. */
export const NotInFrame = ({ children }: { children: ReactNode }) => (useIsFramed() ? null : children);
