import { Trans } from '@lingui/react/macro';
import { TextLink } from '../../components/Button';
import { AppointmentLine, type LineOf, Lines } from '../../components/times/AppointmentLine';
import type { Page } from '../../domain/input/fields';
import * as paths from '../../paths';

export function Agenda({ list, to }: { list: Page<LineOf>; to: (id: string) => string }) {
  return (
    <>
      <Lines>
        {list.rows.map((row) => (
          <AppointmentLine key={row.id} appointment={row} to={to} />
        ))}
      </Lines>
      {list.hasMore && (
        <TextLink to={paths.bookedAndCanceled()}>
          <Trans>More</Trans>
        </TextLink>
      )}
    </>
  );
}
