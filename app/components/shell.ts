import { isRouteErrorResponse, useMatches, useRouteError } from '@remix-run/react';
import { createContext, useContext, useEffect } from 'react';
import type { Shell } from '../domain/accounts/accounts';

/** With script: the shell of the last screen, for a page that could not be fetched and so came without one. */
let last: Shell | undefined;

/** With script: the shell of the screen on show, to be asked outside of components. */
export const shellOnShow = (): Shell | undefined => last;

/**
 * What the refusal in its place, the screen's data or its handle say of this page: its shell; `isStatic` has nothing for a
 * script to do and ships none; `isLetter` is a guest's page, with a small stylesheet of its own and no index.
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

/** The shell for all that stands in it. */
export const ShellOfPage = createContext<Shell>({ once: '', readerZone: null, year: '', reader: null });

/** The shell of this page. A refusal by the framework itself has none. */
export const useShell = (): Shell => useContext(ShellOfPage);
