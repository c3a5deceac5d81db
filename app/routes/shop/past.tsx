import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { TextLink } from '../../components/Button';
import { Card, Empty } from '../../components/Card';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Pager } from '../../components/Pager';
import { StatusBadge } from '../../components/times/AppointmentLine';
import { Leaf, SpanTimes } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { listPastOf } from '../../domain/bookings/past-in-shop.server';
import { status } from '../../domain/bookings/status';
import { page as pageNumber, parse } from '../../domain/input/fields';
import { attendanceWords } from '../../domain/people/attendance-words';
import { nameWords } from '../../domain/profile/former';
import { dateWords, localDateOf } from '../../domain/time/clock';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`Past appointments`);

export const loader = pageLoader('Provider', async ({ db, actor }, { url, params: { username = '' } }) => {
  const page = parse(pageNumber, url.searchParams.get('page') ?? undefined);
  const { who, rows, hasMore } = await listPastOf(db, actor, { username, page });
  const { displayName, leftAt } = who;
  return { displayName, leftOn: localDateOf(leftAt, actor.timeZone), rows, hasMore, page };
});

type Loaded = ReturnType<typeof useLoaderData<typeof loader>>;

export default function Past() {
  const { displayName, leftOn, rows, hasMore, page } = useLoaderData<typeof loader>();
  const words = useWords();
  const { t } = useLingui();
  const day = words(dateWords(leftOn).full);
  return (
    <Page title={t`Past appointments`} subtitle={<bdi>{displayName}</bdi>}>
      <p className="max-w-prose text-muted">
        <Trans>
          What was booked in the shop and began before <bdi>{displayName}</bdi> left on {day}.
        </Trans>
      </p>
      <Card>
        {rows.length === 0 && <Empty>{t`No Appointments`}</Empty>}
        <ul className="lines">
          {rows.map((row) => (
            <Line key={row.id} {...row} />
          ))}
        </ul>
        <Pager page={page} hasMore={hasMore} />
      </Card>
      <p>
        <TextLink to={paths.formerColleagues()}>{t`People who left`}</TextLink>
      </p>
    </Page>
  );
}

function Line({ bookerName, service, attendance, ...row }: Loaded['rows'][number]) {
  const words = useWords();
  return (
    <li className="relative">
      <Leaf date={row.date} />
      <div>
        <h2>{bookerName && words(nameWords(bookerName))}</h2>
        <p>
          <SpanTimes {...row} />
          {service && <span className="block">{service}</span>}
          {attendance && <span className="block">{words(attendanceWords[attendance])}</span>}
        </p>
      </div>
      {row.status === status.canceled && <StatusBadge status={row.status} />}
    </li>
  );
}
