import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink, TextLink } from '../../components/Button';
import { Face } from '../../components/Face';
import { HomeLink, Page } from '../../components/frame/Page';
import { Sheet } from '../../components/frame/Sheet';
import { useShell } from '../../components/frame/shell';
import { CallLink, MapLink } from '../../components/Reach';
import { OfferFacts, ServiceLinks } from '../../components/ServiceLinks';
import { FreeDays } from '../../components/times/FreeDays';
import { MonthOfDays } from '../../components/times/MonthOfDays';
import { Moment } from '../../components/times/Time';
import type { ShopPage as Shown } from '../../domain/calendar/shop-page.server';
import type { ShopPerson } from '../../domain/slots/shop-times.server';
import type { LocalDate } from '../../domain/time/clock';
import { PublicFooter } from './PublicFooter';
import { anyonePath, monthPath, timesPath, withPath } from './paths';

type Props = Shown & { today: LocalDate; page: number };

/** A shop for whoever has its link: what they come for, with whom, and when. */
export function ShopPage({
  shop,
  services,
  service,
  next,
  month,
  months,
  days,
  dates,
  times,
  today,
  page,
  hasMore,
}: Props) {
  const { t } = useLingui();
  const isFramed = useShell().framed !== undefined;
  const { username, displayName, location, description, address, phone, people } = shop;
  return (
    <Page title={displayName} subtitle={<bdi>{location}</bdi>} corner={<HomeLink />} breaksAnywhere>
      <Sheet isWide>
        <div className="plate">
          <Face name={displayName} />
          <div className="grid gap-1">
            {description && <p className="break-words whitespace-pre-line">{description}</p>}
            {(address || phone) && (
              <p className="flex flex-wrap gap-x-6 break-words">
                {address && <MapLink address={address} />}
                {phone && <CallLink phone={phone} />}
              </p>
            )}
          </div>
        </div>
        {!service && services.length > 0 && (
          <section aria-labelledby="services" className="grid gap-3 text-start">
            <h2 id="services" className="text-xl">
              <Trans>What do you come for?</Trans>
            </h2>
            <ServiceLinks services={services} to={(id) => withPath(username, id)} />
          </section>
        )}
        {!service && services.length === 0 && (
          <p className="text-muted">
            <Trans>Book with one of the people here.</Trans>
          </p>
        )}
        {service && (
          <section aria-label={t`What you come for`} className="offers text-start">
            <p className="chosen">
              <OfferFacts {...service} />
            </p>
            <div className="grid content-center gap-1">
              {service.description && <p className="break-words whitespace-pre-line">{service.description}</p>}
              <p>
                <TextLink to={withPath(username)}>{t`Something else`}</TextLink>
              </p>
            </div>
          </section>
        )}
        <People
          people={service ? people.filter((one) => service.who.includes(one.username)) : people}
          service={service?.id ?? null}
        />
        {service && next && (
          <div>
            <ButtonLink to={anyonePath(username, next.startsAt, service.id)}>
              <span>
                <Trans>
                  Next free: <Moment at={next.startsAt} zone={next.timeZone} />
                </Trans>
              </span>
            </ButtonLink>
          </div>
        )}
        {service && days.length + times.length > 0 && (
          <div className="pick">
            <MonthOfDays
              id="month"
              today={today}
              month={month}
              months={months}
              days={days}
              dates={dates}
              paths={{
                month: (to) => monthPath(username, to, service.id),
                day: (date) => timesPath(username, [date], 0, service.id),
              }}
            />
            <section id="times" aria-label={t`Free times`} className="grid gap-5 text-start">
              {times.length === 0 && (
                <p className="text-muted">{t`Nothing is free then any more. Choose a day to see its times.`}</p>
              )}
              <FreeDays
                times={times}
                to={(id) => anyonePath(username, times.find((time) => time.id === id)?.startsAt ?? 0, service.id)}
              />
            </section>
          </div>
        )}
        {service && days.length + times.length === 0 && (
          <p className="text-muted">
            <Trans>Nothing is free at the moment.</Trans>
          </p>
        )}
        {service && (
          <nav aria-label={t`More times`} className="flex justify-between gap-4 empty:hidden">
            {page > 0 && <TextLink to={timesPath(username, dates, page - 1, service.id)}>{t`Earlier times`}</TextLink>}
            {hasMore && <TextLink to={timesPath(username, dates, page + 1, service.id)}>{t`Later times`}</TextLink>}
          </nav>
        )}
      </Sheet>
      {!isFramed && <PublicFooter />}
    </Page>
  );
}

type PeopleProps = { people: ShopPerson[]; service: string | null };

/** Whoever is free, or somebody by name, whose own page has the same service. */
function People({ people, service }: PeopleProps) {
  const { t } = useLingui();
  return (
    <section aria-label={t`With whom`} className="grid gap-3 text-start">
      <h2 className="text-xl">
        <Trans>With whom?</Trans>
      </h2>
      <ul className="tiles offers">
        {service && (
          <li>
            <a href="#times" aria-current="true">
              <b>
                <Trans>Anyone</Trans>
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
