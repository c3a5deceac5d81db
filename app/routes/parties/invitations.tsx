import { msg } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useLoaderData } from '@remix-run/react';
import { Card, Empty } from '../../components/Card';
import { EventLine, eventLineOf } from '../../components/EventLine';
import { Page } from '../../components/frame/Page';
import { titled } from '../../components/frame/titled';
import { Notices } from '../../components/Notices';
import { Pager } from '../../components/Pager';
import { Moment } from '../../components/times/Time';
import { useWords } from '../../components/words';
import { page as pageNumber, parse } from '../../domain/input/fields';
import { listUnseen } from '../../domain/messages/news.server';
import { noticeLine } from '../../domain/messages/notices';
import { listRsvps, type Rsvped } from '../../domain/parties/letters.server';
import { seenNames } from '../../domain/parties/parties';
import { pageLoader } from '../../http/page.server';
import * as paths from '../../paths';

export const meta = titled(msg`My invitations`);

const lineOf = ({ party, own, calledOffAt, was }: Rsvped) => {
  const { title, providerName } = seenNames(party);
  return { party: { ...eventLineOf(party), title }, providerName, ...own, calledOffAt, was };
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
  const { t } = useLingui();
  const hasComing = coming.rows.length > 0 || coming.page > 0;
  return (
    <Page title={t`My invitations`} subtitle={t`What you answered`}>
      <Notices notices={notices} see={t`See the invitation`} from="invitations" />
      <Card title={hasPast ? t`Coming` : undefined}>
        {!hasComing && (
          <Empty>
            {hasPast
              ? t`Nothing to come. When someone sends you the link of a party, your answer is kept here.`
              : t`Nothing yet. When someone sends you the link of a party, your answer is kept here.`}
          </Empty>
        )}
        <Lines rows={coming.rows} />
        <Pager page={coming.page} hasMore={coming.hasMore} name="coming" />
      </Card>
      {hasPast && (
        <div id="past" className="scroll-mt-20">
          <Card title={t`Past`}>
            <Lines rows={past.rows} />
            <Pager page={past.page} hasMore={past.hasMore} name="past" list="past" />
          </Card>
        </div>
      )}
    </Page>
  );
}

function Lines({ rows }: { rows: Line[] }) {
  const words = useWords();
  return (
    <ul className="lines events">
      {rows.map((row) => {
        const { id, title } = row.party;
        return (
          <EventLine key={id} party={{ ...row.party, title: words(title) }} to={paths.party(id)} was={row.was}>
            <Rsvp {...row} />
          </EventLine>
        );
      })}
    </ul>
  );
}

/** The guest's RSVP, or that the party was called off. */
function Rsvp({ party, providerName, accepted, plusOnes, calledOffAt, was }: Line) {
  const words = useWords();
  const { t } = useLingui();
  const host = words(providerName);
  if (calledOffAt !== null) {
    return (
      <span className="text-accent">
        <Trans>
          Called off by {host}, <Moment at={calledOffAt} zone={party.timeZone} />
        </Trans>
      </span>
    );
  }
  if (!accepted) return <span className="text-accent">{t`You said no`}</span>;
  return (
    <>
      <span className="text-good">
        {plusOnes > 0 ? (
          <Plural value={plusOnes} one="You are going, with # more" other="You are going, with # more" />
        ) : (
          t`You are going`
        )}
      </span>
      {was && <span className="block text-warn">{t`It has moved`}</span>}
    </>
  );
}
