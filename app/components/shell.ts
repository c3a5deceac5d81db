import { isRouteErrorResponse, useMatches, useRouteError } from '@remix-run/react';
import { createContext, useContext, useEffect } from 'react';
import type { Shell } from '../domain/profile/accounts';

/** With script: the shell of the last screen, for a page that failed to load and so has none. */
let last: Shell | undefined;

/** With script: the shell of the screen on show, for code outside of components. */
export const shellOnShow = (): Shell | undefined => last;

/**
 * Reads what the page's error, its data or its handle say of it: its shell; `isStatic`, it has nothing for a script to
 * do and loads none; `isLetter`, it is a guest's page, with its own small stylesheet and no menu.
 */
export function usePage(): { shell: Shell | undefined; isStatic: boolean; isLetter: boolean } {
  const error = useRouteError();
  const screen = useMatches().at(-1);
  const said = [isRouteErrorResponse(error) ? error.data : null, screen?.data, screen?.handle];
  const saying = (name: string) =>
    said.find((one): one is object => typeof one === 'object' && one !== null && name in one);
  const found = (saying('shell') as { shell: Shell } | undefined)?.shell;
  useEffect(() => {
    last = found ?? last;
  }, [found]);
  const isLetter = saying('isLetter') !== undefined;
  return { shell: found ?? last, isStatic: isLetter || saying('isStatic') !== undefined, isLetter };
}

/** The shell, for all components of the page. */
export const ShellOfPage = createContext<Shell>({ once: '', readerZone: null, year: '', reader: null });

/** The shell of this page. A refusal by the framework has none. */
export const useShell = (): Shell => useContext(ShellOfPage);
