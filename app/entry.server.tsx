import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare';
import { RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { Nonce } from './components/frame/nonce';
import { failureOf } from './http/errors.server';
import { pageType } from './http/headers.server';
import { withInlinedStyles } from './http/inlined-styles.server';
import { withoutTagsInData } from './http/json.server';

export { hashingLine, passwordsBy } from './domain/login/hashing.server';
export { handlersOf } from './http/framework/handlers.server';
// worker.ts uses what the built server exports here.
export { readCalendars } from './serve/calendars.server';
export { deliverMail, remindPeople } from './serve/deliver.server';
export { rehearse } from './serve/rehearsal.server';
export { serve, tidyUp } from './serve/serve.server';

// No screen has parts that arrive later, and a stream costs twice as much.
export default function render(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { nonce }: AppLoadContext,
) {
  const page = renderToString(
    <Nonce.Provider value={nonce}>
      <RemixServer context={remix} url={request.url} nonce={nonce} />
    </Nonce.Provider>,
  );
  headers.set('Content-Type', pageType);
  return new Response(`<!DOCTYPE html>${withInlinedStyles(page)}`, { headers, status });
}

export const handleDataRequest = withoutTagsInData;

/** Logs errors, except those that were thrown on purpose. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  const isExpected = typeof error === 'object' && error !== null && 'status' in error;
  if (!request.signal.aborted && !isExpected) failureOf(error, context.id);
}
