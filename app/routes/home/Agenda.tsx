import { AppointmentLine, type LineOf, Lines } from '../../components/AppointmentLine';
import { TextLink } from '../../components/Button';
import type { Page } from '../../domain/input/fields';

/** The first page of a list. */
export function Agenda({ list, to }: { list: Page<LineOf>; to: '/view-provider' | '/details-cancel' }) {
  return (
    <>
      <Lines>
        {list.rows.map((row) => (
          <AppointmentLine key={row.id} appointment={row} to={to} />
        ))}
      </Lines>
      {list.hasMore && <TextLink to="/view-dash">More</TextLink>}
    </>
  );
}
