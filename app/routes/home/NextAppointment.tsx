import { Trans } from '@lingui/react/macro';
import { ButtonLink } from '../../components/Button';
import { CallButton } from '../../components/Reach';
import { OwnWhenLine, useOwnZone } from '../../components/times/Time';
import { useWords } from '../../components/words';
import type { NextAppointment as Next } from '../../domain/bookings/next.server';
import { mapLink } from '../../domain/parties/parties';
import { whereWords } from '../../domain/services/where';
import { providerInShop } from '../../domain/shop/in-shop';
import type { Words } from '../../domain/words/words';
import * as paths from '../../paths';
import { Ticket } from './Ticket';

export function NextAppointment({ next }: { next: Next & { soon: Words } }) {
  const words = useWords();
  const { id, startsAt, service, where, place, phone, soon } = next;
  const at = whereWords(where, false);
  const address = at ? null : (place ?? next.address);
  const map = address && mapLink({ address, locationUrl: null });
  return (
    <Ticket
      at={startsAt}
      zone={useOwnZone(next)}
      soon={soon}
      name={words(providerInShop(next, true))}
      to={paths.appointment(id)}
      facts={[<OwnWhenLine key="when" {...next} />, service, at ? words(at) : address]}
    >
      <div className="flex flex-wrap gap-2">
        <ButtonLink quiet to={paths.appointmentFile(id)} isFile>
          <Trans>Add to calendar</Trans>
        </ButtonLink>
        {map && (
          <ButtonLink quiet to={map}>
            <Trans>Way there</Trans>
          </ButtonLink>
        )}
        {where === 'video' && place && (
          <ButtonLink quiet to={place}>
            <Trans>By video</Trans>
          </ButtonLink>
        )}
        {phone && <CallButton phone={phone} />}
        <ButtonLink quiet to={paths.appointment(id)}>
          <Trans>Change or cancel</Trans>
        </ButtonLink>
      </div>
    </Ticket>
  );
}
