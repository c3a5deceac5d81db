import type { AppLoadContext, EntryContext } from '@remix-run/cloudflare';
import { RemixServer } from '@remix-run/react';
import { renderToString } from 'react-dom/server';
import { failureOf } from './http/errors.server';
import { Nonce } from './nonce';

// worker.ts takes these from the built server.
export { deliverMail, remindPeople } from './deliver.server';
export { hashingLine, passwordsBy } from './domain/accounts/hashing.server';
export { handlersOf } from './http/framework/handlers.server';
export { rehearse } from './rehearsal.server';
export { serve, tidyUp } from './serve.server';

/** Renders a screen as one string: no screen has parts that arrive later, and a stream costs twice as much. */
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
  headers.set('Content-Type', 'text/html; charset=utf-8');
  return new Response(`<!DOCTYPE html>${page}`, { headers, status });
}

/** Logs what a loader or action threw by accident. Nothing that was thrown on purpose gets here. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  const isExpected = typeof error === 'object' && error !== null && 'status' in error;
  if (!request.signal.aborted && !isExpected) failureOf(error, context.id);
}
