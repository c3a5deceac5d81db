import { Trans } from '@lingui/react/macro';
import { TextLink } from '../../components/Button';
import type { FreeTime } from '../../domain/slots/open-slots.server';
import type { LocalDate } from '../../domain/time/clock';
import { waitPath } from './paths';

/** The first and the last of the shown days, where none of them has a free time: whoever waits likely waits for those. */
export function fullDays(days: LocalDate[], times: FreeTime[], today: LocalDate): { from?: LocalDate; to?: LocalDate } {
  if (times.some(({ places }) => places !== 0)) return {};
  const toCome = days.filter((date) => date >= today).sort();
  return { from: toCome[0], to: toCome.at(-1) };
}

type Props = {
  username: string;
  service: string | null;
  /** True beside free times. */
  hasTimes: boolean;
  from?: LocalDate;
  to?: LocalDate;
};

export const WaitLink = ({ username, service, hasTimes, from, to }: Props) => (
  <p>
    <TextLink to={waitPath(username, { service, from, to })}>
      {hasTimes ? (
        <Trans>Nothing that suits you? Tell me if a time comes free</Trans>
      ) : (
        <Trans>Tell me if a time comes free</Trans>
      )}
    </TextLink>
  </p>
);
