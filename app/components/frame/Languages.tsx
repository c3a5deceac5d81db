import { useLingui } from '@lingui/react/macro';
import { useLocation } from '@remix-run/react';
import { type Language, languageCodes, languages } from '../../domain/words/languages';
import * as paths from '../../paths';
import { TextLink } from '../Button';
import { useShell } from './shell';

/**
 * At the end of each page: shows it in another language, and remembers that in this browser. An account's own language would
 * count again on the next page, so whoever has one is led to where they chose it.
 */
export function Languages() {
  const { t, i18n } = useLingui();
  const { pathname, search } = useLocation();
  const hasOwn = useShell().reader?.hasLanguage === true;
  const pathIn = (code: string) => {
    const query = new URLSearchParams(search);
    // A form on the first page sends it to.
    query.delete('index');
    query.set('lang', code);
    return `${pathname.replace(/(.)\/$/, '$1')}?${query}`;
  };
  return (
    <nav
      aria-label={t`Language`}
      className="no-print flex flex-wrap justify-center gap-x-4 px-5 pb-4 text-sm text-muted"
    >
      {hasOwn ? (
        <TextLink to={paths.profile()}>{languages[i18n.locale as Language]}</TextLink>
      ) : (
        languageCodes.map((code) =>
          code === i18n.locale ? (
            <span key={code} aria-current="true" className="py-2">
              {languages[code]}
            </span>
          ) : (
            <a key={code} href={pathIn(code)} lang={code} className="py-2 underline">
              {languages[code]}
            </a>
          ),
        )
      )}
    </nav>
  );
}
