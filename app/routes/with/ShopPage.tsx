import { Trans, useLingui } from '@lingui/react/macro';
import type { ShopPage as Shown } from '../../domain/calendar/shop-page.server';
import type { ShopPerson } from '../../domain/slots/shop-times.server';
import type { LocalDate } from '../../domain/time/clock';
import { BookingPage, useTimesPlace } from './BookingPage';
import { anyonePath, withPath } from './paths';

type Props = Shown & { today: LocalDate; page: number };

/** A shop for whoever has its link: what they come for, with whom, and when. */
export function ShopPage({ shop, services, service, ...times }: Props) {
  const { username, people } = shop;
  const hasTimes = times.days.length + times.times.length > 0;
  const chosen = service?.id ?? null;
  return (
    <BookingPage
      host={shop}
      services={service ? [] : services}
      service={service}
      canChange
      people={
        <>
          {services.length === 0 && (
            <p className="text-muted">
              <Trans>Book with one of the people here.</Trans>
            </p>
          )}
          <People
            people={service ? people.filter((one) => service.who.includes(one.username)) : people}
            service={chosen}
          />
        </>
      }
      choice={service && hasTimes ? times : null}
      to={({ startsAt }) => anyonePath(username, startsAt, chosen)}
      nothing={
        service &&
        !hasTimes && (
          <p className="text-muted">
            <Trans>Nothing is free at the moment.</Trans>
          </p>
        )
      }
    />
  );
}

type PeopleProps = { people: ShopPerson[]; service: string | null };

/** Whoever is free, or somebody by name, whose own page has the same service. */
function People({ people, service }: PeopleProps) {
  const { t } = useLingui();
  const times = useTimesPlace();
  return (
    <section aria-label={t`With whom`} className="grid gap-3 text-start">
      <h2 className="text-xl">
        <Trans>With whom?</Trans>
      </h2>
      <ul className="tiles offers">
        {service && (
          <li>
            <a href={times} aria-current="true">
              <b>
                <Trans context="with whom, in a shop">Anyone</Trans>
              </b>{' '}
              <small>
                <Trans>whoever is free</Trans>
              </small>
            </a>
          </li>
        )}
        {people.map(({ username, displayName, nextAt }) => (
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
        ))}
      </ul>
    </section>
  );
}
