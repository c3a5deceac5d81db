import { useLingui } from '@lingui/react/macro';
import { useLocation } from '@remix-run/react';
import { languageCodes, languages } from '../../domain/words/languages';

/** Shows this page in another language, and remembers it in this browser. */
export function Languages() {
  const { t, i18n } = useLingui();
  const { pathname, search } = useLocation();
  const pathIn = (code: string) => {
    const query = new URLSearchParams(search);
    query.set('lang', code);
    return `${pathname.replace(/(.)\/$/, '$1')}?${query}`;
  };
  return (
    <nav aria-label={t`Language`} className="no-print flex basis-full flex-wrap justify-center gap-x-4">
      {languageCodes.map((code) =>
        code === i18n.locale ? (
          <span key={code} aria-current="true" className="py-2">
            {languages[code]}
          </span>
        ) : (
          <a key={code} href={pathIn(code)} lang={code} rel="nofollow" className="py-2 underline underline-offset-4">
            {languages[code]}
          </a>
        ),
      )}
    </nav>
  );
}
