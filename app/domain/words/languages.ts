import { memo } from '../memo';

/** What each language calls itself, in the order in which they are offered. */
export const languages = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  pt: 'Português',
  es: 'Español',
  ar: 'العربية',
} as const;
export type Language = keyof typeof languages;
export const languageCodes = Object.keys(languages) as Language[];

/** A language, and the tag with the reader's region by which dates and numbers are written: 'de', 'de-AT'. */
export type Locale = { language: Language; tag: string };

export const englishLocale: Locale = { language: 'en', tag: 'en' };

export const isRightToLeft = (language: string): boolean => language === 'ar';

// With what `sharedLocale` adds. A variant, such as a spelling of 1996, is passed over.
const tagPattern =
  /^([a-z]{2,3})(?:[-_][a-z]{4})?(?:[-_]([a-z]{2}|\d{3}))?(?:[-_](?:\d[a-z\d]{3}|[a-z\d]{5,8}))*(-u(?:-hc-h\d\d)?(?:-nu-[a-z]{4})?)?$/i;

/** Reads a tag such as 'fr-CA' or 'PT_br'; null for a language that we don't speak, and for what is no tag. */
export function localeOf(tag: string | null | undefined): Locale | null {
  const [, code = '', region, habits = ''] = tagPattern.exec(tag?.trim() ?? '') ?? [];
  const language = languageCodes.find((known) => known === code.toLowerCase());
  if (!language) return null;
  return { language, tag: (region ? `${language}-${region.toUpperCase()}` : language) + habits.toLowerCase() };
}

/** 'AT' of 'de-AT'; null for a tag without a country. */
export const regionOf = (tag: string): string | null => /^[a-z]+-([A-Z]{2})\b/.exec(tag)?.[1] ?? null;

const acceptedBy = memo<Locale | null>(200);

/** The best of `Accept-Language` ('de-AT,de;q=0.9,en;q=0.5', RFC 9110, 12.5.4) that we speak. */
export const acceptedLocale = (header: string | null): Locale | null =>
  header ? acceptedBy(header, () => readAccepted(header)) : null;

function readAccepted(header: string): Locale | null {
  const wanted = header.split(',', 20).map((entry) => {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const weight = Number(parameters.find((one) => /^q=/i.test(one))?.slice(2) ?? 1);
    return { tag, weight };
  });
  const best = wanted.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const { tag } of best) {
    const locale = localeOf(tag);
    if (locale) return locale;
  }
  return null;
}

/** The language that is stored for somebody, if we speak it. @param stored a code or tag, of a later version perhaps */
export const languageOf = (stored: string | null): Language | null => localeOf(stored)?.language ?? null;

type Wishes = { asked: string | null; account: string | null; cookie: string | null; accepted: string | null };

/**
 * The reader's language: the address's, the account's, the cookie's, or the browser's. One that we don't speak is passed over.
 * Whoever has chosen a language keeps the region that the browser names beside it.
 */
export function localeFor({ asked, account, cookie, accepted }: Wishes): Locale {
  const ofBrowser = acceptedLocale(accepted);
  const chosen = localeOf(asked) ?? localeOf(account) ?? localeOf(cookie);
  if (!chosen) return ofBrowser ?? englishLocale;
  const namesRegion = chosen.tag !== chosen.language;
  return !namesRegion && ofBrowser?.language === chosen.language ? ofBrowser : chosen;
}
