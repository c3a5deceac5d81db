import type { RequestHandler } from '@remix-run/cloudflare';
import type { Context } from '../../context';
import { notTaken } from '../../domain/errors';
import { drain } from '../body.server';
import { isCall, isWrite } from '../cross-site.server';

/** Methods that the framework knows. */
const known = /^(GET|HEAD|POST|PUT|PATCH|DELETE)$/;

/** An address without a route: it gives the page for a missing page. */
const nowhere = '/-';

/** The request as the framework gets it: items 2 to 5 of README.md in this folder. */
function forwarded(request: Request, url: URL, isPageOnly: boolean): Request {
  const isOfApi = isCall(url);
  const isRead = !isWrite(request);
  const isOurs = isOfApi && url.searchParams.has('_data');
  const isPlain = isRead && !request.body && !isOurs && !request.headers.has('Origin');
  if (isPlain) return request;
  if (isOurs) url.searchParams.delete('_data');
  const headers = new Headers(request.headers);
  headers.delete('Origin');
  const method = known.test(request.method) ? request.method : 'PATCH';
  if (isPageOnly && !isOfApi) return new Request(url, { headers });
  if (isRead) return new Request(url, { headers, method });
  const copy = new Request(request, { headers, method });
  return isOurs ? new Request(url, copy) : copy;
}

/** Lets the framework answer a request, and answers by a page of our own where it refuses one, or a file is refused. */
export async function answer(
  request: Request,
  handlerFor: (pathname: string) => { handle: RequestHandler; route: string },
  context: Context,
): Promise<Response> {
  const url = new URL(request.url);
  const forwardedRequest = forwarded(request, url, context.isCrossSite);
  const { handle, route } = handlerFor(url.pathname);
  context.route = route;
  let response = await handle(forwardedRequest, context);
  const isOurs = response.headers.has('Allow') || 'Allow' in context.refusalHeaders;
  if (response.status === 405 && !isOurs) context.refusal = notTaken();
  if (context.refusal !== undefined) {
    // At '/' the root route alone would match, and it is empty.
    if (/^\/+$/.test(url.pathname)) url.pathname = nowhere;
    response = await handlerFor(nowhere).handle(forwarded(request, url, true), context);
  }
  await drain(forwardedRequest.body ?? request.body);
  return response;
}
