import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Select } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import type { Refusal } from '../../domain/errors';
import type { DateOrder } from '../../domain/people/cells';
import type { Column } from '../../domain/people/heads';
import * as paths from '../../paths';
import type { matching } from './import-columns';

type Matching = Omit<ReturnType<typeof matching>, 'dates'> & { dates?: DateOrder; isAmbiguous: boolean };

const holds: Record<Column, string> = {
  name: 'Name',
  lastFirst: 'Name, as Last, First',
  firstName: 'First name',
  middleName: 'Middle name',
  lastName: 'Last name',
  email: 'E-mail',
  phone: 'Phone',
  note: 'Note',
  date: 'Date of an appointment',
  start: 'Start of an appointment',
  end: 'End of an appointment',
  minutes: 'Minutes it takes',
  status: 'Whether it is canceled',
};

export function MatchColumns(props: Matching & { refused?: Refusal }) {
  const { text, columns: found, dates, isAmbiguous, headRow, firstRows, states, refused } = props;
  const isAsked = isAmbiguous || dates || refused?.faults.some(({ field }) => field === 'dates');
  return (
    <Card title="2. Say what the columns are">
      <PostForm reloadDocument encType="multipart/form-data" className="grid gap-5">
        <textarea name="text" hidden readOnly defaultValue={text} />
        <input type="hidden" name="shownHead" value={headRow} />
        <Select
          name="head"
          label="Which row says what the columns are?"
          help="Reports have a title above it. If you choose another row, its columns are shown next."
          defaultValue={String(headRow)}
        >
          {firstRows.map(({ row, words }) => (
            <option key={row} value={row}>
              {row}: {words}
            </option>
          ))}
        </Select>
        <div className="grid gap-5 sm:grid-cols-2">
          {found.map(({ field, title, examples, holds: held }) => (
            <Select
              key={field}
              name={field}
              label={title}
              help={<span className="break-words">{examples.filter(Boolean).join(' · ') || 'Empty'}</span>}
              defaultValue={held}
              refused={refused}
            >
              <option value="">Ignore</option>
              {Object.entries(holds).map(([column, words]) => (
                <option key={column} value={column}>
                  {words}
                </option>
              ))}
            </Select>
          ))}
        </div>
        {states.length > 0 && (
          <fieldset className="grid gap-1.5">
            <legend className="font-semibold">Which rows are canceled?</legend>
            <p className="text-sm text-muted">Their people are imported, without an appointment.</p>
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
                  <span className="text-muted">{rows === 1 ? '1 row' : `${rows.toLocaleString('en')} rows`}</span>
                </span>
              </label>
            ))}
          </fieldset>
        )}
        {isAsked && (
          <Select
            name="dates"
            label="Which comes first in a date?"
            help="Some dates, such as 3/4/2027, can be two days."
            defaultValue={dates ?? ''}
            refused={refused}
          >
            <option value="">Choose</option>
            <option value="dmy">Day, then month</option>
            <option value="mdy">Month, then day</option>
          </Select>
        )}
        <div>
          <Submit name="intent" value="preview">
            See what happens
          </Submit>
        </div>
      </PostForm>
      <p>
        <TextLink to={paths.importPeople()}>Take another table</TextLink>
      </p>
    </Card>
  );
}
