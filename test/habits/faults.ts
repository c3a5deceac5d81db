import { contradictions } from '../support/openapi';
import { hasMarked } from './forms';
import type { Drawn, PlainResponse } from './requests';

const isApi = (pathname: string) => /^\/api\/./i.test(pathname);

/** In characters: the runtime may refuse a longer address. */
const longestPath = 8_000;

/** The faults that no response may have, whatever the request. */
export function faultsOf({ method, path, actor }: Drawn, { status, headers, text }: PlainResponse): string[] {
  if (status === 0) return [`no response: ${text}`];
  // The runtime refuses it before our code runs.
  if (status === 431 && path.length > longestPath) return [];
  const { pathname, origin } = new URL(path, actor.browser.url);
  const type = headers.get('content-type') ?? '';
  const faults: string[] = [];
  if (status >= 500) faults.push(`a ${status}`);
  if (/\bat .*\.[jt]sx?:\d+|SQLITE_|D1_ERROR|no such column/.test(text)) faults.push('the inside is shown');
  for (const name of headers.keys()) if (name.includes('fzmark')) faults.push('a header that was typed');
  if (headers.get('set-cookie')?.includes('fzmark')) faults.push('a cookie that was typed');
  const location = headers.get('location');
  if (location && new URL(location, origin).origin !== origin) faults.push(`a way to another site: ${location}`);
  if (type.includes('html')) faults.push(...faultsOfPage(text));
  if (/calendar/.test(type) && /^(x-fzmark)/im.test(text)) faults.push('a line of a calendar that was typed');
  if (!isApi(pathname)) return faults;
  if (type.includes('html') && pathname !== '/api/') faults.push('HTML of the API');
  return [...faults, ...faultsOfCall(method, pathname, { status, headers, text })];
}

function faultsOfPage(html: string): string[] {
  const faults: string[] = [];
  if (/<\/?fzmark/i.test(html) || (html.includes('fzattr') && hasMarked(html))) faults.push('markup that was typed');
  if (/(href|src|action|formaction)="\s*(javascript|data):/i.test(html)) faults.push('a link that runs what was typed');
  return faults;
}

function faultsOfCall(method: string, pathname: string, { status, headers, text }: PlainResponse): string[] {
  const type = headers.get('content-type') ?? '';
  if (text !== '' && !/^application\/json/.test(type)) return [`a body of type ${type || 'none'}`];
  let json: unknown;
  try {
    json = text === '' ? undefined : JSON.parse(text);
  } catch {
    return ['a body that is no JSON'];
  }
  // HEAD has no body, and the document has no 405.
  if (method === 'HEAD' || status === 405) return [];
  return contradictions(method, pathname, { status, headers, text, json });
}
