import { I18nProvider } from '@lingui/react';
import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare';
import { RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { MessagesOfPage } from './components/frame/messages';
import { Nonce } from './components/frame/nonce';
import { waitingForTouch } from './components/frame/start-on-touch';
import { failureOf } from './http/errors.server';
import { framedPage } from './http/framed.server';
import { pageType } from './http/headers.server';
import { withInlinedStyles } from './http/inlined-styles.server';
import { withoutTagsInData } from './http/json.server';
import { messagesOfPage, messagesOfScreen } from './words/page-messages.server';

export { hashingLine, passwordsBy } from './domain/login/hashing.server';
export { handlersOf } from './http/framework/handlers.server';
// worker.ts uses what the built server exports here.
export { readCalendars } from './serve/calendars.server';
export { deliverMail, remindPeople } from './serve/mails.server';
export { rehearse } from './serve/rehearsal.server';
export { serve, tidyUp } from './serve/serve.server';
export { deliverWebhookNow, deliverWebhooks, providersToDeliver } from './serve/webhooks.server';

// No screen has parts that arrive later, and a stream costs twice as much.
export default function render(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { nonce, i18n, frame }: AppLoadContext,
) {
  const routeIds = remix.staticHandlerContext.matches.map(({ route }) => route.id);
  const { loaderData, actionData, errors } = remix.staticHandlerContext;
  const messages = messagesOfPage(i18n, routeIds, () => JSON.stringify([loaderData, actionData, errors]));
  const page = renderToString(
    <Nonce.Provider value={nonce}>
      <MessagesOfPage.Provider value={messages}>
        <I18nProvider i18n={i18n}>
          <RemixServer context={remix} url={request.url} nonce={nonce} />
        </I18nProvider>
      </MessagesOfPage.Provider>
    </Nonce.Provider>,
  );
  headers.set('Content-Type', pageType);
  const styled = waitingForTouch(withInlinedStyles(page));
  return new Response(`<!DOCTYPE html>${frame ? framedPage(styled, frame) : styled}`, { headers, status });
}

/** To the data of a screen come the translations of what its script says. */
export const handleDataRequest = (
  response: Response,
  { request, context }: { request: Request; context: AppLoadContext },
) => {
  const routeId = new URL(request.url).searchParams.get('_data') ?? '';
  return withoutTagsInData(response, (data) => messagesOfScreen(context.i18n, routeId, data));
};

/** Logs errors, except those that were thrown on purpose. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  const isExpected = typeof error === 'object' && error !== null && 'status' in error;
  if (!request.signal.aborted && !isExpected) failureOf(error, context.id);
}
