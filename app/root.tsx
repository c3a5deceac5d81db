import type { LinksFunction } from '@remix-run/cloudflare';
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useRouteError,
} from '@remix-run/react';
import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { useFollowing } from './components/following';
import { Sidebar } from './components/Sidebar';
import { ShellOfPage, usePage } from './components/shell';
import { Troubled } from './components/Troubled';
import type { Trouble } from './domain/errors';
import letterStyles from './letter.css?url';
import { Nonce } from './nonce';
import styles from './styles.css?url';

export const links: LinksFunction = () => [{ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }];

/** What the screens do not say: an error page has a title too. */
export const meta = () => [{ title: 'Daybook' }];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useContext(Nonce);
  const { shell, isStill, isLetter } = usePage();
  const { key, pathname } = useLocation();
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
        {!isLetter && <Sidebar key={key} shell={shell} pathname={pathname} />}
        <div>{shell ? <ShellOfPage.Provider value={shell}>{children}</ShellOfPage.Provider> : children}</div>
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
  return <Troubled status={isAnswer ? error.status : 500} trouble={trouble} isLetter={usePage().isLetter} />;
}
