import { notTaken } from '../../domain/errors';
import { drain } from '../body.server';
import type { Context } from '../context';
import { isCall, isWrite } from '../cross-site.server';
import type { Found } from './handlers.server';

const knownMethods = /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/;

// No route has this path, so the framework shows the page for missing things.
const nowhere = '/-';

/** Changes the request before the framework gets it: items 2 to 5 in this folder's README.md. */
function forwarded(request: Request, url: URL, isPageOnly: boolean): Request {
  const isApi = isCall(url);
  const isRead = !isWrite(request);
  const isOurs = isApi && url.searchParams.has('_data');
  const isPlain = isRead && !request.body && !isOurs && !request.headers.has('Origin');
  if (isPlain) return request;
  if (isOurs) url.searchParams.delete('_data');
  const headers = new Headers(request.headers);
  headers.delete('Origin');
  const method = knownMethods.test(request.method) ? request.method : 'PATCH';
  if (isPageOnly && !isApi) return new Request(url, { headers });
  if (isRead) return new Request(url, { headers, method });
  const copy = new Request(request, { headers, method });
  return isOurs ? new Request(url, copy) : copy;
}

/** Lets the framework respond. A page of our own replaces the framework's refusals, and those of files. */
export async function respond(
  request: Request,
  handlerFor: (pathname: string) => Found,
  context: Context,
): Promise<Response> {
  const url = new URL(request.url);
  const { call, handle, route } = handlerFor(url.pathname);
  context.route = route;
  if (call) {
    const response = await call(request, context);
    await drain(request);
    return response;
  }
  const forwardedRequest = forwarded(request, url, context.isCrossSite);
  let response = await handle(forwardedRequest, context);
  const isOurs = response.headers.has('Allow') || 'Allow' in context.refusalHeaders;
  if (response.status === 405 && !isOurs) context.refusal = notTaken();
  if (context.refusal !== undefined) {
    // Only the empty root route would match '/'.
    if (/^\/+$/.test(url.pathname)) url.pathname = nowhere;
    response = await handlerFor(nowhere).handle(forwarded(request, url, true), context);
  }
  await drain(forwardedRequest.body ? forwardedRequest : request);
  return response;
}
