import { useLoaderData } from '@remix-run/react';
import { Card, Empty } from '../../components/Card';
import { EventLine, eventLineOf } from '../../components/EventLine';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Notices } from '../../components/Notices';
import { Pager } from '../../components/Pager';
import { Moment } from '../../components/times/Time';
import { page as pageNumber, parse } from '../../domain/input/fields';
import { listUnseen } from '../../domain/messages/news.server';
import { noticeLine } from '../../domain/messages/notices';
import { listRsvps, type Rsvped } from '../../domain/parties/letters.server';
import { seenNames } from '../../domain/parties/parties';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled('My invitations');

const lineOf = ({ party, own, calledOffAt, was }: Rsvped) => {
  const { title, providerName } = seenNames(party);
  return { party: eventLineOf({ ...party, title }), providerName, ...own, calledOffAt, was };
};
type Line = ReturnType<typeof lineOf>;

/** Each list has a page number of its own in the query, so the other list stays where it is. */
export const loader = pageLoader('member', async ({ db, actor, now }, { url }) => {
  const list = async (period: 'coming' | 'past') => {
    const page = parse(pageNumber, url.searchParams.get(period) ?? undefined);
    const { rows, hasMore } = await listRsvps(db, actor, { which: period, page }, now);
    return { rows: rows.map(lineOf), hasMore, page };
  };
  const [coming, past, unseen] = await Promise.all([
    list('coming'),
    list('past'),
    listUnseen(db, actor, 'invitations'),
  ]);
  return { notices: unseen.flatMap((message) => noticeLine(message, actor.timeZone) ?? []), coming, past };
});

export default function Invitations() {
  const { notices, coming, past } = useLoaderData<typeof loader>();
  const hasPast = past.rows.length > 0 || past.page > 0;
  const hasComing = coming.rows.length > 0 || coming.page > 0;
  return (
    <Page title="My invitations" subtitle="What you answered">
      <Notices notices={notices} see="See the invitation" from="invitations" />
      <Card title={hasPast ? 'Coming' : undefined}>
        {!hasComing && (
          <Empty>
            {`Nothing ${hasPast ? 'to come' : 'yet'}. When someone sends you the link of a party, your answer is kept here.`}
          </Empty>
        )}
        <Lines rows={coming.rows} />
        <Pager page={coming.page} hasMore={coming.hasMore} name="coming" />
      </Card>
      {hasPast && (
        <div id="past" className="scroll-mt-20">
          <Card title="Past">
            <Lines rows={past.rows} />
            <Pager page={past.page} hasMore={past.hasMore} name="past" list="past" />
          </Card>
        </div>
      )}
    </Page>
  );
}

const Lines = ({ rows }: { rows: Line[] }) => (
  <ul className="lines events">
    {rows.map((row) => (
      <EventLine key={row.party.id} party={row.party} to={paths.party(row.party.id)} was={row.was}>
        <Rsvp {...row} />
      </EventLine>
    ))}
  </ul>
);

/** The guest's RSVP, or that the party was called off. */
function Rsvp({ party, providerName, accepted, plusOnes, calledOffAt, was }: Line) {
  if (calledOffAt !== null) {
    return (
      <span className="text-accent">
        {`Called off by ${providerName}, `}
        <Moment at={calledOffAt} zone={party.timeZone} />
      </span>
    );
  }
  if (!accepted) return <span className="text-accent">You said no</span>;
  return (
    <>
      <span className="text-good">{`You are going${plusOnes > 0 ? `, with ${plusOnes} more` : ''}`}</span>
      {was && <span className="block text-warn">It has moved</span>}
    </>
  );
}
