import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { LinksFunction, MetaArgs } from '@remix-run/cloudflare';
import {
  isRouteErrorResponse,
  Links,
  type Location,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteError,
} from '@remix-run/react';
import { type ReactNode, useContext, useEffect, useState } from 'react';
import { isTyping, noteTypedInto } from './components/forms/controls';
import { forgetForm, unsavedForm } from './components/forms/unsaved-form';
import { useDestination } from './components/frame/destination';
import { SavedActionData, useActionDataOfDraft, useForgetSent, useOwnTab } from './components/frame/drafts';
import { ErrorPage, errorTitle, type PageError } from './components/frame/ErrorPage';
import { useFollowing } from './components/frame/following';
import { MessagesOfPage, messagesName, useMessagesOfScreen } from './components/frame/messages';
import { Nonce } from './components/frame/nonce';
import { i18nOfPage } from './components/frame/page-language';
import { Sidebar, Tabs } from './components/frame/Sidebar';
import { useHasScript } from './components/frame/script';
import { ShellOfPage, usePage } from './components/frame/shell';
import { startOnTouch } from './components/frame/start-on-touch';
import type { Trouble } from './domain/errors';
import { tagOf } from './domain/words/i18n';
import { isRightToLeft } from './domain/words/languages';
import { worded } from './domain/words/worded';
import framedStyles from './styles/framed.css?url';
import landingStyles from './styles/landing.css?url';
import letterStyles from './styles/letter.css?url';
import styles from './styles/styles.css?url';

export const links: LinksFunction = () => [{ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' }];

const noNetwork = msg`We can't be reached from here right now. Please look at your connection, and try again.`;

/** True if a script could not fetch. Each browser has its own words for that. */
const isUnreached = (error: unknown) =>
  error instanceof TypeError && /failed to fetch|networkerror|load failed|network connection/i.test(error.message);

function wrongOf(error: unknown): PageError {
  if (isUnreached(error)) return { status: 503, trouble: { message: noNetwork } };
  if (!isRouteErrorResponse(error)) return { status: 500, trouble: null };
  return { status: error.status, trouble: typeof error.data === 'object' ? (error.data as Trouble | null) : null };
}

// The title of pages that have none of their own, such as error pages.
export const meta = ({ error }: MetaArgs) => {
  if (!error) return [{ title: 'Daybook' }];
  const wrong = wrongOf(error);
  return [{ title: `${worded(i18nOfPage(wrong.trouble), errorTitle(wrong))} · Daybook` }];
};

// The page on show; undefined until the first page, which came as a document, has hydrated.
let shown: { key: string; address: string } | undefined;

// Reading begins on a new page at a fault, at the address's fragment, at what was just done, or at the title.
const beginning = (hash: string) =>
  document.querySelector<HTMLElement>('[data-first]') ??
  (hash ? document.getElementById(hash.slice(1)) : null) ??
  document.querySelector<HTMLElement>('[data-done]') ??
  document.querySelector('h1');

// On a new page, moves the focus to its beginning, as a new document would. Another page of a list, or another step, is
// a new page. The same page counts as new if the focused element is gone. Whoever goes on typing keeps the focus.
function useNewPage({ key, pathname, search, hash }: Location) {
  const address = pathname + search;
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    // Each navigation has another key, even to the same address.
    if (shown && shown.key !== key) {
      forgetForm();
      if (!isTyping() && (shown.address !== address || hash || isLost)) beginning(hash)?.focus({ preventScroll: true });
    }
    shown = { key, address };
  }, [key, address, hash]);
}

export function Layout({ children }: { children: ReactNode }) {
  const { t, i18n } = useLingui();
  const messages = useContext(MessagesOfPage);
  const nonce = useContext(Nonce);
  const { shell, isStatic, isLetter, isLanding, startsOnTouch } = usePage();
  useMessagesOfScreen(shell);
  const location = useLocation();
  const { key, pathname } = location;
  const isPending = useNavigation().state !== 'idle';
  const hasScript = useHasScript();
  // Strangers have a few links in the page's head instead of a menu, and letters none.
  const reader = !isLetter && shell?.reader;
  const isPartyComing = useFollowing();
  useDestination();
  useOwnTab(shell);
  useNewPage(location);
  return (
    <html lang={tagOf(i18n)} dir={isRightToLeft(i18n.locale) ? 'rtl' : undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#1c2233" />
        {!isStatic && messages !== null && <meta name={messagesName} content={messages} />}
        {!isStatic && <script nonce={nonce}>{noteTypedInto}</script>}
        {startsOnTouch && <script nonce={nonce}>{startOnTouch}</script>}
        <Meta />
        <link rel="stylesheet" href={isLanding ? landingStyles : isLetter ? letterStyles : styles} />
        {shell?.framed && <link rel="stylesheet" href={framedStyles} />}
        <Links />
      </head>
      <body className={shell?.framed && 'framed'}>
        <a href="#content" className="sr-only focus:not-sr-only focus:fixed focus:z-20 focus:bg-card focus:p-3">
          <Trans>Skip to the page</Trans>
        </a>
        {reader && <Sidebar key={key} reader={reader} pathname={pathname} />}
        {isPending && <div role="progressbar" aria-label={t`Loading`} className="pending" />}
        {isPartyComing && (
          <p
            role="status"
            className="fixed inset-x-0 top-20 z-20 mx-auto w-fit rounded-full bg-cover px-6 py-3 text-on-cover raised"
          >
            <Trans>Loading...</Trans>
          </p>
        )}
        <div>{shell ? <ShellOfPage.Provider value={shell}>{children}</ShellOfPage.Provider> : children}</div>
        {reader && <Tabs reader={reader} pathname={pathname} />}
        {(!isStatic || hasScript) && <ScrollRestoration nonce={nonce} />}
        {(!isStatic || hasScript) && <Scripts nonce={nonce} />}
      </body>
    </html>
  );
}

export default function App() {
  useForgetSent(true);
  return (
    <SavedActionData.Provider value={useActionDataOfDraft()}>
      <Outlet />
    </SavedActionData.Provider>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const { isLetter } = usePage();
  useForgetSent(false);
  const [unsaved] = useState(unsavedForm);
  const wrong = wrongOf(error);
  return (
    <ErrorPage
      wrong={isUnreached(error) ? { ...wrong, trouble: { ...wrong.trouble, unsaved } } : wrong}
      isLetter={isLetter}
    />
  );
}
