import { languageCodes } from '../../domain/words/languages';

/**
 * The address by which a public page is shared, without a language, so that whoever opens it reads their own; and for search
 * engines where it is in each.
 */
export function languageLinks(address: string) {
  const alternate = (hrefLang: string, href: string) => ({
    tagName: 'link' as const,
    rel: 'alternate',
    hrefLang,
    href,
  });
  return [
    { tagName: 'link' as const, rel: 'canonical', href: address },
    alternate('x-default', address),
    ...languageCodes.map((code) => alternate(code, `${address}?lang=${code}`)),
  ];
}
