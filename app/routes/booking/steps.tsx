import { Form } from '@remix-run/react';
import { type FormEvent, useEffect } from 'react';
import { Button, TextLink } from '../../components/Button';
import { Calendar } from '../../components/Calendar';
import { Card, Empty } from '../../components/Card';
import { Faults, TextField } from '../../components/Field';
import { EnterSubmits } from '../../components/Form';
import { Pager } from '../../components/Pager';
import { useShell } from '../../components/shell';
import { Leaf, Zone } from '../../components/Time';
import { timeLink } from '../../components/timeLink';
import type { Provider, ProviderRow } from '../../domain/accounts/providers.server';
import type { FreeTime } from '../../domain/appointments/open-slots.server';
import { dateWords, type LocalDate, localDateOf, localTimeOf, shortDate, wireDate } from '../../domain/time/clock';
import { type Month, monthOf } from '../../domain/time/month';
import { fetchAhead, pagesAhead } from './ahead';

const names = ['City', 'Provider', 'Days', 'Time'] as const;
type Step = (typeof names)[number];

const cityPath = (location: string) => `/view?location=${encodeURIComponent(location)}`;
const providerPath = (username: string) => `/view?provider=${encodeURIComponent(username)}`;
const daysQuery = (dates: LocalDate[]) => dates.map((date) => `&dates=${wireDate(date)}`).join('');
/** The days of a provider with some of them ticked. */
const daysPath = (username: string, dates: LocalDate[] = []) =>
  providerPath(username) + (dates[0] ? `${daysQuery(dates)}&month=${monthOf(dates[0])}` : '');

type Done = { location?: string; provider?: string; dates?: LocalDate[] };

