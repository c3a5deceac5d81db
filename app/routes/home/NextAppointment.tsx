import { ButtonLink } from '../../components/Button';
import { CallButton } from '../../components/Reach';
import { OwnWhenLine, useOwnZone } from '../../components/times/Time';
import type { NextAppointment as Next } from '../../domain/bookings/next.server';
import { mapLink } from '../../domain/parties/parties';
import { providerWords } from '../../domain/profile/former';
import * as paths from '../../paths';
import { Ticket } from './Ticket';

export function NextAppointment({ next }: { next: Next & { soon: string } }) {
  const { id, providerName, startsAt, service, address, phone, soon } = next;
  const map = address && mapLink({ address, locationUrl: null });
  return (
    <Ticket
      at={startsAt}
      zone={useOwnZone(next)}
      soon={soon}
      name={providerWords(providerName, true)}
      to={paths.appointment(id)}
      facts={[<OwnWhenLine key="when" {...next} />, service, address]}
    >
      <div className="flex flex-wrap gap-2">
        <ButtonLink quiet to={paths.appointmentFile(id)} isFile>
          Add to calendar
        </ButtonLink>
        {map && (
          <ButtonLink quiet to={map}>
            Way there
          </ButtonLink>
        )}
        {phone && <CallButton phone={phone} />}
        <ButtonLink quiet to={paths.appointment(id)}>
          Change or cancel
        </ButtonLink>
      </div>
    </Ticket>
  );
}
