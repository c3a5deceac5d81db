import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useActionData } from '@remix-run/react';
import { ButtonLink, TextLink } from '../../components/Button';
import { Card, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Faults, faultsOf, TextArea } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { importPeople } from '../../domain/bookings/import-people.server';
import { invalid, type Refusal } from '../../domain/errors';
import { limits } from '../../domain/input/limits';
import { statesOf } from '../../domain/people/canceled';
import type { DateOrder } from '../../domain/people/cells';
import { dateOrderOf, type Part } from '../../domain/people/import';
import type { Words } from '../../domain/words/words';
import { inBook } from '../../http/book-of.server';
import { formAction, pageLoader } from '../../http/page.server';
import { ImportCounts, ImportFates } from './ImportFates';
import { ImportLook } from './ImportLook';
import { ImportProgress } from './ImportProgress';
import {
  carriedChoices,
  checkColumns,
  hasNewHeads,
  ignoredHeads,
  matching,
  mostStates,
  orderOf,
  tableOf,
} from './import-columns';
import { earlierFates, earlierField, withEarlier } from './import-parts';
import { MatchColumns } from './MatchColumns';

export const meta = titled(msg`Import your clients`);

export const loader = pageLoader(
  'Provider',
  inBook(async () => ({})),
);

/** How many rows one request reads or imports, because so many take a few milliseconds of processor time. */
const ofRequest = 100;

/** The next part of a table, after the rows that are done. */
function partAfter(doneRows: string | undefined, count: number): Part {
  const from = Math.min(Number(/^\d{1,4}$/.exec(doneRows ?? '')?.[0] ?? 0), count);
  return { from, to: Math.min(from + ofRequest, count) };
}

export const action = formAction(
  'Provider',
  inBook(async ({ db, links, actor, now, i18n }, typed) => {
    const [intent] = typed.intent ?? [];
    if ((intent !== 'preview' && intent !== 'import') || hasNewHeads(typed)) {
      const uploaded = tableOf(typed);
      return { ...matching(typed, uploaded), isAmbiguous: dateOrderOf(uploaded.table) === undefined };
    }
    const { text, table } = tableOf(typed);
    checkColumns(table);
    const dates = orderOf(typed);
    const order = dates ?? dateOrderOf(table);
    if (!order) {
      throw invalid('dates', msg`Some dates can be two days. Say which comes first, day or month.`);
    }
    const isPreview = intent === 'preview';
    const part = partAfter((isPreview ? typed.shown : typed.done)?.[0], table.rows.length);
    const rowCount = table.rows.length;
    const before = earlierFates(part.from > 0 ? typed.before?.[0] : undefined);
    const step = { table, dates: order, preview: isPreview, part, earlier: before.taken };
    const sum = withEarlier(before, await importPeople(db, links, actor, step, now), i18n);
    const { taken: _, ...outcome } = sum;
    if (!isPreview && part.to === rowCount) return { step: 'done' as const, outcome, isLong: rowCount > ofRequest };
    const form = { text, dates, carried: carriedChoices(typed, table) };
    if (isPreview) {
      const look = { ignored: ignoredHeads(table), states: statesOf(table).slice(0, mostStates) };
      return { step: 'preview' as const, ...form, ...look, part, of: rowCount, outcome, before: earlierField(sum) };
    }
    return { step: 'part' as const, ...form, done: part.to, of: rowCount, before: earlierField(sum) };
  }),
  (typed) => {
    if (typed.intent?.[0] !== 'preview' && typed.intent?.[0] !== 'import') return {};
    try {
      return { ...matching(typed), isAmbiguous: false };
    } catch {
      return {};
    }
  },
  true,
);

function rowsWords({ from, to }: Part, all: string): Words {
  const first = from + 1;
  return from > 0
    ? msg`Rows ${first} to ${to} of ${all}. The numbers are of all rows so far.`
    : msg`Rows ${first} to ${to} of ${all}`;
}

const importAllWords = (all: string): Words => msg`Import all ${all}`;

