import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { status } from '../../domain/bookings/status';
import type { Refusal } from '../../domain/errors';
import type { AgainPage } from '../../domain/series/series';
import type { Words } from '../../domain/words/words';
import { Button, TextLink } from '../Button';
import { Card, type Fact, Facts } from '../Card';
import { ErrorSummary } from '../forms/ErrorSummary';
import { Select } from '../forms/Field';
import { PostForm } from '../forms/Form';
import { GetForm } from '../forms/GetForm';
import { useWords } from '../words';
import { BookDates } from './BookDates';
import { SeriesEnd } from './SeriesEnd';
import { Moment } from './Time';

const everyWords: Record<string, Words> = {
  '7': msg`Every week`,
  '14': msg`Every two weeks`,
  '21': msg`Every three weeks`,
  '28': msg`Every four weeks`,
};

type Props = {
  series: AgainPage;
  /** The address of this page, and the one of the appointment. */
  here: string;
  back: string;
  refused?: Refusal;
  /** The card of the person for whom a provider books. */
  person?: string | null;
  told?: ReactNode;
  /** With whom in a shop, if whoever can keep most of the dates will do. */
  isWithAnyone?: boolean;
  /** What it is for, where the address says that. */
  service?: string | null;
  /** What is asked for along with the dates. */
  fields?: ReactNode;
  /** Stands in the place of the dates. */
  instead?: ReactNode;
};

/** Books an appointment's time again: how often and how long, then all dates. */
export function AgainSteps({
  series,
  here,
  back,
  refused,
  person,
  told,
  isWithAnyone,
  service: asked,
  fields,
  instead,
}: Props) {
  const { t } = useLingui();
  const words = useWords();
  const { appointment, isOver, chosen, isAsked, usualUntil, preview, problem } = series;
  const { service } = appointment;
  const keeper = preview?.providerName;
  const faults = problem ? { faults: [{ field: chosen.ends, message: words(problem) }], typed: {} } : undefined;
  const ofPerson = person && <input type="hidden" name="person" value={person} />;
  return (
    <>
      <ErrorSummary refused={refused ?? faults} />
      <Card>
        <Facts
          facts={[
            [
              isOver ? t`Last time` : t({ message: 'First', context: 'of a series' }),
              <Moment key="first" at={appointment.startsAt} zone={appointment.timeZone} isFull />,
            ],
            ...(service ? ([[t`What`, [service.name, service.price].filter(Boolean).join(' · ')]] as Fact[]) : []),
            ...(service?.deposit ? ([[t`Deposit`, <bdi key="deposit">{service.deposit}</bdi>]] as Fact[]) : []),
          ]}
        />
        <GetForm reloadDocument action={here} noValidate className="grid max-w-2xl gap-5">
          {ofPerson}
          {asked && <input type="hidden" name="service" value={asked} />}
          <Select name="every" label={t`How often`} defaultValue={chosen.every}>
            {Object.entries(everyWords).map(([days, every]) => (
              <option key={days} value={days}>
                {words(every)}
              </option>
            ))}
          </Select>
          <SeriesEnd {...{ chosen, isAsked, usualUntil }} isFirstCounted={!isOver} refused={faults} />
          <div>
            <Button quiet={preview !== null}>
              <Trans>Show the dates</Trans>
            </Button>
          </div>
        </GetForm>
      </Card>
      {preview && instead}
      {preview && !instead && (
        <Card title={words(everyWords[chosen.every] ?? '')}>
          <PostForm className="grid gap-5">
            {ofPerson}
            {isWithAnyone && (
              <p>
                <Trans>
                  With <bdi>{keeper}</bdi>: nobody there can keep more of these dates.
                </Trans>
              </p>
            )}
            <BookDates
              dates={preview.dates}
              timeZone={preview.timeZone}
              startsAt={isOver ? null : preview.startsAt}
              bookedId={appointment.status === status.booked ? appointment.id : null}
              refused={refused}
            />
            {fields}
            <p className="text-muted">
              <Trans>All of them are booked in one step, or none if one is gone by then.</Trans> {told}
            </p>
          </PostForm>
        </Card>
      )}
      <p>
        <TextLink to={back}>
          {isWithAnyone ? <Trans>Back to the one time</Trans> : <Trans>Back to the appointment</Trans>}
        </TextLink>
      </p>
    </>
  );
}
