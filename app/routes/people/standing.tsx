import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { redirect } from '@remix-run/cloudflare';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Empty, Notice } from '../../components/Card';
import { ErrorSummary } from '../../components/forms/ErrorSummary';
import { Select, TextField } from '../../components/forms/Field';
import { PostForm, Submit } from '../../components/forms/Form';
import { useRefusal } from '../../components/forms/refusal';
import { ServiceOptions } from '../../components/forms/ServiceSelect';
import { useBookPaths } from '../../components/frame/book-paths';
import { Page } from '../../components/frame/Page';
import { useShell } from '../../components/frame/shell';
import { titled } from '../../components/frame/titled';
import { useWords } from '../../components/words';
import { parse } from '../../domain/input/fields';
import { getCard } from '../../domain/people/people.server';
import { listServices } from '../../domain/services/services.server';
import { standingList, standingTime } from '../../domain/standing/standing';
import { listStandingTimes, setStandingTimes } from '../../domain/standing/standing.server';
import { weekdayWords, wireDate } from '../../domain/time/clock';
import { weekdaysFrom } from '../../domain/time/week-start';
import { todayIn } from '../../domain/time/zones';
import { inBook } from '../../http/book-of.server';
import { fields, withWireDates } from '../../http/form.server';
import { formAction, pageLoader } from '../../http/page.server';
import { StandingTimes } from './StandingTimes';

export const meta = titled(msg`Standing times`);

export const loader = pageLoader(
  'Provider',
  inBook(async ({ db, actor, now }, { params: { id = '' }, url }) => {
    const [person, standing, services] = await Promise.all([
      getCard(db, actor, id, now),
      listStandingTimes(db, actor, id, now),
      listServices(db, actor),
    ]);
    const { timeZone } = actor;
    const offered = services.filter(({ isOffered, seats }) => isOffered && seats === 1);
    const isSet = url.searchParams.has('set');
    return { person, standing, services: offered, timeZone, today: todayIn(timeZone, now), isSet };
  }),
);

export const action = formAction(
  'Provider',
  inBook(async ({ db, actor, now, links, desk }, typed, { params: { id = '' } }) => {
    const end = typed.end?.[0];
    const { until, ...sent } = withWireDates(fields(typed), 'from', 'until');
    const added = end === undefined ? [parse(standingTime, { ...sent, until: until || null })] : [];
    const before = await listStandingTimes(db, actor, id, now);
    const list = [...before.filter((one) => one.id !== end), ...added].map(({ from, until, ...one }) => ({
      ...one,
      from: wireDate(from),
      until: until && wireDate(until),
    }));
    await setStandingTimes(db, links, actor, { id, list: parse(standingList, list) }, now);
    return redirect(desk.standingTimes(id, { set: 'yes' }), 303);
  }),
);

const everyWords = {
  7: msg`Every week`,
  14: msg`Every two weeks`,
  21: msg`Every three weeks`,
  28: msg`Every four weeks`,
};

export default function StandingTimesPage() {
  const desk = useBookPaths();
  const { t } = useLingui();
  const words = useWords();
  const { person, standing, services, timeZone, today, isSet } = useLoaderData<typeof loader>();
  const refused = useRefusal();
  const { name } = person;
  return (
    <Page title={t`Standing times`} subtitle={person.name} breaksAnywhere>
      {isSet && !refused && <Notice tone="good" title={t`The standing times are set.`} />}
      <ErrorSummary refused={refused} />
      <Card title={t`Kept for them`}>
        {standing.length === 0 && <Empty>{t`No standing times`}</Empty>}
        <StandingTimes person={person.id} list={standing} timeZone={timeZone} canEnd />
      </Card>
      <Card title={t`Keep a time`}>
        <p>
          <Trans>
            Whatever you publish at that time, by hand or by hours, is booked for {name} before anyone else can see it.
          </Trans>
        </p>
        <PostForm className="grid gap-5 sm:grid-cols-2">
          <Select name="day" label={t`Day`} defaultValue="1" refused={refused}>
            {weekdaysFrom(useShell().weekStart).map((day) => (
              <option key={day} value={day}>
                {words(weekdayWords(day))}
              </option>
            ))}
          </Select>
          <TextField
            name="start"
            label={t({ message: 'Time', context: 'of day' })}
            type="time"
            required
            defaultValue="10:00"
            refused={refused}
          />
          <Select name="every" label={t`How often`} defaultValue="7" refused={refused}>
            {Object.entries(everyWords).map(([days, often]) => (
              <option key={days} value={days}>
                {words(often)}
              </option>
            ))}
          </Select>
          <TextField
            name="from"
            label={t({ message: 'From', context: 'date' })}
            type="date"
            required
            defaultValue={today}
            refused={refused}
          />
          <TextField name="until" label={t`Last day`} type="date" isOptional refused={refused} />
          {services.length > 0 && (
            <Select name="service" label={t`Service`} isOptional defaultValue="" refused={refused}>
              <ServiceOptions services={services} />
            </Select>
          )}
          <div className="sm:col-span-2">
            <Submit>{t`Keep this time`}</Submit>
          </div>
        </PostForm>
      </Card>
      <p>
        <TextLink to={desk.person(person.id)}>{t`Back to the card`}</TextLink>
      </p>
    </Page>
  );
}
