import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Select } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useBookPaths } from '../../components/frame/book-paths';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import type { DateOrder } from '../../domain/people/cells';
import type { Column } from '../../domain/people/heads';
import type { Words } from '../../domain/words/words';
import type { matching } from './import-columns';

type Matching = Omit<ReturnType<typeof matching>, 'dates'> & { dates?: DateOrder; isAmbiguous: boolean };

const holds: Record<Column, Words> = {
  name: msg`Name`,
  lastFirst: msg`Name, as Last, First`,
  firstName: msg`First name`,
  middleName: msg`Middle name`,
  lastName: msg`Last name`,
  email: msg`E-mail`,
  phone: msg`Phone`,
  note: msg`Note`,
  date: msg`Date of an appointment`,
  start: msg`Start of an appointment`,
  end: msg`End of an appointment`,
  minutes: msg`Minutes it takes`,
  place: msg`Where an appointment takes place`,
  status: msg`Whether it is canceled`,
};

export function MatchColumns(props: Matching & { refused?: Refusal }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { text, columns: found, dates, isAmbiguous, headRow, firstRows, states, refused } = props;
  const isAsked = isAmbiguous || dates || refused?.faults.some(({ field }) => field === 'dates');
  return (
    <Card title={t`2. Say what the columns are`}>
      <PostForm reloadDocument encType="multipart/form-data" className="grid gap-5">
        <textarea name="text" hidden readOnly defaultValue={text} />
        <input type="hidden" name="shownHead" value={headRow} />
        <Select
          name="head"
          label={t`Which row says what the columns are?`}
          help={t`Reports have a title above it. If you choose another row, its columns are shown next.`}
          defaultValue={String(headRow)}
        >
          {firstRows.map(({ row, cells }) => (
            <option key={row} value={row}>
              {row}: {cells}
            </option>
          ))}
        </Select>
        <div className="grid gap-5 sm:grid-cols-2">
          {found.map(({ field, title, examples, holds: held }) => (
            <Select
              key={field}
              name={field}
              label={words(title)}
              help={
                <span className="break-words">
                  {examples.filter(Boolean).join(' · ') || t({ message: 'Empty', context: 'column' })}
                </span>
              }
              defaultValue={held}
              refused={refused}
            >
              <option value="">{t`Ignore`}</option>
              {Object.entries(holds).map(([column, what]) => (
                <option key={column} value={column}>
                  {words(what)}
                </option>
              ))}
            </Select>
          ))}
        </div>
        {states.length > 0 && (
          <fieldset className="grid gap-1.5">
            <legend className="font-semibold">{t`Which rows are canceled?`}</legend>
            <p className="text-sm text-muted">{t`Their people are imported, without an appointment.`}</p>
            {states.map(({ key, word, rows, isCanceled }) => (
              <label key={key} className="flex min-h-11 cursor-pointer items-center gap-3">
                <input type="hidden" name="state" value={key} />
                <input
                  type="checkbox"
                  name="canceled"
                  value={key}
                  defaultChecked={isCanceled}
                  className="size-5 shrink-0 accent-accent"
                />
                <span className="min-w-0 break-words">
                  {word}{' '}
                  <span className="text-muted">
                    <Plural value={rows} one="# row" other="# rows" />
                  </span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {isAsked && (
          <Select
            name="dates"
            label={t`Which comes first in a date?`}
            help={t`Some dates, such as 3/4/2027, can be two days.`}
            defaultValue={dates ?? ''}
            refused={refused}
          >
            <option value="">{t`Choose`}</option>
            <option value="dmy">{t`Day, then month`}</option>
            <option value="mdy">{t`Month, then day`}</option>
          </Select>
        )}
        <div>
          <Submit name="intent" value="preview">
            <Trans>See what happens</Trans>
          </Submit>
        </div>
      </PostForm>
      <p>
        <TextLink to={desk.importPeople()}>{t`Take another table`}</TextLink>
      </p>
    </Card>
  );
}
