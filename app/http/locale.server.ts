import { day } from '../domain/time/clock';
import { type Language, type Locale, localeFor, localeOf } from '../domain/words/languages';

// Its name doesn't begin as those of our other cookies do, because it opens nothing, and pages are cached for who has it alone.
const cookieName = 'lang';
const keptFor = (365 * day) / 1000;

const askedLanguage = ({ url }: Request): string | null =>
  url.includes('lang=') ? new URL(url).searchParams.get('lang') : null;

/** The reader's language. @param account the one of their account; null for strangers and guests */
export const localeOfRequest = (request: Request, account: Language | null = null): Locale =>
  localeFor({
    asked: askedLanguage(request),
    account,
    cookie: /(?:^|;\s*)lang=([\w-]+)/.exec(request.headers.get('Cookie') ?? '')?.[1] ?? null,
    accepted: request.headers.get('Accept-Language'),
  });

/**
 * The address without its language, for a reader who opens it: a cookie remembers what it asked for, and whoever gets the address
 * from them reads their own. Null for search engines and programs, which keep no cookies, and for an address without a language.
 */
export function addressWithoutLanguage(request: Request): string | null {
  if (request.method !== 'GET' || !localeOf(askedLanguage(request)) || !isOpenedByReader(request)) return null;
  const url = new URL(request.url);
  url.searchParams.delete('lang');
  // With two slashes it would lead to another host.
  return url.pathname.replace(/^\/+/, '/') + url.search;
}

/** True for a page that a browser opens. Older ones say only that a link on a page of ours was pressed. */
function isOpenedByReader({ headers, url }: Request): boolean {
  const mode = headers.get('Sec-Fetch-Mode');
  if (mode) return mode === 'navigate';
  const from = headers.get('Referer');
  return from !== null && URL.canParse(from) && new URL(from).host === new URL(url).host;
}

/** Remembers the language that the address asks for; null where it asks for none that we speak. */
export function languageCookie(request: Request): string | null {
  const asked = localeOf(askedLanguage(request));
  if (!asked) return null;
  const secure = request.url.startsWith('https:') ? '; Secure' : '';
  return `${cookieName}=${asked.tag}; Path=/; Max-Age=${keptFor}; HttpOnly; SameSite=Lax${secure}`;
}