export default function BringAlong() {
  const desk = useBookPaths();
  const { t, i18n } = useLingui();
  const words = useWords();
  const answer = useActionData<typeof action>();
  const refused = useRefusal();
  const step = answer && 'step' in answer ? answer : undefined;
  return (
    <Page
      title={t`Import your clients`}
      subtitle={t`Their names and coming appointments, from a table. Nobody is mailed.`}
    >
      <ErrorSummary refused={refused} />
      {!step && <GiveTable refused={refused} />}
      {step?.step === 'columns' && <MatchColumns {...step} refused={refused} />}
      {step?.step === 'preview' && (
        <Card title={t`3. Look before you import`}>
          <p className="text-muted">{t`Nothing is imported yet, and nobody is mailed.`}</p>
          {step.of > ofRequest && <p>{words(rowsWords(step.part, i18n.number(step.of)))}</p>}
          <ImportCounts {...step.outcome} />
          <PostForm reloadDocument encType="multipart/form-data" className="flex flex-wrap gap-3">
            <CarriedTable {...step} />
            {(step.of > ofRequest || step.outcome.refused < step.outcome.rows.length) && (
              <Submit name="intent" value="import">
                {step.of > ofRequest ? words(importAllWords(i18n.number(step.of))) : t`Import them`}
              </Submit>
            )}
            {step.part.to < step.of && (
              <>
                <input type="hidden" name="shown" value={step.part.to} />
                <input type="hidden" name="before" value={step.before} />
                <Submit quiet name="intent" value="preview">
                  <Trans>Look at the next rows</Trans>
                </Submit>
              </>
            )}
            <Submit quiet name="intent" value="read">
              <Trans>Change the columns</Trans>
            </Submit>
          </PostForm>
          {step.part.from === 0 && <ImportLook rows={step.outcome.rows} ignored={step.ignored} states={step.states} />}
          <ImportFates rows={step.outcome.rows} />
          <p>
            <TextLink to={desk.importPeople()}>{t`Take another table`}</TextLink>
          </p>
        </Card>
      )}
      {step?.step === 'part' && (
        <ImportProgress done={step.done} of={step.of} before={step.before}>
          <CarriedTable {...step} />
        </ImportProgress>
      )}
      {step?.step === 'done' && (
        <>
          <Notice tone="good" title={t`Your clients are here. Nobody was mailed.`} />
          <Card>
            <ImportCounts {...step.outcome} />
            <ImportFates rows={step.outcome.rows.filter(({ why }) => !step.isLong || why !== null)} />
            <p>
              <ButtonLink to={desk.people()}>{t`See your people`}</ButtonLink>
            </p>
          </Card>
        </>
      )}
    </Page>
  );
}

type Carried = { text: string; dates?: DateOrder; carried: { name: string; value: string }[] };

/** The table and the reader's choices, as fields for the next form. */
const CarriedTable = ({ text, dates, carried }: Carried) => (
  <>
    <textarea name="text" hidden readOnly defaultValue={text} />
    {dates && <input type="hidden" name="dates" value={dates} />}
    {carried.map(({ name, value }) => (
      <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
    ))}
  </>
);

function GiveTable({ refused }: { refused?: Refusal }) {
  const desk = useBookPaths();
  const { t } = useLingui();
  const { id, faults, wiring } = faultsOf(refused, 'file');
  return (
    <Card title={t`1. Give the table`}>
      <PostForm reloadDocument encType="multipart/form-data" className="grid max-w-xl gap-5">
        <div className="grid gap-1.5">
          <label htmlFor={id} className="font-semibold">
            <Trans>File</Trans>
          </label>
          <p id={`${id}-help`} className="text-sm text-muted">
            <Trans>A table as CSV, up to 2 MiB and 2,000 rows. One of its first rows says what the columns are.</Trans>
          </p>
          <input
            {...wiring}
            aria-describedby={`${id}-help`}
            type="file"
            name="file"
            accept=".csv,.txt,text/csv,text/plain"
            className="min-h-12 w-full min-w-0 text-base file:me-3 file:min-h-11 file:rounded-full file:border file:border-edge file:px-4 file:font-semibold"
          />
          <Faults id={`${id}-faults`} faults={faults} />
        </div>
        <TextArea
          name="text"
          label={t`Or paste it here`}
          help={t`As large as a file.`}
          maxLength={limits.table}
          placeholder={t`Name,E-mail,Phone`}
          refused={refused}
        />
        <div>
          <Submit name="intent" value="read">
            <Trans>Go on</Trans>
          </Submit>
        </div>
      </PostForm>
      <p>
        <TextLink to={desk.people()}>{t`Back to your people`}</TextLink>
      </p>
    </Card>
  );
}
