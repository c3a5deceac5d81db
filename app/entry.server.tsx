import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare';
import { RemixServer } from '@remix-run/react';
import { renderToReadableStream } from 'react-dom/server';
import { failureOf } from './http/errors.server';
import { Nonce } from './nonce';

// For worker.ts, which takes the app out of the built server.
export { hashPassword, verifyPassword } from './domain/passwords.server';
export { handlersOf } from './http/handlers.server';
export { serve, tidyUp } from './serve.server';

/** Renders a screen whole: no screen has parts that arrive later. */
export default async function render(
  request: Request,
  status: number,
  headers: Headers,
  remix: EntryContext,
  { nonce }: AppLoadContext,
) {
  let responseStatus = status;
  const page = (
    <Nonce.Provider value={nonce}>
      <RemixServer context={remix} url={request.url} nonce={nonce} />
    </Nonce.Provider>
  );
  const body = await renderToReadableStream(page, {
    nonce,
    onError(error) {
      failureOf(error);
      responseStatus = 500;
    },
  });
  await body.allReady;
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response(body, { headers, status: responseStatus });
}

/** What escaped a loader or action unforeseen. What was thrown on purpose has been dealt with. */
export function handleError(error: unknown, { request }: { request: Request }) {
  const isExpected = typeof error === 'object' && error !== null && 'status' in error;
  if (!request.signal.aborted && !isExpected) failureOf(error);
}
