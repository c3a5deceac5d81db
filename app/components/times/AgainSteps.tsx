import type { ReactNode } from 'react';
import { status } from '../../domain/bookings/status';
import type { Refusal } from '../../domain/errors';
import type { AgainPage } from '../../domain/series/series';
import { Button, TextLink } from '../Button';
import { Card, Facts } from '../Card';
import { ErrorSummary } from '../forms/ErrorSummary';
import { Select } from '../forms/Field';
import { PostForm } from '../forms/Form';
import { BookDates } from './BookDates';
import { SeriesEnd } from './SeriesEnd';
import { Moment } from './Time';

const everyWords: Record<string, string> = {
  '7': 'Every week',
  '14': 'Every two weeks',
  '21': 'Every three weeks',
  '28': 'Every four weeks',
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
  /** Stands in the place of the dates. */
  instead?: ReactNode;
};

/** Books an appointment's time again: how often and how long, then all dates. */
export function AgainSteps({ series, here, back, refused, person, told, instead }: Props) {
  const { appointment, isOver, chosen, isAsked, usualUntil, preview, problem } = series;
  const faults = problem ? { faults: [{ field: chosen.ends, message: problem }], typed: {} } : undefined;
  const ofPerson = person && <input type="hidden" name="person" value={person} />;
  return (
    <>
      <ErrorSummary refused={refused ?? faults} />
      <Card>
        <Facts
          facts={[
            [
              isOver ? 'Last time' : 'First',
              <Moment key="first" at={appointment.startsAt} zone={appointment.timeZone} isFull />,
            ],
            ...(appointment.service ? ([['What', appointment.service.name]] as [string, string][]) : []),
          ]}
        />
        <form method="get" action={here} noValidate className="grid max-w-2xl gap-5">
          {ofPerson}
          <Select name="every" label="How often" defaultValue={chosen.every}>
            {Object.entries(everyWords).map(([days, words]) => (
              <option key={days} value={days}>
                {words}
              </option>
            ))}
          </Select>
          <SeriesEnd {...{ chosen, isAsked, usualUntil }} isFirstCounted={!isOver} refused={faults} />
          <div>
            <Button quiet={preview !== null}>Show the dates</Button>
          </div>
        </form>
      </Card>
      {preview && instead}
      {preview && !instead && (
        <Card title={everyWords[chosen.every]}>
          <PostForm className="grid gap-5">
            {ofPerson}
            <BookDates
              dates={preview.dates}
              timeZone={preview.timeZone}
              startsAt={isOver ? null : preview.startsAt}
              bookedId={appointment.status === status.booked ? appointment.id : null}
              refused={refused}
            />
            <p className="text-muted">All of them are booked in one step, or none if one is gone by then. {told}</p>
          </PostForm>
        </Card>
      )}
      <p>
        <TextLink to={back}>Back to the appointment</TextLink>
      </p>
    </>
  );
}
