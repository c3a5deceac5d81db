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

/** Remembers the language that the address asks for; null where it asks for none that we speak. */
export function languageCookie(request: Request): string | null {
  const asked = localeOf(askedLanguage(request));
  if (!asked) return null;
  const secure = request.url.startsWith('https:') ? '; Secure' : '';
  return `${cookieName}=${asked.tag}; Path=/; Max-Age=${keptFor}; HttpOnly; SameSite=Lax${secure}`;
}
