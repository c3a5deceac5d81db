import { msg, plural } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Card } from '../../components/Card';
import { Submit } from '../../components/forms/Form';
import { useWords } from '../../components/words';
import type { Refusal } from '../../domain/errors';
import type { Preview } from '../../domain/hours/hours.server';
import type { PictureWeek } from '../../domain/hours/picture';
import type { Words } from '../../domain/words/words';
import { BookedOutside, type TextedOutside } from './BookedOutside';
import { WeeksAhead } from './WeeksAhead';

/** The effect of a change of hours, before it is saved. */
export type Previewed = Omit<Preview, 'wanted' | 'outside'> & TextedOutside & { weeks: PictureWeek[] };

/** Sums up the change: '12 new times, 4 removed, 1 booking stays'. */
function whatChanges({ created, withdrawn, outsideCount }: Previewed): Words {
  const isSame = created === 0 && withdrawn === 0;
  const changes = isSame
    ? msg`Your free times stay as they are`
    : msg`${plural({ created }, { one: '# new time', other: '# new times' })}, ${plural(
        { removed: withdrawn },
        { one: '# removed', other: '# removed' },
      )}`;
  return outsideCount === 0
    ? changes
    : msg`${changes}, ${plural({ count: outsideCount }, { one: '# booking stays', other: '# bookings stay' })}`;
}

type Props = {
  id: string;
  preview: Previewed;
  zone: string; // the zone of the times
  refused?: Refusal;
  children: ReactNode; // the room for services
};

export function WhatChanges({ id, preview, zone, refused, children }: Props) {
  const words = useWords();
  return (
    <Card title={<Trans>What will change</Trans>} id={id}>
      <p role="status" className="text-lg font-semibold">
        {words(whatChanges(preview))}
      </p>
      {children}
      <WeeksAhead weeks={preview.weeks} zone={zone} />
      <div>
        <Submit name="press" value="save">
          <Trans>Save these hours</Trans>
        </Submit>
      </div>
      {preview.outside.length > 0 && <BookedOutside {...preview} isSaved={false} refused={refused} />}
    </Card>
  );
}
