import { useLoaderData } from '@remix-run/react';
import { Card, Empty } from '../../components/Card';
import { EventLine, eventLineOf } from '../../components/EventLine';
import { Page } from '../../components/Page';
import { Moment } from '../../components/Time';
import { Told } from '../../components/Told';
import { titled } from '../../components/titled';
import { listUnseen } from '../../domain/messages/news.server';
import { toldLine } from '../../domain/messages/told';
import { listRsvps } from '../../domain/parties/letters.server';
import { answerPage } from '../../http/page.server';

export const meta = titled('My invitations');

export const loader = answerPage('member', async ({ db, actor, now }) => {
  const [rsvps, unseen] = await Promise.all([listRsvps(db, actor, now), listUnseen(db, actor, 'invitations')]);
  return {
    told: unseen.map((message) => toldLine(message, actor.timeZone)),
    rsvps: rsvps.map(({ party, own, calledOffAt, cancelReason, was }) => {
      const { providerName } = party;
      return { party: eventLineOf(party), providerName, ...own, calledOffAt, cancelReason, was };
    }),
  };
});

export default function Answered() {
  const { told, rsvps } = useLoaderData<typeof loader>();
  return (
    <Page title="My invitations" subtitle="What you answered">
      <Told told={told} see="See the invitation" from="invitations" />
      <Card>
        {rsvps.length === 0 && (
          <Empty>Nothing yet. When someone sends you the link of a party, your answer is kept here.</Empty>
        )}
        <ul className="lines events">
          {rsvps.map((rsvp) => (
            <EventLine key={rsvp.party.id} party={rsvp.party} to={`/party/${rsvp.party.id}`} was={rsvp.was}>
              <Rsvp {...rsvp} />
            </EventLine>
          ))}
        </ul>
      </Card>
    </Page>
  );
}

type Shown = ReturnType<typeof useLoaderData<typeof loader>>['rsvps'][number];

/** What was answered; or that there is nothing to come to. */
function Rsvp({ party, providerName, accepted, plusOnes, calledOffAt, cancelReason, was }: Shown) {
  if (calledOffAt !== null) {
    return (
      <span className="text-accent">
        {`Called off by ${providerName}, `}
        <Moment at={calledOffAt} zone={party.timeZone} />
        {cancelReason && (
          <>
            : <bdi className="break-words">{cancelReason}</bdi>
          </>
        )}
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
