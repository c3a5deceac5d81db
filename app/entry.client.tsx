import { I18nProvider } from '@lingui/react';
import { RemixBrowser } from '@remix-run/react';
import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { watchControls } from './components/forms/controls';
import { leaveHistoryAlone, takeDestination } from './components/frame/destination';
import { broughtMessages, MessagesOfPage } from './components/frame/messages';
import { addMessages, i18nOf } from './domain/words/i18n';
import { englishLocale, localeOf } from './domain/words/languages';
import { unpackMessages } from './domain/words/packed-messages';

const heading = takeDestination();
if (heading) location.replace(heading);
else {
  watchControls();
  leaveHistoryAlone();
  const locale = localeOf(document.documentElement.lang) ?? englishLocale;
  const brought = broughtMessages();
  addMessages(locale.language, unpackMessages(brought ?? ''));
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <MessagesOfPage.Provider value={brought}>
          <I18nProvider i18n={i18nOf(locale)}>
            <RemixBrowser />
          </I18nProvider>
        </MessagesOfPage.Provider>
      </StrictMode>,
    );
  });
}
