import type { ReactNode } from 'react';
import { TextLink } from '../../components/Button';
import { Card } from '../../components/Card';
import { Submit } from '../../components/forms/Form';
import { Moment } from '../../components/times/Time';
import type { Preview } from '../../domain/hours/hours.server';
import type { PictureWeek } from '../../domain/hours/picture';
import * as paths from '../../paths';
import { WeeksAhead } from './WeeksAhead';

/** The effect of a change of hours, before it is saved. */
export type Previewed = Omit<Preview, 'wanted'> & { weeks: PictureWeek[] };

const plural = (count: number) => (count === 1 ? 'time' : 'times');
export const times = (count: number) => `${count} ${plural(count)}`;

/** Sums up the change: '12 new times, 4 removed, 1 booking stays outside of them'. */
function whatChanges({ created, withdrawn, outsideCount }: Previewed): string {
  const isSame = created === 0 && withdrawn === 0;
  const open = isSame ? 'Your free times stay as they are' : `${created} new ${plural(created)}, ${withdrawn} removed`;
  return outsideCount === 0
    ? open
    : `${open}, ${outsideCount} ${outsideCount === 1 ? 'booking stays' : 'bookings stay'}`;
}

type Props = {
  id: string;
  preview: Previewed;
  zone: string; // the zone of the times
  children: ReactNode; // the room for services
};

export const WhatChanges = ({ id, preview, zone, children }: Props) => (
  <Card title="What will change" id={id}>
    <p role="status" className="text-lg font-semibold">
      {whatChanges(preview)}
    </p>
    {preview.outside.length > 0 && <Outside {...preview} />}
    {children}
    <WeeksAhead weeks={preview.weeks} zone={zone} />
    <div>
      <Submit name="press" value="save">
        Save these hours
      </Submit>
    </div>
  </Card>
);

const Outside = ({ outside, outsideCount }: Pick<Preview, 'outside' | 'outsideCount'>) => (
  <div className="grid gap-1">
    <p className="text-muted">Booked outside of these hours, and stays. Cancel or move it if you must:</p>
    <ul className="grid gap-1">
      {outside.map(({ id, name, ...span }) => (
        <li key={id}>
          <TextLink to={paths.providerView(id)}>
            <Moment at={span.startsAt} zone={span.timeZone} />, <bdi>{name}</bdi>
          </TextLink>
        </li>
      ))}
    </ul>
    {outsideCount > outside.length && <p className="text-muted">{`And ${outsideCount - outside.length} more.`}</p>}
  </div>
);
