import { Trans, useLingui } from '@lingui/react/macro';
import { roomOfFrame } from '../../components/frame/frame-groups';
import { useFrameGroups } from '../../components/frame/Parts';
import { useIsFramed } from '../../components/frame/shell';
import { linesOfTile } from '../../components/ServiceLinks';
import type { ShopPage as Shown } from '../../domain/calendar/shop-page.server';
import type { ShopPerson } from '../../domain/slots/shop-times.server';
import type { LocalDate } from '../../domain/time/clock';
import { BookingPage } from './BookingPage';
import { anyonePath, withPath } from './paths';

type Props = Shown & { today: LocalDate; page: number };

/** The public page of a shop: its services, people and free times. */
export function ShopPage({ shop, services, service, ...times }: Props) {
  const { username, people } = shop;
  const hasTimes = times.days.length + times.times.length > 0;
  const chosen = service?.id ?? null;
  const shown = service ? people.filter((one) => service.who.includes(one.username)) : people;
  const lists = useFrameGroups<Choosable>(service ? ['anyone', ...shown] : shown, linesOf, roomOfFrame.tiles);
  const listed = (some: Choosable[]) => (
    <>
      {services.length === 0 && (
        <p className="text-muted">
          <Trans>Book with one of the people here.</Trans>
        </p>
      )}
      <People people={some} shop={username} service={chosen} />
    </>
  );
  const hasNothing = service ? !hasTimes : services.length + people.length === 0;
  return (
    <BookingPage
      host={shop}
      services={service ? [] : services}
      service={service}
      canChange
      people={lists.map(listed)}
      choice={service && hasTimes ? times : null}
      to={({ startsAt }) => anyonePath(username, startsAt, chosen)}
      nothing={
        hasNothing && (
          <p className="text-muted">
            <Trans>Nothing is free at the moment.</Trans>
          </p>
        )
      }
    />
  );
}

/** Who can be chosen: somebody by name, or whoever is free. */
type Choosable = ShopPerson | 'anyone';

// Its height in a frame, in lines.
const linesOf = (one: Choosable) =>
  one === 'anyone' ? 3 : linesOfTile(one.displayName) + (one.nextAt === null ? 1 : 0);

type PeopleProps = { people: Choosable[]; shop: string; service: string | null };

/** Links to each person's page, with the chosen service, and to the times of whoever is free. */
function People({ people, shop, service }: PeopleProps) {
  const { t } = useLingui();
  // In a frame the days stand in a part of their own.
  const times = useIsFramed() ? withPath(shop, service) : '#times';
  const anyone = (
    <li key="">
      <a href={times} aria-current="true">
        <b>
          <Trans context="with whom, in a shop">Anyone</Trans>
        </b>{' '}
        <small>
          <Trans>whoever is free</Trans>
        </small>
      </a>
    </li>
  );
  const byName = ({ username, displayName, nextAt }: ShopPerson) => (
    <li key={username}>
      <a href={withPath(username, service)}>
        <b>
          <bdi>{displayName}</bdi>
        </b>
        {nextAt === null && (
          <>
            {' '}
            <small>
              <Trans>nothing free</Trans>
            </small>
          </>
        )}
      </a>
    </li>
  );
  return (
    <section aria-label={t`With whom`} className="grid gap-3 text-start">
      <h2 className="text-xl">
        <Trans>With whom?</Trans>
      </h2>
      <ul className="tiles offers">{people.map((one) => (one === 'anyone' ? anyone : byName(one)))}</ul>
    </section>
  );
}