/** Where in the four steps the reader is; those done are links back, to what was chosen there. */
export function Steps({ current, location, provider, dates }: Done & { current: Step }) {
  const back = {
    City: '/view',
    Provider: location && cityPath(location),
    Days: provider && daysPath(provider, dates),
    Time: '',
  };
  const shape = 'inline-flex min-h-10 items-center rounded-full border px-4 text-sm';
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-2">
      {names.map((name) => {
        const to = names.indexOf(name) < names.indexOf(current) && back[name];
        if (name === current) {
          return (
            <li key={name} aria-current="step" className={`${shape} border-ink bg-ink font-semibold text-paper`}>
              {name}
            </li>
          );
        }
        return (
          <li key={name}>
            {to ? (
              <a href={to} className={`${shape} border-good text-good`}>
                {name}
              </a>
            ) : (
              <span className={`${shape} border-rule text-muted`}>{name}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}

export function ChooseCity({ cities }: { cities: string[] }) {
  return (
    <Card title="Which city?">
      {cities.length === 0 && <Empty>No results found</Empty>}
      <ul className="tiles cities grid gap-3 sm:grid-cols-2">
        {cities.map((city) => (
          <li key={city}>
            <a href={cityPath(city)}>{city}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

type Providers = { location: string; q: string; page: number; rows: ProviderRow[]; hasMore: boolean };

export function ChooseProvider({ location, q, page, rows, hasMore }: Providers) {
  const { year } = useShell();
  return (
    <Card
      title={
        <>
          Who in <bdi>{location}</bdi>?
        </>
      }
    >
      <Form className="flex flex-wrap items-end gap-3" role="search">
        <input type="hidden" name="location" value={location} />
        <div className="min-w-0 flex-1 basis-36">
          <TextField key={q} name="q" label="Search by name" type="search" defaultValue={q} />
        </div>
        <Button quiet>Search</Button>
      </Form>
      {rows.length === 0 && (
        <Empty next={<TextLink to={cityPath(location)}>Everyone in {location}</TextLink>}>No results found</Empty>
      )}
      <ul className="grid">
        {rows.map(({ username, displayName, description, nextAt, timeZone }) => (
          <li key={username} className="relative grid gap-1 border-b border-dashed border-rule py-4 last:border-0">
            <h3 className="font-sans text-base font-semibold">
              <a href={providerPath(username)} className="after:absolute after:inset-0 hover:underline">
                {displayName}
              </a>
            </h3>
            {description && <p className="line-clamp-2 text-sm text-muted">{description}</p>}
            <p className="text-sm text-muted">
              {nextAt ? (
                <>
                  {`Next free: ${shortDate(localDateOf(nextAt, timeZone), year)}, ${localTimeOf(nextAt, timeZone)} `}
                  <Zone zone={timeZone} />
                </>
              ) : (
                'Nothing free at the moment'
              )}
            </p>
          </li>
        ))}
      </ul>
      <Pager page={page} hasMore={hasMore} />
    </Card>
  );
}

type Days = {
  provider: Provider;
  today: LocalDate;
  available: LocalDate[];
  dates: LocalDate[];
  month: Month;
  isMissing: boolean;
};

/** With script: the browser's Back leads to the days as they are ticked now. */
function keepTicked({ currentTarget }: FormEvent<HTMLFormElement>): void {
  const query = new URLSearchParams(new FormData(currentTarget) as unknown as Record<string, string>);
  query.set('month', query.get('shown') ?? '');
  history.replaceState(history.state, '', `?${query}`);
}

export function ChooseDays({ provider, today, available, dates, month, isMissing }: Days) {
  const { username, displayName, description, location, timeZone } = provider;
  return (
    <Card title={displayName} aside={<span className="text-sm text-muted">{location}</span>}>
      {description && <p className="text-muted whitespace-pre-line">{description}</p>}
      {available.length === 0 ? (
        <Empty next={<TextLink to={cityPath(location)}>Other providers in {location}</TextLink>}>No Appointments</Empty>
      ) : (
        <Form action="/view" className="grid gap-4" onSubmit={keepTicked}>
          <EnterSubmits name="show" value="times" />
          <input type="hidden" name="provider" value={username} />
          <Calendar legend="Which days suit you?" today={today} available={available} month={month} chosen={dates} />
          <p className="text-sm text-muted">
            Days with free times can be chosen; they are days in <Zone zone={timeZone} />.
          </p>
          {isMissing && <Faults faults={[{ field: 'dates', message: 'Choose at least one day.' }]} />}
          <div>
            <Button name="show" value="times">
              Show times
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}

type Time = Omit<FreeTime, 'date' | 'timeZone'>;
/** The free times of a day, all in one zone. */
export type DayOfTimes = Pick<FreeTime, 'date' | 'timeZone'> & { times: Time[] };
type Times = { provider: Provider; dates: LocalDate[]; page: number; days: DayOfTimes[]; hasMore: boolean };

export function ChooseTime({ provider, dates, page, days, hasMore }: Times) {
  const { readerZone, year } = useShell();
  const here = `${providerPath(provider.username)}${daysQuery(dates)}`;
  useEffect(() => {
    if (!hasMore) return;
    const following = Array.from({ length: pagesAhead }, (_, ahead) => `${here}&page=${page + 1 + ahead}`);
    return fetchAhead('routes/booking/find', following);
  }, [here, page, hasMore]);
  return (
    <>
      <p>
        {`${dates.map((date) => shortDate(date, year)).join(' · ')} `}
        <TextLink to={daysPath(provider.username, dates)}>Change days</TextLink>
      </p>
      {days.length === 0 && (
        <Card>
          <Empty next={<TextLink to={providerPath(provider.username)}>Choose other days</TextLink>}>
            No Appointments
          </Empty>
        </Card>
      )}
      {days.map(({ date, timeZone, times }) => {
        const { full, longWeekday } = dateWords(date);
        return (
          <section key={`${date} ${timeZone}`} className="grid gap-4">
            <div className="flex items-center gap-4">
              <Leaf date={date} />
              <div>
                <h2 className="text-xl">{longWeekday}</h2>
                <p className="text-sm text-muted">
                  <Zone zone={timeZone} />
                </p>
              </div>
            </div>
            <ul className="tiles slots grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-3">
              {times.map((time) => timeLink(time, `/details/${time.id}`, full, timeZone, readerZone))}
            </ul>
          </section>
        );
      })}
      <Pager page={page} hasMore={hasMore} />
    </>
  );
}
