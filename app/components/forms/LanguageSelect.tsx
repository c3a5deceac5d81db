import { useLingui } from '@lingui/react/macro';
import type { Refusal } from '../../domain/errors';
import { languageCodes, languages } from '../../domain/words/languages';
import { unreadTranslations } from '../unread-translations';
import { useWords } from '../words';
import { Select } from './Field';

/** Chooses the language of somebody's screens and mails, or leaves it to each device. */
export function LanguageSelect({ lang, refused }: { lang: string | null; refused?: Refusal }) {
  const { t } = useLingui();
  const words = useWords();
  return (
    <Select
      name="lang"
      label={t`Language`}
      help={
        <>
          {t`Of your screens on each device, and of your mails and calendars.`} {words(unreadTranslations)}
        </>
      }
      defaultValue={lang ?? ''}
      refused={refused}
    >
      <option value="">{t`As each device says; mails in the language that you last read`}</option>
      {languageCodes.map((code) => (
        <option key={code} value={code} lang={code}>
          {languages[code]}
        </option>
      ))}
    </Select>
  );
}
