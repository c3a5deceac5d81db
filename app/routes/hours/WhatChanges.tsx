import type { ReactNode } from 'react';
import { Card } from '../../components/Card';
import { Submit } from '../../components/forms/Form';
import type { Refusal } from '../../domain/errors';
import type { Preview } from '../../domain/hours/hours.server';
import type { PictureWeek } from '../../domain/hours/picture';
import { BookedOutside } from './BookedOutside';
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
  refused?: Refusal;
  children: ReactNode; // the room for services
};

export const WhatChanges = ({ id, preview, zone, refused, children }: Props) => (
  <Card title="What will change" id={id}>
    <p role="status" className="text-lg font-semibold">
      {whatChanges(preview)}
    </p>
    {children}
    <WeeksAhead weeks={preview.weeks} zone={zone} />
    <div>
      <Submit name="press" value="save">
        Save these hours
      </Submit>
    </div>
    {preview.outside.length > 0 && <BookedOutside {...preview} isSaved={false} refused={refused} />}
  </Card>
);
