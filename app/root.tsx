import { json, type LinksFunction, type LoaderFunctionArgs } from '@remix-run/cloudflare';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from '@remix-run/react';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { newId } from '../db/columns';
import { StorageUnavailable } from '../db/errors';
import { useFollowing } from './components/following';
import { Sidebar } from './components/Sidebar';
import type { Shell } from './components/shell';
import { Troubled } from './components/Troubled';
import type { Trouble } from './domain/errors';
import letterStyles from './letter.css?url';
import { Nonce } from './nonce';
import styles from './styles.css?url';

export const links: LinksFunction = () => [{ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }];

/** What the screens do not say: an error page has a title too. */
export const meta = () => [{ title: 'Daybook' }];

/** The shell is always that of the session as it stands; where storage is down, that of the cookie. */
export async function loader({ context }: LoaderFunctionArgs): Promise<Shell> {
  if (context.isCrossSite) {
    const message = 'This form was sent by a page of another site, so nothing was done. Please use the form here.';
    throw json({ message } satisfies Trouble, { status: 403 });
  }
  const { actor, edge } = context;
  const once = newId();
  try {
    const viewer = await context.viewer();
    if (!viewer) return { once, readerZone: edge.timeZone, reader: null };
    const { displayName, username, role, timeZone } = viewer;
    return { once, readerZone: timeZone, reader: { displayName, username, role } };
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    const reader = actor && { displayName: null, username: null, role: actor.role };
    return { once, readerZone: actor?.timeZone ?? edge.timeZone, reader };
  }
}

/** The shell is asked for anew when the path changes or something was done, not for another page of a list. */
export function shouldRevalidate({ currentUrl, nextUrl, formMethod }: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.pathname !== nextUrl.pathname || (formMethod !== undefined && formMethod !== 'GET');
}

/**
 * What a screen says of itself in its handle or data: `isStill` has nothing for a script to do and ships none;
 * `isLetter` is a guest's page, with a small stylesheet of its own and no index.
 */
function useKind(kind: 'isStill' | 'isLetter'): boolean {
  const says = (value: unknown) => typeof value === 'object' && value !== null && kind in value;
  return useMatches().some(({ handle, data }) => says(handle) || says(data));
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(Nonce);
  const shell = useRouteLoaderData<Shell>('root');
  const { key, pathname } = useLocation();
  const isLetter = useKind('isLetter');
  const isStill = useKind('isStill') || isLetter;
  useFollowing();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#1c2233" />
        <Meta />
        <link rel="stylesheet" href={isLetter ? letterStyles : styles} />
        <Links />
      </head>
      <body className={isLetter ? undefined : 'wide:grid wide:grid-cols-[250px_minmax(0,1fr)]'}>
        <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-20 focus:bg-card focus:p-3">
          Skip to the page
        </a>
        {!isLetter && <Sidebar key={key} reader={shell?.reader ?? null} pathname={pathname} />}
        <div>{children}</div>
        {!isStill && <ScrollRestoration nonce={nonce} />}
        {!isStill && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function App() {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  // With script a new screen comes without a new document: reading begins at its content, as it would with one.
  useEffect(() => {
    if (shown.current !== pathname) document.getElementById('content')?.focus({ preventScroll: true });
    shown.current = pathname;
  }, [pathname]);
  return <Outlet />;
}

/** The one page for everything that goes wrong, inside the shell. */
export function ErrorBoundary() {
  const error = useRouteError();
  const isAnswer = isRouteErrorResponse(error);
  const trouble = isAnswer && typeof error.data === 'object' ? (error.data as Trouble | null) : null;
  return <Troubled status={isAnswer ? error.status : 500} trouble={trouble} isLetter={useKind('isLetter')} />;
}
